//! Shows and saves the files of a consignment, such as proofs of delivery. The type of a file is read from
//! its bytes. The service's names only tell files apart, and never name anything on the disk. Files are drawn
//! or decoded only in the renderer's child process.

mod cache;
mod error;
mod save;

use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
pub use cache::FileCache;
use cache::{CachedFile, FileResults};
pub use error::FileError;
use printing::picture::{FileFormat, Picture};
pub use save::SavedFiles;
use shipping::{Attachment, AttachmentId, ConsignmentId, DocumentKind, match_documents};

/// A request for a page of a file.
#[derive(Debug, Clone)]
pub struct FilePageRequest {
    pub consignment: ConsignmentId,
    /// All files of the consignment, as the service lists them.
    pub listed: Vec<Attachment>,
    /// The file to show.
    pub file: AttachmentId,
    /// Index of the page, from 0.
    pub page: usize,
}

/// A page of a file, drawn for the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct FilePage {
    pub id: AttachmentId,
    /// The type for display: "PDF, 2 pages", "JPEG picture".
    pub kind: String,
    pub picture: Picture,
}

impl Reads {
    /// Returns a page of a file. Fetches the consignment's files if they are not in the cache.
    pub fn file(&self, order: FilePageRequest, kept: FileCache) -> Fetch<FilePage> {
        self.job(move |bench| async move {
            let file = bench.one_file(&order, &kept).await?;
            let medium = medium(file.kind).ok_or(FileError::UnsupportedKind(file.kind))?;
            let shown = bench
                .renderer
                .render_picture(medium, file.bytes, order.page)
                .await;
            let picture = shown.map_err(FileError::from)?;
            Ok(FilePage {
                id: order.file,
                kind: kind_text(file.kind, picture.pages),
                picture,
            })
        })
    }
}

impl EngineContext {
    async fn one_file(
        &self,
        order: &FilePageRequest,
        kept: &FileCache,
    ) -> Result<CachedFile, EngineError> {
        let ids: Vec<_> = order.listed.iter().map(|file| file.id).collect();
        let place = ids.iter().position(|id| *id == order.file);
        let place = place.ok_or(FileError::NotSent)?;
        let files = match kept.get(order.consignment, &ids) {
            Some(files) => files,
            None => self.all_files(order, &ids, kept).await?,
        };
        let file = files.get(place).cloned();
        Ok(file.unwrap_or(Err(FileError::NotSent))?)
    }

    /// Fetches all files and assigns them to the listed ones, in the order of the list.
    async fn all_files(
        &self,
        order: &FilePageRequest,
        ids: &[AttachmentId],
        kept: &FileCache,
    ) -> Result<FileResults, EngineError> {
        let documents = self.client.documents(&[order.consignment]).await?;
        let places = match_documents(&order.listed, &documents);
        let (listed, came) = (places.len(), documents.len());
        // If a document matches no listed file, it may be any of the missing ones.
        let missing = if came > places.iter().flatten().count() {
            FileError::Ambiguous { listed, came }
        } else {
            FileError::NotSent
        };
        let mut documents: Vec<_> = documents.into_iter().map(Some).collect();
        let files = places.into_iter().map(|place| {
            let document = place.and_then(|place| documents.get_mut(place)?.take());
            let document = document.ok_or_else(|| missing.clone())?;
            Ok(CachedFile {
                kind: document.kind,
                bytes: document.bytes.into(),
            })
        });
        Ok(kept.put(order.consignment, ids.to_vec(), files.collect()))
    }
}

/// Returns how the renderer reads this type; `None` if the type is never shown.
const fn medium(kind: DocumentKind) -> Option<FileFormat> {
    match kind {
        DocumentKind::Pdf => Some(FileFormat::Pdf),
        DocumentKind::Jpeg => Some(FileFormat::Jpeg),
        DocumentKind::Png => Some(FileFormat::Png),
        _ => None,
    }
}

fn kind_text(kind: DocumentKind, pages: usize) -> String {
    match (kind, pages) {
        (DocumentKind::Pdf, 1) => "PDF, 1 page".to_owned(),
        (DocumentKind::Pdf, pages) => format!("PDF, {pages} pages"),
        (kind, _) => kind.label().to_owned(),
    }
}
