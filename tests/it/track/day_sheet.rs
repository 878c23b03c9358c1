//! The printed day sheet: bookings, waiting consignments, and action items; shown, saved, and printed on the
//! printer for manifests or not at all.

mod looks;

use std::sync::Arc;

use app::state::{
    CompanyFilter, DaySheet, DispatchCommand, ExportCommand, JobState, JobSubject, OperationKind,
    OperationState, SaveCommand, SaveRequest, TrackCommand,
};
use draft::{PickupContext, PickupDraft};
use shipping::{CarrierId, ConsignmentId};

use super::proofs::{Site, delivered};
use crate::dispatch::bench::with_office;
use crate::support::desk::Home;
use crate::support::readers::pdf_text;

/// Sends so many and books them.
fn book(site: &mut Site, references: &[&str]) {
    let mut ids: Vec<ConsignmentId> = Vec::new();
    for reference in references {
        site.desk.type_consignment(reference);
        site.desk.send();
        ids.push(site.desk.until("created", |core| {
            let made = core.shared.consign.last_created.as_ref()?;
            (made.customer_reference.as_deref() == Some(*reference)).then_some(made.id)
        }));
    }
    site.desk.ask(DispatchCommand::Group(ids));
    let group = site.desk.until("grouped", |core| {
        let groups = &core.shared.dispatch.groups;
        (!groups.is_loading()).then(|| groups.value()?.first().cloned())?
    });
    let draft = PickupDraft::from(group);
    let group = draft
        .review(&PickupContext::at(
            site.desk.core.shared.now,
            "Australia/Sydney",
        ))
        .group
        .expect("it is right");
    site.desk.ask(DispatchCommand::Book(vec![group]));
    site.desk.until("booked", |core| {
        let mut all = core.shared.operations.list.iter();
        all.find(|one| one.kind == OperationKind::Manifest && one.state == OperationState::Done)
            .map(|_| ())
    });
}

/// MS7 is damaged, MS8 came in time, both of this bench's company; the board looks at another carrier.
fn in_the_books(site: &mut Site) {
    let company = site
        .desk
        .until("the company", |core| core.shared.session.company);
    site.desk.until("all companies", |core| {
        core.shared.catalogue.companies.value().map(|_| ())
    });
    for (id, status, name) in [(7, 9, "Damaged"), (8, 7, "Complete")] {
        let mut one = delivered(id, 0);
        let status = serde_json::json!({ "id": status, "name": name });
        one["companyId"] = company.get().into();
        one["statusHistory"] = serde_json::json!([
            { "consignmentTrackingStatus": status, "statusDateUtc": "2026-11-18T22:12:00Z" }
        ]);
        one["status"] = status;
        one["etaLocal"] = "2026-11-19T12:00:00".into();
        one["toLocation"] =
            serde_json::json!({ "suburb": "West Perth", "state": "WA", "postcode": "6005" });
        one["carrier"] =
            serde_json::json!({ "id": 2, "name": "Bluegum", "displayName": "Bluegum" });
        one["carrierConsignmentId"] = format!("BG-5510{id}").into();
        site.has(&[one]);
        let open = TrackCommand::Open(ConsignmentId::new(id));
        site.desk.ask(open);
        site.desk.until("it is followed", |core| {
            core.shared.track.page.consignment.value().map(|_| ())
        });
        site.wire.heal();
    }
    let other = TrackCommand::Carrier(Some(CarrierId::new(99)));
    site.desk.ask(other);
}

fn made(site: &mut Site) -> Arc<DaySheet> {
    in_the_books(site);
    site.desk.ask(ExportCommand::ShowDaySheet);
    site.desk.until("the sheet", |core| {
        let sheet = &core.shared.track.exports.sheet;
        assert!(sheet.problem().is_none(), "{:?}", sheet.problem());
        sheet.value().cloned()
    })
}

#[test]
fn the_day_sheet_says_what_was_booked_what_waits_and_what_needs_a_person() {
    let mut site = Site::open();
    book(&mut site, &["SO-1", "SO-2"]);
    let sheet = made(&mut site);
    let said = pdf_text(&sheet.pdf);
    for words in [
        "Day sheet",
        "Fri 20 Nov 2026",
        "Booked today",
        "1 manifest",
        "36.0",
        "Still unmanifested",
        "Needs attention",
        "MS7",
        "Kings Park Nursery,",
        "West Perth",
        "BG-55107",
        "19 Nov",
        "09:12",
        "damaged",
        "Action taken",
        "50.0 %",
        "Bluegum",
        "Supervisor",
        "Signature",
        "Page 1 of",
        "PRACTICE",
        "Bench 4",
    ] {
        assert!(said.contains(words), "{words} is not on the sheet:\n{said}");
    }
    let path = site.home.places.data().join("day.pdf");
    let typed = Some(path.display().to_string());
    site.desk
        .ask(SaveCommand::Save(SaveRequest::DaySheet, typed));
    site.desk.until("saved", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices
            .find(|(_, notice)| notice.headline.starts_with("Day sheet saved to "))
            .map(|_| ())
    });
    assert_eq!(
        std::fs::read(&path).expect("it is there"),
        sheet.pdf.as_ref()
    );
}

#[test]
fn without_a_printer_for_manifests_nothing_is_printed_anywhere_and_that_is_said() {
    let mut site = Site::open();
    drop(made(&mut site));
    assert_eq!(site.desk.core.shared.track.exports.printer, None);
    site.desk.ask(ExportCommand::PrintDaySheet);
    site.desk.turn();
    site.desk.turn();
    let notices = &site.desk.core.shared.notices.shown;
    assert!(
        notices
            .iter()
            .any(|(_, notice)| notice.headline.to_lowercase().contains("print")),
        "{notices:?}"
    );
    assert!(site.desk.core.shared.labels.jobs.is_empty());
}

#[test]
fn the_day_sheet_is_printed_where_manifests_go_as_it_is_shown() {
    let mut home = Home::new();
    let (labels, office) = with_office(&mut home);
    let mut site = Site::at(home);
    let sheet = made(&mut site);
    let printer = site.desk.core.shared.track.exports.printer.as_deref();
    assert_eq!(printer, Some("Office"));
    site.do_it(ExportCommand::PrintDaySheet);
    let page = office.jobs(1).remove(0);
    let (printed, shown) = (pdf_text(&page), pdf_text(&sheet.pdf));
    for words in ["Day sheet", "Fri 20 Nov 2026", "MS7", "damaged"] {
        assert!(printed.contains(words), "{words} is not on it:\n{printed}");
    }
    assert_eq!(printed, shown);
    let job = site.desk.until("the job", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.find(|job| job.state == JobState::Sent).cloned()
    });
    assert_eq!(job.number, "Day sheet 2026-11-20");
    assert_eq!(
        (job.printer.as_str(), job.subject),
        ("Office", JobSubject::Document)
    );
    site.do_it(ExportCommand::PrintDaySheet);
    office.jobs(2);
    site.desk.until("the copy", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.find(|job| job.reason == "another copy").map(|_| ())
    });
    assert!(labels.jobs(0).is_empty());
}

#[test]
fn the_day_sheet_of_one_company_names_that_company() {
    let mut site = Site::open();
    let other = site.desk.until("the companies", |core| {
        let own = core.shared.session.company?;
        let mut all = core.shared.catalogue.companies.value()?.iter();
        all.find(|one| one.id != own).cloned()
    });
    site.do_it(TrackCommand::Companies(CompanyFilter::One(other.id)));
    let sheet = made(&mut site);
    let words = pdf_text(&sheet.pdf)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let company = format!("Company {}", other.name);
    assert!(
        words.contains(&company),
        "{company:?} is not on it: {words}"
    );
}
