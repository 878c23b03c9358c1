//! Shows and saves the files of a consignment, such as proofs of delivery. The type of a file is read from its bytes.
//! Names from the service are used only to tell files apart, never as names on the disk. Files are drawn or decoded
//! only in the renderer's child process.
//!
//! Files are saved in a folder. Each call fetches the files of ten consignments, as the service recommends. Only
//! consignments with files are requested, whatever their status. Saved files get our own names and replace no
//! existing file. A file is saved only if it certainly belongs to its consignment; all other files are listed as not
//! saved.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use thiserror::Error;

use crate::context::{EngineContext, lock};
use crate::error::is_unavailable;
use crate::remote::Fetch;
use crate::save::{SavePlace, SaveTarget};
use crate::{EngineError, JobControl, Reads};
use client::Failure;
use printing::picture::{FileFormat, Picture};
use printing::renderer::RenderError;
use shipping::{
    Attachment, AttachmentId, Consignment, ConsignmentId, Document, DocumentKind, ServiceError,
    StatusId, match_documents,
};

#[derive(Debug, Clone)]
pub struct FilePageRequest {
    pub consignment: ConsignmentId,
    /// All files of the consignment, as the service lists them.
    pub listed: Vec<Attachment>,
    pub file: AttachmentId,
    /// Index of the page, from 0.
    pub page: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FilePage {
    pub id: AttachmentId,
    /// The type for display: "PDF, 2 pages", "JPEG picture".
    pub kind: String,
    pub picture: Picture,
}

impl Reads {
    pub fn attachments(&self, id: ConsignmentId) -> Fetch<Vec<Attachment>> {
        self.fetch(move |client| async move { client.attachments(id).await })
    }

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

    /// Fetches all files and assigns them to the listed files, in the order of the list.
    async fn all_files(
        &self,
        order: &FilePageRequest,
        ids: &[AttachmentId],
        kept: &FileCache,
    ) -> Result<FileResults, EngineError> {
        let documents = self.client.documents(&[order.consignment]).await?;
        let places = match_documents(&order.listed, &documents);
        let (listed, came) = (places.len(), documents.len());
        // If a document matches no listed file, it may be any of the missing files.
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

/// Returns the renderer's format for this type; `None` if files of this type are never shown.
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

/// The most bytes in the cache. The files of a single consignment may be larger.
const MOST_BYTES: usize = 64 * 1024 * 1024;

const MOST: usize = 16;

/// Cache of fetched files, in memory only, so that no proof with a signature and an address stays on the bench's
/// disk. The oldest files are removed when the cache holds more than 64 MiB or 16 consignments; the files fetched
/// last always stay. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct FileCache(Arc<Mutex<VecDeque<CacheEntry>>>);

#[derive(Debug)]
struct CacheEntry {
    of: ConsignmentId,
    /// The listed files at the time of the fetch.
    listed: Vec<AttachmentId>,
    files: FileResults,
}

/// Files in the order of the list. An error stands for a file that was not received or could not be assigned.
type FileResults = Arc<[Result<CachedFile, FileError>]>;

#[derive(Debug, Clone)]
struct CachedFile {
    kind: DocumentKind,
    bytes: Arc<[u8]>,
}

impl FileCache {
    /// Removes the files of a consignment, so that they are fetched again.
    pub fn forget(&self, of: ConsignmentId) {
        lock(&self.0).retain(|kept| kept.of != of);
    }

    /// Returns the files of a consignment, if they were fetched for the same list.
    fn get(&self, of: ConsignmentId, listed: &[AttachmentId]) -> Option<FileResults> {
        let kept = lock(&self.0);
        let found = { kept.iter() }.find(|kept| kept.of == of && kept.listed == listed)?;
        Some(Arc::clone(&found.files))
    }

    fn put(&self, of: ConsignmentId, listed: Vec<AttachmentId>, files: FileResults) -> FileResults {
        let mut kept = lock(&self.0);
        kept.retain(|kept| kept.of != of);
        kept.push_back(CacheEntry {
            of,
            listed,
            files: Arc::clone(&files),
        });
        while kept.len() > MOST || (kept.len() > 1 && bytes(&kept) > MOST_BYTES) {
            kept.pop_front();
        }
        files
    }
}

fn bytes(kept: &VecDeque<CacheEntry>) -> usize {
    let files = kept.iter().flat_map(|kept| kept.files.iter());
    files.flatten().map(|file| file.bytes.len()).sum()
}

/// The reason why a file of a consignment can't be shown or saved. The message never quotes text from the file.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FileError {
    /// Files of this type are never opened here.
    #[error("This is {}, which Packbench doesn't open", .0.with_article())]
    UnsupportedKind(DocumentKind),
    /// The service lists the file but did not send it.
    #[error("The service listed this file but didn't send it")]
    NotSent,
    /// Some documents could not be assigned to listed files.
    #[error(
        "Packbench can't tell which file is which: the service listed {listed} and sent {came}"
    )]
    Ambiguous { listed: usize, came: usize },
    #[error("{}", drawn(.0))]
    Render(#[from] RenderError),
}

impl FileError {
    pub fn advice(&self) -> String {
        let advice = match self {
            Self::UnsupportedKind(kind) if kind.ending().is_none() => {
                "It can't be saved either. Ask the carrier for the proof as a PDF or picture"
            }
            Self::UnsupportedKind(kind) if kind.ending() == Some("bin") => {
                "You can save it as .bin, so it won't open automatically"
            }
            Self::UnsupportedKind(_) => "You can save it and open it in another program",
            Self::NotSent => "Try again later, or ask the carrier for it",
            Self::Ambiguous { .. } => "Save all files and check each one",
            Self::Render(RenderError::NoRenderer { .. }) => {
                "Restart Packbench. If this happens again, reinstall it"
            }
            Self::Render(RenderError::NoSuchPage { .. }) => "Choose a page that exists",
            Self::Render(RenderError::Password) => {
                "Ask the carrier for a copy without a password. You can still save this one"
            }
            Self::Render(_) => "You can still save it. Ask the carrier for another copy",
        };
        format!("{self}. {advice}")
    }
}

fn drawn(error: &RenderError) -> String {
    match error {
        RenderError::NotAPdf | RenderError::Unreadable => {
            "This file is damaged and can't be opened".to_owned()
        }
        RenderError::Truncated => "This file is incomplete: its end is missing".to_owned(),
        RenderError::PageTooLarge {
            width_mm,
            height_mm,
        } => format!("This page is too large to show: {width_mm} × {height_mm} mm"),
        RenderError::ImageTooLarge { width, height } => {
            format!("This picture is too large to show: {width} × {height} pixels")
        }
        RenderError::FileTooLarge { mebibytes } => {
            format!("This file is too large to show: {mebibytes} MiB")
        }
        RenderError::TimedOut { seconds } => {
            format!("This file took longer than {seconds} s to open and was stopped")
        }
        RenderError::OutOfMemory { mebibytes } => {
            format!("This file needs more than {mebibytes} MiB of memory and can't be shown")
        }
        RenderError::Died => "This file crashed the viewer, which is restarting".to_owned(),
        RenderError::Password => "This file is locked with a password".to_owned(),
        other => other.to_string(),
    }
}

/// Consignments in one fetch, as the service's documentation recommends.
const AT_ONCE: usize = 10;

/// Consignments in one lookup.
const LOOKED_UP: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedFiles {
    pub folder: String,
    pub saved: usize,
    pub consignments: usize,
    /// Everything that was not saved, each with the reason: `MS5: not complete yet`.
    pub left_out: Vec<String>,
}

impl SavedFiles {
    fn leave_out(&mut self, number: &str, why: &str) {
        self.left_out.push(format!("{number}: {why}"));
    }
}

impl Reads {
    /// Saves all files of the consignments. Returns `None` if the clerk cancelled the folder dialog.
    pub fn save_files(
        &self,
        ids: Vec<ConsignmentId>,
        to: SaveTarget,
        ticket: JobControl,
    ) -> Fetch<Option<SavedFiles>> {
        self.job(move |bench| async move {
            let Some(place) = SavePlace::of(to, "Save the files in").await else {
                return Ok(None);
            };
            place.is_usable().await?;
            let mut saved = SavedFiles {
                folder: place.path().display().to_string(),
                ..SavedFiles::default()
            };
            let mut left = ids.as_slice();
            while !left.is_empty() && !ticket.is_stopped() {
                let (these, rest) = left.split_at(left.len().min(LOOKED_UP));
                let done = bench.save_some(these, &place, &ticket, &mut saved).await;
                match done {
                    Err(error) if saved.saved == 0 => return Err(error),
                    Err(error) => {
                        saved.leave_out("The rest", &error.advice());
                        break;
                    }
                    Ok(()) => left = rest,
                }
            }
            if ticket.is_stopped() && !left.is_empty() {
                let words = format!("stopped before these {} were fetched", left.len());
                saved.leave_out("The rest", &words);
            }
            Ok(Some(saved))
        })
    }
}

impl EngineContext {
    /// Saves the files of up to a hundred consignments. An error ends the whole job.
    async fn save_some(
        &self,
        ids: &[ConsignmentId],
        place: &SavePlace,
        ticket: &JobControl,
        saved: &mut SavedFiles,
    ) -> Result<(), EngineError> {
        let found = self.client.consignments(ids).await?;
        let wanted = ids.to_vec();
        let rows = self.track.read(move |reader| reader.rows(&wanted)).await?;
        let mut asked = Vec::new();
        for id in ids {
            let one = found.iter().find(|one| one.id == *id);
            let row = rows.iter().find(|row| row.id == *id);
            let files = one.and_then(|one| one.attachment_count);
            let files = files.or_else(|| Some(row?.attachments)).unwrap_or_default();
            let why = |one| left_out(one, files);
            match one.map_or(Some("no longer at the service"), why) {
                None => asked.extend(one),
                Some(why) => {
                    let number = { one }
                        .map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone());
                    saved.leave_out(&number, why);
                    ticket.add(1);
                }
            }
        }
        for ten in asked.chunks(AT_ONCE) {
            if ticket.is_stopped() {
                for one in ten {
                    saved.leave_out(&one.consignment_number, "stopped before it was fetched");
                }
                continue;
            }
            self.save_ten(ten, place, saved).await?;
            ticket.add(ten.len());
            (self.repaint)();
        }
        Ok(())
    }

    async fn save_ten(
        &self,
        ten: &[&Consignment],
        place: &SavePlace,
        saved: &mut SavedFiles,
    ) -> Result<(), EngineError> {
        if let Some(sorted) = self.all_at_once(ten).await? {
            for (one, documents) in ten.iter().zip(sorted) {
                save_one(one, documents, place, saved).await?;
            }
            return Ok(());
        }
        // The call failed because of one consignment, or a document's name does not tell its consignment: fetch each
        // consignment's documents separately.
        for one in ten {
            match self.client.documents(&[one.id]).await {
                Ok(documents) => save_one(one, documents, place, saved).await?,
                Err(failure) if is_unavailable(&failure) => return Err(failure.into()),
                Err(failure) => saved.leave_out(&one.consignment_number, &why(&failure)),
            }
        }
        Ok(())
    }

    /// Fetches the documents of all consignments in one call. Returns `None` if each consignment needs
    /// a separate call.
    async fn all_at_once(
        &self,
        ten: &[&Consignment],
    ) -> Result<Option<Vec<Vec<Document>>>, EngineError> {
        if ten.len() < 2 {
            return Ok(None);
        }
        let ids: Vec<_> = ten.iter().map(|one| one.id).collect();
        match self.client.documents(&ids).await {
            Ok(documents) => Ok(sorted(ten, documents)),
            Err(failure) if is_unavailable(&failure) => Err(failure.into()),
            Err(_) => Ok(None),
        }
    }
}

/// Returns why no files are fetched for a consignment, which is always that it has none. The status alone does not
/// exclude a consignment, because carriers also send photos of damaged and returned goods.
fn left_out(one: &Consignment, files: i64) -> Option<&'static str> {
    let status = one.status().map(|status| status.id);
    match (files, status) {
        (1.., _) => None,
        (_, Some(StatusId::COMPLETE)) => Some("no files"),
        _ => Some("not complete yet"),
    }
}

/// Assigns each document to the one consignment whose number is in its name. Returns `None` if that fails for
/// a document, or if a consignment gets no document.
fn sorted(ten: &[&Consignment], documents: Vec<Document>) -> Option<Vec<Vec<Document>>> {
    let mut each: Vec<Vec<Document>> = ten.iter().map(|_| Vec::new()).collect();
    for document in documents {
        let mut owners = { ten.iter().enumerate() }
            .filter(|(_, one)| document.name_contains(&one.consignment_number));
        let (Some((owner, _)), None) = (owners.next(), owners.next()) else {
            return None;
        };
        each[owner].push(document);
    }
    each.iter()
        .all(|documents| !documents.is_empty())
        .then_some(each)
}

async fn save_one(
    one: &Consignment,
    documents: Vec<Document>,
    place: &SavePlace,
    saved: &mut SavedFiles,
) -> Result<(), EngineError> {
    let number = &one.consignment_number;
    let listed = usize::try_from(one.attachment_count.unwrap_or_default()).unwrap_or_default();
    if documents.len() < listed {
        let came = documents.len();
        saved.leave_out(number, &format!("only {came} of {listed} files received"));
    }
    let before = saved.saved;
    for (at, document) in documents.into_iter().enumerate() {
        let Some(name) = document.save_name(number, at + 1) else {
            let kind = document.kind.with_article();
            saved.leave_out(number, &format!("not saved: {kind}"));
            continue;
        };
        place.write(&name, &document.bytes).await?;
        saved.saved += 1;
    }
    saved.consignments += usize::from(saved.saved > before);
    Ok(())
}

fn why(failure: &Failure) -> String {
    match failure {
        Failure::Refused(errors) => ServiceError::joined_messages(errors),
        Failure::Document(problem) => problem.to_string(),
        Failure::WebPage => "not saved: a web page".to_owned(),
        other => other.to_string(),
    }
}
