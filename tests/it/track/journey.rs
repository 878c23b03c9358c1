//! From an exception to its cause and its handling: a supervisor at the window, by keyboard alone.

use app::state::{DispatchCommand, OperationKind, OperationState, Screen};
use egui::{Key, Modifiers};
use jiff::SignedDuration;
use practice::DeliveryScenario;
use shipping::StatusId;

use super::statuses::{There, booked};
use crate::journeys::kit::picture;
use crate::support::clerk::Clerk;
use crate::support::desk::Home;
use crate::support::practice::seed_for;
use crate::support::window;

/// Scans a number, and waits until its page shows this status.
fn scan(supervisor: &mut Clerk, number: &str, status: StatusId) {
    supervisor.keys(&format!("<F9>{number}<Enter>"));
    supervisor.until("its page is open", |core| {
        let page = &core.shared.track.page;
        let row = &page.history.value()?.as_ref()?.row;
        let is_it = row.number == number && row.status.id == status;
        (is_it && page.consignment.value().is_some()).then_some(())
    });
}

/// Shows the proof of the open page, and saves it in a typed folder.
fn save_proof(supervisor: &mut Clerk, home: &Home, number: &str) {
    supervisor.until("its files", |core| {
        let files = core.shared.track.page.files.value()?;
        (!files.is_empty()).then_some(())
    });
    supervisor.keys("<Alt+O>");
    supervisor.until("the proof is drawn", |core| {
        core.shared.track.page.shown.value().map(drop)
    });
    picture(&mut supervisor.window, "track-journey-proof");
    supervisor.keys("<Ctrl+S>");
    supervisor.until("a folder is asked for", |core| {
        core.shared.path_question.as_ref().map(|_| ())
    });
    let folder = home.places.data().join("proofs");
    std::fs::create_dir_all(&folder).expect("a folder");
    supervisor.rest();
    supervisor.text(&folder.display().to_string());
    supervisor.keys("<Enter>");
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
    supervisor.keys("<Esc>");
}

/// Cancels the one whose page is open, in three keys.
fn cancel(supervisor: &mut Clerk) {
    let before = supervisor.chords;
    supervisor.keys("<Alt+X><Alt+1>");
    supervisor.hold(Modifiers::COMMAND, Key::Enter);
    assert_eq!(supervisor.chords - before, 3);
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
    desk.ask(DispatchCommand::Refresh);
    desk.until("nothing waits any more", |core| {
        let list = &core.shared.dispatch.unmanifested;
        (!list.is_loading() && list.value()?.iter().next().is_none()).then_some(())
    });
    let mut supervisor = Clerk::before(window::open(window::over(desk.core, &home)));

    // What is wrong comes up by itself on the board.
    supervisor.keys("<F5><F8>");
    supervisor.until("the exception is on the board", |core| {
        let board = core.shared.track.board.value()?;
        board
            .exceptions
            .iter()
            .any(|row| row.id == ids[1])
            .then_some(())
    });
    scan(&mut supervisor, &format!("MS{}", ids[1]), StatusId::DAMAGED);
    picture(&mut supervisor.window, "track-journey-exception");

    // The proof of the one that has arrived.
    scan(
        &mut supervisor,
        &format!("MS{}", ids[0]),
        StatusId::COMPLETE,
    );
    save_proof(&mut supervisor, &home, &format!("MS{}", ids[0]));

    // The third is not to leave.
    scan(
        &mut supervisor,
        &format!("MS{}", ids[2]),
        StatusId::MANIFESTED,
    );
    cancel(&mut supervisor);
    assert_eq!(there.status(ids[2]), StatusId::CANCELLED);
    picture(&mut supervisor.window, "track-journey-cancelled");
}
