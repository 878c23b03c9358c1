//! Number 27: the practice service used as clerk, viewer or supervisor, and its carriers' speed, chosen in
//! the program.

use app::Service;
use app::state::{
    CarrierSpeed, Operation, OperationKind, OperationState, PracticeUser, Shared, WindowStage,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use practice::{RunningService, Settings};
use shipping::{ConsignmentId, StatusId};

use crate::support::desk::Home;
use crate::support::front::Front;
use crate::track::statuses::There;

/// The window on a practice service whose tokens it knows, with one consignment that is booked there.
fn practising(home: &Home, practice: &RunningService) -> (Front, ConsignmentId) {
    let there = There::of(home, practice);
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let ids = crate::track::statuses::booked(&there, &mut desk, 1);
    drop(desk);
    std::fs::write(home.places.settings(), r#"{"chosen": "practice"}"#).expect("a settings file");
    let users = [practice.viewer_token(), practice.supervisor_token()];
    let service = Service {
        practice_users: Some(users.map(Into::into)),
        ..Home::service(practice.base_url(), practice.token())
    };
    let mut front = Front::start_with(home, service);
    front.until_open("practice");
    (front, ids[0])
}

fn click(front: &mut Front, name: &str) {
    front.widgets().get_by_label(name).click();
    front.rest();
}

fn work_as(front: &mut Front, user: PracticeUser) {
    click(front, "Practice drill…");
    click(front, user.name());
    front.until("the practice service is open as this user", |shared| {
        let is_open = shared.stage == WindowStage::Working;
        (is_open && shared.practice.settings.user == user).then_some(())
    });
    front.rest();
    if front.widgets().query_by_label("User").is_some() {
        front.keys("<Esc>");
    }
}

/// Scans the consignment, and asks for its cancellation by keyboard.
fn cancel(front: &mut Front, id: ConsignmentId) {
    front.keys("<F9>");
    front.text(&format!("MS{id}"));
    front.keys("<Enter>");
    front.until("its page is open", |shared: &Shared| {
        let page = &shared.track.page;
        let row = &page.history.value()?.as_ref()?.row;
        (row.id == id && page.consignment.value().is_some()).then_some(())
    });
    front.keys("<Alt+X><Alt+1>");
    front.hold(Modifiers::COMMAND, Key::Enter);
}

fn until_refused(front: &mut Front) {
    front.until("the service refused it", |shared| {
        let mut operations = shared.operations.list.iter();
        let refused = |one: &Operation| {
            one.kind == OperationKind::Status && one.state == OperationState::Rejected
        };
        operations.any(refused).then_some(())
    });
    front.rest();
}

#[test]
fn n27_a_clerk_cannot_cancel_and_a_supervisor_can() {
    let (home, practice) = Home::with_practice();
    let (mut front, id) = practising(&home, &practice);
    let there = There::of(&home, &practice);
    cancel(&mut front, id);
    until_refused(&mut front);
    assert_eq!(there.status(id), StatusId::MANIFESTED);
    front.keys("<Esc*2>");
    work_as(&mut front, PracticeUser::Supervisor);
    cancel(&mut front, id);
    front.until("it is cancelled", |_| {
        (there.status(id) == StatusId::CANCELLED).then_some(())
    });
}

#[test]
fn n27_a_viewer_cannot_cancel() {
    let (home, practice) = Home::with_practice();
    let (mut front, id) = practising(&home, &practice);
    work_as(&mut front, PracticeUser::Viewer);
    let there = There::of(&home, &practice);
    cancel(&mut front, id);
    until_refused(&mut front);
    assert_eq!(there.status(id), StatusId::MANIFESTED);
}

#[test]
fn n27_all_that_is_booked_is_delivered_at_once() {
    let (home, practice) = Home::with_practice();
    let (mut front, id) = practising(&home, &practice);
    let there = There::of(&home, &practice);
    click(&mut front, "Practice drill…");
    click(&mut front, "Deliver all now");
    front.until("it is delivered", |_| {
        (there.status(id) == StatusId::COMPLETE).then_some(())
    });
}

#[test]
fn n27_carriers_go_as_fast_as_was_chosen() {
    assert_eq!(CarrierSpeed::default().factor(), Settings::DEFAULT_SPEED);
    let home = Home::new();
    // Its carriers stand still until they are told to go.
    let practice = home.practise();
    let (mut front, id) = practising(&home, &practice);
    let there = There::of(&home, &practice);
    let week = jiff::SignedDuration::from_hours(7 * 24);
    practice.clock().advance(week);
    assert_eq!(there.status(id), StatusId::MANIFESTED);
    click(&mut front, "Practice drill…");
    click(&mut front, CarrierSpeed::Fast.name());
    front.until("the choice is shown", |shared| {
        let told = !shared.practice.drills.is_loading();
        (told && shared.practice.settings.speed == CarrierSpeed::Fast).then_some(())
    });
    front.rest();
    practice.clock().advance(jiff::SignedDuration::from_mins(7));
    assert_ne!(there.status(id), StatusId::MANIFESTED, "they go");
}
