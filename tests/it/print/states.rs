//! States of printers: each queue's card shows the state that the print service reports, in the whole
//! program.

use std::num::NonZeroU8;
use std::os::unix::net::UnixListener;

use app::config::{ChosenService, Settings};
use app::state::{
    DocumentKind, LabelsCommand, Language, PrinterForm, PrinterState, PrinterView, Screen,
};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use printing::image_pages;
use printing::job::{Payload, SendError, send as send_to};
use printing::page::{Bitmap, PageSelection, Scale};
use printing::profile::{Destination, PrinterProfile};
use printing::service::{PrintService, ServerAddress};

use super::program;
use crate::support::cupsd::Cupsd;
use crate::support::desk::{Desk, Home, open_bench};
use crate::support::front::Front;
use crate::support::ipp_printer::IppPrinter;
use crate::support::recorder::Recorder;

fn queue(name: &str) -> PrinterProfile {
    PrinterProfile {
        name: name.to_owned(),
        destination: Destination::Queue(name.to_owned()),
        ..PrinterProfile::default()
    }
}

/// Adds the printer that needs no print service, and opens the window at the labels.
fn open_labels(home: &mut Home, direct: &IppPrinter) -> (RunningService, Front) {
    home.settings.printers.push(PrinterProfile {
        destination: Destination::Ipp(direct.address()),
        ..queue("Direct")
    });
    home.settings.write(&home.places).unwrap();
    let practice = home.practise();
    let mut front = Front::start_open(home, &practice);
    front.keys("<F4>");
    (practice, front)
}

/// A print service with a queue in each state.
fn with_queues(recorder: &Recorder) -> Cupsd {
    let cups = Cupsd::start();
    for name in ["Ready", "Stopped", "Rejecting"] {
        cups.raw_queue(name, recorder.port());
    }
    let uri = format!("socket://127.0.0.1:{}", recorder.port());
    cups.add("Driven", &uri, &["-m", "drv:///sample.drv/zebra.ppd"]);
    cups.tool("cupsdisable", &["-r", "Out of ribbon", "Stopped"]);
    cups.tool("cupsreject", &["-r", "Being moved", "Rejecting"]);
    cups
}

#[test]
fn every_queue_is_shown_as_it_is_and_the_cards_follow_it() {
    let recorder = Recorder::start();
    let cups = with_queues(&recorder);
    let direct = IppPrinter::start();
    {
        let mut inside = direct.inside();
        (inside.state, inside.reason) = (5, "media-empty-error");
    }
    let mut home = Home::new();
    home.surroundings.print_server = Some(cups.socket().display().to_string());
    home.settings.chosen = Some(ChosenService::Practice);
    home.settings.printers = ["Ready", "Stopped", "Rejecting", "Gone"]
        .map(queue)
        .to_vec();
    let (_practice, mut front) = open_labels(&mut home, &direct);
    let shown = |printers: &[PrinterView]| -> Vec<_> {
        let row = |one: &PrinterView| (one.name.clone(), one.state, one.message.clone());
        printers.iter().map(row).collect()
    };
    let row = |name: &str, state: Option<PrinterState>, message: &str| {
        (name.to_owned(), state, message.to_owned())
    };
    let rows = front.until("all have answered", |shared| {
        let printers = shared.labels.printers.value()?;
        (printers.len() == 6).then(|| shown(printers))
    });
    assert_eq!(
        rows,
        [
            row("Ready", Some(PrinterState::Ready), ""),
            row("Stopped", Some(PrinterState::Stopped), "Out of ribbon"),
            row("Rejecting", Some(PrinterState::Rejecting), "Being moved"),
            row("Gone", None, "the queue doesn't exist on this computer"),
            row("Direct", Some(PrinterState::Stopped), "It is out of labels"),
            row("Driven", Some(PrinterState::Ready), ""),
        ]
    );
    for word in ["ready", "stopped", "doesn't accept jobs", "gone"] {
        assert!(
            front.widgets().query_all_by_label(word).next().is_some(),
            "{word} is read on the screen"
        );
    }
    // Somebody fixes two and stops one: the card follows without being asked.
    cups.tool("cupsenable", &["Stopped"]);
    direct.inside().state = 3;
    direct.inside().reason = "none";
    cups.tool("cupsdisable", &["-r", "Head open", "Ready"]);
    front.until("the card follows", |shared| {
        let printers = shared.labels.printers.value()?;
        let is = |name: &str, state| {
            let mut all = printers.iter();
            all.any(|one| one.name == name && one.state == Some(state))
        };
        (is("Stopped", PrinterState::Ready)
            && is("Direct", PrinterState::Ready)
            && is("Ready", PrinterState::Stopped))
        .then_some(())
    });
    assert_eq!(front.shared().screen, Screen::Labels);
    front.close();
}

#[test]
fn a_print_service_that_hangs_holds_nothing_up_and_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("cups.sock");
    let _listens = UnixListener::bind(&socket).unwrap();
    let mut home = Home::new();
    home.surroundings.print_server = Some(socket.display().to_string());
    home.settings.printers = vec![queue("Zebra")];
    let (_practice, mut desk) = home.open_practice();
    desk.ask(app::state::Command::Show(Screen::Labels));
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        desk.turn();
    }
    assert!(begun.elapsed().as_secs() < 2, "turns wait for nobody");
    desk.until("it is said", |core| {
        let problem = core.shared.labels.printers.problem()?;
        problem
            .to_string()
            .contains("does not answer")
            .then_some(())
    });
    desk.until("it is asked again", |core| {
        core.shared.labels.printers.is_loading().then_some(())
    });
    let problem = desk.core.shared.labels.printers.problem();
    assert!(problem.is_some(), "it stays readable meanwhile");
}

#[test]
fn a_printer_that_speaks_ipp_is_asked_what_it_takes_and_given_that() {
    let printer = IppPrinter::start();
    let (_home, _practice, mut desk) = open_bench();
    let form = PrinterForm {
        name: "Direct".to_owned(),
        destination: printer.address(),
        language: Language::Zpl,
        dots_per_mm: "8".to_owned(),
        documents: vec![DocumentKind::ItemLabels],
        ..PrinterForm::default()
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
    let hint = desk.until("it says what it takes", |core| {
        core.shared.labels.printers.value()?[0].hint.clone()
    });
    assert_eq!(
        hint.message,
        "This printer accepts Page image, but it is set to ZPL"
    );
    assert_eq!(
        desk.core.shared.labels.printers.value().unwrap()[0]
            .form
            .language,
        Language::Zpl,
        "nothing is switched by itself"
    );
    desk.ask(LabelsCommand::ShowTestLabel("Direct".to_owned()));
    let drawn = |desk: &mut Desk| {
        desk.until("drawn", |core| {
            core.shared.labels.test_label.value().cloned()
        });
        desk.ask(LabelsCommand::PrintTestLabel);
    };
    drawn(&mut desk);
    let words = desk.until("refused", |core| {
        let job = core.shared.labels.jobs.first()?;
        (!job.message.is_empty()).then(|| job.message.clone())
    });
    assert!(words.contains("does not accept ZPL"), "{words}");
    assert!(printer.inside().jobs.is_empty(), "nothing was sent");
    desk.ask(LabelsCommand::SavePrinter(Box::new(hint.form)));
    desk.ask(LabelsCommand::ShowTestLabel("Direct".to_owned()));
    desk.turn();
    drawn(&mut desk);
    desk.until("handed over", |core| {
        (core.shared.labels.jobs.first()?.message == "Sent to printer").then_some(())
    });
    let shown = desk.core.shared.labels.test_label.value().unwrap().clone();
    let document = printer.inside().jobs[0].2.clone();
    let pages = image_pages::read(&document).unwrap();
    let shown = shown.preview.bitmap;
    assert_eq!(pages[0].packed(), shown.packed(), "dot for dot");
}

#[test]
fn a_printer_that_takes_no_bits_is_given_the_same_dots_in_grey_and_the_paper() {
    let (home, printer) = (Home::new(), IppPrinter::start());
    let service = PrintService::new(program(), ServerAddress::Local("/nowhere".into()));
    let rows: Vec<u8> = (0..105 * 1184_u32).map(|at| (at % 251) as u8).collect();
    let page = Bitmap::from_packed(840, 1184, rows).unwrap();
    let payload = Payload {
        language: Language::PageImage,
        bytes: image_pages::encode_raster(&[&page], Scale::DOTS_8).into(),
        copies: NonZeroU8::MIN,
        pages: PageSelection::All,
        page_ends: Vec::new(),
    };
    let to = Destination::Ipp(printer.address());
    let send = |taken: &'static [&'static str]| {
        printer.inside().raster_types = taken;
        let sent = send_to(
            &service,
            &payload,
            &to,
            "MS1",
            std::path::Path::new("/nowhere"),
        );
        home.runtime.block_on(sent)
    };
    send(&["sgray_8", "srgb_8"]).unwrap();
    send(&["black_1", "sgray_8"]).unwrap();
    assert!(matches!(
        send(&["srgb_8"]),
        Err(SendError::UnsupportedFormat { .. })
    ));
    let inside = printer.inside();
    let documents: Vec<_> = inside.jobs.iter().map(|job| &job.2).collect();
    assert_eq!(documents.len(), 2);
    for document in &documents {
        assert!(image_pages::read(document).unwrap() == [page.clone()]);
    }
    assert!(*documents[1] == *payload.bytes && documents[0] != documents[1]);
    assert_eq!(inside.media[0].as_deref(), Some("iso_a6_105x148mm"));
}

/// Sends a page image to a printer that answers with this HTTP status and body.
fn sent_to_refusing(status: u16, body: &'static [u8]) -> SendError {
    let (home, printer) = (Home::new(), IppPrinter::start());
    let service = PrintService::new(program(), ServerAddress::Local("/nowhere".into()));
    printer.inside().refusal = Some((status, body));
    let page = Bitmap::from_packed(8, 1, vec![0xff]).unwrap();
    let payload = Payload {
        language: Language::PageImage,
        bytes: image_pages::encode_raster(&[&page], Scale::DOTS_8).into(),
        copies: NonZeroU8::MIN,
        pages: PageSelection::All,
        page_ends: Vec::new(),
    };
    let to = Destination::Ipp(printer.address());
    let spool = std::path::Path::new("/nowhere");
    let sent = send_to(&service, &payload, &to, "MS1", spool);
    home.runtime.block_on(sent).expect_err("it was called sent")
}

#[test]
fn a_fault_after_the_whole_document_may_have_printed_it() {
    for (status, body) in [
        (500, &b""[..]),
        (503, b""),
        // The IPP statuses for an internal error and a paper jam.
        (200, b"\x01\x01\x05\x00\x00\x00\x00\x01\x03"),
        (200, b"\x01\x01\x05\x04\x00\x00\x00\x01\x03"),
    ] {
        let error = sent_to_refusing(status, body);
        assert!(!error.nothing_sent(), "{status}: {error}");
    }
}

#[test]
fn a_refusal_prints_nothing() {
    for (status, body) in [
        (413, &b""[..]),
        // The IPP statuses for a format that is not supported and a printer that is busy.
        (200, b"\x01\x01\x04\x0a\x00\x00\x00\x01\x03"),
        (200, b"\x01\x01\x05\x07\x00\x00\x00\x01\x03"),
    ] {
        let error = sent_to_refusing(status, body);
        assert!(matches!(error, SendError::Declined(_)), "{status}: {error}");
    }
}

#[test]
fn a_printer_says_its_resolution_its_formats_and_its_paper() {
    let double = IppPrinter::start();
    let home = Home::new();
    let service = PrintService::new(program(), ServerAddress::Local("/nowhere".into()));
    let address = double.address();
    let asked = service.printer(&address);
    let told = home.runtime.block_on(asked).unwrap();
    assert_eq!(told.dots_per_mm, Some(8.0), "203 dpi are 8 dots a mm");
    assert_eq!(told.formats, ["image/pwg-raster", "image/urf"]);
}

#[test]
fn a_printer_that_answers_otherwise_than_its_profile_is_taken_over_at_one_key() {
    let mut home = Home::new();
    home.settings.chosen = Some(ChosenService::Practice);
    let direct = IppPrinter::start();
    let (_practice, mut front) = open_labels(&mut home, &direct);
    front.until("the hint", |shared| {
        let printer = shared.labels.printers.value()?.first()?;
        printer.hint.as_ref().map(|_| ())
    });
    front.keys("<Alt+U>");
    let language = front.until("taken over", |shared| {
        let printer = shared.labels.printers.value()?.first()?;
        (printer.form.language != Language::Zpl).then_some(printer.form.language)
    });
    assert_eq!(language, Language::PageImage);
    front.until("written", |_| {
        let kept = Settings::read(&home.places).ok()?;
        (kept.printers[0].language == Language::PageImage).then_some(())
    });
    front.close();
}
