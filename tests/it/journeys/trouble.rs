//! Practice drills by keyboard alone: a fault is started, met and ended; only at the practice service.

use app::state::{
    CarrierSpeed, ConsignCommand, Drill, OperationState, PracticeUser, Shared, WindowCommand,
};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;

use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::trouble::Troubled as _;

fn practising() -> (Home, RunningService, Front) {
    let (home, practice) = Home::with_practice();
    let front = Front::at_practice(&home, &practice);
    (home, practice, front)
}

/// Opens the list from the list of all actions.
fn open_trouble(front: &mut Front) {
    front.keys("<Ctrl+K>practice drill<Enter>");
    front.rest();
}

/// How a situation stands: whether it is on, and how often it struck.
fn state(shared: &Shared, situation: Drill) -> Option<(bool, u32)> {
    let mut known = shared.practice.drills.value()?.iter();
    let known = known.find(|rehearsed| rehearsed.drill == situation)?;
    Some((known.is_active, known.count))
}

fn until_state(front: &mut Front, situation: Drill, wanted: Option<(bool, u32)>) {
    front.until(&format!("{situation:?} is {wanted:?}"), |shared| {
        let known =
            shared.practice.drills.value().is_some() && !shared.practice.drills.is_loading();
        (known && state(shared, situation) == wanted).then_some(())
    });
    front.rest();
}

/// Buttons above the lines: users, speeds, and to have all delivered.
const ABOVE: usize = PracticeUser::ALL.len() + CarrierSpeed::ALL.len() + 1;

/// Goes to the line of a situation, from the first button, and ticks it.
fn tick(front: &mut Front, situation: Drill) {
    let at = Drill::ALL.iter().position(|one| *one == situation);
    let lines = ABOVE + at.expect("one of them");
    front.keys(&format!("<Tab*{lines}><Space>"));
}

#[test]
fn the_answer_to_a_send_is_lost_as_it_was_called_up_and_only_once() {
    let (_home, _practice, mut front) = practising();
    assert!(!front.shows("Practice drill:"));
    open_trouble(&mut front);
    tick(&mut front, Drill::SendLost);
    until_state(&mut front, Drill::SendLost, Some((true, 0)));
    front.keys("<Esc>");
    assert!(
        front
            .widgets()
            .query_by_label("Practice drill: 1 on")
            .is_some(),
        "a mark while it is on"
    );
    front.type_consignment("SO-48213");
    front.ask(ConsignCommand::Send);
    front.until("it is not known", |shared| {
        let mut operations = shared.operations.list.iter();
        operations
            .any(|operation| operation.state == OperationState::Unknown)
            .then_some(())
    });
    until_state(&mut front, Drill::SendLost, Some((false, 1)));
    assert!(!front.shows("Practice drill:"));
    open_trouble(&mut front);
    assert!(front.widgets().query_by_label("happened once").is_some());
    // Called up anew, it counts anew.
    tick(&mut front, Drill::SendLost);
    until_state(&mut front, Drill::SendLost, Some((true, 0)));
}

#[test]
fn the_service_is_away_until_all_is_well_again() {
    let (_home, practice, mut front) = practising();
    open_trouble(&mut front);
    tick(&mut front, Drill::Away);
    until_state(&mut front, Drill::Away, Some((true, 0)));
    front.keys("<Esc>");
    front.ask(WindowCommand::Reconnect);
    front.until("it is away", |shared| shared.session.health.away_since);
    front.until("its strikes are counted", |shared| {
        state(shared, Drill::Away).filter(|(_, struck)| *struck > 0)
    });
    open_trouble(&mut front);
    // Past the lines to the button below them.
    let lines = ABOVE + Drill::ALL.len();
    front.keys(&format!("<Tab*{lines}><Enter>"));
    until_state(&mut front, Drill::Away, None);
    assert!(practice.trouble().list_now().is_empty());
    front.keys("<Esc>");
    front.ask(WindowCommand::Reconnect);
    front.until("it is back", |shared| {
        shared.session.health.away_since.is_none().then_some(())
    });
}

#[test]
fn several_situations_are_called_up_and_one_is_ended() {
    let (_home, practice, mut front) = practising();
    open_trouble(&mut front);
    tick(&mut front, Drill::SendLate);
    front.keys("<Tab><Space>");
    until_state(&mut front, Drill::SendLate, Some((true, 0)));
    until_state(&mut front, Drill::BookingLost, Some((true, 0)));
    front.keys("<Space>");
    until_state(&mut front, Drill::BookingLost, None);
    assert_eq!(practice.trouble().list_now().len(), 1);
}

#[test]
fn every_situation_is_one_that_the_practice_service_knows() {
    let (_home, practice, mut front) = practising();
    for situation in Drill::ALL {
        front.ask(app::state::PracticeCommand::Start(situation));
    }
    front.until("all are on", |shared| {
        (shared.practice.active_drills().count() == Drill::ALL.len()).then_some(())
    });
    assert_eq!(practice.trouble().list_now().len(), Drill::ALL.len());
}
