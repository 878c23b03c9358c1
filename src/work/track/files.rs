//! Shows and saves the files of a consignment, such as proofs of delivery. The type of a file is read from
//! its bytes. The service's names only tell files apart, and never name anything on the disk. Files are drawn
//! or decoded only in the renderer's child process.

mod error;
mod kept;
mod save;

use crate::printing::picture::{Medium, Picture};
use crate::shipping::{Attachment, AttachmentId, ConsignmentId, DocumentKind, told_apart};
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::{Reads, WorkError};
pub use error::FileError;
pub use kept::KeptFiles;
use kept::{Files, KeptFile};
pub use save::SavedFiles;

/// A request for a page of a file.
#[derive(Debug, Clone)]
pub struct FileOrder {
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
pub struct FileShown {
    pub id: AttachmentId,
    /// The type for display: "PDF, 2 pages", "JPEG picture".
    pub kind: String,
    pub picture: Picture,
}

impl Reads {
    /// Returns a page of a file. Fetches the consignment's files if they are not in the cache.
    pub fn file(&self, order: FileOrder, kept: KeptFiles) -> Fetch<FileShown> {
        self.job(move |bench| async move {
            let file = bench.one_file(&order, &kept).await?;
            let medium = medium(file.kind).ok_or(FileError::NotShown(file.kind))?;
            let shown = bench.renderer.show(medium, file.bytes, order.page).await;
            let picture = shown.map_err(FileError::from)?;
            Ok(FileShown {
                id: order.file,
                kind: words(file.kind, picture.pages),
                picture,
            })
        })
    }
}

impl Bench {
    async fn one_file(&self, order: &FileOrder, kept: &KeptFiles) -> Result<KeptFile, WorkError> {
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
        order: &FileOrder,
        ids: &[AttachmentId],
        kept: &KeptFiles,
    ) -> Result<Files, WorkError> {
        let documents = self.client.documents(&[order.consignment]).await?;
        let places = told_apart(&order.listed, &documents);
        let (listed, came) = (places.len(), documents.len());
        // If a document matches no listed file, it may be any of the missing ones.
        let missing = if came > places.iter().flatten().count() {
            FileError::Unclear { listed, came }
        } else {
            FileError::NotSent
        };
        let mut documents: Vec<_> = documents.into_iter().map(Some).collect();
        let files = places.into_iter().map(|place| {
            let document = place.and_then(|place| documents.get_mut(place)?.take());
            let document = document.ok_or_else(|| missing.clone())?;
            Ok(KeptFile {
                kind: document.kind,
                bytes: document.bytes.into(),
            })
        });
        Ok(kept.put(order.consignment, ids.to_vec(), files.collect()))
    }
}

/// Returns how the renderer reads this type; `None` if the type is never shown.
const fn medium(kind: DocumentKind) -> Option<Medium> {
    match kind {
        DocumentKind::Pdf => Some(Medium::Pdf),
        DocumentKind::Jpeg => Some(Medium::Jpeg),
        DocumentKind::Png => Some(Medium::Png),
        _ => None,
    }
}

fn words(kind: DocumentKind, pages: usize) -> String {
    match (kind, pages) {
        (DocumentKind::Pdf, 1) => "PDF, 1 page".to_owned(),
        (DocumentKind::Pdf, pages) => format!("PDF, {pages} pages"),
        (kind, _) => kind.words().to_owned(),
    }
}
