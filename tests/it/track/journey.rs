//! From an exception to its cause and its handling: a supervisor at the window, by keyboard alone.

use app::state::{DispatchCommand, OperationKind, OperationState, Screen};
use app::{Core, Window};
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use jiff::SignedDuration;
use practice::DeliveryScenario;
use shipping::StatusId;

use super::statuses::{There, booked};
use crate::journeys::kit::picture;
use crate::support::desk::Home;
use crate::support::practice::seed_for;
use crate::support::window;

struct Supervisor {
    window: Harness<'static, Window>,
    /// Keys pressed, text apart.
    keys: usize,
}

impl Supervisor {
    fn at(core: Core, home: &Home) -> Self {
        let window = window::open(window::over(core, home));
        Self { window, keys: 0 }
    }

    #[track_caller]
    fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Core) -> Option<T>) -> T {
        let stuck = (what, "track-journey-stuck");
        window::until(&mut self.window, stuck, |window| probe(window.core()?))
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.keys += 1;
        self.window.key_press_modifiers(modifiers, key);
        self.rest();
    }

    fn hold(&mut self, modifiers: Modifiers, key: Key) {
        self.keys += 1;
        self.window.key_down_modifiers(modifiers, key);
        self.window.run_steps(80);
        self.window.key_up_modifiers(modifiers, key);
        self.rest();
    }

    fn text(&mut self, text: &str) {
        self.window.event(Event::Text(text.to_owned()));
        self.rest();
    }

    fn rest(&mut self) {
        window::rest(&mut self.window);
    }

    /// Scans a number, and waits until its page shows this status.
    fn scan(&mut self, number: &str, status: StatusId) {
        self.press(Modifiers::NONE, Key::F9);
        self.text(number);
        self.press(Modifiers::NONE, Key::Enter);
        self.until("its page is open", |core| {
            let page = &core.shared.track.page;
            let row = &page.history.value()?.as_ref()?.row;
            let is_it = row.number == number && row.status.id == status;
            (is_it && page.consignment.value().is_some()).then_some(())
        });
    }
}

/// Shows the proof of the open page, and saves it in a typed folder.
fn save_proof(supervisor: &mut Supervisor, home: &Home, number: &str) {
    supervisor.until("its files", |core| {
        let files = core.shared.track.page.files.value()?;
        (!files.is_empty()).then_some(())
    });
    supervisor.press(Modifiers::ALT, Key::O);
    supervisor.until("the proof is drawn", |core| {
        core.shared.track.page.shown.value().map(drop)
    });
    picture(&mut supervisor.window, "track-journey-proof");
    supervisor.press(Modifiers::COMMAND, Key::S);
    supervisor.until("a folder is asked for", |core| {
        core.shared.track.files.needs_folder.then_some(())
    });
    let folder = home.places.data().join("proofs");
    std::fs::create_dir_all(&folder).expect("a folder");
    supervisor.rest();
    supervisor.text(&folder.display().to_string());
    supervisor.press(Modifiers::NONE, Key::Enter);
    let saved = supervisor.until("the proof is saved", |core| {
        core.shared.track.files.saved.clone()
    });
    assert_eq!(saved.left_out, Vec::<String>::new());
    let files = std::fs::read_dir(&folder).expect("the folder");
    let names = files.map(|file| file.expect("a file").file_name());
    let ours = names.filter(|name| {
        let start = format!("POD-{number}-");
        name.to_string_lossy().starts_with(&start)
    });
    assert_eq!(ours.count(), saved.saved);
    supervisor.press(Modifiers::NONE, Key::Escape);
}

/// Cancels the one whose page is open, in three keys.
fn cancel(supervisor: &mut Supervisor) {
    let before = supervisor.keys;
    supervisor.press(Modifiers::ALT, Key::X);
    supervisor.press(Modifiers::ALT, Key::Num1);
    supervisor.hold(Modifiers::COMMAND, Key::Enter);
    assert_eq!(supervisor.keys - before, 3);
    supervisor.until("it is cancelled", |core| {
        let mut all = core.shared.operations.list.iter();
        let done = |one: &&app::state::Operation| {
            one.kind == OperationKind::Status && one.state == OperationState::Done
        };
        all.find(done)?;
        let row = &core.shared.track.page.history.value()?.as_ref()?.row;
        (core.shared.screen == Screen::Track && row.status.id == StatusId::CANCELLED).then_some(())
    });
}

#[test]
fn an_exception_is_opened_its_proof_shown_and_another_one_cancelled() {
    let home = Home::new();
    // Nothing goes wrong on the way of the first.
    let practice = home.practise_moving(seed_for(DeliveryScenario::Smooth));
    let token = practice.supervisor_token().to_owned();
    let mut desk = home.open(&Home::service(practice.base_url(), &token));
    let there = There::of(&home, &practice);
    let mut ids = booked(&there, &mut desk, 2);
    for clock in [practice.clock(), &home.clock] {
        clock.advance(SignedDuration::from_hours(7 * 24));
    }
    there.set(ids[1], StatusId::DAMAGED);
    ids.append(&mut booked(&there, &mut desk, 1));
    desk.core.push(DispatchCommand::Refresh.into());
    desk.until("nothing waits any more", |core| {
        let list = &core.shared.dispatch.unmanifested;
        (!list.is_loading() && list.value()?.iter().next().is_none()).then_some(())
    });
    let mut supervisor = Supervisor::at(desk.core, &home);

    // What is wrong comes up by itself on the board.
    supervisor.press(Modifiers::NONE, Key::F5);
    supervisor.press(Modifiers::NONE, Key::F8);
    supervisor.until("the exception is on the board", |core| {
        let board = core.shared.track.board.value()?;
        board
            .exceptions
            .iter()
            .any(|row| row.id == ids[1])
            .then_some(())
    });
    supervisor.scan(&format!("MS{}", ids[1]), StatusId::DAMAGED);
    picture(&mut supervisor.window, "track-journey-exception");

    // The proof of the one that has arrived.
    supervisor.scan(&format!("MS{}", ids[0]), StatusId::COMPLETE);
    save_proof(&mut supervisor, &home, &format!("MS{}", ids[0]));

    // The third is not to leave.
    supervisor.scan(&format!("MS{}", ids[2]), StatusId::MANIFESTED);
    cancel(&mut supervisor);
    assert_eq!(there.status(ids[2]), StatusId::CANCELLED);
    picture(&mut supervisor.window, "track-journey-cancelled");
}
