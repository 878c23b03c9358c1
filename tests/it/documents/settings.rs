//! Rules for documents, and the customer's texts, in Settings: by keyboard and by mouse, until the paper.

use app::config::Settings;
use app::state::{JobSubject, LabelsCommand, PrinterForm, Screen};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use engine::{DocumentKind, DocumentRule, PrintMoment};
use printing::profile::Language;

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::{click, click_containing};
use crate::support::readers::pdf_text;

/// A bench with a printer that makes files.
fn bench() -> (Home, practice::RunningService, Front) {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let form = PrinterForm {
        name: "Office".to_owned(),
        destination: home
            .places
            .data()
            .join("{number}.pdf")
            .display()
            .to_string(),
        language: Language::Pdf,
        dots_per_mm: "8".to_owned(),
        ..PrinterForm::default()
    };
    front.ask(LabelsCommand::SavePrinter(Box::new(form)));
    front.ask(LabelsCommand::SetDocumentRules(Vec::new()));
    front.rest();
    (home, practice, front)
}

fn shows(front: &mut Front, text: &str) -> bool {
    front.widgets().query_all_by_label(text).next().is_some()
}

/// Shows the page of Settings about documents.
fn open_documents(front: &mut Front) {
    front.keys("<Ctrl+,>");
    front.until("Settings", |shared| {
        (shared.screen == Screen::Settings).then_some(())
    });
    front.rest();
    click_containing(front.widgets(), "Documents");
    front.rest();
}

#[test]
fn a_rule_that_is_added_by_keyboard_prints_a_packing_slip_when_the_consignment_is_sent() {
    let (home, _practice, mut front) = bench();
    open_documents(&mut front);
    front.keys("<Alt+A>");
    front.rest();
    picture_showing(
        front.widgets(),
        "document-rule",
        &[
            "Document",
            "Printer",
            "When",
            "Copies",
            "Packing slips are printed on Office when the consignment is sent",
        ],
    );
    // Document, printer and moment are right; the copies come after them.
    front.keys("<Tab><Tab><Tab>");
    front.text("2");
    front.rest();
    click(front.widgets(), "Save rule");
    let rules = front.until("the rule", |shared| {
        let rules = &shared.labels.documents;
        (!rules.is_empty()).then(|| rules.clone())
    });
    assert_eq!(rules.len(), 1);
    assert_eq!(
        (rules[0].document, rules[0].when),
        (DocumentKind::PackingSlip, PrintMoment::Send)
    );
    assert_eq!(rules[0].copies.map(std::num::NonZero::get), Some(2));
    front.rest();
    let words = "Packing slips are printed on Office in 2 copies when the consignment is sent";
    assert!(shows(&mut front, words));
    picture_showing(
        front.widgets(),
        "document-rules",
        &[words, "On your documents"],
    );

    front.keys("<F2>");
    front.type_consignment("SO-77");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    let path = { home.places.data() }.join(format!("Packing-slip-{}.pdf", made.consignment_number));
    front.until("the packing slip", |shared| {
        let is_document = |job: &&app::state::PrintJob| job.subject == JobSubject::Document;
        shared.labels.jobs.iter().find(is_document)?;
        path.exists().then_some(())
    });
    let text = pdf_text(&std::fs::read(&path).expect("a file"));
    assert!(
        text.contains("SO-77") && text.contains("Packing slip"),
        "{text}"
    );
}

#[test]
fn a_rule_is_changed_and_removed_by_mouse_and_kept() {
    let (home, _practice, mut front) = bench();
    front.ask(LabelsCommand::SetDocumentRules(vec![DocumentRule::of(
        DocumentKind::ConsignmentNote,
        "Office",
    )]));
    open_documents(&mut front);
    let before = "Consignment notes are printed on Office when the consignment is sent";
    click(front.widgets(), &format!("Change: {before}"));
    front.rest();
    click(front.widgets(), "with dangerous goods");
    front.rest();
    let after = "Consignment notes of consignments with dangerous goods are printed on Office when the consignment is sent";
    assert!(shows(&mut front, after));
    click(front.widgets(), "Save rule");
    front.rest();
    assert!(shows(&mut front, after) && !shows(&mut front, before));
    let kept = |home: &Home| Settings::read(&home.places).expect("settings").documents;
    front.until("it is kept", |_shared| {
        kept(&home)
            .iter()
            .any(|rule| rule.dangerous_goods)
            .then_some(())
    });
    click(front.widgets(), &format!("Remove: {after}"));
    front.until("it is removed", |_shared| {
        kept(&home).is_empty().then_some(())
    });
}

#[test]
fn the_customers_texts_and_logo_are_on_the_documents() {
    let (home, _practice, mut front) = bench();
    let logo = home.places.data().join("logo.svg");
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="16"><rect width="40" height="16" fill="#225588"/></svg>"##;
    std::fs::write(&logo, svg).expect("a logo");
    open_documents(&mut front);
    front.focus("Logo");
    front.text(&logo.display().to_string());
    front.focus("Your address on documents");
    front.text("Harbour Supplies Pty Ltd");
    front.keys("<Enter>");
    front.text("ABN 12 345 678 901");
    front.focus("Emergency telephone");
    front.text("1800 555 000");
    front.keys("<Ctrl+S>");
    front.until("they are kept", |_shared| {
        let settings = Settings::read(&home.places).expect("settings");
        (settings.document_texts.emergency_phone == "1800 555 000").then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "document-texts",
        &["Logo", "Emergency telephone"],
    );
    front.ask(LabelsCommand::SetDocumentRules(vec![DocumentRule::of(
        DocumentKind::PackingSlip,
        "Office",
    )]));
    front.keys("<F2>");
    front.type_consignment("SO-78");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    let path = { home.places.data() }.join(format!("Packing-slip-{}.pdf", made.consignment_number));
    front.until("the packing slip", |_shared| path.exists().then_some(()));
    front.rest();
    let pdf = std::fs::read(&path).expect("a file");
    let text = pdf_text(&pdf);
    for words in ["Harbour Supplies Pty Ltd", "ABN 12 345 678 901"] {
        assert!(text.contains(words), "{text}");
    }
    assert!(
        front
            .widgets()
            .query_by_label_contains("can't be used")
            .is_none(),
        "the logo is usable"
    );
}

#[test]
fn a_logo_that_is_no_picture_is_named_and_the_document_is_printed_without_it() {
    let (home, _practice, mut front) = bench();
    let logo = home.places.data().join("logo.png");
    std::fs::write(&logo, "no picture").expect("a file");
    open_documents(&mut front);
    front.focus("Logo");
    front.text(&logo.display().to_string());
    front.keys("<Ctrl+S>");
    front.until("the problem", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices
            .any(|(_, notice)| notice.headline.contains("can't be used"))
            .then_some(())
    });
    front.ask(LabelsCommand::SetDocumentRules(vec![DocumentRule::of(
        DocumentKind::PackingSlip,
        "Office",
    )]));
    front.keys("<F2>");
    front.type_consignment("SO-79");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    let path = { home.places.data() }.join(format!("Packing-slip-{}.pdf", made.consignment_number));
    front.until("the packing slip", |_shared| path.exists().then_some(()));
}

#[test]
fn a_change_of_a_printer_leaves_the_rules_of_other_printers_alone() {
    let (_home, _practice, mut front) = bench();
    let form = |name: &str| PrinterForm {
        name: name.to_owned(),
        destination: "127.0.0.1:9".to_owned(),
        dots_per_mm: "8".to_owned(),
        ..PrinterForm::default()
    };
    for name in ["Zebra", "Bluegum stock"] {
        front.ask(LabelsCommand::SavePrinter(Box::new(form(name))));
    }
    let rules = vec![
        DocumentRule::of(DocumentKind::ItemLabels, "Zebra"),
        DocumentRule {
            carrier: "Bluegum".to_owned(),
            ..DocumentRule::of(DocumentKind::ItemLabels, "Bluegum stock")
        },
    ];
    front.ask(LabelsCommand::SetDocumentRules(rules.clone()));
    front.rest();
    // The form as it is shown, with another darkness.
    let shown = front.until("its form", |shared| {
        let mut printers = shared.labels.printers.value()?.iter();
        let printer = printers.find(|printer| printer.set_up && printer.name == "Bluegum stock")?;
        Some(printer.form.clone())
    });
    let changed = PrinterForm {
        darkness: "12".to_owned(),
        ..shown
    };
    front.ask(LabelsCommand::SavePrinter(Box::new(changed)));
    front.rest();
    assert_eq!(front.shared().labels.documents, rules);
}

#[test]
fn the_order_of_rules_is_changed_by_mouse_and_a_printer_with_small_paper_says_what_it_does() {
    let (_home, _practice, mut front) = bench();
    front.ask(LabelsCommand::SetDocumentRules(vec![
        DocumentRule::of(DocumentKind::PackingSlip, "Office"),
        DocumentRule::of(DocumentKind::ConsignmentNote, "Office"),
    ]));
    open_documents(&mut front);
    let note = "Consignment notes are printed on Office when the consignment is sent";
    let slip = "Packing slips are printed on Office when the consignment is sent";
    let first = format!("Move up: {slip}");
    let first = front.widgets().get_by_label(&first);
    assert!(first.accesskit_node().is_disabled(), "it is the first");
    click(front.widgets(), &format!("Move up: {note}"));
    front.rest();
    let kinds: Vec<_> = { front.shared().labels.documents.iter() }
        .map(|rule| rule.document)
        .collect();
    assert_eq!(
        kinds,
        [DocumentKind::ConsignmentNote, DocumentKind::PackingSlip]
    );
    // The printer has A6 labels.
    click(front.widgets(), &format!("Change: {note}"));
    front.rest();
    picture_showing(
        front.widgets(),
        "document-rule-small-paper",
        &[
            "Documents are made for A4 or Letter paper. This printer has other paper, so they are printed smaller",
        ],
    );
}
