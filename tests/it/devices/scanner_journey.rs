//! A clerk with a scanner on a serial port, at the real window.

use std::io::Write as _;

use app::config::Settings;
use app::state::{ScannerState, Screen, SettingsCommand};
use devices::problem::DeviceProblem;
use devices::scanner::ScannerEvent;
use devices::serial::SerialSettings;
use practice::RunningService;

use super::scale_journey::open_page;
use super::scanners::serial_port::{scanned, start, wait_for};
use crate::journeys::kit::picture_showing;
use crate::support::cable::Cable;
use crate::support::desk::{Home, notice};
use crate::support::front::Front;
use crate::support::keyboard::click;

/// A bench at its practice service, with a scanner at this cable.
pub(crate) fn bench_with(cable: &Cable) -> (Home, RunningService, Front) {
    let home = Home::new();
    let practice = home.practise();
    let scanner = SerialSettings::usual(cable.path.display().to_string());
    let settings = serde_json::json!({ "chosen": "practice", "scanner": scanner });
    std::fs::write(home.places.settings(), settings.to_string()).expect("a settings file");
    let mut front = Front::start_open(&home, &practice);
    until_ready(&mut front);
    (home, practice, front)
}

#[track_caller]
fn until_ready(front: &mut Front) {
    front.until("the scanner is ready", |shared| {
        (shared.scanner.state == ScannerState::Ready).then_some(())
    });
}

/// Scans a barcode, and waits until the window has handled it. The text must differ from that of the last scan.
#[track_caller]
pub(crate) fn scan(front: &mut Front, cable: &mut Cable, text: &str) {
    assert_ne!(front.shared().scanner.last_scan.as_deref(), Some(text));
    let line = format!("{text}\r");
    cable
        .device
        .write_all(line.as_bytes())
        .expect("an open cable");
    front.until("the scan came", |shared| {
        (shared.scanner.last_scan.as_deref() == Some(text)).then_some(())
    });
    front.rest();
}

#[test]
fn a_scanned_order_opens_whatever_screen_is_shown_and_whatever_has_the_focus() {
    let mut cable = Cable::new();
    let (_home, _practice, mut front) = bench_with(&cable);
    front.type_consignment("SO-77");
    front.keys("<Ctrl+N>");
    front.until("it is a draft", |shared| {
        (!shared.consign.drafts.is_empty()).then_some(())
    });
    // The focus is in the filter of another screen, which keeps its text.
    front.keys("<F3><Ctrl+F>");
    front.text("hoses");
    scan(&mut front, &mut cable, "SO-77");
    assert_eq!(front.shared().screen, Screen::Consign);
    let editing = front.widgets().state_mut().editing_mut();
    assert_eq!(editing.expect("a form").draft.reference1, "SO-77");
}

#[test]
fn a_consignment_is_found_by_the_real_separator_and_by_a_symbology_prefix() {
    let mut cable = Cable::new();
    let (_home, _practice, mut front) = bench_with(&cable);
    front.type_consignment("PO-4711");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    front.until("it is listed", |shared| {
        shared.dispatch.lists(made.id).then_some(())
    });
    let label = format!("]C0{}", made.consignment_number);
    for text in ["]C1400PO-4711\u{1D}21A7", &label] {
        front.keys("<F2>");
        let before = front.shared().search.found.map_or(0, |(count, _)| count);
        scan(&mut front, &mut cable, text);
        front.until("it is shown", |shared| {
            let (count, found) = shared.search.found?;
            (count > before && found == made.id && shared.screen == Screen::Dispatch).then_some(())
        });
    }
}

#[test]
fn a_scan_while_a_dialog_is_open_changes_nothing_behind_it() {
    let mut cable = Cable::new();
    let (_home, _practice, mut front) = bench_with(&cable);
    front.type_consignment("SO-77");
    front.keys("<Ctrl+N><Ctrl+K>");
    scan(&mut front, &mut cable, "SO-77");
    let told = notice(front.shared(), "SO-77 was not looked up").expect("a notice");
    assert_eq!(told.advice, "Close the dialog first, then scan again");
    let editing = front.widgets().state_mut().editing_mut();
    assert!(editing.expect("a form").draft.is_blank());
    front.keys("<Esc>");
    scan(&mut front, &mut cable, "]C0SO-77");
    let editing = front.widgets().state_mut().editing_mut();
    assert_eq!(editing.expect("a form").draft.reference1, "SO-77");
}

#[test]
fn a_scanner_is_set_up_tested_unplugged_and_removed_in_settings() {
    let mut cable = Cable::new();
    let folder = tempfile::tempdir().expect("a folder");
    let port = folder.path().join("ttyACM0");
    std::os::unix::fs::symlink(&cable.path, &port).expect("a port");
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    open_page(&mut front);
    front.focus("Port");
    front.text(&port.display().to_string());
    front.keys("<Ctrl+S>");
    until_ready(&mut front);
    let saved = || Settings::read(&home.places).expect("settings").scanner;
    front.until("it is kept", |_| saved().is_some().then_some(()));
    let wanted = SerialSettings::usual(port.display().to_string());
    assert_eq!(saved(), Some(wanted));
    scan(&mut front, &mut cable, "]C1400PO-4711\u{1D}21A7");
    front.until("it is not found", |shared| shared.search.not_found.clone());
    front.rest();
    picture_showing(
        front.widgets(),
        "scanner-settings",
        &["Last scan", "]C1400PO-4711<GS>21A7", "ready"],
    );
    std::fs::remove_file(&port).expect("a port");
    drop(cable);
    front.until("the problem", |shared| {
        let lost = ScannerState::Problem(DeviceProblem::NotFound);
        (shared.scanner.state == lost).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "scanner-settings-lost",
        &["Scanner not found", "not connected"],
    );
    click(front.widgets(), "Remove the scanner");
    front.until("it is removed", |_| saved().is_none().then_some(()));
    front.until("its notice is gone", |shared| {
        notice(shared, "Scanner not found").is_none().then_some(())
    });
}

#[test]
fn another_scanner_takes_the_place_of_the_first() {
    let mut cable = Cable::new();
    let (_home, _practice, mut front) = bench_with(&cable);
    let other = Cable::new();
    let settings = SerialSettings {
        baud_rate: 115_200,
        ..SerialSettings::usual(other.path.display().to_string())
    };
    front.ask(SettingsCommand::SaveScanner(Some(settings)));
    until_ready(&mut front);
    let mut other = other;
    scan(&mut front, &mut other, "SO-1");
    // The port before is free for another program.
    let (_watch, events) = start(&cable.path);
    wait_for(&events, &ScannerEvent::Connected);
    cable.device.write_all(b"SO-2\r").expect("an open cable");
    wait_for(&events, &scanned("SO-2"));
    front.rest();
    assert_eq!(front.shared().scanner.last_scan.as_deref(), Some("SO-1"));
}
