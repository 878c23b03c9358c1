//! Files that Track shows and saves: files of consignments, exports of lists, and the day sheet.
//!
//! Only one job saves files of consignments at a time, and only one list is exported at a time; both continue while other
//! pages are opened. The day sheet is printed on the printer for manifests and on no other.

use std::path::PathBuf;
use std::sync::Arc;

use crate::core::Core;
use crate::state::{
    Environment, ExportCommand, FilesCommand, FilesView, JobSubject, ListExport, Notice,
    SavedFiles, Tone, TrackScope,
};
use engine::{
    DaySheetRequest, DocumentOrder, DocumentSource, EngineError, ExportContext, FileCache,
    FilePageRequest, JobControl, Remote, Request, SaveTarget,
};
use printing::profile::DocumentKind;
use shipping::{AttachmentId, ConsignmentId, LocalTime, file_name};

/// A job that saves something where the clerk wants it. The result is `None` if the clerk cancelled.
#[derive(Default)]
pub(crate) struct SaveJob<T: Send + 'static> {
    pub(crate) result: Remote<Option<T>>,
    control: JobControl,
    /// True if the clerk typed the place, instead of choosing it in a dialog.
    is_typed: bool,
}

impl<T: Send + 'static> SaveJob<T> {
    /// Returns the number of steps done, and of all, while the job runs.
    fn progress(&self) -> Option<(usize, usize)> {
        { self.result.is_loading() }.then(|| self.control.progress())
    }
}

/// The background jobs with files.
#[derive(Default)]
pub(crate) struct SaveJobs {
    pub(super) cached_files: FileCache,
    pub(crate) files: SaveJob<SavedFiles>,
    pub(crate) export: SaveJob<PathBuf>,
    pub(crate) day_sheet: SaveJob<PathBuf>,
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
            FilesCommand::StopSaving => self.track.jobs.files.control.stop(),
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
        let kept = self.track.jobs.cached_files.clone();
        view.shown.start(self.work.reads().file(order, kept));
    }

    /// Saves files in the typed folder, or else in a folder that the clerk chooses in a dialog.
    fn save_files(&mut self, ids: Vec<ConsignmentId>, typed: Option<&str>) {
        let job = &mut self.track.jobs.files;
        if ids.is_empty() || job.result.is_loading() {
            return;
        }
        let lacks_dialog = typed.is_none() && !self.shared.settings.file_dialog;
        self.shared.track.files = FilesView {
            of: ids.clone(),
            needs_folder: lacks_dialog || typed.is_some(),
            ..FilesView::default()
        };
        if lacks_dialog {
            return;
        }
        job.is_typed = typed.is_some();
        job.control = JobControl::of(ids.len());
        let to = typed.map_or(SaveTarget::AskForFolder, |folder| {
            SaveTarget::Folder(PathBuf::from(folder.trim()))
        });
        let control = job.control.clone();
        let fetch = self.work.reads().save_files(ids, to, control);
        job.result.start(fetch);
    }

    pub(super) fn show_save_progress(&mut self) {
        let jobs = &self.track.jobs;
        self.shared.track.files.progress = jobs.files.progress();
        self.shared.track.exports.progress = jobs.export.progress();
    }

    pub(crate) fn saved_files(&mut self) {
        self.show_save_progress();
        let job = &mut self.track.jobs.files;
        let saved = match job.result.take() {
            Some(Ok(Some(saved))) => saved,
            Some(Ok(None)) | None => return,
            Some(Err(problem)) if job.is_typed => {
                self.shared.track.files.problem = Some(problem.advice());
                return;
            }
            Some(Err(problem)) => {
                return self.notify(Notice::failed("Couldn't save the files", &problem));
            }
        };
        let view = &mut self.shared.track.files;
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
        let headline = match saved.saved {
            0 => "No files were saved".to_owned(),
            1 => format!("1 file saved in {}", saved.folder),
            many => format!("{many} files saved in {}", saved.folder),
        };
        self.notify(Notice::new(tone, headline, advice));
    }

    pub(super) fn run_exports(&mut self, command: ExportCommand) {
        let view = &mut self.shared.track.exports;
        match command {
            ExportCommand::Export(list, typed) => self.export(*list, typed),
            ExportCommand::Stop => self.track.jobs.export.control.stop(),
            ExportCommand::Forget => {
                view.is_saved = false;
                view.problem = None;
            }
            ExportCommand::ShowDaySheet => self.make_day_sheet(),
            ExportCommand::PrintDaySheet => self.print_day_sheet(),
            ExportCommand::SaveDaySheet(typed) => self.save_day_sheet(typed),
            ExportCommand::CloseDaySheet => {
                view.sheet_open = false;
                view.sheet.clear();
            }
        }
    }

    /// Saves a list at the typed path, or else where the clerk chooses in a dialog.
    fn export(&mut self, list: ListExport, typed: Option<String>) {
        if self.track.jobs.export.result.is_loading() {
            return;
        }
        self.shared.track.exports.problem = None;
        self.shared.track.exports.is_saved = false;
        if self.lacks_path(typed.is_some()) {
            return;
        }
        let companies = self.shared.catalogue.known_companies();
        let known = ExportContext {
            companies: { companies.iter() }
                .map(|one| (one.id, one.name.clone()))
                .collect(),
            marks: self.marks(),
            zone: self.shared.session.zone.clone(),
        };
        let job = &mut self.track.jobs.export;
        job.is_typed = typed.is_some();
        job.control = JobControl::of(list.rows.count());
        let path = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = { self.work.reads() }.export(list, known, path, job.control.clone());
        job.result.start(fetch);
    }

    pub(crate) fn exported(&mut self) {
        self.show_save_progress();
        let job = &mut self.track.jobs.export;
        let (result, is_typed) = (job.result.take(), job.is_typed);
        if self.tell_saved(result, is_typed, "List", "Couldn't export the list") {
            self.shared.track.exports.is_saved = true;
        }
    }

    /// Tells the clerk where the list or the day sheet was saved, or why not: at the typed path, or in a notice. Returns
    /// true if there is a file.
    fn tell_saved(
        &mut self,
        result: Option<Result<Option<PathBuf>, EngineError>>,
        is_typed: bool,
        what: &str,
        failed: &str,
    ) -> bool {
        match result {
            Some(Ok(Some(path))) => {
                let headline = format!("{what} saved to {}", path.display());
                self.notify(Notice::new(Tone::Ok, headline, ""));
                return true;
            }
            Some(Err(problem)) if is_typed => {
                self.shared.track.exports.problem = Some(problem.advice());
            }
            Some(Err(problem)) => self.notify(Notice::failed(failed, &problem)),
            Some(Ok(None)) | None => {}
        }
        false
    }

    fn make_day_sheet(&mut self) {
        let printer = self.setup.settings.printer_for(DocumentKind::Manifest);
        self.shared.track.exports.printer = printer.ok().map(|printer| printer.name.clone());
        self.shared.track.exports.sheet_open = true;
        self.choose_companies();
        let track = &self.shared.track;
        let mark = match self.shared.session.environment {
            Environment::Live => "",
            other => other.label(),
        };
        let order = DaySheetRequest {
            scope: TrackScope {
                carrier: None,
                ..track.scope.clone()
            },
            thresholds: track.thresholds,
            unmanifested: { self.shared.dispatch.unmanifested.value() }
                .cloned()
                .unwrap_or_default(),
            company: self.board_company_names(),
            bench: self.shared.bench.name.clone(),
            staff: self.shared.bench.staff.clone(),
            zone: self.shared.session.zone.clone(),
            mark: mark.to_owned(),
        };
        let fetch = self.work.reads().day_sheet(order);
        self.shared.track.exports.sheet.start(fetch);
    }

    /// Describes the companies that the board shows; `None` if it shows all.
    fn board_company_names(&self) -> Option<String> {
        let looked_at = self.shared.track.scope.companies.as_deref()?;
        // The bench's own company is listed before the companies below it. A single company may be any of
        // them.
        let (first, below) = looked_at.split_first()?;
        let companies = self.shared.catalogue.companies.value()?;
        let first = companies.iter().find(|company| company.id == *first)?;
        Some(match below.len() {
            0 => first.name.clone(),
            more => format!("{} and {more} subsidiaries", first.name),
        })
    }

    fn print_day_sheet(&mut self) {
        let Some(sheet) = self.shared.track.exports.sheet.value().map(Arc::clone) else {
            return;
        };
        let Some(printer) = self.printer_for(DocumentKind::Manifest) else {
            return;
        };
        let day = LocalTime::at(sheet.at, &self.shared.session.zone);
        let name = format!("Day sheet {}", day.0.strftime("%Y-%m-%d"));
        let before = { self.shared.labels.jobs.iter() }
            .any(|job| job.subject == JobSubject::Document && job.number == name);
        let reason = if before { "another copy" } else { "" };
        let order = DocumentOrder {
            paper: DocumentSource::File(Arc::clone(&sheet.pdf)),
            reason: reason.to_owned(),
            name: name.clone(),
            printer,
        };
        self.work.submit(Request::PrintDocument(Box::new(order)));
        let headline = format!("{name} sent to the printer");
        self.notify(Notice::new(Tone::Ok, headline, ""));
    }

    fn save_day_sheet(&mut self, typed: Option<String>) {
        let Some(sheet) = self.shared.track.exports.sheet.value().map(Arc::clone) else {
            return;
        };
        self.shared.track.exports.problem = None;
        if self.lacks_path(typed.is_some()) {
            return;
        }
        let day = LocalTime::at(sheet.at, &self.shared.session.zone);
        let day = day.0.strftime("%Y%m%d").to_string();
        let name = file_name(&["Day", "sheet", &day], "pdf");
        let job = &mut self.track.jobs.day_sheet;
        job.is_typed = typed.is_some();
        let typed = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = self.work.reads().save_day_sheet(sheet, name, typed);
        job.result.start(fetch);
    }

    pub(crate) fn saved_day_sheet(&mut self) {
        let job = &mut self.track.jobs.day_sheet;
        let (result, is_typed) = (job.result.take(), job.is_typed);
        self.tell_saved(result, is_typed, "Day sheet", "Couldn't save the day sheet");
    }
}
