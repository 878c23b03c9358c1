//! Exports of lists, and the day sheet.
//!
//! Only one list is exported at a time. The day sheet is printed on the printer for manifests and on
//! no other.

mod sheet;

use std::path::PathBuf;

use crate::app::core::Core;
use crate::state::{ListOut, Notice, OutCommand, Tone};
use crate::work::{OutKnown, Remote, Ticket};

/// Running exports.
#[derive(Default)]
pub(super) struct Outgoing {
    export: Remote<Option<PathBuf>>,
    ticket: Ticket,
    /// True if the clerk typed the path, instead of choosing it in a dialog.
    is_typed: bool,
    saving_sheet: Remote<Option<PathBuf>>,
}

impl Core {
    pub(super) fn run_out(&mut self, command: OutCommand) {
        match command {
            OutCommand::Export(list, typed) => self.export(*list, typed),
            OutCommand::Stop => self.tracking.out.ticket.stop(),
            OutCommand::Forget => {
                self.shared.track.out.export.clear();
                self.shared.track.out.problem = None;
            }
            OutCommand::ShowDaySheet => self.make_day_sheet(),
            OutCommand::PrintDaySheet => self.print_day_sheet(),
            OutCommand::SaveDaySheet(typed) => self.save_day_sheet(typed),
            OutCommand::CloseDaySheet => {
                self.shared.track.out.sheet_open = false;
                self.shared.track.out.sheet.clear();
            }
        }
    }

    /// Saves a list at the typed path, or else where the clerk chooses in a dialog.
    fn export(&mut self, list: ListOut, typed: Option<String>) {
        if self.tracking.out.export.is_loading() {
            return;
        }
        self.shared.track.out.problem = None;
        self.shared.track.out.export.clear();
        if typed.is_none() && !self.surroundings.file_dialog {
            self.shared.no_file_dialog = true;
            return;
        }
        let companies = self.shared.companies.value().map_or(&[][..], Vec::as_slice);
        let known = OutKnown {
            companies: { companies.iter() }
                .map(|one| (one.id, one.name.clone()))
                .collect(),
            zone: self.shared.zone.clone(),
        };
        let out = &mut self.tracking.out;
        out.is_typed = typed.is_some();
        out.ticket = Ticket::of(list.rows.count());
        let path = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = { self.work.reads() }.export(list, known, path, out.ticket.clone());
        out.export.start(fetch);
    }

    pub(super) fn poll_out(&mut self) {
        let out = &mut self.tracking.out;
        let ended = out.export.poll();
        let is_under_way = out.export.is_loading();
        self.shared.track.out.progress = is_under_way.then(|| out.ticket.progress());
        if ended && !is_under_way {
            self.exported();
        }
        self.poll_day_sheet();
    }

    fn exported(&mut self) {
        let out = &mut self.tracking.out;
        let view = &mut self.shared.track.out;
        match out.export.take() {
            Some(Err(problem)) if out.is_typed => view.problem = Some(problem.advice()),
            Some(Err(problem)) => {
                let notice = Notice::failed("The list could not be exported", &problem);
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
