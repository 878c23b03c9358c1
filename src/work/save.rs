//! Saving label files where the clerk wants them.
//!
//! What always holds: a file that is there is replaced only where a file dialog has asked for that; names are made of our
//! own numbers, never of what the service calls a file.

use std::io;
use std::path::{Path, PathBuf};

use tokio::io::AsyncWriteExt as _;

use super::WorkError;
use super::reads::Reads;
use super::remote::Fetch;
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
}

/// Names that are tried for one file: "MS200431.pdf", "MS200431 (2).pdf" and so on.
const TRIES: u32 = 1_000;

impl Reads {
    /// Saves label files, each under the name beside it; nothing where the clerk changed their mind.
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
                SaveTo::AskForFolder => Place::picked_folder().await,
                SaveTo::File(path) => Some(Place::NewFile(path)),
                SaveTo::Folder(path) => Some(Place::Folder(path)),
            };
            let Some(place) = place else { return Ok(None) };
            place.is_usable().await?;
            let (mut saved, mut count) = (place.path().to_owned(), 0);
            for (id, name) in files {
                let pdf = bench.label_file(id, size).await?.label.pdf;
                let written = place.write(&name, &pdf).await;
                let path = written.map_err(|error| WorkError::Save(error.kind()))?;
                count += 1;
                if count == 1 && !matches!(place, Place::Folder(_)) {
                    saved = path;
                }
            }
            Ok(Some(SavedLabels {
                place: saved,
                files: count,
            }))
        })
    }
}

enum Place {
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

    async fn picked_folder() -> Option<Self> {
        let dialog = rfd::AsyncFileDialog::new().set_title("Save labels in");
        Some(Self::Folder(dialog.pick_folder().await?.path().to_owned()))
    }

    fn path(&self) -> &Path {
        let (Self::AgreedFile(path) | Self::NewFile(path) | Self::Folder(path)) = self;
        path
    }

    /// What is wrong with a typed place is said before anything is fetched.
    async fn is_usable(&self) -> Result<(), WorkError> {
        let kind = match self {
            Self::AgreedFile(_) => return Ok(()),
            Self::NewFile(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::Folder(path) if !path.is_absolute() => io::ErrorKind::InvalidFilename,
            Self::NewFile(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory,
                Ok(_) => io::ErrorKind::AlreadyExists,
                Err(_not_there) => return Ok(()),
            },
            Self::Folder(path) => match tokio::fs::metadata(path).await {
                Ok(there) if there.is_dir() => return Ok(()),
                Ok(_) => io::ErrorKind::NotADirectory,
                Err(error) => error.kind(),
            },
        };
        Err(WorkError::Save(kind))
    }

    async fn write(&self, name: &str, pdf: &[u8]) -> io::Result<PathBuf> {
        match self {
            Self::AgreedFile(path) => {
                tokio::fs::write(path, pdf).await?;
                Ok(path.clone())
            }
            Self::NewFile(path) => {
                write_new(path, pdf).await?;
                Ok(path.clone())
            }
            Self::Folder(folder) => {
                for at in 1..=TRIES {
                    let path = folder.join(numbered(name, at));
                    match write_new(&path, pdf).await {
                        Ok(()) => return Ok(path),
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                        Err(error) => return Err(error),
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

/// Fails where the file is there; leaves no half of one behind.
async fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
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
