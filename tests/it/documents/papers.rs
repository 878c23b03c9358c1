//! Packing slip, consignment note, commercial invoice and dangerous goods document: printed and saved by keyboard, and read
//! back.

use std::path::Path;
use std::process::Command;

use app::state::{JobState, JobSubject, LabelsCommand, PrinterForm, SaveCommand, SaveRequest};
use engine::ConsignmentDocument;
use engine::DocumentKind;
use printing::profile::Language;
use rust_decimal::Decimal;
use shipping::{
    Celsius, Consignment, ConsignmentItem, ConsignmentRequest, ContainerType, CountryCode, DgClass,
    DgItem, Dollars, InternationalPlace, ItemContents, PackingGroup, PartyRequest, Quantity,
    RouteSelection, UnNumber,
};

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::click_containing;
use crate::support::lanes::{QUICK, client};
use crate::support::readers::pdf_text;
use crate::support::requests::{hose_reels, number, some, to_ballarat};

/// A bench at the practice service, with a consignment that was made there.
struct Packed {
    home: Home,
    front: Front,
    made: Consignment,
    _practice: practice::RunningService,
}

fn pack(order: &ConsignmentRequest) -> Packed {
    let home = Home::new();
    let practice = home.practise();
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    let made = home.runtime.block_on(caller.create(order));
    let made = made.expect("a consignment");
    let mut front = Front::at_practice(&home, &practice);
    front.keys("<F4>");
    front.ask(LabelsCommand::Select(made.id));
    front.until("it is shown", |shared| {
        (shared.labels.selected == Some(made.id)).then_some(())
    });
    front.rest();
    Packed {
        home,
        front,
        made,
        _practice: practice,
    }
}

impl Packed {
    /// Saves a document, and reads its text.
    fn saved(&mut self, kind: ConsignmentDocument) -> String {
        let path = self.home.places.data().join(format!("{kind:?}.pdf"));
        let typed = path.display().to_string();
        let request = SaveRequest::OfConsignment(kind, self.made.id);
        self.front.ask(SaveCommand::Save(request, Some(typed)));
        self.front.until("the file", |shared| {
            let asked = &shared.path_question;
            assert!(asked.is_none(), "not saved: {asked:?}");
            path.exists().then_some(())
        });
        picture(&path, kind);
        pdf_text(&std::fs::read(&path).expect("a file"))
    }
}

/// Saves a picture of the first page in `target/pictures/` for a person to look at.
fn picture(pdf: &Path, kind: ConsignmentDocument) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("pictures");
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    let name = kind.name().to_lowercase().replace(' ', "-");
    let drawn = Command::new("pdftoppm")
        .args(["-png", "-r", "80", "-singlefile"])
        .arg(pdf)
        .arg(folder.join(name))
        .status();
    assert!(drawn.expect("pdftoppm, of poppler-utils").success());
}

/// Checks that a text has all of these, with any blanks between words.
#[track_caller]
fn holds(text: &str, words: &[&str]) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = plain(text);
    for words in words {
        assert!(text.contains(&plain(words)), "{words:?} is not in: {text}");
    }
}

fn order() -> ConsignmentRequest {
    let mut order = to_ballarat();
    order.from.abbreviation = some("HSYD");
    order.customer_reference = some("SO-77");
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order.dgs_declaration = Some(false);
    order.items = vec![
        ConsignmentItem {
            quantity: Some(2),
            sku: some("REEL-20"),
            ..hose_reels()
        },
        ConsignmentItem {
            name: some("Sprinkler heads"),
            quantity: Some(3),
            ..hose_reels()
        },
    ];
    order
}

#[test]
fn a_packing_slip_and_a_consignment_note_say_what_is_in_the_consignment() {
    let mut packed = pack(&order());
    let slip = packed.saved(ConsignmentDocument::PackingSlip);
    let number = packed.made.consignment_number.clone();
    holds(
        &slip,
        &[
            "Packing slip",
            &number,
            "SO-77",
            "Hose reels, 20 m",
            "Sprinkler heads",
            "2 lines",
            "Page 1 of 1",
        ],
    );
    // The last figure of the totals is the sum of the pieces.
    let totals = slip
        .lines()
        .find(|line| line.contains("2 lines"))
        .expect("totals");
    assert_eq!(totals.split_whitespace().last(), Some("5"));
    assert!(!slip.contains('$'), "no prices");

    let note = packed.saved(ConsignmentDocument::ConsignmentNote);
    let receiver = packed.made.to_name.clone().expect("a receiver");
    holds(
        &note,
        &[
            "Consignment note",
            &number,
            &receiver,
            "Harbour Supplies",
            "Driver",
            "Receiver",
            "Signature",
        ],
    );
    let weight: Decimal = packed
        .made
        .items()
        .iter()
        .map(|item| {
            item.size().weight.expect("a weight").0
                * Decimal::from(item.quantity.expect("a quantity"))
        })
        .sum();
    holds(&note, &[&format!("{weight:.1}")]);
}

fn abroad() -> ConsignmentRequest {
    let mut order = order();
    order.is_international = Some(true);
    order.international_to = InternationalPlace {
        city: some("Portland"),
        postcode: some("97201"),
        province: some("OR"),
    };
    order.to = PartyRequest {
        country_code: CountryCode::new("USA").ok(),
        name: some("Rose City Tools"),
        contact: some("D. Lee"),
        phone: some("+1 503 555 0100"),
        email: some("orders@rosecity.example"),
        address_line1: some("100 SW Main Street"),
        ..PartyRequest::default()
    };
    let contents = |description: &str, quantity, value| ItemContents {
        description: some(description),
        reference1: some("INV-7781"),
        quantity: Some(quantity),
        harmonized_code: some("820559"),
        purpose: some("Sale"),
        country_of_manufacture_code: Some("AUS".to_owned()),
        dollar_value: Some(Dollars(number(value))),
        ..ItemContents::default()
    };
    order.items = vec![ConsignmentItem {
        quantity: Some(3),
        consignment_item_contents: vec![
            contents("Hand tools", 24, "310.25"),
            contents("Drill bits", 7, "99.95"),
        ],
        ..hose_reels().nested()
    }];
    order
}

#[test]
fn an_invoice_adds_up_to_the_cent() {
    let mut packed = pack(&abroad());
    let invoice = packed.saved(ConsignmentDocument::CommercialInvoice);
    holds(
        &invoice,
        &[
            "Commercial invoice",
            "Rose City Tools",
            "USA",
            "820559",
            "AUS",
            "Sale",
            "Australian dollars (AUD)",
            "D. Lee · +1 503 555 0100",
            "Packages",
            "Gross weight",
            "27.0 kg",
            "I declare",
        ],
    );
    let mut sum = Decimal::ZERO;
    for (description, value, units) in [("Hand tools", "310.25", 24), ("Drill bits", "99.95", 7)] {
        let line_value = number(value) * Decimal::from(3);
        sum += line_value;
        let line = invoice
            .lines()
            .find(|line| line.contains(description))
            .expect("a line");
        let figures: Vec<_> = line.split_whitespace().collect();
        assert_eq!(
            figures.last(),
            Some(&&*format!("{line_value:.2}")),
            "{line}"
        );
        assert!(figures.contains(&&*(units * 3).to_string()), "{line}");
    }
    let total = invoice
        .lines()
        .find(|line| line.trim_start().starts_with("Total"))
        .expect("a total");
    assert_eq!(total.split_whitespace().last(), Some(&*format!("{sum:.2}")));
}

#[test]
fn a_document_that_a_consignment_does_not_need_is_refused_with_the_reason() {
    let mut packed = pack(&order());
    let request = SaveRequest::OfConsignment(ConsignmentDocument::DangerousGoods, packed.made.id);
    let path = packed
        .home
        .places
        .data()
        .join("none.pdf")
        .display()
        .to_string();
    packed.front.ask(SaveCommand::Save(request, Some(path)));
    packed.front.until("the reason", |shared| {
        let question = shared.path_question.as_ref()?;
        let problem = question.problem.as_ref()?;
        problem.contains("has no dangerous goods").then_some(())
    });
}

#[test]
fn dangerous_goods_are_declared_in_the_order_of_the_code() {
    let mut order = order();
    order.dgs_declaration = Some(true);
    order.items = vec![ConsignmentItem {
        quantity: Some(2),
        item_type: some("Carton"),
        consignment_item_dg_items: vec![DgItem {
            un_number: UnNumber::new(1170),
            packing_group: Some(PackingGroup::II),
            container_type: Some(ContainerType::Bottle),
            number_of_containers: Some(12),
            aggregate_quantity: Some(Quantity(number("24"))),
            is_aggregate_quantity_weight: Some(false),
            dg_class_type: Some(DgClass::FlammableLiquid),
            flashpoint: Some(Celsius(number("13"))),
            hazchem: some("2YE"),
            is_marine_pollutant: Some(false),
            is_temperature_controlled: Some(false),
            is_empty_dg_container: Some(false),
            ..DgItem::default()
        }],
        ..hose_reels().nested()
    }];
    let mut packed = pack(&order);
    let text = packed.saved(ConsignmentDocument::DangerousGoods);
    holds(
        &text,
        &[
            "Dangerous goods document",
            "Consignor",
            "Consignee",
            "Emergency phone",
            "I hereby declare",
        ],
    );
    let line = text
        .lines()
        .find(|line| line.contains("UN1170"))
        .expect("the goods");
    let places = ["UN1170", " 3 ", "II", "2 × Carton", "24 L", "13 °C"].map(|part| line.find(part));
    assert!(places.iter().all(Option::is_some), "{line}");
    assert!(places.is_sorted(), "{line}");
}

#[test]
fn the_tabs_beside_the_label_show_each_document_as_it_is_printed() {
    let mut packed = pack(&order());
    let shown = |packed: &mut Packed, what: &str| {
        packed.front.until(what, |shared| {
            let preview = shared.labels.preview.value()?;
            let is_document = preview.subject == JobSubject::Document;
            is_document.then(|| (preview.bitmap.clone(), preview.number.clone()))
        })
    };
    packed.front.until("the label", |shared| {
        let preview = shared.labels.preview.value()?;
        matches!(preview.subject, JobSubject::Label(_)).then_some(())
    });
    packed.front.keys("<Alt+.>");
    let (slip, number) = shown(&mut packed, "the packing slip");
    assert_eq!(number, packed.made.consignment_number);
    packed.front.rest();
    picture_showing(
        packed.front.widgets(),
        "document-tabs",
        &[
            "Label",
            "Packing slip",
            "Note",
            "page 1 of 1",
            "Print packing slip",
        ],
    );
    packed.front.keys("<Alt+.>");
    let note = packed.front.until("the note", |shared| {
        let preview = shared.labels.preview.value()?;
        (preview.bitmap != slip).then(|| preview.bitmap.clone())
    });
    // The bar code of the note can be read from its dots.
    let codes = printing::codes::read(&note);
    assert!(codes.iter().any(|code| code.text == number), "{codes:?}");
    packed.front.keys("<Alt+.>");
    packed.front.until("the label again", |shared| {
        let preview = shared.labels.preview.value()?;
        matches!(preview.subject, JobSubject::Label(_)).then_some(())
    });
}

#[test]
fn papers_are_printed_by_keyboard_on_their_own_printer_and_a_second_copy_says_so() {
    let mut packed = pack(&order());
    let file = packed.home.places.data().join("{number}-{piece}.pdf");
    let form = PrinterForm {
        name: "Office".to_owned(),
        destination: file.display().to_string(),
        language: Language::Pdf,
        dots_per_mm: "8".to_owned(),
        documents: vec![DocumentKind::PackingSlip],
        ..PrinterForm::default()
    };
    packed.front.ask(LabelsCommand::SavePrinter(Box::new(form)));
    packed.front.rest();
    for copy in 1..=2 {
        packed.front.keys("<Alt+D>");
        packed.front.rest();
        if copy == 1 {
            picture_showing(
                packed.front.widgets(),
                "consignment-documents",
                &[
                    "Print packing slip",
                    "Save packing slip…",
                    "Print consignment note",
                ],
            );
        }
        click_containing(packed.front.widgets(), "Print packing slip");
        packed.front.until("it is printed", |shared| {
            let jobs = shared.labels.jobs.iter();
            let sent = jobs
                .filter(|job| job.subject == JobSubject::Document && job.state == JobState::Sent);
            (sent.count() == copy).then_some(())
        });
        packed.front.rest();
    }
    // The keys that print and save are for the document that is shown.
    packed.front.keys("<Alt+.>");
    packed.front.until("the packing slip", |shared| {
        let preview = shared.labels.preview.value()?;
        (preview.subject == JobSubject::Document).then_some(())
    });
    packed.front.rest();
    packed.front.keys("<Ctrl+P>");
    packed.front.until("it is printed a third time", |shared| {
        let jobs = shared.labels.jobs.iter();
        let sent =
            jobs.filter(|job| job.subject == JobSubject::Document && job.state == JobState::Sent);
        (sent.count() == 3).then_some(())
    });
    let jobs = &packed.front.shared().labels.jobs;
    let mut reasons: Vec<_> = jobs.iter().map(|job| job.reason.as_str()).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["", "another copy", "another copy"]);
}
