//! Typed or scanned digits are text and never print anything. Also tests the counts of the queue.

use app::config::Settings;
use app::state::{LabelPart, LabelState, LabelsCommand, Screen};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use engine::{DocumentKind, PrintMoment};

use crate::print::batch::{ids, sent, stored};
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::printers::{at_port, label_printer};
use crate::support::recorder::Recorder;

/// A number as a keyboard or a scanner types it: each digit a key and a letter.
fn type_digits(front: &mut Front, number: &str) {
    for digit in number.chars() {
        let key = Key::from_name(&digit.to_string()).expect("a digit");
        for pressed in [true, false] {
            front.widgets().event(Event::Key {
                key,
                physical_key: Some(key),
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            });
            if pressed {
                front.widgets().event(Event::Text(digit.to_string()));
            }
        }
        front.rest();
    }
}

fn at_the_printer(home: &mut Home, printer: &Recorder) -> Front {
    let printer = label_printer("Zebra bench 4", at_port(printer.port()));
    home.settings.printers = vec![printer];
    home.settings
        .assign_printer(DocumentKind::ItemLabels, "Zebra bench 4");
    home.settings.chosen = Some(app::config::ChosenService::Practice);
    home.settings.write(&home.places).expect("written");
    assert_eq!(
        Settings::read(&home.places).expect("read").printers.len(),
        1
    );
    let practice = home.practise();
    let mut front = Front::start(home, &practice);
    front.until("the screens are up", |shared| {
        (shared.stage == app::state::WindowStage::Working).then_some(())
    });
    // The service outlives the window.
    std::mem::forget(practice);
    front.rest();
    front
}

#[test]
fn n16_a_number_typed_or_scanned_after_reprint_the_last_prints_nothing() {
    let (mut home, printer) = (Home::new(), Recorder::start());
    let ids = ids(10);
    stored(&home.places.journal("practice"), &ids);
    let mut front = at_the_printer(&mut home, &printer);
    front.ask(LabelsCommand::Print(ids.clone()));
    front.until("ten are out", |shared| {
        (sent(shared).len() == 10 && shared.labels.batch.is_none()).then_some(())
    });
    front.ask(app::state::Command::Show(Screen::Labels));
    front.keys("<Alt+R>");
    front.rest();
    type_digits(&mut front, "12000101");
    // As a scanner ends it.
    front.keys("<Enter>");
    front.rest();
    assert_eq!(front.shared().labels.jobs.len(), 10, "nothing was printed");
    assert!(front.shared().labels.batch.is_none());
    assert_eq!(printer.jobs(10).len(), 10);
    assert!(
        front.widgets().query_all_by_value("12000101").count() > 0,
        "the number is in the field"
    );
    // A choice is Alt and its digit.
    front.keys("<Alt+1>");
    front.until("ten are out again", |shared| {
        let reason = |job: &&app::state::PrintJob| job.reason == "Torn or smudged";
        (shared.labels.jobs.iter().filter(reason).count() == 10).then_some(())
    });
}

#[test]
fn n12_the_queue_counts_what_was_sent_apart_from_what_waits_in_a_dead_queue() {
    let mut shared = crate::journeys::screens::data::shared();
    shared.screen = Screen::Labels;
    let all: Vec<_> = shared.labels.queue.iter().collect();
    for (at, id) in all.iter().take(6).enumerate() {
        let state = if at < 2 {
            LabelState::InQueue(shared.now)
        } else {
            LabelState::Sent(shared.now)
        };
        shared.labels.set_state(*id, state);
    }
    let count = |part| shared.labels.queue.part(part).len();
    let (in_queue, sent) = (count(LabelPart::InQueue), count(LabelPart::Sent));
    assert!(in_queue >= 2 && sent >= 4, "{in_queue} and {sent}");
    let desk = crate::journeys::screens::Desk::new(shared, app::state::Editing::default());
    let theme = app::state::ThemeChoice::Light;
    let harness = crate::journeys::screens::desk([1440.0, 900.0], 1.0, theme, desk);
    assert!(harness.query_by_label(&format!("Sent {sent}")).is_some());
    assert!(
        harness
            .query_by_label(&format!("In queue {in_queue}"))
            .is_some()
    );
    assert!(harness.query_by_label_contains("Printed ").is_none());
}

#[test]
fn n12_a_job_that_its_queue_still_has_counts_as_in_the_queue_and_not_as_sent() {
    let state = LabelState::InQueue(jiff::Timestamp::UNIX_EPOCH);
    assert_eq!(state.part(), LabelPart::InQueue);
    assert_eq!(
        LabelState::Sent(jiff::Timestamp::UNIX_EPOCH).part(),
        LabelPart::Sent
    );
}

#[test]
fn n7_the_documents_of_older_settings_are_printed_by_hand_on_the_same_printer() {
    let home = Home::new();
    let old = r#"{"bench": "Bench 4", "chosen": "practice", "printers": [
        {"name": "Laser", "destination": {"queue": "Laser"}, "language": "pdf", "dots_per_mm": 12.0, "media": "a4",
         "documents": ["consignment_label", "manifest", "papers"]}]}"#;
    std::fs::write(home.places.settings(), old).expect("written");
    let kept = Settings::read(&home.places).expect("still read");
    let printed: Vec<_> = { kept.documents.iter() }
        .map(|rule| (rule.document, rule.printer.as_str(), rule.when))
        .collect();
    let by_hand = |kind| (kind, "Laser", PrintMoment::ByHand);
    let papers = [
        DocumentKind::Manifest,
        DocumentKind::PackingSlip,
        DocumentKind::ConsignmentNote,
        DocumentKind::CommercialInvoice,
        DocumentKind::DangerousGoods,
    ];
    assert_eq!(printed, papers.map(by_hand));
}
