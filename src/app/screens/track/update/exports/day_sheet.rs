//! The day sheet: made from the tracked consignments, the unmanifested list and the journal, then shown,
//! printed or saved.

use std::path::PathBuf;
use std::sync::Arc;

use crate::core::Core;
use crate::state::{Environment, JobSubject, Notice, Tone, TrackScope};
use engine::{DaySheetRequest, DocumentOrder, DocumentSource, Request};
use printing::profile::DocumentKind;
use shipping::{LocalTime, file_name};

impl Core {
    pub(super) fn make_day_sheet(&mut self) {
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
            bench: self.shared.session.bench.clone(),
            staff: self.shared.session.staff.clone(),
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

    pub(super) fn print_day_sheet(&mut self) {
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
        self.notify(Notice::new(
            Tone::Ok,
            format!("{name} sent to the printer"),
            "",
        ));
    }

    pub(super) fn save_day_sheet(&mut self, typed: Option<String>) {
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
        self.track.out.is_typed = typed.is_some();
        let typed = typed.map(|path| PathBuf::from(path.trim()));
        let fetch = self.work.reads().save_day_sheet(sheet, name, typed);
        self.track.out.saving_sheet.start(fetch);
    }

    pub(crate) fn saved_day_sheet(&mut self) {
        let typed = self.track.out.is_typed;
        match self.track.out.saving_sheet.take() {
            Some(Err(problem)) if typed => {
                self.shared.track.exports.problem = Some(problem.advice());
            }
            Some(Err(problem)) => {
                let notice = Notice::failed("Couldn't save the day sheet", &problem);
                self.notify(notice);
            }
            Some(Ok(Some(path))) => {
                let headline = format!("Day sheet saved to {}", path.display());
                self.notify(Notice::new(Tone::Ok, headline, ""));
            }
            Some(Ok(None)) | None => {}
        }
    }
}
