//! Each kind of document goes to the printer chosen for it, or to none.

use app::config::{NoPrinter, Settings};
use app::state::{LabelsCommand, Language, PrinterForm};
use engine::DocumentKind;
use printing::profile::{Destination, PrinterProfile};

use crate::support::desk::{Home, open_bench};

fn printer(name: &str) -> PrinterProfile {
    PrinterProfile {
        name: name.to_owned(),
        destination: Destination::Queue(name.to_owned()),
        ..PrinterProfile::default()
    }
}

#[test]
fn a_kind_that_no_printer_was_chosen_for_goes_nowhere_and_says_so() {
    let mut settings = Settings {
        printers: vec![printer("Zebra"), printer("Laser")],
        ..Settings::default()
    };
    for kind in DocumentKind::ALL {
        let refused = settings.rule_for(kind, None).unwrap_err();
        assert_eq!(refused, NoPrinter::NotChosen(kind));
        assert!(!refused.advice().is_empty());
    }
    settings.assign_printer(DocumentKind::ItemLabels, "Zebra");
    settings.assign_printer(DocumentKind::Manifest, "Laser");
    let named = |settings: &Settings, kind| {
        let found = settings.rule_for(kind, None);
        found.map(|(_, printer)| printer.name.clone())
    };
    assert_eq!(named(&settings, DocumentKind::ItemLabels).unwrap(), "Zebra");
    assert_eq!(named(&settings, DocumentKind::Manifest).unwrap(), "Laser");
    // The office laser is no fallback for a label printer that is gone.
    settings.printers.remove(0);
    let gone = named(&settings, DocumentKind::ItemLabels).unwrap_err();
    assert_eq!(
        gone.to_string(),
        "Zebra, which prints labels, is no longer set up"
    );
    settings.documents.clear();
    assert_eq!(
        named(&settings, DocumentKind::Manifest)
            .unwrap_err()
            .to_string(),
        "No printer is chosen for manifests"
    );
}

#[test]
fn settings_of_an_older_packbench_keep_their_printers_and_their_choice() {
    let home = Home::new();
    let old = r#"{"bench": "Bench 4", "chosen": "practice", "printers": [
        {"name": "Old", "destination": {"queue": "Zebra"}, "language": "zpl", "dots_per_mm": 8.0,
         "head_width_dots": 832, "media": "a6", "copies": 1, "documents": ["item_labels"]},
        {"name": "Dock", "destination": {"socket": {"host": "10.1.2.3", "port": 9100}}, "language": "pdf",
         "dots_per_mm": 12.0, "media": "a4", "copies": 2, "documents": ["item_labels"]}],
        "label_printer": "Dock", "auto_print": true}"#;
    std::fs::write(home.places.settings(), old).unwrap();
    let settings = Settings::read(&home.places).unwrap();
    let (_, labels) = settings.rule_for(DocumentKind::ItemLabels, None).unwrap();
    assert_eq!((labels.name.as_str(), labels.copies.get()), ("Dock", 2));
    assert_eq!(
        settings.documents.len(),
        1,
        "one printer holds a kind, and the choice of before is it"
    );
    assert_eq!(settings.printers[0].expiry_minutes.get(), 30);
    assert!(settings.rule_for(DocumentKind::Manifest, None).is_err());
    settings.write(&home.places).unwrap();
    assert_eq!(Settings::read(&home.places).unwrap(), settings);
}

/// Types one thing that a printer cannot have.
type Spoils = fn(&mut PrinterForm);

#[test]
fn a_form_says_what_is_wrong_with_it_and_comes_back_as_it_was_typed() {
    let (_home, _practice, mut desk) = open_bench();
    let good = PrinterForm {
        name: "TSC dock".to_owned(),
        destination: "10.1.1.9".to_owned(),
        language: Language::Tspl,
        dots_per_mm: "11.8".to_owned(),
        offset_x: "4 dots".to_owned(),
        offset_y: "-0,5".to_owned(),
        copies: "2".to_owned(),
        documents: vec![DocumentKind::ItemLabels],
        ..PrinterForm::default()
    };
    let wrong: [(Spoils, &str); 7] = [
        (|form| form.name.clear(), "a name"),
        (|form| form.dots_per_mm = "0".into(), "dots per mm"),
        (|form| form.offset_x = "far".into(), "the offset"),
        (|form| form.copies = "0".into(), "number of copies"),
        (|form| form.expiry_minutes = "9999".into(), "is cancelled"),
        (|form| form.language = Language::PageImage, "driver"),
        (|form| form.destination = "ipps://h/ipp".into(), "encrypted"),
    ];
    for (spoil, words) in wrong {
        let mut form = good.clone();
        spoil(&mut form);
        desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
        desk.turn();
        let problem = desk.core.shared.labels.printer_problem.clone().unwrap();
        let problem = problem.message;
        assert!(problem.contains(words), "{problem}");
        assert!(desk.core.shared.labels.documents.is_empty());
    }
    desk.ask(LabelsCommand::SavePrinter(Box::new(good)));
    desk.turn();
    let printers = desk.core.shared.labels.printers.value().unwrap();
    let form = &printers[0].form;
    assert_eq!(form.destination, "10.1.1.9:9100");
    assert_eq!(
        (form.offset_x.as_str(), form.offset_y.as_str()),
        ("0.339", "-0.508"),
        "whole dots of 11.8 a millimetre"
    );
    let rules = &desk.core.shared.labels.documents;
    assert_eq!(rules.len(), 1, "manifests are printed nowhere");
    assert_eq!(rules[0].printer, "TSC dock");
}
