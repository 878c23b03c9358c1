//! The wizard that sets up a printer: by keyboard from Labels, and by mouse from Settings.

use app::state::{PrinterView, Screen, Shared};
use egui_kittest::kittest::Queryable as _;
use engine::DocumentKind;

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::click_containing;
use crate::support::readers::burn;
use crate::support::recorder::Recorder;

fn saved<'a>(shared: &'a Shared, name: &str) -> Option<&'a PrinterView> {
    let mut printers = shared.labels.printers.value()?.iter();
    printers.find(|printer| printer.set_up && printer.name == name)
}

/// Clicks the widget with this label, and waits until the dialog is drawn.
fn click(front: &mut Front, label: &str) {
    front.widgets().get_by_label(label).click();
    front.rest();
}

/// Returns the text of the test label's barcode, as a scanner reads it from the paper.
fn scanned(paper: &[u8]) -> String {
    let page = burn(paper).remove(0);
    let codes = printing::codes::read(&page);
    let code = codes.iter().find(|code| code.text.starts_with("PBT"));
    code.expect("a barcode").text.clone()
}

/// Prints the test label by keyboard, and scans its barcode from the paper.
fn print_and_scan(front: &mut Front, paper: &Recorder) {
    front.focus("Print test label");
    front.keys("<Enter>");
    let token = scanned(&paper.jobs(1)[0]);
    front.rest();
    picture_showing(
        front.widgets(),
        "wizard-test",
        &[
            "Step 3 of 4: Print a test label and scan it",
            "Scan the barcode",
            "Skip the test",
        ],
    );
    front.paste(&token);
    front.keys("<Enter>");
}

#[test]
fn a_printer_is_set_up_tested_and_given_its_documents_by_keyboard() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let paper = Recorder::start();
    front.keys("<F4>");
    front.rest();
    front.keys("<Alt+P>");
    front.rest();
    picture_showing(
        front.widgets(),
        "wizard-choose",
        &[
            "Step 1 of 4: Choose the printer",
            "Another printer",
            "Refresh printers",
        ],
    );
    front.keys("<Enter>");
    front.rest();
    front.text("Zebra");
    front.keys("<Tab>");
    front.text(&format!("127.0.0.1:{}", paper.port()));
    front.rest();
    picture_showing(
        front.widgets(),
        "wizard-settings",
        &[
            "Step 2 of 4: Check its settings",
            "Language",
            "Save and test",
        ],
    );
    front.focus("Save and test");
    front.keys("<Enter>");
    front.until("it is saved", |shared| saved(shared, "Zebra").map(|_| ()));
    front.until("the test label", |shared| {
        shared.labels.test_label.value().map(|_| ())
    });
    front.rest();
    print_and_scan(&mut front, &paper);
    front.until("it is proved", |shared| {
        (!saved(shared, "Zebra")?.proved.is_empty()).then_some(())
    });
    front.rest();
    front.focus("Next");
    front.keys("<Enter>");
    front.rest();
    picture_showing(
        front.widgets(),
        "wizard-documents",
        &[
            "Step 4 of 4: Tick its documents",
            "Item labels",
            "Packing slips",
            "Finish",
        ],
    );
    front.focus("Packing slips");
    front.keys("<Space>");
    front.focus("Finish");
    front.keys("<Enter>");
    let rules = front.until("its documents", |shared| {
        let rules = &shared.labels.documents;
        (rules.len() == 2).then(|| rules.clone())
    });
    let kinds: Vec<_> = rules.iter().map(|rule| rule.document).collect();
    assert_eq!(kinds, [DocumentKind::ItemLabels, DocumentKind::PackingSlip]);
    assert!(rules.iter().all(|rule| rule.printer == "Zebra"));
    assert!(!front.shows("Step 4 of 4: Tick its documents"));
}

#[test]
fn a_printer_is_set_up_by_mouse_from_settings_without_a_test() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.keys("<Ctrl+,>");
    front.rest();
    click_containing(front.widgets(), "Documents");
    front.rest();
    click(&mut front, "Set up a printer…");
    front.until("Labels", |shared| {
        (shared.screen == Screen::Labels).then_some(())
    });
    front.rest();
    click(&mut front, "Another printer");
    front.rest();
    // A wrong address is named at its field, and what was typed stays.
    click(&mut front, "Name");
    front.text("Dock");
    click(&mut front, "Connection");
    front.text("ipps://h/ipp");
    front.rest();
    click(&mut front, "Save and test");
    front.rest();
    assert!(
        front
            .widgets()
            .query_by_label_contains("encrypted connection")
            .is_some()
    );
    click(&mut front, "Connection");
    front.keys("<Ctrl+A>");
    front.text("127.0.0.1:9");
    front.rest();
    click(&mut front, "Save and test");
    front.until("it is saved", |shared| saved(shared, "Dock").map(|_| ()));
    front.until("the test label", |shared| {
        shared.labels.test_label.value().map(|_| ())
    });
    front.rest();
    click(&mut front, "Skip the test");
    click(&mut front, "Manifests");
    front.rest();
    click(&mut front, "Finish");
    front.until("its documents", |shared| {
        let kinds: Vec<_> = shared
            .labels
            .documents
            .iter()
            .map(|rule| rule.document)
            .collect();
        (kinds == [DocumentKind::ItemLabels, DocumentKind::Manifest]).then_some(())
    });
}
