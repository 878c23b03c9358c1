//! The day of 60 consignments with documents on four printers: labels and A4 pages through a private CUPS, notes in
//! files, and notes of one carrier on an IPP printer.

use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Duration;

use app::Service;
use app::state::{DispatchCommand, JobState, JobSubject, OperationState};
use client::Timeouts;
use engine::{DocumentKind, DocumentRule, PrintMoment};
use printing::profile::{Destination, Language, Media, PrinterProfile};
use shipping::{Consignment, ConsignmentId, ManifestGroup};

use crate::dispatch::bench::{booking_of, by, groups, send_by};
use crate::dispatch::day::{adjusted, make, print_all};
use crate::support::cupsd::Cupsd;
use crate::support::desk::{Desk, Home, notice};
use crate::support::ipp_printer::IppPrinter;
use crate::support::printers::at_port;
use crate::support::readers::pdf_text;
use crate::support::recorder::Recorder;
use crate::support::wait::until;

const CONSIGNMENTS: usize = 60;
/// Each carrier has a quarter of them.
const EACH: usize = 15;

fn printer(name: &str, destination: Destination, language: Language) -> PrinterProfile {
    let media = if language == Language::Pdf {
        Media::A4
    } else {
        Media::A6
    };
    PrinterProfile {
        name: name.to_owned(),
        destination,
        language,
        media,
        ..PrinterProfile::default()
    }
}

fn rules() -> Vec<DocumentRule> {
    let rule = |document, printer: &str, when| DocumentRule {
        when,
        ..DocumentRule::of(document, printer)
    };
    vec![
        DocumentRule::of(DocumentKind::ItemLabels, "Zebra"),
        rule(DocumentKind::PackingSlip, "Laser", PrintMoment::Send),
        rule(DocumentKind::Manifest, "Laser", PrintMoment::Booking),
        rule(DocumentKind::ConsignmentNote, "Files", PrintMoment::Booking),
        DocumentRule {
            carrier: "Bluegum".to_owned(),
            copies: NonZeroU8::new(2),
            ..rule(DocumentKind::ConsignmentNote, "Office", PrintMoment::Send)
        },
        // No consignment of this day has dangerous goods, and none goes abroad.
        rule(DocumentKind::DangerousGoods, "Laser", PrintMoment::Send),
        DocumentRule {
            international: true,
            ..rule(DocumentKind::PackingSlip, "Office", PrintMoment::Send)
        },
    ]
}

/// Books the groups, and returns those that were booked.
fn book(desk: &mut Desk, sent: &[ManifestGroup]) -> Vec<ManifestGroup> {
    desk.ask(DispatchCommand::Book(sent.to_vec()));
    desk.until("all are answered", |core| {
        let ended = |group: &ManifestGroup| {
            let operation = booking_of(core, &group.consignment_ids)?;
            (!operation.state.is_open()).then_some(())
        };
        sent.iter().map(ended).collect::<Option<Vec<()>>>()
    });
    let is_booked = |group: &&ManifestGroup| {
        let operation = booking_of(&desk.core, &group.consignment_ids).expect("an operation");
        operation.state == OperationState::Done
    };
    sent.iter().filter(is_booked).cloned().collect()
}

/// Checks that these PDFs are documents with these titles for these consignments, in this order.
fn are(pdfs: &[Vec<u8>], title: &str, of: &[&Consignment]) {
    assert_eq!(pdfs.len(), of.len(), "{title}");
    for (pdf, one) in pdfs.iter().zip(of) {
        let text = pdf_text(pdf);
        for words in [title, &one.consignment_number] {
            assert!(text.contains(words), "{words} is not in: {text}");
        }
    }
}

/// The four printers of the day, and the bench that uses them.
struct Day {
    home: Home,
    zebra: Recorder,
    laser: Recorder,
    office: IppPrinter,
    files: PathBuf,
    _cups: Cupsd,
}

impl Day {
    fn new() -> Self {
        let cups = Cupsd::start();
        let (zebra, laser) = (Recorder::start(), Recorder::start());
        cups.raw_queue("Zebra", zebra.port());
        cups.raw_queue("Laser", laser.port());
        let office = IppPrinter::start();
        office.inside().formats = &["application/pdf"];
        let mut home = Home::new();
        home.surroundings.print_server = Some(cups.socket().display().to_string());
        let files = home.places.data().join("notes");
        std::fs::create_dir(&files).expect("a folder");
        let queue = |name: &str| Destination::Queue(name.to_owned());
        let file = Destination::File(files.join("{number}.pdf"));
        home.settings.printers = vec![
            printer("Zebra", queue("Zebra"), Language::Zpl),
            printer("Laser", queue("Laser"), Language::Pdf),
            printer("Files", file, Language::Pdf),
            printer("Office", Destination::Ipp(office.address()), Language::Pdf),
        ];
        home.settings.documents = rules();
        Self {
            home,
            zebra,
            laser,
            office,
            files,
            _cups: cups,
        }
    }

    /// Waits until these notes are in the folder, and checks each.
    fn filed(&self, desk: &mut Desk, notes: &[&Consignment]) {
        let count = || std::fs::read_dir(&self.files).expect("a folder").count();
        desk.until("the notes of all that was booked", |_core| {
            (count() == notes.len()).then_some(())
        });
        for one in notes {
            let name = format!("Consignment-note-{}.pdf", one.consignment_number);
            let pdf = std::fs::read(self.files.join(name)).expect("a note");
            are(&[pdf], "Consignment note", &[one]);
        }
    }
}

#[test]
fn a_day_of_sixty_consignments_prints_each_document_on_its_own_printer_in_order() {
    let day = Day::new();
    let practice = day.home.practise();
    let mut desk = day.home.open(&Service {
        limits: Timeouts::default(),
        ..Home::service(practice.base_url(), practice.token())
    });
    let made = make(&mut desk);
    let all: Vec<_> = made.iter().collect();
    until("the packing slips", Duration::from_mins(2), || {
        desk.turn();
        (day.laser.count() >= CONSIGNMENTS).then_some(())
    });
    are(&day.laser.jobs(CONSIGNMENTS), "Packing slip", &all);
    let bluegum: Vec<_> = { made.iter() }
        .filter(|one| one.carrier_name() == "Bluegum")
        .collect();
    assert_eq!(bluegum.len(), EACH);
    desk.until("the notes of one carrier", |_core| {
        (day.office.inside().jobs.len() == EACH).then_some(())
    });
    let jobs = day.office.inside().jobs.clone();
    let notes: Vec<_> = jobs.into_iter().map(|(.., pdf)| pdf).collect();
    are(&notes, "Consignment note", &bluegum);

    desk.ask(DispatchCommand::GroupAll);
    let grouped = groups(&mut desk);
    let sent = adjusted(&desk, &grouped);
    let booked = book(&mut desk, &sent);
    assert_eq!(booked.len(), 3, "one carrier refuses");
    let all = CONSIGNMENTS + booked.len();
    until("the manifests", Duration::from_mins(2), || {
        desk.turn();
        (day.laser.count() >= all).then_some(())
    });
    let jobs = day.laser.jobs(all);
    for (pdf, group) in jobs[CONSIGNMENTS..].iter().zip(&booked) {
        let text = pdf_text(pdf);
        let carrier = group.carrier_name.as_deref().expect("a carrier");
        assert!(
            text.contains("Manifest") && text.contains(carrier),
            "{text}"
        );
    }
    let one = |id: &ConsignmentId| made.iter().find(|one| one.id == *id).expect("made here");
    let ids = booked.iter().flat_map(|group| &group.consignment_ids);
    let noted: Vec<_> = ids.map(one).collect();
    day.filed(&mut desk, &noted);

    let order: Vec<_> = { sent.iter() }
        .flat_map(|group| group.consignment_ids.clone())
        .collect();
    assert_eq!(print_all(&mut desk, &day.zebra, &order).len(), CONSIGNMENTS);
    assert_eq!(day.office.inside().jobs.len(), EACH, "nothing else came");
    let documents = desk.core.shared.labels.jobs.iter();
    let documents = documents.filter(|job| job.subject == JobSubject::Document);
    let expected = CONSIGNMENTS + EACH + noted.len() + booked.len();
    assert_eq!(documents.count(), expected, "all are in the list of jobs");
}

/// A printer that accepts connections and never answers.
fn hung() -> (std::net::TcpListener, Destination) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (
        listener,
        Destination::Ipp(format!("ipp://127.0.0.1:{port}/ipp/print")),
    )
}

#[test]
fn a_printer_for_documents_that_hangs_holds_no_label_up() {
    let mut home = Home::new();
    let zebra = Recorder::start();
    let (_listener, office) = hung();
    home.settings.bench.auto_print = true;
    home.settings.printers = vec![
        printer("Zebra", at_port(zebra.port()), Language::Zpl),
        printer("Office", office, Language::Pdf),
    ];
    home.settings.documents = vec![
        DocumentRule::of(DocumentKind::ItemLabels, "Zebra"),
        DocumentRule::of(DocumentKind::PackingSlip, "Office"),
    ];
    let (_practice, mut desk) = home.open_practice();
    for (at, reference) in ["SO-1", "SO-2"].into_iter().enumerate() {
        let id = desk.create(reference);
        desk.until("the label is out, and the packing slip is not", |core| {
            let mut jobs = core.shared.labels.jobs.iter();
            let label = jobs.clone().find(|job| job.is_label_of(id))?;
            let slip = jobs.find(|job| job.subject == JobSubject::Document)?;
            assert_eq!(slip.state, JobState::Spooling);
            (label.state == JobState::Sent).then_some(())
        });
        assert_eq!(zebra.jobs(at + 1).len(), at + 1);
    }
}

#[test]
fn labels_of_a_carrier_with_its_own_stock_are_printed_on_its_own_printer_in_the_same_batch() {
    let mut home = Home::new();
    let (plain, bluegum) = (Recorder::start(), Recorder::start());
    home.settings.printers = vec![
        printer("Plain", at_port(plain.port()), Language::Zpl),
        printer("Bluegum stock", at_port(bluegum.port()), Language::Zpl),
    ];
    home.settings.documents = vec![
        DocumentRule::of(DocumentKind::ItemLabels, "Plain"),
        DocumentRule {
            carrier: "bluegum".to_owned(),
            ..DocumentRule::of(DocumentKind::ItemLabels, "Bluegum stock")
        },
    ];
    let (_practice, mut desk) = home.open_practice();
    let carriers = [
        (11, "Southern Cross"),
        (12, "Bluegum"),
        (11, "Southern Cross"),
    ];
    let ids: Vec<_> = { carriers.into_iter().enumerate() }
        .map(|(at, (id, name))| send_by(&mut desk, &format!("SO-{at}"), by(id, name)))
        .collect();
    desk.ask(DispatchCommand::PrintLabels(ids.clone()));
    desk.until("all are out", |core| {
        let sent = core.shared.labels.jobs.iter();
        (sent.filter(|job| job.state == JobState::Sent).count() == ids.len()).then_some(())
    });
    assert_eq!((plain.jobs(2).len(), bluegum.jobs(1).len()), (2, 1));
    let printers: Vec<_> = { desk.core.shared.labels.jobs.iter().rev() }
        .map(|job| job.printer.as_str())
        .collect();
    assert_eq!(
        printers,
        ["Plain", "Bluegum stock", "Plain"],
        "in the order of the batch"
    );
}

#[test]
fn documents_that_were_due_when_the_program_ended_are_told_at_the_next_start() {
    let mut home = Home::new();
    let (_listener, office) = hung();
    home.settings.printers = vec![printer("Office", office, Language::Pdf)];
    home.settings.documents = vec![DocumentRule::of(DocumentKind::PackingSlip, "Office")];
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    for reference in ["SO-1", "SO-2"] {
        desk.create(reference);
    }
    desk.until("the first is on its way", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.find(|job| job.state == JobState::Spooling).map(|_| ())
    });
    let mut desk = home.restart(desk, &service);
    let notice = desk.until("the notice", |core| {
        notice(&core.shared, "Check the documents")
    });
    // The first may have got as far as a print job, which has a question of its own.
    assert!(notice.headline.contains("MS200002"), "{notice:?}");
    // It is told once.
    let mut desk = home.restart(desk, &service);
    desk.until("the list", |core| {
        core.shared.dispatch.unmanifested.value().map(|_| ())
    });
    let told = desk.core.shared.notices.shown.iter();
    assert!(
        told.clone()
            .all(|(_, notice)| !notice.headline.starts_with("Check the documents"))
    );
}
