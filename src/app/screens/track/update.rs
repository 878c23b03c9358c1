//! The Track screen: the sync with the service, the board, the table, a consignment's page, statuses and the day sheet.
//!
//! Long work runs in the background. Answers to outdated requests are dropped.

mod board;
mod page;
mod sync;

use std::sync::Arc;
use std::time::Duration;

use crate::core::Core;
use crate::state::{
    DrillDown, Environment, ExportCommand, JobSubject, Notice, Screen, Tone, TrackCommand,
    TrackPane, TrackScope,
};
use engine::{DaySheetRequest, DocumentKind, DocumentOrder, DocumentSource, Request};
use shipping::LocalTime;
pub(crate) use sync::TrackUpdate;

/// Number of days of a scope without a limit. No consignment is tracked for this long.
const UNLIMITED_DAYS: u16 = 3_650;

impl Core {
    pub(crate) fn run_track(&mut self, command: TrackCommand) {
        self.track.news.is_person_active = true;
        let track = &mut self.shared.track;
        match command {
            TrackCommand::Show(pane) => {
                track.pane = pane;
                self.open_track_screen();
            }
            TrackCommand::Sync { whole } => {
                self.sync(whole);
                self.refresh_page();
            }
            TrackCommand::SetSyncScope(scope) => self.change_tracking_scope(scope),
            TrackCommand::Days(days) => {
                track.scope.days = days;
                self.board_scope_changed();
            }
            TrackCommand::Carrier(carrier) => {
                track.scope.carrier = carrier;
                self.board_scope_changed();
            }
            TrackCommand::Companies(companies) => {
                track.companies = companies;
                self.board_scope_changed();
            }
            TrackCommand::SetThresholds(thresholds) => {
                track.thresholds = thresholds;
                self.board_scope_changed();
            }
            TrackCommand::SeenExceptions => self.see_exceptions(),
            TrackCommand::DrillDown(drill_down) => {
                track.query.drill_down = drill_down;
                // The metric counted all rows, so the filter text must not hide any of them.
                track.query.words.clear();
                track.pane = TrackPane::Table;
                self.shared.screen = Screen::Track;
                self.list_rows();
            }
            TrackCommand::ClearDrillDown => {
                track.query.drill_down = DrillDown::All;
                self.list_rows();
            }
            TrackCommand::Reveal(id) => self.show_page(id, format!("MS{id}")),
            TrackCommand::FilterWords(words) => {
                track.query.words = words;
                self.list_rows();
            }
            TrackCommand::Order(order) => {
                track.query.order = order;
                self.list_rows();
            }
            TrackCommand::AskService(text) => self.ask_service_for(&text),
            TrackCommand::Open(id) => self.open_page(id),
            TrackCommand::Close => self.close_page(),
            TrackCommand::LoadForStatus(ids) => self.read_status_rows(ids),
            TrackCommand::Page(command) => self.run_page(command),
            TrackCommand::Files(command) => self.run_files(command),
            TrackCommand::SetStatuses(updates) => self.set_statuses(&updates),
            TrackCommand::EnableRefused => {
                (track.rights.no_statuses, track.rights.no_cancel) = (None, None);
            }
            TrackCommand::Export(command) => self.run_exports(command),
        }
    }

    /// Refreshes the board and the table when Track is opened.
    pub(crate) fn open_track_screen(&mut self) {
        self.count_board();
        self.list_rows();
        self.read_rows_again();
    }

    pub(crate) fn watch_track(&mut self, at: Duration) {
        self.show_save_progress();
        self.read_back_statuses();
        self.watch_sync(at);
        self.watch_seen(at);
        self.watch_board();
        self.watch_page(at);
    }

    /// Refreshes the data that depends on the tracked consignments, after they have changed.
    pub(crate) fn tracked_changed(&mut self) {
        self.look_for_news();
        self.read_rows_again();
        self.query_list();
        self.filter_labels();
        if self.shared.screen == Screen::Track {
            self.count_board();
            self.list_rows();
            self.read_page();
        }
    }

    /// Reads the ids of the table's rows.
    fn list_rows(&mut self) {
        let track = &mut self.shared.track;
        let query = &mut track.query;
        let is_found = self.track.lookup_text.as_ref() == Some(&query.words);
        query.scope = if is_found && query.drill_down == DrillDown::All {
            // A scanned consignment is shown whatever its age and company.
            TrackScope {
                days: UNLIMITED_DAYS,
                ..TrackScope::default()
            }
        } else {
            track.scope.clone()
        };
        let reads = self.work.reads();
        let list = reads.track_list(track.query.clone(), track.thresholds);
        track.list.start(list);
    }

    /// Shows the rows that a lookup found for these words, whatever the table showed before.
    pub(crate) fn show_found_rows(&mut self, words: String) {
        self.track.lookup_text = Some(words.clone());
        let track = &mut self.shared.track;
        track.pane = TrackPane::Table;
        track.query.drill_down = DrillDown::All;
        track.query.words = words;
        self.show(Screen::Track);
    }

    fn run_exports(&mut self, command: ExportCommand) {
        match command {
            ExportCommand::Stop => self.saves.list.stop(),
            ExportCommand::ShowDaySheet => self.make_day_sheet(),
            ExportCommand::PrintDaySheet => self.print_day_sheet(),
            ExportCommand::CloseDaySheet => {
                let view = &mut self.shared.track.exports;
                view.sheet_open = false;
                view.sheet.clear();
            }
        }
    }

    fn make_day_sheet(&mut self) {
        let rule = self.setup.settings.rule_for(DocumentKind::Manifest, None);
        self.shared.track.exports.printer = rule.ok().map(|(_, printer)| printer.name.clone());
        self.shared.track.exports.sheet_open = true;
        self.choose_companies();
        let (track, session) = (&self.shared.track, &self.shared.session);
        let mark = match session.environment {
            Environment::Live => "",
            other => other.label(),
        };
        let unmanifested = self.shared.dispatch.unmanifested.value();
        let order = DaySheetRequest {
            scope: TrackScope {
                carrier: None,
                ..track.scope.clone()
            },
            thresholds: track.thresholds,
            unmanifested: unmanifested.cloned().unwrap_or_default(),
            company: self.board_company_names(),
            bench: self.shared.bench.name.clone(),
            staff: self.shared.bench.staff.clone(),
            zone: session.zone.clone(),
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

    /// Prints the day sheet on the printer for manifests and on no other.
    fn print_day_sheet(&mut self) {
        let Some(sheet) = self.shared.track.exports.sheet.value().map(Arc::clone) else {
            return;
        };
        let Some(printer) = self.printer_for(DocumentKind::Manifest, None) else {
            return;
        };
        let day = LocalTime::at(sheet.at, &self.shared.session.zone);
        let name = format!("Day sheet {}", day.0.strftime("%Y-%m-%d"));
        let mut jobs = self.shared.labels.jobs.iter();
        let before = jobs.any(|job| job.subject == JobSubject::Document && job.number == name);
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
}
