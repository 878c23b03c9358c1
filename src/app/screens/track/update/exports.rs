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
pub(super) struct ExportJobs {
    export: Remote<Option<PathBuf>>,
    ticket: JobControl,
    /// True if the clerk typed the path, instead of choosing it in a dialog.
    is_typed: bool,
    saving_sheet: Remote<Option<PathBuf>>,
}

impl Core {
    pub(super) fn run_exports(&mut self, command: ExportCommand) {
        match command {
            ExportCommand::Export(list, typed) => self.export(*list, typed),
            ExportCommand::Stop => self.tracking.out.ticket.stop(),
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
        if self.tracking.out.export.is_loading() {
            return;
        }
        self.shared.track.exports.problem = None;
        self.shared.track.exports.export.clear();
        if typed.is_none() && !self.system_info.file_dialog {
            self.shared.no_file_dialog = true;
            return;
        }
        let companies = self
            .shared
            .catalogue
            .companies
            .value()
            .map_or(&[][..], Vec::as_slice);
        let known = ExportContext {
            companies: { companies.iter() }
                .map(|one| (one.id, one.name.clone()))
                .collect(),
            zone: self.shared.session.zone.clone(),
        };
        let out = &mut self.tracking.out;
        out.is_typed = typed.is_some();
        out.ticket = JobControl::of(list.rows.count());
        let path = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = { self.work.reads() }.export(list, known, path, out.ticket.clone());
        out.export.start(fetch);
    }

    pub(super) fn poll_exports(&mut self) {
        let out = &mut self.tracking.out;
        let ended = out.export.poll();
        let is_under_way = out.export.is_loading();
        self.shared.track.exports.progress = is_under_way.then(|| out.ticket.progress());
        if ended && !is_under_way {
            self.exported();
        }
        self.poll_day_sheet();
    }

    fn exported(&mut self) {
        let out = &mut self.tracking.out;
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
                self.notify(Notice::new(Tone::Good, headline, ""));
            }
            Some(Ok(None)) => view.export = Remote::ready(None),
            None => {}
        }
    }
}
