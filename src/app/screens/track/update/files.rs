//! Files of consignments: shown on the consignment's page, and saved for one or many consignments.
//!
//! Only one job saves files at a time. The job continues while other pages are opened.

use std::path::PathBuf;

use crate::core::Core;
use crate::state::{FilesCommand, FilesView, Notice, SavedFiles, Tone};
use engine::{FileCache, FilePageRequest, JobControl, Remote, SaveTarget};
use shipping::{AttachmentId, ConsignmentId};

/// Background jobs with files.
#[derive(Default)]
pub(crate) struct Files {
    pub(super) kept: FileCache,
    pub(crate) saving: Remote<Option<SavedFiles>>,
    ticket: JobControl,
    /// True if the clerk typed the folder, instead of choosing it in a dialog.
    is_typed: bool,
}

impl Core {
    pub(super) fn run_files(&mut self, command: FilesCommand) {
        match command {
            FilesCommand::ShowFile(id) => self.show_file(id, 0),
            FilesCommand::FilePage(page) => {
                if let Some(id) = self.shared.track.page.file {
                    self.show_file(id, page);
                }
            }
            FilesCommand::CloseFile => {
                self.shared.track.page.file = None;
                self.shared.track.page.shown.clear();
            }
            FilesCommand::SaveFiles(ids) => self.save_files(ids, None),
            FilesCommand::SaveFilesIn(ids, folder) => self.save_files(ids, Some(&folder)),
            FilesCommand::StopSaving => self.track.files.ticket.stop(),
            FilesCommand::ForgetSaved => {
                let files = &mut self.shared.track.files;
                *files = FilesView {
                    progress: files.progress,
                    of: std::mem::take(&mut files.of),
                    ..FilesView::default()
                };
            }
        }
    }

    fn show_file(&mut self, file: AttachmentId, page: usize) {
        let view = &mut self.shared.track.page;
        let (Some(consignment), Some(listed)) = (view.open, view.files.value()) else {
            return;
        };
        let order = FilePageRequest {
            consignment,
            listed: listed.clone(),
            file,
            page,
        };
        if view.file != Some(file) {
            view.shown.clear();
            view.file = Some(file);
        }
        let kept = self.track.files.kept.clone();
        view.shown.start(self.work.reads().file(order, kept));
    }

    /// Saves files in the typed folder, or else in a folder that the clerk chooses in a dialog.
    fn save_files(&mut self, ids: Vec<ConsignmentId>, typed: Option<&str>) {
        let files = &mut self.track.files;
        if ids.is_empty() || files.saving.is_loading() {
            return;
        }
        self.shared.track.files = FilesView {
            of: ids.clone(),
            ..FilesView::default()
        };
        if typed.is_none() && !self.shared.setup.file_dialog {
            self.shared.track.files.needs_folder = true;
            return;
        }
        self.shared.track.files.needs_folder = typed.is_some();
        files.is_typed = typed.is_some();
        files.ticket = JobControl::of(ids.len());
        let to = typed.map_or(SaveTarget::AskForFolder, |folder| {
            SaveTarget::Folder(PathBuf::from(folder.trim()))
        });
        let ticket = files.ticket.clone();
        let fetch = self.work.reads().save_files(ids, to, ticket);
        files.saving.start(fetch);
    }

    pub(super) fn show_file_progress(&mut self) {
        let files = &self.track.files;
        let is_saving = files.saving.is_loading();
        self.shared.track.files.progress = is_saving.then(|| files.ticket.progress());
    }

    pub(crate) fn saved_files(&mut self) {
        self.show_file_progress();
        let files = &mut self.track.files;
        let view = &mut self.shared.track.files;
        match files.saving.take() {
            Some(Err(problem)) if files.is_typed => view.problem = Some(problem.advice()),
            Some(Err(problem)) => {
                let notice = Notice::failed("Couldn't save the files", &problem);
                self.notify(notice);
            }
            Some(Ok(Some(saved))) => {
                view.needs_folder = false;
                view.saved = Some(saved.clone());
                let (tone, advice) = match saved.left_out.as_slice() {
                    [] => (Tone::Ok, String::new()),
                    [one] => (Tone::Warning, one.clone()),
                    several => (
                        Tone::Warning,
                        format!("{} files were skipped", several.len()),
                    ),
                };
                self.notify(Notice::new(tone, saved_files_text(&saved), advice));
            }
            Some(Ok(None)) | None => {}
        }
    }
}

/// Returns a message such as `3 files saved in /home/bench/proofs`.
fn saved_files_text(saved: &SavedFiles) -> String {
    match saved.saved {
        0 => "No files were saved".to_owned(),
        1 => format!("1 file saved in {}", saved.folder),
        many => format!("{many} files saved in {}", saved.folder),
    }
}
