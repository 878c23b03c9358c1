//! Saves files where the clerk chooses: in a file dialog or, on a desktop without a file dialog, by a typed path.
//!
//! An existing file is replaced only after a file dialog has asked the clerk. A problem with a typed path is shown at
//! its field, any other failure in a notice. Saving continues when the clerk opens another screen or page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::Core;
use crate::state::{Command, ListExport, Notice, OperationId, SavedFiles, Tone};
use engine::{
    ConsignmentDocument, ExportContext, Fetch, JobControl, Remote, SaveTarget, SavedLabels,
};
use shipping::{ConsignmentId, LocalTime, file_name};

/// Something that is saved as a file, or as several files in a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum SaveRequest {
    /// A label file of each consignment. Several are saved in a folder.
    Labels(Vec<ConsignmentId>),
    /// All files of these consignments, in a folder.
    Files(Vec<ConsignmentId>),
    List(Box<ListExport>),
    /// The day sheet that is shown.
    DaySheet,
    /// A booked manifest.
    Manifest(OperationId),
    /// A document of a consignment.
    OfConsignment(ConsignmentDocument, ConsignmentId),
    /// The support bundle that is shown.
    SupportBundle,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SaveCommand {
    /// Save at the typed path or, without one, where the clerk chooses in a file dialog.
    Save(SaveRequest, Option<String>),
    /// Close the dialog that asks for a path.
    Cancel,
}

impl From<SaveRequest> for Command {
    fn from(request: SaveRequest) -> Self {
        SaveCommand::Save(request, None).into()
    }
}

/// The request that needs a typed path, because the desktop has no file dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct PathQuestion {
    pub request: SaveRequest,
    /// Problem with the path that was typed.
    pub problem: Option<String>,
}

/// A job that saves something. The result is `None` if the clerk cancelled.
pub(crate) struct SaveJob<T: Send + 'static> {
    pub(crate) result: Remote<Option<T>>,
    control: JobControl,
    /// The request, if the clerk typed the path.
    typed: Option<SaveRequest>,
}

impl<T: Send + 'static> Default for SaveJob<T> {
    fn default() -> Self {
        Self {
            result: Remote::default(),
            control: JobControl::default(),
            typed: None,
        }
    }
}

impl<T: Send + 'static> SaveJob<T> {
    fn start(&mut self, typed: Option<SaveRequest>, control: JobControl, fetch: Fetch<Option<T>>) {
        self.typed = typed;
        self.control = control;
        self.result.start(fetch);
    }

    /// Returns the numbers of finished steps and of all steps, while the job runs.
    fn progress(&self) -> Option<(usize, usize)> {
        { self.result.is_loading() }.then(|| self.control.progress())
    }

    /// Lets the job end early.
    pub(crate) fn stop(&self) {
        self.control.stop();
    }
}

#[derive(Default)]
pub(crate) struct SaveJobs {
    pub(crate) labels: SaveJob<SavedLabels>,
    pub(crate) files: SaveJob<SavedFiles>,
    pub(crate) list: SaveJob<PathBuf>,
    pub(crate) day_sheet: SaveJob<PathBuf>,
    pub(crate) manifest: SaveJob<PathBuf>,
    pub(crate) document: SaveJob<PathBuf>,
    pub(crate) support_bundle: SaveJob<PathBuf>,
    /// A folder that is being opened in the file manager.
    pub(crate) opened: Remote<()>,
}

impl Core {
    pub(super) fn run_save(&mut self, command: SaveCommand) {
        match command {
            SaveCommand::Save(request, typed) => self.save(request, typed),
            SaveCommand::Cancel => self.shared.path_question = None,
        }
    }

    fn save(&mut self, request: SaveRequest, typed: Option<String>) {
        // Only one job for files and one for a list run at a time. Meanwhile the dialog keeps a typed path.
        let is_idle = match &request {
            SaveRequest::Files(ids) => !ids.is_empty() && !self.saves.files.result.is_loading(),
            SaveRequest::List(_) => !self.saves.list.result.is_loading(),
            SaveRequest::Labels(_)
            | SaveRequest::DaySheet
            | SaveRequest::Manifest(_)
            | SaveRequest::OfConsignment(..)
            | SaveRequest::SupportBundle => true,
        };
        if !is_idle {
            return;
        }
        if self.lacks_path(typed.is_some()) {
            let problem = None;
            self.shared.path_question = Some(PathQuestion { request, problem });
            return;
        }
        self.shared.path_question = None;
        let path = typed.map(|path| PathBuf::from(path.trim()));
        let again = path.is_some().then(|| request.clone());
        let reads = self.work.reads();
        match request {
            SaveRequest::Labels(ids) => {
                let name = |id: &ConsignmentId| (*id, file_name(&[&self.number_of(*id)], "pdf"));
                let files: Vec<_> = ids.iter().map(name).collect();
                let to = match (path, ids.as_slice()) {
                    (Some(path), [_]) => SaveTarget::File(path),
                    (None, [_]) => SaveTarget::AskForFile,
                    (path, _) => path.map_or(SaveTarget::AskForFolder, SaveTarget::Folder),
                };
                let fetch = reads.save_labels(files, self.shared.labels.size, to);
                self.saves.labels.start(again, JobControl::default(), fetch);
            }
            SaveRequest::Files(ids) => {
                self.shared.track.files.saved = None;
                let control = JobControl::of(ids.len());
                let to = path.map_or(SaveTarget::AskForFolder, SaveTarget::Folder);
                let fetch = reads.save_files(ids, to, control.clone());
                self.saves.files.start(again, control, fetch);
            }
            SaveRequest::List(list) => {
                let marks = self.marks();
                let companies = self.shared.catalogue.known_companies().iter();
                let known = ExportContext {
                    companies: companies.map(|one| (one.id, one.name.clone())).collect(),
                    marks,
                    zone: self.shared.session.zone.clone(),
                };
                let control = JobControl::of(list.rows.count());
                let reads = self.work.reads();
                let fetch = reads.export(*list, known, path, control.clone());
                self.saves.list.start(again, control, fetch);
            }
            SaveRequest::DaySheet => self.save_day_sheet(path, again),
            SaveRequest::SupportBundle => self.save_support_bundle(path, again),
            SaveRequest::OfConsignment(kind, id) => {
                let name = file_name(&[&self.document_name(kind, id)], "pdf");
                let order = self.document_order(kind, id);
                let fetch = reads.save_consignment_document(order, (name, path));
                let job = &mut self.saves.document;
                job.start(again, JobControl::default(), fetch);
            }
            SaveRequest::Manifest(operation) => {
                let name = file_name(&[&self.manifest_name(operation)], "pdf");
                let fetch = reads.save_manifest(operation, name, path);
                self.saves
                    .manifest
                    .start(again, JobControl::default(), fetch);
            }
        }
    }

    fn save_day_sheet(&mut self, path: Option<PathBuf>, typed: Option<SaveRequest>) {
        let Some(sheet) = self.shared.track.exports.sheet.value().cloned() else {
            return;
        };
        let name = self.dated_name(&["Day", "sheet"], sheet.at, "pdf");
        let title = "Save the day sheet";
        let make = move || Ok(Arc::clone(&sheet.pdf));
        let fetch = self.work.reads().save_made(title, name, path, make);
        let job = &mut self.saves.day_sheet;
        job.start(typed, JobControl::default(), fetch);
    }

    fn save_support_bundle(&mut self, path: Option<PathBuf>, typed: Option<SaveRequest>) {
        let Some(bundle) = self.shared.help.bundle.value().cloned() else {
            return;
        };
        let name = self.dated_name(&["Packbench", "support"], self.shared.now, "zip");
        let title = "Save the support bundle";
        let make = move || bundle.to_zip();
        let fetch = self.work.reads().save_made(title, name, path, make);
        let job = &mut self.saves.support_bundle;
        job.start(typed, JobControl::default(), fetch);
    }

    /// Returns a file name of these words and the bench's date at a time.
    fn dated_name(&self, words: &[&str], at: Timestamp, ending: &str) -> String {
        let day = LocalTime::at(at, &self.shared.session.zone).0;
        let day = day.strftime("%Y%m%d").to_string();
        file_name(&[words, &[day.as_str()]].concat(), ending)
    }

    pub(crate) fn show_save_progress(&mut self) {
        self.shared.track.files.progress = self.saves.files.progress();
        self.shared.track.exports.progress = self.saves.list.progress();
    }

    /// Returns the result of a job that has ended. Shows why a job failed: at the field of the typed path, or in a notice
    /// with this headline.
    fn take_saved<T: Send + 'static>(
        &mut self,
        job: fn(&mut SaveJobs) -> &mut SaveJob<T>,
        failed: &str,
    ) -> Option<T> {
        let job = job(&mut self.saves);
        match (job.result.take()?, job.typed.take()) {
            (Ok(saved), _) => return saved,
            (Err(problem), Some(request)) => {
                self.shared.path_question = Some(PathQuestion {
                    request,
                    problem: Some(problem.advice()),
                });
            }
            (Err(problem), None) => self.notify(Notice::failed(failed, &problem)),
        }
        None
    }

    /// Shows a notice that says where a file was saved. Returns true if a file was saved.
    fn file_saved(
        &mut self,
        job: fn(&mut SaveJobs) -> &mut SaveJob<PathBuf>,
        name: &str,
        failed: &str,
    ) -> bool {
        let saved = self.take_saved(job, failed);
        if let Some(path) = &saved {
            let headline = format!("{name} saved to {}", path.display());
            let folder = path.parent().unwrap_or(path);
            self.notify(Notice::saved(headline, folder));
        }
        saved.is_some()
    }

    pub(super) fn folder_opened(&mut self) {
        if let Some(Err(problem)) = self.saves.opened.take() {
            self.notify(Notice::failed("Couldn't open the folder", &problem));
        }
    }

    pub(super) fn list_saved(&mut self) {
        self.show_save_progress();
        if self.file_saved(|jobs| &mut jobs.list, "List", "Couldn't export the list") {
            self.shared.track.exports.saved += 1;
        }
    }

    pub(super) fn day_sheet_saved(&mut self) {
        let failed = "Couldn't save the day sheet";
        self.file_saved(|jobs| &mut jobs.day_sheet, "Day sheet", failed);
    }

    pub(super) fn support_bundle_saved(&mut self) {
        let failed = "Couldn't save the support bundle";
        self.file_saved(|jobs| &mut jobs.support_bundle, "Support bundle", failed);
    }

    pub(super) fn manifest_saved(&mut self) {
        let failed = "Couldn't save the manifest";
        self.file_saved(|jobs| &mut jobs.manifest, "Manifest", failed);
    }

    pub(super) fn document_saved(&mut self) {
        let failed = "Couldn't save the document";
        self.file_saved(|jobs| &mut jobs.document, "Document", failed);
    }

    pub(super) fn files_saved(&mut self) {
        self.show_save_progress();
        let Some(saved) = self.take_saved(|jobs| &mut jobs.files, "Couldn't save the files") else {
            return;
        };
        let (tone, advice) = match saved.left_out.as_slice() {
            [] => (Tone::Ok, String::new()),
            [one] => (Tone::Warning, one.clone()),
            several => {
                let advice = format!("{} files were skipped", several.len());
                (Tone::Warning, advice)
            }
        };
        let headline = match saved.saved {
            0 => "No files were saved".to_owned(),
            1 => format!("1 file saved in {}", saved.folder),
            many => format!("{many} files saved in {}", saved.folder),
        };
        let notice = Notice {
            tone,
            advice,
            ..Notice::saved(headline, Path::new(&saved.folder))
        };
        self.shared.track.files.saved = Some(saved);
        self.notify(notice);
    }

    pub(super) fn labels_saved(&mut self) {
        let Some(saved) = self.take_saved(|jobs| &mut jobs.labels, "Couldn't save the label")
        else {
            return;
        };
        let (files, place) = (saved.files, saved.place);
        let headline = match files {
            1 => format!("Label saved to {}", place.display()),
            files => format!("{files} labels saved in {}", place.display()),
        };
        let (tone, advice) = match (saved.failed, saved.unfit) {
            (Some((name, why)), _) => {
                let advice = "Save again: files already saved are skipped";
                (Tone::Bad, format!("{name} wasn't saved: {why}. {advice}"))
            }
            (None, 0) => (Tone::Ok, String::new()),
            (None, unfit) => {
                let advice = "failed label verification: check them before you use them";
                (Tone::Warning, format!("{unfit} of {files} {advice}"))
            }
        };
        let notice = Notice {
            tone,
            advice,
            ..Notice::saved(headline, &saved.folder)
        };
        self.notify(notice);
    }
}
