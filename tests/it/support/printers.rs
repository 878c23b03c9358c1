//! Printers of a test's bench: in its settings, and saved as a clerk saves them.

use app::state::{LabelsCommand, PrinterForm};
use engine::PrintOrder;
use printing::profile::{Destination, PrinterProfile};
use shipping::{ConsignmentId, LabelSize};
use storage::{JobSubject, NewJob};

use super::desk::Desk;

/// A port of this computer, as a printer on the network.
pub(crate) fn at_port(port: u16) -> Destination {
    Destination::Socket {
        host: "127.0.0.1".to_owned(),
        port,
    }
}

/// The usual printer of the tests, for labels.
pub(crate) fn label_printer(name: &str, destination: Destination) -> PrinterProfile {
    PrinterProfile {
        name: name.to_owned(),
        destination,
        ..PrinterProfile::default()
    }
}

/// An order to print this consignment's label at this port.
pub(crate) fn label_order(consignment: ConsignmentId, port: u16) -> PrintOrder {
    PrintOrder {
        consignment,
        number: format!("MS{consignment}"),
        printer: label_printer("Zebra bench 4", at_port(port)),
        size: LabelSize::A6,
        reason: String::new(),
        verification_override: None,
        accepted_shrinks: Vec::new(),
    }
}

/// Saves a printer with this name and destination.
pub(crate) fn save_printer(desk: &mut Desk, name: &str, destination: String) {
    let form = PrinterForm {
        name: name.to_owned(),
        destination,
        dots_per_mm: "8".to_owned(),
        ..PrinterForm::default()
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
}

/// A job for a label printer.
pub(crate) fn new_job(subject: JobSubject) -> NewJob {
    NewJob {
        subject,
        number: "MS1".to_owned(),
        printer: "Zebra".to_owned(),
        title: "MS1 Bench4-AAAAAAAA".to_owned(),
        bytes: b"^XA^XZ"[..].into(),
        ..NewJob::default()
    }
}
