//! The service's own printers: requests and answers on the wire.

use serde_json::json;
use shipping::{LabelSize, LabelType};

use app::state::{LabelState, LabelsCommand, OperationKind, OperationState};

use super::create;
use crate::support::desk::Home;
use crate::support::lanes::{QUICK, client};
use crate::support::wire::Fault;

#[test]
fn labels_go_to_a_printer_of_the_service_and_the_queue_says_so() {
    let (home, practice, wire) = Home::with_wire();
    let made = create(&home, &practice, ["SO-1", "SO-2"]);
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.ask(LabelsCommand::AskServicePrinters(made.to_vec()));
    let printers = desk.until("the printers", |core| {
        core.shared.labels.service_printers.value().cloned()
    });
    let usual = printers.default_item_printer.expect("a usual one");
    desk.ask(LabelsCommand::PrintAtService {
        ids: made.to_vec(),
        what: LabelType::Item,
        printer: usual.id,
        size: LabelSize::A6,
        reason: String::new(),
    });
    desk.until_operation(OperationKind::ServicePrint, OperationState::Done);
    assert_eq!(wire.count("/labels/sendLabelsToPrinter"), 1);
    let [first, second] = made;
    let sent = json!([{
        "consignmentIds": [first.get(), second.get()],
        "labelType": 3,
        "printerId": usual.id.get(),
        "printA4": false,
    }]);
    assert_eq!(wire.bodies("/labels/sendLabelsToPrinter"), [sent]);
    for id in made {
        assert_eq!(
            *desk.core.shared.labels.state(id),
            LabelState::AtService(usual.name.clone())
        );
    }

    // They may be out there by now: another time needs a reason, which is kept.
    let again = |reason: &str| LabelsCommand::PrintAtService {
        ids: made.to_vec(),
        what: LabelType::Item,
        printer: usual.id,
        size: LabelSize::A6,
        reason: reason.to_owned(),
    };
    desk.ask(again(" "));
    desk.until("it is asked why", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices.find(|(_, notice)| notice.advice.contains("Enter a reason"))?;
        Some(())
    });
    desk.ask(again("Lost"));
    desk.until("kept with it", |core| {
        let mut operations = core.shared.operations.list.iter();
        operations.find(|one| one.title.ends_with("reprint: Lost"))?;
        Some(())
    });
}

#[test]
fn a_lost_answer_of_the_service_is_a_question_and_not_sent_again() {
    let (home, practice, wire) = Home::with_wire();
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    let [id] = create(&home, &practice, ["SO-1"]);
    let choice = home.runtime.block_on(caller.printers(&[id]));
    let printer = choice
        .expect("printers")
        .default_item_printer
        .expect("a usual one");
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    wire.fail("/labels/sendLabelsToPrinter", Fault::LoseAnswer);
    desk.ask(LabelsCommand::PrintAtService {
        ids: vec![id],
        what: LabelType::Item,
        printer: printer.id,
        size: LabelSize::A4,
        reason: String::new(),
    });
    desk.until_operation(OperationKind::ServicePrint, OperationState::Ask);
    assert_eq!(*desk.core.shared.labels.state(id), LabelState::Waiting);
    assert_eq!(wire.count("/labels/sendLabelsToPrinter"), 1);
}
