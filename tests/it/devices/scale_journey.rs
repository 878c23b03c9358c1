//! A clerk with a scale, at the real window: set it up, weigh, send, and be helped when something is wrong.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use app::config::{DataFolder, MachineSettings, Settings};
use app::state::{OperationKind, OperationState, ScaleState, Screen, Shared};
use devices::problem::DeviceProblem;
use devices::scale::{ScaleConnection, ScaleSettings};
use devices::taking::NotTaken;
use devices::telegram::{DigitFormat, ReadingState, ScaleProtocol};
use draft::GoodsLine;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use jiff::SignedDuration;
use practice::RunningService;
use rust_decimal::Decimal;
use storage::Journal;

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::click;
use crate::support::window;

const EMPTY: &str = "00.000";
const WEIGHT_1: &str = "Line 1: Each kg";
const WEIGHT_2: &str = "Line 2: Each kg";

/// How the scale answers now.
#[derive(Debug)]
struct Behaviour {
    /// The weight that the scale sends, in the form of its protocol. Empty if the scale doesn't answer.
    weight: String,
    /// The number of requests since the weight was put on the scale.
    requests: u32,
    is_plugged_in: bool,
    has_ended: bool,
}

/// A Mettler Toledo scale on the network, loaded and unplugged by the test.
struct TestScale {
    behaviour: Arc<Mutex<Behaviour>>,
    port: u16,
    thread: Option<JoinHandle<()>>,
}

impl TestScale {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        let port = listener.local_addr().expect("an address").port();
        let behaviour = Arc::new(Mutex::new(Behaviour {
            weight: EMPTY.to_owned(),
            requests: 0,
            is_plugged_in: true,
            has_ended: false,
        }));
        let of_scale = Arc::clone(&behaviour);
        let thread = Builder::new().spawn(move || serve(&listener, &of_scale));
        let thread = thread.expect("a thread");
        Self {
            behaviour,
            port,
            thread: Some(thread),
        }
    }

    fn behaviour(&self) -> MutexGuard<'_, Behaviour> {
        self.behaviour.lock().expect("no panic in the scale")
    }

    fn put(&self, weight: &str) {
        let mut behaviour = self.behaviour();
        weight.clone_into(&mut behaviour.weight);
        behaviour.requests = 0;
    }

    /// Changes the weight on the scale, and waits until the bench had time to read it twice.
    #[track_caller]
    fn change(&self, front: &mut Front, weight: &str) {
        self.put(weight);
        front.until("three requests", |_| {
            (self.behaviour().requests > 2).then_some(())
        });
        front.rest();
    }

    #[track_caller]
    fn empty(&self, front: &mut Front) {
        self.change(front, EMPTY);
        until_state(front, ReadingState::Zero);
    }

    /// Puts this weight on the empty scale, and waits until it is stable and the screen had time to take it.
    #[track_caller]
    fn load(&self, front: &mut Front, weight: &str) {
        let before = front.shared().scale.stable_loads;
        self.put(weight);
        until_stable(front, before);
    }

    fn plug(&self, is_plugged_in: bool) {
        self.behaviour().is_plugged_in = is_plugged_in;
    }

    fn settings(&self) -> ScaleSettings {
        ScaleSettings {
            name: "Dock scale".to_owned(),
            protocol: ScaleProtocol::MettlerToledo8217,
            connection: ScaleConnection::Tcp {
                host: "127.0.0.1".to_owned(),
                port: self.port,
            },
            digits: DigitFormat::default(),
        }
    }
}

impl Drop for TestScale {
    fn drop(&mut self) {
        self.behaviour().has_ended = true;
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the scale ends");
        }
    }
}

fn serve(listener: &TcpListener, behaviour: &Mutex<Behaviour>) {
    while !behaviour.lock().expect("no panic in the test").has_ended {
        match listener.accept() {
            Ok((stream, _)) => answer(stream, behaviour),
            Err(_none_yet) => sleep(Duration::from_millis(5)),
        }
    }
}

/// Answers requests until the bench hangs up or the scale is unplugged.
fn answer(mut stream: TcpStream, behaviour: &Mutex<Behaviour>) {
    stream.set_nonblocking(false).expect("a socket");
    let patience = Some(Duration::from_millis(20));
    stream.set_read_timeout(patience).expect("a socket");
    loop {
        let mut asked = [0];
        let read = stream.read(&mut asked);
        let mut now = behaviour.lock().expect("no panic in the test");
        if now.has_ended || !now.is_plugged_in {
            return;
        }
        let weight = now.weight.clone();
        now.requests += u32::from(read.is_ok());
        drop(now);
        match read {
            Ok(1) => {
                if weight.is_empty() {
                    continue;
                }
                let telegram = format!("\u{2}{weight}\r");
                if stream.write_all(telegram.as_bytes()).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            _ => return,
        }
    }
}

/// A bench at its practice service, with this scale.
fn bench_with(scale: &ScaleSettings) -> (Home, RunningService, Front) {
    let home = Home::new();
    let practice = home.practise();
    let settings = serde_json::json!({ "chosen": "practice", "scale": scale });
    std::fs::write(home.places.settings(), settings.to_string()).expect("a settings file");
    let front = Front::start_open(&home, &practice);
    (home, practice, front)
}

/// A bench with this scale and a consignment in the form. The weight of its only line is empty and has the focus.
fn bench_at_weight(scale: &TestScale) -> (Home, RunningService, Front) {
    let (home, practice, mut front) = bench_with(&scale.settings());
    front.type_consignment("SO-90");
    until_state(&mut front, ReadingState::Zero);
    front.focus(WEIGHT_1);
    front.keys("<Ctrl+A><Backspace>");
    assert_eq!(line(&mut front, 0).weight, "");
    (home, practice, front)
}

/// A bench with this scale, which has 2.5 kg on it. They were taken for the only line of the consignment in the form.
#[track_caller]
fn bench_with_weighed_line(scale: &TestScale) -> (Home, RunningService, Front) {
    let (home, practice, mut front) = bench_at_weight(scale);
    scale.put("02.500");
    until_weight(&mut front, 0, "2.5");
    (home, practice, front)
}

#[track_caller]
fn until_state(front: &mut Front, wanted: ReadingState) {
    front.until(&format!("{wanted:?}"), |shared| {
        is_reading(shared, wanted).then_some(())
    });
    front.rest();
}

fn is_reading(shared: &Shared, wanted: ReadingState) -> bool {
    matches!(&shared.scale.state, ScaleState::Reading(reading) if reading.state == wanted)
}

/// Waits until a new load is stable, and the screen had time to take it.
#[track_caller]
fn until_stable(front: &mut Front, before: u64) {
    front.until("a stable load", |shared| {
        (shared.scale.stable_loads > before).then_some(())
    });
    front.rest();
}

fn line(front: &mut Front, at: usize) -> GoodsLine {
    let editing = front.widgets().state_mut().editing_mut();
    editing.expect("a form").draft.goods[at].clone()
}

#[track_caller]
fn until_weight(front: &mut Front, at: usize, wanted: &str) {
    let what = format!("line {} weighs {wanted} kg", at + 1);
    window::until(front.widgets(), &what, |window| {
        let goods = &window.core()?.editing.draft.goods;
        (goods[at].weight == wanted).then_some(())
    });
    front.rest();
}

fn refusal(front: &Front) -> Option<NotTaken> {
    let refusal = front.shared().scale.refusal.as_ref();
    refusal.map(|refusal| refusal.reason)
}

/// Shows the page of Settings about the scale and the scanner.
pub(super) fn open_page(front: &mut Front) {
    front.keys("<Ctrl+,>");
    front.until("Settings", |shared| {
        (shared.screen == Screen::Settings).then_some(())
    });
    front.rest();
    front.focus("Scale and scanner");
    front.keys("<Enter>");
    front.until("the devices are listed", |shared| {
        shared.settings.devices.value().map(drop)
    });
    front.rest();
}

#[test]
fn a_network_scale_is_set_up_by_keyboard_read_live_tested_and_removed() {
    let scale = TestScale::new();
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    open_page(&mut front);
    picture_showing(
        front.widgets(),
        "scale-none",
        &["Connected to this computer", "Choose your scale below"],
    );
    front.focus("Connection");
    front.keys("N<Tab><Ctrl+A>");
    front.text("Dock scale");
    // The protocol and the form of the weights are right.
    front.keys("<Tab*3>");
    front.text("127.0.0.1");
    front.keys("<Tab>");
    front.text(&scale.port.to_string());
    front.keys("<Ctrl+S>");
    until_state(&mut front, ReadingState::Zero);
    let saved = || Settings::read(&home.places).expect("settings").scale;
    front.until("it is kept", |_| saved().is_some().then_some(()));
    assert_eq!(saved(), Some(scale.settings()));

    scale.put("12.340");
    until_state(&mut front, ReadingState::Stable);
    front.keys("<Alt+S>");
    front.until("the test", |shared| {
        (shared.scale.test != app::state::ScaleTest::Waiting).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "scale-settings",
        &[
            "12.340 kg, stable",
            "The scale works: 12.340 kg would be taken",
            "Mettler Toledo 8217",
            "Dock scale",
        ],
    );

    scale.plug(false);
    front.until("the problem", |shared| {
        (shared.scale.state == ScaleState::Problem(DeviceProblem::Lost)).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "scale-settings-lost",
        &["The connection to the scale was lost", "no reading"],
    );
    assert!(!front.shows("The scale works"), "the test is out of date");

    click(front.widgets(), "Remove…");
    front.rest();
    click(front.widgets(), "Remove");
    front.until("it is removed", |_| saved().is_none().then_some(()));
    front.until("nothing is read", |shared| {
        shared.scale.name.is_none().then_some(())
    });
}

#[test]
fn an_order_that_comes_again_is_scanned_weighed_and_sent_with_three_keys() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_with_weighed_line(&scale);
    front.keys("<Ctrl+Enter>");
    let first = front.until("it is made", |shared| shared.consign.last_created.clone());
    front.until("it is listed", |shared| {
        shared.dispatch.lists(first.id).then_some(())
    });
    scale.empty(&mut front);
    scale.load(&mut front, "03.100");
    // The label of the earlier consignment is scanned.
    front.keys("<F9>");
    front.text(&first.consignment_number);
    front.keys("<Enter>");
    front.until("it is shown", |shared| {
        (shared.screen == Screen::Dispatch).then_some(())
    });
    front.rest();
    front.keys("<Ctrl+Shift+N>");
    front.until("the new one is open", |shared| {
        (shared.screen == Screen::Consign && shared.consign.opening.is_none()).then_some(())
    });
    front.rest();
    front.keys("<Alt+K>");
    until_weight(&mut front, 0, "3.1");
    front.keys("<Ctrl+Enter>");
    let second = front.until("it is sent", |shared| {
        let made = shared.consign.last_created.clone()?;
        (made.id != first.id).then_some(made)
    });
    assert_eq!(second.to_name, first.to_name);
    let weight = second.items()[0].weight.map(|weight| weight.0.normalize());
    assert_eq!(weight, Some(Decimal::new(31, 1)));
}

#[test]
fn pieces_are_weighed_one_after_the_other_and_the_evidence_stays_in_the_journal() {
    let scale = TestScale::new();
    let (home, _practice, mut front) = bench_with_weighed_line(&scale);
    let first = line(&mut front, 0);
    let weighing = first.weighing().expect("evidence");
    assert_eq!(
        (weighing.scale.as_str(), weighing.reading.as_str()),
        ("Dock scale", "2.500 kg")
    );
    assert_eq!(weighing.telegram, r"\x0202.500\r");
    assert_eq!(
        weighing.at.strftime("%H:%M %:z").to_string(),
        "14:05 +11:00"
    );
    let mark = "Weighed 14:05 on Dock scale: 2.500 kg";
    let cell = front.widgets().get_by_label(WEIGHT_1);
    assert_eq!(cell.accesskit_node().description().as_deref(), Some(mark));
    picture_showing(
        front.widgets(),
        "scale-goods",
        &["2.500 kg, stable", "Take weight", "Dock scale"],
    );

    // The next line: its weight is typed, then weighed by the key.
    front.keys("<Ctrl+L>");
    for (field, text) in [
        ("Line 2: Name", "Pump"),
        ("Line 2: L cm", "10"),
        ("Line 2: W cm", "10"),
        ("Line 2: H cm", "10"),
    ] {
        front.focus(field);
        front.text(text);
    }
    scale.empty(&mut front);
    scale.load(&mut front, "01.200");
    assert_eq!(line(&mut front, 1).weight, "", "the weight has no focus");
    front.keys("<Alt+K>");
    until_weight(&mut front, 1, "1.2");

    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    let weights: Vec<_> = { made.items().iter() }
        .filter_map(|item| item.weight)
        .map(|weight| weight.0.normalize())
        .collect();
    assert_eq!(weights, [Decimal::new(25, 1), Decimal::new(12, 1)]);
    let sent = front.until("it is done", |shared| {
        let mut all = shared.operations.list.iter();
        let is_done = |one: &&app::state::Operation| {
            one.kind == OperationKind::Create && one.state == OperationState::Done
        };
        all.find(is_done).cloned()
    });
    assert!(
        !sent.request.json().contains("Dock scale"),
        "the service gets no evidence"
    );
    front.keys("<F6><Alt+O>");
    front.until("its history", |shared| {
        shared.operations.action_item.history.value().map(drop)
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "scale-operation",
        &["Line 1 weighed: 2.500 kg on Dock scale"],
    );
    front.close();
    let journal = Journal::open(&home.places.journal("practice")).expect("the journal");
    assert!(journal.drafts().expect("drafts").is_empty());
    let history = journal.history(sent.id).expect("its history");
    for words in [
        r"Line 1 weighed: 2.500 kg on Dock scale, 2026-11-20 14:05:00 +11:00, received “\x0202.500\r”",
        r"Line 2 weighed: 1.200 kg on Dock scale",
    ] {
        let is_there = history.iter().any(|entry| entry.words.contains(words));
        assert!(is_there, "{words} in {history:?}");
    }
}

#[test]
fn a_weighed_draft_is_still_weighed_after_a_restart() {
    let scale = TestScale::new();
    let (home, practice, mut front) = bench_with_weighed_line(&scale);
    let before = line(&mut front, 0).weighed;
    front.close();
    let journal = Journal::open(&home.places.journal("practice")).expect("the journal");
    let drafts = journal.drafts().expect("drafts");
    assert!(before.is_some());
    assert_eq!(drafts[0].goods[0].weighed, before);
    drop((journal, practice));
}

#[test]
fn drafts_without_evidence_can_be_read_and_a_typed_weight_has_none() {
    let old = serde_json::json!({ "name": "Pump", "weight": "2.5" });
    let read: GoodsLine = serde_json::from_value(old).expect("an old line");
    assert_eq!((read.weight.as_str(), read.weighing()), ("2.5", None));
    let text = serde_json::to_string(&read).expect("a line");
    assert!(!text.contains("weighed"), "{text}");
}

#[test]
fn asking_again_for_the_weight_that_a_line_already_has_changes_nothing() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_with_weighed_line(&scale);
    let weighed = line(&mut front, 0).weighed;
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), None);
    assert_eq!(line(&mut front, 0).weighed, weighed);

    // Another weight without unloading is not that weight.
    scale.change(&mut front, "03.000");
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), Some(NotTaken::SameLoad));
    assert_eq!(line(&mut front, 0).weighed, weighed);
}

#[test]
fn the_same_load_is_taken_for_the_next_line_only_after_a_confirmation() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_with_weighed_line(&scale);
    front.keys("<Ctrl+L>");
    front.focus(WEIGHT_2);
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), Some(NotTaken::SameLoad));
    assert_eq!(line(&mut front, 1).weight, "");
    picture_showing(
        front.widgets(),
        "scale-goods-same-load",
        &["This weight was already used", "Use it again"],
    );
    front.widgets().set_size(egui::vec2(1024.0, 700.0));
    front.focus(WEIGHT_1);
    front.focus(WEIGHT_2);
    front.rest();
    picture_showing(
        front.widgets(),
        "scale-goods-small-window",
        &[
            "2.500 kg, stable",
            "confirm to use it again",
            "Use it again",
        ],
    );
    front.keys("<Alt+K>");
    until_weight(&mut front, 1, "2.5");
    assert_eq!(refusal(&front), None);
}

#[test]
fn a_refusal_ends_when_the_scale_is_unloaded_and_needs_a_new_confirmation() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_with_weighed_line(&scale);
    front.keys("<Ctrl+L>");
    front.focus(WEIGHT_2);
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), Some(NotTaken::SameLoad));
    scale.empty(&mut front);
    assert_eq!(refusal(&front), None);
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), Some(NotTaken::Zero));
    assert!(front.shows("The scale reads zero. Put the piece on the scale"));
    scale.put("03.100");
    until_weight(&mut front, 1, "3.1");
}

#[test]
fn a_typed_weight_is_replaced_by_the_key_only_and_typing_makes_it_typed_again() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_at_weight(&scale);
    front.text("7");
    scale.load(&mut front, "02.500");
    assert_eq!(line(&mut front, 0).weight, "7");
    assert_eq!(line(&mut front, 0).weighing(), None);
    front.keys("<Alt+K>");
    until_weight(&mut front, 0, "2.5");
    assert!(line(&mut front, 0).weighing().is_some());
    front.text("3");
    let typed = line(&mut front, 0);
    assert_eq!((typed.weight.as_str(), typed.weighed.as_ref()), ("3", None));

    // The button does what the key does.
    scale.empty(&mut front);
    scale.load(&mut front, "05.000");
    assert_eq!(line(&mut front, 0).weight, "3");
    click(front.widgets(), "Take weight");
    until_weight(&mut front, 0, "5");
}

#[test]
fn a_load_that_came_while_another_screen_was_shown_is_not_taken_by_itself() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_at_weight(&scale);
    front.keys("<F3>");
    scale.load(&mut front, "02.500");
    front.keys("<F2>");
    assert_eq!(front.shared().screen, Screen::Consign);
    assert_eq!(line(&mut front, 0).weight, "");
    front.keys("<Alt+K>");
    until_weight(&mut front, 0, "2.5");
}

#[test]
fn a_reading_that_is_a_second_old_is_neither_shown_nor_taken() {
    let scale = TestScale::new();
    let (home, _practice, mut front) = bench_at_weight(&scale);
    front.text("7");
    scale.load(&mut front, "02.500");
    assert!(front.shows("2.500 kg, stable"));
    scale.change(&mut front, "");
    home.clock.advance(SignedDuration::from_secs(1));
    front.keys("<Alt+K>");
    assert_eq!(refusal(&front), Some(NotTaken::Stale));
    assert!(front.shows("–, no reading"));
    assert_eq!(line(&mut front, 0).weight, "7");
}

#[test]
fn a_copy_of_a_weighed_line_counts_as_typed() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_with_weighed_line(&scale);
    front.keys("<Ctrl+Shift+D>");
    let copy = line(&mut front, 1);
    assert_eq!((copy.weight.as_str(), copy.weighing()), ("2.5", None));
}

#[test]
fn an_unplugged_scale_is_named_at_the_line_and_works_again_when_it_is_back() {
    let scale = TestScale::new();
    let (_home, _practice, mut front) = bench_at_weight(&scale);
    scale.plug(false);
    front.until("the problem", |shared| {
        (shared.scale.state == ScaleState::Problem(DeviceProblem::Lost)).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "scale-goods-lost",
        &[
            "The connection to the scale was lost. Check the cable",
            "no reading",
        ],
    );
    scale.plug(true);
    until_state(&mut front, ReadingState::Zero);
    assert!(!front.shows("The connection to the scale was lost"));
    scale.put("04.000");
    until_weight(&mut front, 0, "4");
}

#[test]
fn without_a_scale_the_key_says_where_to_set_one_up() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.keys("<Alt+K>");
    front.until("the notice", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices
            .any(|(_, notice)| notice.headline == "No scale is set up")
            .then_some(())
    });
}

#[test]
fn a_scale_of_the_administrator_can_be_locked_and_is_replaced_as_a_whole() {
    let scale = TestScale::new();
    let locked = r#"
        set_by = "IT, Harbour Supplies"
        locked = ["scale"]
        [scale]
        name = "Dock scale"
        protocol = "mettler_toledo_8217"
        [scale.connection.serial]
        port = "/dev/ttyUSB0"
        baud_rate = 9600
        data_bits = "seven"
        parity = "even"
    "#;
    let machine = MachineSettings::parse(locked, "bench").expect("a machine file");
    assert!(machine.is_locked(&["scale"]));
    let part = locked.replace(r#"["scale"]"#, r#"["scale.name"]"#);
    MachineSettings::parse(&part, "bench").expect_err("a scale is locked as a whole");
    let usb = locked.replace("mettler_toledo_8217", "usb_hid");
    MachineSettings::parse(&usb, "bench").expect_err("this protocol needs USB");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("machine.toml");
    let mut home = Home::new();
    home.places = DataFolder::at(folder.path().join("bench"), file.clone()).expect("a data folder");

    // A user's network scale takes the place of a serial one that isn't locked.
    let open = locked.replace(r#"["scale"]"#, "[]");
    std::fs::write(&file, format!("chosen = \"practice\"\n{open}")).expect("a machine file");
    let mut settings = Settings::read(&home.places).expect("settings");
    settings.scale = Some(scale.settings());
    settings.write(&home.places).expect("a settings file");
    let again = Settings::read(&home.places).expect("settings");
    assert_eq!(again.scale, Some(scale.settings()));

    // A locked one is shown, and can't be changed.
    std::fs::write(&file, format!("chosen = \"practice\"\n{locked}")).expect("a machine file");
    let practice = home.practise();
    let mut front = Front::start_open(&home, &practice);
    open_page(&mut front);
    let remove = front.widgets().get_by_label("Remove…");
    assert!(remove.accesskit_node().is_disabled());
    picture_showing(
        front.widgets(),
        "scale-locked",
        &["Set by IT, Harbour Supplies. You can't change it here"],
    );
}

#[cfg(target_os = "linux")]
mod serial_port {
    use super::*;
    use crate::support::cable::Cable;

    #[test]
    fn a_weight_in_pounds_from_a_serial_scale_is_taken_in_kilograms() {
        let mut cable = Cable::new();
        let port = cable.path.display().to_string();
        let _scale = Builder::new().spawn(move || {
            let mut asked = [0; 2];
            while cable.device.read_exact(&mut asked).is_ok()
                && cable.device.write_all(b"\n  2.50lb\r\nS00\r\x03").is_ok()
            {}
        });
        let (_home, _practice, mut front) = bench_with(&ScaleSettings {
            name: "Old scale".to_owned(),
            protocol: ScaleProtocol::Nci,
            connection: ScaleConnection::usual_serial(ScaleProtocol::Nci, port),
            digits: DigitFormat::default(),
        });
        until_state(&mut front, ReadingState::Stable);
        front.focus(WEIGHT_1);
        front.keys("<Alt+K>");
        until_weight(&mut front, 0, "1.133981");
        let weighed = line(&mut front, 0);
        assert_eq!(weighed.weighing().expect("evidence").reading, "2.50 lb");
        assert!(front.shows("2.50 lb (1.133981 kg)"));
    }
}
