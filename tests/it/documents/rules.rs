//! Rules for documents in special cases: a consignment that is booked as it is created, one that is found after a restart,
//! one that no list shows, and a rule whose printer is gone.

use std::sync::Arc;

use app::Core;
use app::state::{
    DispatchCommand, JobState, JobSubject, LabelsCommand, OperationKind, OperationState,
};
use engine::{DocumentKind, DocumentRule, PrintMoment};
use printing::profile::{Destination, Language, Media, PrinterProfile};
use serde_json::{Value, json};

use crate::dispatch::bench::{by, send_by};
use crate::support::desk::{Home, notice};
use crate::support::printers::at_port;
use crate::support::recorder::Recorder;
use crate::support::wire::{Fault, Wire};

/// A printer that writes files into the bench's data folder.
fn files(home: &Home) -> PrinterProfile {
    PrinterProfile {
        name: "Files".to_owned(),
        destination: Destination::File(home.places.data().join("{number}.pdf")),
        language: Language::Pdf,
        media: Media::A4,
        ..PrinterProfile::default()
    }
}

fn rule(document: DocumentKind, printer: &str, when: PrintMoment) -> DocumentRule {
    DocumentRule {
        when,
        ..DocumentRule::of(document, printer)
    }
}

/// Returns the names of the documents that were printed, sorted.
fn printed(core: &Core) -> Vec<String> {
    let jobs = core.shared.labels.jobs.iter();
    let sent =
        jobs.filter(|job| job.subject == JobSubject::Document && job.state == JobState::Sent);
    let mut names: Vec<_> = sent.map(|job| job.number.clone()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_consignment_that_is_booked_as_it_is_created_prints_the_documents_of_both_moments() {
    let mut home = Home::new();
    home.settings.printers = vec![files(&home)];
    home.settings.documents = vec![
        rule(DocumentKind::PackingSlip, "Files", PrintMoment::Send),
        rule(DocumentKind::ConsignmentNote, "Files", PrintMoment::Booking),
    ];
    let (_practice, wire, mut desk) = home.open_behind_wire();
    // As with a rate card that books at once.
    let booked: fn(&mut Value) = |answer| {
        answer["object"]["manifestId"] = json!(9);
        answer["object"]["status"] = json!({ "id": 3, "name": "Manifested" });
    };
    wire.fail("createConsignment", Fault::Change(booked));
    desk.create("SO-1");
    let made = desk.core.shared.consign.last_created.clone();
    let made = made.expect("it is created");
    assert!(made.is_manifested());
    let names = desk.until("its documents", |core| {
        Some(printed(core)).filter(|names| names.len() == 2)
    });
    let number = &made.consignment_number;
    let expected = [
        format!("Consignment note {number}"),
        format!("Packing slip {number}"),
    ];
    assert_eq!(names, expected);
}

#[test]
fn documents_of_a_consignment_that_is_found_after_a_restart_are_told_and_not_printed_unasked() {
    let mut home = Home::new();
    home.settings.printers = vec![files(&home)];
    home.settings.documents = vec![rule(DocumentKind::PackingSlip, "Files", PrintMoment::Send)];
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let service = Home::service(wire.base_url(), practice.token());
    let mut desk = home.open(&service);
    wire.fail("createConsignment", Fault::LoseAnswer);
    wire.fail("returnConsignments", Fault::LoseRequest);
    wire.fail(
        "getRecentlyCreatedOrUpdatedConsignments",
        Fault::LoseRequest,
    );
    desk.type_consignment("SO-1");
    desk.send();
    desk.until_operation(OperationKind::Create, OperationState::Unknown);
    wire.heal();
    let mut desk = home.restart(desk, &service);
    let told = desk.until("it is found and told", |core| {
        notice(&core.shared, "Check the documents of MS")
    });
    assert!(
        told.advice.contains("Print what is missing on Labels"),
        "{told:?}"
    );
    assert!(printed(&desk.core).is_empty());
}

#[test]
fn a_rule_whose_printer_is_gone_says_so_when_it_would_print() {
    let mut home = Home::new();
    home.settings.documents = vec![rule(
        DocumentKind::PackingSlip,
        "Old laser",
        PrintMoment::Send,
    )];
    let (_practice, mut desk) = home.open_practice();
    desk.create("SO-1");
    let told = desk.until("the notice", |core| notice(&core.shared, "Old laser"));
    assert_eq!(
        told.headline,
        "Old laser, which prints packing slips, is no longer set up"
    );
    assert!(!told.advice.is_empty());
}

#[test]
fn labels_that_no_list_shows_are_printed_by_the_rule_of_their_consignment() {
    let mut home = Home::new();
    let (plain, bluegum) = (Recorder::start(), Recorder::start());
    home.settings.printers = [("Plain", plain.port()), ("Bluegum stock", bluegum.port())]
        .map(|(name, port)| PrinterProfile {
            name: name.to_owned(),
            destination: at_port(port),
            ..PrinterProfile::default()
        })
        .to_vec();
    home.settings.documents = vec![
        DocumentRule::of(DocumentKind::ItemLabels, "Plain"),
        DocumentRule {
            carrier: "Bluegum".to_owned(),
            ..DocumentRule::of(DocumentKind::ItemLabels, "Bluegum stock")
        },
    ];
    let (_practice, mut desk) = home.open_practice();
    let ids = [
        send_by(&mut desk, "SO-1", by(12, "Bluegum")),
        send_by(&mut desk, "SO-2", by(11, "Southern Cross")),
    ];
    // As if the lists showed other consignments.
    Arc::make_mut(&mut desk.core.shared.rows).clear();
    desk.ask(DispatchCommand::PrintLabels(ids.to_vec()));
    desk.until("both are out", |core| {
        let sent = core.shared.labels.jobs.iter();
        (sent.filter(|job| job.state == JobState::Sent).count() == 2).then_some(())
    });
    assert_eq!((plain.jobs(1).len(), bluegum.jobs(1).len()), (1, 1));
}

#[test]
fn the_settings_that_a_printer_reports_leave_out_a_darkness_that_its_language_has_not() {
    let printer = crate::support::ipp_printer::IppPrinter::start();
    let mut home = Home::new();
    home.settings.printers = vec![PrinterProfile {
        name: "Direct".to_owned(),
        destination: Destination::Ipp(printer.address()),
        language: Language::Zpl,
        darkness: Some(25),
        speed: Some(4),
        ..PrinterProfile::default()
    }];
    let (_practice, mut desk) = home.open_practice();
    let hint = desk.until("what it accepts", |core| {
        core.shared.labels.printers.value()?[0].hint.clone()
    });
    desk.ask(LabelsCommand::SavePrinter(Box::new(hint.form)));
    desk.turn();
    assert_eq!(desk.core.shared.labels.printer_problem, None);
    let form = desk.until("it is saved", |core| {
        let form = &core.shared.labels.printers.value()?[0].form;
        (form.language == Language::PageImage).then(|| form.clone())
    });
    assert_eq!((form.darkness.as_str(), form.speed.as_str()), ("", ""));
}
