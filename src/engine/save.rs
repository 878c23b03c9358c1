//! Saves labels at a place that the clerk chooses, and offers [`SavePlace`] and [`NewFile`] for other files.
//!
//! A file is written under a temporary name and gets its name when it is complete. An existing file is replaced only
//! after a file dialog has asked the clerk. File names are made from our own numbers, never from names that the
//! service gives.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

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
    /// The folder of the files.
    pub folder: PathBuf,
    pub files: usize,
    pub unfit: usize,
    /// The file that stopped the saving, and the error.
    pub failed: Option<(String, String)>,
}

/// The number of names that are tried for a file: "MS200431.pdf", "MS200431 (2).pdf" and so on.
const TRIES: u32 = 1_000;

impl Reads {
    /// Opens a folder in the file manager of this computer.
    pub fn open_folder(&self, folder: PathBuf) -> Fetch<()> {
        self.job(move |_bench| {
            blocking(move || {
                open::that_detached(&folder).map_err(|error| EngineError::Open(error.kind()))
            })
        })
    }

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
                folder: place.folder().to_owned(),
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

    /// Saves a file that `make` makes, at the typed path or where the clerk chooses in a dialog with this title. Returns
    /// `None` if the clerk cancels.
    pub fn save_made<B: AsRef<[u8]> + Send + 'static>(
        &self,
        title: &'static str,
        name: String,
        typed: Option<PathBuf>,
        make: impl FnOnce() -> io::Result<B> + Send + 'static,
    ) -> Fetch<Option<PathBuf>> {
        self.local(move |_bench| async move {
            let bytes = blocking(move || make().map_err(|error| EngineError::Save(error.kind())));
            save_file(title, &name, typed, bytes.await?.as_ref()).await
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
        let label = self.label_file(id, size).await?;
        place.write(name, &label.pdf).await?;
        let expected = expected(&label);
        let pdf: Arc<[u8]> = label.pdf.into();
        let pages = self
            .renderer
            .render_pages(Arc::clone(&pdf), PageSelection::All, Scale::DOTS_8)
            .await?;
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
    place.write(name, bytes).await?;
    Ok(Some(place.path().to_owned()))
}

#[derive(Clone)]
pub(super) enum SavePlace {
    /// A file from a dialog, which has asked whether to replace an existing file.
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
        let file = dialog.save_file().await?;
        Some(Self::AgreedFile(file.path().to_owned()))
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

    fn folder(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::AgreedFile(file) | Self::NewFile(file) => file.parent().unwrap_or(file),
        }
    }

    /// Checks a typed path before anything is fetched.
    pub(super) async fn is_usable(&self) -> Result<(), EngineError> {
        let place = self.clone();
        blocking(move || match place {
            Self::AgreedFile(_) => Ok(()),
            // An existing file may have the same content; `write_new` compares the content.
            Self::NewFile(path) => check_file_path(&path),
            Self::Folder(path) if !path.is_absolute() => Err(ErrorKind::InvalidFilename.into()),
            Self::Folder(path) if path.metadata()?.is_dir() => Ok(()),
            Self::Folder(_) => Err(ErrorKind::NotADirectory.into()),
        })
        .await
    }

    pub(super) async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), EngineError> {
        let (place, name, bytes) = (self.clone(), name.to_owned(), bytes.to_vec());
        blocking(move || match place {
            Self::AgreedFile(path) => write_file(&path, true, &bytes),
            Self::NewFile(path) => write_new(&path, &bytes),
            Self::Folder(folder) => first_free(1..=TRIES, |at| {
                write_new(&folder.join(numbered(&name, at)), &bytes)
            }),
        })
        .await
    }
}

/// Tries to write a file under a name with each of these numbers, until a name is free.
pub(super) fn first_free<T>(
    numbers: std::ops::RangeInclusive<u32>,
    write: impl FnMut(u32) -> io::Result<T>,
) -> io::Result<T> {
    let is_taken = |written: &io::Result<T>| matches!(written, Err(error) if error.kind() == ErrorKind::AlreadyExists);
    let mut written = numbers.map(write).skip_while(is_taken);
    written
        .next()
        .unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))
}

/// Returns `MS200431.pdf` for 1, then `MS200431 (2).pdf` and so on.
pub(super) fn numbered(name: &str, at: u32) -> String {
    match (at, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (at, Some((stem, ending))) => format!("{stem} ({at}).{ending}"),
        (at, None) => format!("{name} ({at})"),
    }
}

/// Writes a new file. Writes nothing and succeeds if the path already has a file with the same bytes.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match write_file(path, false, bytes) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let there = std::fs::read(path);
            there
                .is_ok_and(|there| there == bytes)
                .then_some(())
                .ok_or(error)
        }
        written => written,
    }
}

pub(super) fn write_file(path: &Path, may_replace: bool, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path, may_replace)?;
    file.temporary.write_all(bytes)?;
    file.commit()
}

fn check_file_path(path: &Path) -> io::Result<()> {
    if !path.is_absolute() || path.file_name().is_none() {
        return Err(ErrorKind::InvalidFilename.into());
    }
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(())
}

/// A file that is being written under a temporary name in its own folder. If it is not committed, the temporary file
/// is deleted.
#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    may_replace: bool,
    temporary: NamedTempFile,
}

impl NewFile {
    /// Checks the path and creates the temporary file. A bad path is an error before anything is written.
    /// `may_replace` is true if the clerk agreed in a dialog to replace an existing file.
    pub(super) fn create(path: &Path, may_replace: bool) -> io::Result<Self> {
        check_file_path(path)?;
        if !may_replace && path.exists() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".packbench-").suffix(".part");
        // Without these permissions, other users could not read the file in a shared folder.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self {
            path: path.to_owned(),
            may_replace,
            temporary: builder.tempfile_in(path.parent().unwrap_or(path))?,
        })
    }

    pub(super) fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the complete file its name. Fails if a file of this name has appeared in the meantime and must
    /// not be replaced.
    pub(super) fn commit(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        if self.may_replace {
            self.temporary.persist(&self.path)?;
        } else {
            self.temporary.persist_noclobber(&self.path)?;
        }
        Ok(())
    }
}
