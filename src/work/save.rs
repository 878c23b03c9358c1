//! Saving files where the clerk wants them: labels here, other files through [`Place`].
//!
//! What always holds: a file that is there is replaced only where a file dialog has asked for that; names are made of our
//! own numbers, never of what the service calls a file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::AsyncWriteExt as _;

use super::WorkError;
use super::bench::Bench;
use super::label_file::expected;
use super::reads::Reads;
use super::remote::Fetch;
use crate::printing::check::{all_before_ink, whole_file};
use crate::printing::page::{Pages, Scale};
use crate::shipping::{ConsignmentId, LabelSize};

/// Where label files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveTo {
    /// Where the clerk says in a dialog.
    AskForFile,
    /// In a folder that the clerk picks in a dialog.
    AskForFolder,
    /// To this file, which is not there yet.
    File(PathBuf),
    /// In this folder, which is there.
    Folder(PathBuf),
}

/// Where label files went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedLabels {
    /// The file, or the folder.
    pub place: PathBuf,
    /// How many.
    pub files: usize,
    /// How many of them fail the check before ink.
    pub unfit: usize,
    /// The file at which it ended early, and why.
    pub failed: Option<(String, String)>,
}

/// Names that are tried for one file: "MS200431.pdf", "MS200431 (2).pdf" and so on.
const TRIES: u32 = 1_000;

impl Reads {
    /// Saves label files, each under the name beside it; nothing where the clerk changed their mind. Where one fails after
    /// others were saved, those are told with it.
    pub fn save_labels(
        &self,
        files: Vec<(ConsignmentId, String)>,
        size: LabelSize,
        to: SaveTo,
    ) -> Fetch<Option<SavedLabels>> {
        self.job(move |bench| async move {
            let first = files.first().map(|(_, name)| name.clone());
            let place = match to {
                SaveTo::AskForFile => Place::picked_file(first.unwrap_or_default()).await,
                to => Place::of(to, "Save labels in").await,
            };
            let Some(place) = place else { return Ok(None) };
            place.is_usable().await?;
            let mut saved = SavedLabels {
                place: place.path().to_owned(),
                files: 0,
                unfit: 0,
                failed: None,
            };
            for (id, name) in files {
                match bench.save_label(&place, (id, size), &name).await {
                    Ok(is_fit) => {
                        saved.files += 1;
                        saved.unfit += usize::from(!is_fit);
                    }
                    Err(error) if saved.files == 0 => return Err(error),
                    Err(error) => {
                        saved.failed = Some((name, error.advice()));
                        break;
                    }
                }
            }
            Ok(Some(saved))
        })
    }
}

impl Bench {
    /// Answers whether it passes the check before ink.
    async fn save_label(
        &self,
        place: &Place,
        (id, size): (ConsignmentId, LabelSize),
        name: &str,
    ) -> Result<bool, WorkError> {
        let label = self.label_file(id, size).await?.label;
        let written = place.write(name, &label.pdf).await;
        written.map_err(|error| WorkError::Save(error.kind()))?;
        let pdf: Arc<[u8]> = label.pdf.into();
        let pages = self
            .renderer
            .render_pages(Arc::clone(&pdf), Pages::All, Scale::DOTS_8)
            .await?;
        let expected = expected(label.expected, label.numbers);
        let check = move || whole_file(&pdf).is_ok() && all_before_ink(&pages, &expected).is_ok();
        let checked = tokio::task::spawn_blocking(check).await;
        checked.map_err(|_panicked| WorkError::Internal)
    }
}

/// Saves bytes at a typed place, where nothing else is.
pub(super) async fn save_new(path: &Path, bytes: &[u8]) -> Result<(), WorkError> {
    let written = write_new(path, bytes).await;
    written.map_err(|error| WorkError::Save(error.kind()))
}

/// Where files go.
pub(super) enum Place {
    /// The dialog asked whether it is to be replaced, where it is there.
    AgreedFile(PathBuf),
    NewFile(PathBuf),
    Folder(PathBuf),
}

impl Place {
    async fn picked_file(name: String) -> Option<Self> {
        let dialog = rfd::AsyncFileDialog::new()
            .set_title("Save label")
            .set_file_name(name)
            .add_filter("PDF", &["pdf"]);
        Some(Self::AgreedFile(
            dialog.save_file().await?.path().to_owned(),
        ))
    }

    /// Where a folder is asked for, in a dialog of this title; nothing where the clerk changed their mind.
    pub(super) async fn of(to: SaveTo, title: &str) -> Option<Self> {
        match to {
            SaveTo::File(path) => Some(Self::NewFile(path)),
            SaveTo::Folder(path) => Some(Self::Folder(path)),
            SaveTo::AskForFile | SaveTo::AskForFolder => {
                let dialog = rfd::AsyncFileDialog::new().set_title(title);
                Some(Self::Folder(dialog.pick_folder().await?.path().to_owned()))
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        let (Self::AgreedFile(path) | Self::NewFile(path) | Self::Folder(path)) = self;
        path
    }

    /// What is wrong with a typed place is said before anything is fetched.
    pub(super) async fn is_usable(&self) -> Result<(), WorkError> {
        let kind = match self {
            Self::AgreedFile(_) => return Ok(()),
            Self::NewFile(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::Folder(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::NewFile(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory,
                // Whether it is the same file shows when it is written.
                _ => return Ok(()),
            },
            Self::Folder(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => return Ok(()),
                Ok(_) => io::ErrorKind::NotADirectory,
                Err(error) => error.kind(),
            },
        };
        Err(WorkError::Save(kind))
    }

    pub(super) async fn write(&self, name: &str, pdf: &[u8]) -> io::Result<()> {
        match self {
            Self::AgreedFile(path) => tokio::fs::write(path, pdf).await,
            Self::NewFile(path) => write_new(path, pdf).await,
            Self::Folder(folder) => {
                for at in 1..=TRIES {
                    let path = folder.join(numbered(name, at));
                    match write_new(&path, pdf).await {
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                        written => return written,
                    }
                }
                Err(io::ErrorKind::AlreadyExists.into())
            }
        }
    }
}

/// `MS200431.pdf`, then `MS200431 (2).pdf`.
fn numbered(name: &str, at: u32) -> String {
    match (at, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (at, Some((stem, ending))) => format!("{stem} ({at}).{ending}"),
        (at, None) => format!("{name} ({at})"),
    }
}

/// Fails where another file is there; leaves no half of one behind. One with these very bytes is the one that is wanted.
async fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = tokio::fs::OpenOptions::new();
    let mut file = match options.write(true).create_new(true).open(path).await {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let is_same = tokio::fs::read(path)
                .await
                .is_ok_and(|there| there == bytes);
            return if is_same { Ok(()) } else { Err(error) };
        }
        opened => opened?,
    };
    let written = async {
        file.write_all(bytes).await?;
        file.sync_all().await
    };
    let written = written.await;
    if written.is_err() {
        drop(tokio::fs::remove_file(path).await);
    }
    written
}
