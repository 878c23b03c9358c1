//! Saves labels at a place that the clerk chooses, and offers [`SavePlace`] for other files.
//!
//! An existing file is replaced only after a file dialog has asked for that. File names are made from our own
//! numbers, never from names that the service gives.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::AsyncWriteExt as _;

use super::label_file::expected;
use super::{EngineContext, EngineError, Fetch, Reads, blocking};
use printing::page::{PageSelection, Scale};
use printing::verification::{check_pdf_complete, verify_pages};
use shipping::{ConsignmentId, LabelSize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveTarget {
    AskForFile,
    AskForFolder,
    /// This file, which must not exist.
    File(PathBuf),
    /// This folder, which must exist.
    Folder(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedLabels {
    pub place: PathBuf,
    pub files: usize,
    /// The count of saved files that fail the label verification.
    pub unfit: usize,
    /// The file that stopped the saving, and the error.
    pub failed: Option<(String, String)>,
}

/// Names tried for a file: "MS200431.pdf", "MS200431 (2).pdf" and so on.
const TRIES: u32 = 1_000;

impl Reads {
    /// Saves label files under the given names. Returns `None` if the clerk cancels. If a file fails after
    /// others were saved, the result contains both.
    pub fn save_labels(
        &self,
        files: Vec<(ConsignmentId, String)>,
        size: LabelSize,
        to: SaveTarget,
    ) -> Fetch<Option<SavedLabels>> {
        self.job(move |bench| async move {
            let first = files.first().map_or("", |(_, name)| name);
            let place = match to {
                SaveTarget::AskForFile => SavePlace::picked_file("Save label", first).await,
                to => SavePlace::of(to, "Save labels in").await,
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

impl EngineContext {
    async fn save_label(
        &self,
        place: &SavePlace,
        (id, size): (ConsignmentId, LabelSize),
        name: &str,
    ) -> Result<bool, EngineError> {
        let label = self.label_file(id, size).await?.label;
        place.write(name, &label.pdf).await.map_err(unsaved)?;
        let pdf: Arc<[u8]> = label.pdf.into();
        let pages = self
            .renderer
            .render_pages(Arc::clone(&pdf), PageSelection::All, Scale::DOTS_8)
            .await?;
        let expected = expected(label.expected, label.numbers);
        blocking(move || {
            let is_complete = check_pdf_complete(&pdf).is_ok();
            Ok::<_, EngineError>(is_complete && verify_pages(&pages, &expected).is_ok())
        })
        .await
    }
}

/// Writes a file to the typed path, which must not exist, otherwise where the clerk chooses in a dialog that
/// suggests `name`. Returns the path, or `None` if the clerk cancels.
pub(super) async fn save_file(
    title: &str,
    name: &str,
    typed: Option<PathBuf>,
    bytes: &[u8],
) -> Result<Option<PathBuf>, EngineError> {
    let place = match typed {
        Some(path) => Some(SavePlace::NewFile(path)),
        None => SavePlace::picked_file(title, name).await,
    };
    let Some(place) = place else { return Ok(None) };
    place.write(name, bytes).await.map_err(unsaved)?;
    Ok(Some(place.path().to_owned()))
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err wants it")]
pub(super) fn unsaved(error: io::Error) -> EngineError {
    EngineError::Save(error.kind())
}

pub(super) enum SavePlace {
    /// A file from a dialog, which has asked whether to replace an existing one.
    AgreedFile(PathBuf),
    NewFile(PathBuf),
    Folder(PathBuf),
}

impl SavePlace {
    /// Asks for a file in a dialog, which filters by the ending of the suggested name.
    async fn picked_file(title: &str, name: &str) -> Option<Self> {
        let ending = name.rsplit('.').next().unwrap_or_default();
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .set_file_name(name)
            .add_filter(ending.to_uppercase(), &[ending]);
        Some(Self::AgreedFile(
            dialog.save_file().await?.path().to_owned(),
        ))
    }

    /// Resolves a target, with a dialog of this title if a folder has to be chosen. Returns `None` if the
    /// clerk cancels.
    pub(super) async fn of(to: SaveTarget, title: &str) -> Option<Self> {
        match to {
            SaveTarget::File(path) => Some(Self::NewFile(path)),
            SaveTarget::Folder(path) => Some(Self::Folder(path)),
            SaveTarget::AskForFile | SaveTarget::AskForFolder => {
                let dialog = rfd::AsyncFileDialog::new().set_title(title);
                Some(Self::Folder(dialog.pick_folder().await?.path().to_owned()))
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        let (Self::AgreedFile(path) | Self::NewFile(path) | Self::Folder(path)) = self;
        path
    }

    /// Checks a typed path before anything is fetched.
    pub(super) async fn is_usable(&self) -> Result<(), EngineError> {
        let kind = match self {
            Self::AgreedFile(_) => return Ok(()),
            Self::NewFile(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::Folder(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::NewFile(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory,
                // An existing file may have the same content; [`write_new`] compares that.
                _ => return Ok(()),
            },
            Self::Folder(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => return Ok(()),
                Ok(_) => io::ErrorKind::NotADirectory,
                Err(error) => error.kind(),
            },
        };
        Err(EngineError::Save(kind))
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

/// Returns `MS200431.pdf` for 1, then `MS200431 (2).pdf` and so on.
fn numbered(name: &str, at: u32) -> String {
    match (at, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (at, Some((stem, ending))) => format!("{stem} ({at}).{ending}"),
        (at, None) => format!("{name} ({at})"),
    }
}

/// Creates a file like [`create_new`], but succeeds if there is a file with the same bytes already.
async fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match create_new(path, bytes).await {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let there = tokio::fs::read(path).await;
            if there.is_ok_and(|there| there == bytes) {
                Ok(())
            } else {
                Err(error)
            }
        }
        created => created,
    }
}

/// Creates a file; a failed write leaves no partial file. Fails if the file exists.
pub(super) async fn create_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = tokio::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).open(path).await?;
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
