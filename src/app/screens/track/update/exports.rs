//! Exports of lists, and the day sheet.
//!
//! Only one list is exported at a time. The day sheet is printed on the printer for manifests and on
//! no other.

mod day_sheet;

use std::path::PathBuf;

use crate::core::Core;
use crate::state::{ExportCommand, ListExport, Notice, Tone};
use engine::{ExportContext, JobControl, Remote};

/// Running exports.
#[derive(Default)]
pub(crate) struct ExportJobs {
    pub(crate) export: Remote<Option<PathBuf>>,
    ticket: JobControl,
    /// True if the clerk typed the path, instead of choosing it in a dialog.
    is_typed: bool,
    pub(crate) saving_sheet: Remote<Option<PathBuf>>,
}

impl Core {
    pub(super) fn run_exports(&mut self, command: ExportCommand) {
        match command {
            ExportCommand::Export(list, typed) => self.export(*list, typed),
            ExportCommand::Stop => self.track.out.ticket.stop(),
            ExportCommand::Forget => {
                self.shared.track.exports.export.clear();
                self.shared.track.exports.problem = None;
            }
            ExportCommand::ShowDaySheet => self.make_day_sheet(),
            ExportCommand::PrintDaySheet => self.print_day_sheet(),
            ExportCommand::SaveDaySheet(typed) => self.save_day_sheet(typed),
            ExportCommand::CloseDaySheet => {
                self.shared.track.exports.sheet_open = false;
                self.shared.track.exports.sheet.clear();
            }
        }
    }

    /// Saves a list at the typed path, or else where the clerk chooses in a dialog.
    fn export(&mut self, list: ListExport, typed: Option<String>) {
        if self.track.out.export.is_loading() {
            return;
        }
        self.shared.track.exports.problem = None;
        self.shared.track.exports.export.clear();
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
        let out = &mut self.track.out;
        out.is_typed = typed.is_some();
        out.ticket = JobControl::of(list.rows.count());
        let path = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = { self.work.reads() }.export(list, known, path, out.ticket.clone());
        out.export.start(fetch);
    }

    pub(super) fn show_export_progress(&mut self) {
        let out = &self.track.out;
        let is_under_way = out.export.is_loading();
        self.shared.track.exports.progress = is_under_way.then(|| out.ticket.progress());
    }

    pub(crate) fn exported(&mut self) {
        self.show_export_progress();
        let out = &mut self.track.out;
        let view = &mut self.shared.track.exports;
        match out.export.take() {
            Some(Err(problem)) if out.is_typed => view.problem = Some(problem.advice()),
            Some(Err(problem)) => {
                let notice = Notice::failed("Couldn't export the list", &problem);
                self.notify(notice);
            }
            Some(Ok(Some(path))) => {
                let path = path.display().to_string();
                view.export = Remote::ready(Some(path.clone()));
                let headline = format!("List saved to {path}");
                self.notify(Notice::new(Tone::Ok, headline, ""));
            }
            Some(Ok(None)) => view.export = Remote::ready(None),
            None => {}
        }
    }
}
