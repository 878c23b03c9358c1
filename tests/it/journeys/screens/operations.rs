//! The Operations screen: the commands of its keys, its texts, and pictures of the decisions that a person
//! may have to make.

use app::state::{
    ActionItem, Command, ConsignmentLock, DispatchCommand, Editing, JobId, JobState, LabelsCommand,
    Notice, NoticeId, NoticeTarget, OperationDecision, OperationId, OperationsCommand, Screen,
    Shared, ThemeChoice, Tone, WindowCommand,
};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::ConsignmentId;

use super::super::kit::{Role, burst, chord, picture, pressed, typed};
use super::data::{self, operations as told};
use super::{Desk, desk};

const SMALL: [f32; 2] = [1024.0, 700.0];
const LARGE: [f32; 2] = [1920.0, 1080.0];

fn showing(matter: ActionItem) -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Operations;
    told::show(&mut shared, matter);
    shared
}

fn operation(id: OperationId) -> Shared {
    showing(ActionItem::Operation(id))
}

/// The print job whose label may have come out.
fn job(shared: &Shared) -> JobId {
    let asked = shared
        .labels
        .jobs
        .iter()
        .find(|job| job.state == JobState::Ask);
    asked.expect("one is a question").id
}

fn at(size: [f32; 2], theme: ThemeChoice, shared: Shared) -> Harness<'static, Desk> {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

fn open(shared: Shared) -> Harness<'static, Desk> {
    at([1440.0, 900.0], ThemeChoice::Light, shared)
}

fn ctrl(key: Key) -> Vec<egui::Event> {
    chord(Modifiers::COMMAND, key)
}

fn decided(id: OperationId, choice: OperationDecision) -> Command {
    OperationsCommand::Decide(id, choice).into()
}

type Case = (&'static str, fn() -> Shared);

const CASES: [Case; 7] = [
    ("conflict", || operation(told::CONFLICT)),
    ("guess", || operation(told::GUESS)),
    ("absent", || operation(told::ABSENT)),
    ("ask", || operation(told::ASK)),
    ("unknown", || operation(told::UNKNOWN)),
    ("edit", || operation(told::EDIT)),
    ("job", || showing(ActionItem::Job(job(&data::shared())))),
];

const LOOKS: [([f32; 2], ThemeChoice, &str); 4] = [
    (SMALL, ThemeChoice::Light, "small"),
    (SMALL, ThemeChoice::Dark, "small-dark"),
    (LARGE, ThemeChoice::Light, "large"),
    (LARGE, ThemeChoice::Dark, "large-dark"),
];

#[test]
fn what_needs_a_person_is_drawn_in_both_themes_small_and_large() {
    for (at_case, (name, shared)) in CASES.into_iter().enumerate() {
        // A picture takes its time: the first in every look, the others in one each.
        let looks = if at_case == 0 {
            &LOOKS[..]
        } else {
            let one = at_case % LOOKS.len();
            &LOOKS[one..=one]
        };
        for (size, theme, word) in looks.iter().copied() {
            let mut harness = at(size, theme, shared());
            picture(&mut harness, &format!("operations-{name}-{word}"));
        }
    }
}

#[test]
fn what_asks_and_what_leads_here_is_drawn() {
    for (size, theme, word) in [LOOKS[0], LOOKS[3]] {
        let mut shared = data::shared();
        shared.screen = Screen::Dispatch;
        let notice = Notice::new(
            Tone::Unknown,
            "4 unfinished, being checked",
            "Left over from last time. Please don't enter them again",
        );
        shared.notices.shown = vec![(NoticeId(1), notice.with_target(NoticeTarget::Operations))];
        let mut harness = at(size, theme, shared);
        picture(&mut harness, &format!("dispatch-held-{word}"));
        burst(&mut harness, ctrl(Key::F));
        burst(&mut harness, [typed("tweed"), pressed(Key::Tab)].concat());
        burst(&mut harness, [ctrl(Key::A), pressed(Key::Delete)].concat());
        harness.run();
        picture(&mut harness, &format!("dispatch-deletion-{word}"));
    }
}

fn alt(key: Key) -> Vec<egui::Event> {
    chord(Modifiers::ALT, key)
}

/// Alt and a key, held for so many frames.
fn hold(harness: &mut Harness<'_, Desk>, key: Key, frames: usize) {
    let events = alt(key);
    harness.input_mut().events.extend(events[..2].to_vec());
    harness.run_steps(frames);
    burst(harness, events[2..].to_vec());
}

#[test]
fn each_choice_has_its_key() {
    use OperationDecision::{Adopt, CheckNow, Happened, KeepChecking, RejectAll, SendAgain};
    let twin = |id| Adopt(ConsignmentId::new(id));
    let cases: [(OperationId, Vec<egui::Event>, OperationDecision); 9] = [
        (told::ABSENT, ctrl(Key::Enter), SendAgain),
        (told::ABSENT, alt(Key::W), KeepChecking),
        (told::UNKNOWN, pressed(Key::F8), CheckNow),
        (
            told::CONFLICT,
            chord(Modifiers::ALT, Key::Num1),
            twin(200_431),
        ),
        (
            told::CONFLICT,
            chord(Modifiers::ALT, Key::Num2),
            twin(200_432),
        ),
        (told::CONFLICT, alt(Key::N), RejectAll),
        (told::GUESS, chord(Modifiers::ALT, Key::Num1), twin(200_423)),
        (told::ASK, alt(Key::Y), Happened(true)),
        (told::ASK, alt(Key::N), Happened(false)),
    ];
    for (id, keys, choice) in cases {
        let mut harness = open(operation(id));
        burst(&mut harness, keys);
        assert_eq!(harness.state().asked, [decided(id, choice)]);
    }
}

#[test]
fn a_key_decides_nothing_that_does_not_fit_and_nothing_behind_a_dialog() {
    let mut harness = open(operation(told::EDIT));
    burst(&mut harness, ctrl(Key::Enter));
    let all = [Key::W, Key::Y, Key::N, Key::Num1].map(alt);
    burst(&mut harness, all.concat());
    hold(&mut harness, Key::G, 80);
    assert_eq!(harness.state().asked, []);
    let mut harness = open(operation(told::CONFLICT));
    burst(&mut harness, ctrl(Key::K));
    burst(&mut harness, [alt(Key::N), alt(Key::Num1)].concat());
    assert_eq!(harness.state().asked, []);
}

#[test]
fn what_cannot_be_taken_back_is_held() {
    let mut harness = open(operation(told::UNKNOWN));
    burst(&mut harness, alt(Key::G));
    assert_eq!(harness.state().asked, []);
    hold(&mut harness, Key::G, 80);
    assert_eq!(
        harness.state().asked,
        [decided(told::UNKNOWN, OperationDecision::Discard)]
    );
    // The manifested one cannot be deleted, and is not offered.
    let mut harness = open(operation(told::CONFLICT));
    assert!(harness.query_by_label("Hold to delete MS200431").is_none());
    let button = harness.get_by_label("Hold to delete MS200432");
    button.focus();
    harness.run();
    burst(&mut harness, pressed(Key::Enter));
    assert_eq!(harness.state().asked, []);
    harness
        .input_mut()
        .events
        .extend(pressed(Key::Enter)[..1].to_vec());
    harness.run_steps(80);
    let twin = OperationDecision::DeleteDuplicate(ConsignmentId::new(200_432));
    assert_eq!(harness.state().asked, [decided(told::CONFLICT, twin)]);
}

#[test]
fn a_print_job_that_is_a_question_is_answered_here_too() {
    let shared = data::shared();
    let id = job(&shared);
    for (key, came_out) in [(Key::Y, true), (Key::N, false)] {
        let mut harness = open(showing(ActionItem::Job(id)));
        burst(&mut harness, alt(key));
        let answered = LabelsCommand::SetJobPrinted(id, came_out);
        assert_eq!(harness.state().asked, [answered.into()]);
    }
    let mut failed = showing(ActionItem::Job(id));
    let job = failed.labels.jobs.iter_mut().find(|job| job.id == id);
    let job = job.expect("it is there");
    job.state = JobState::Failed;
    let consignment = job.subject.consignment().expect("a label");
    let mut harness = open(failed);
    burst(&mut harness, ctrl(Key::Enter));
    let reason = "not printed the first time".to_owned();
    let again = LabelsCommand::Reprint(consignment, reason);
    assert_eq!(harness.state().asked, [again.into()]);
}

fn rows(harness: &Harness<'_, Desk>) -> Vec<String> {
    let rows = harness.query_all_by_role(Role::Row);
    rows.map(|row| row.accesskit_node().label().unwrap_or_default())
        .collect()
}

#[test]
fn what_needs_a_person_comes_first_and_every_row_says_what_it_is() {
    let harness = open(operation(told::CONFLICT));
    assert_eq!(
        rows(&harness),
        [
            "Consignment SO-48213 Bench4-7K13Q2M9, needs a decision",
            "Consignment SO-48190 Bench4-7K12Q2M9, needs a decision",
            "Label Zebra bench 4 MS200419, needs a check",
            "Pending Kings Park Nursery Bench4-7K11Q2M9, needs a check",
            "Consignment SO-48219 Bench4-7K14Q2M9, not done",
            "Booking Kookaburra Air PB4-0007, confirming",
            "Deletion MS200424 , sending",
            "Status MS200102: Cancelled , waiting to be sent",
        ]
    );
}

#[test]
fn the_list_is_walked_filtered_and_widened_by_keyboard() {
    let mut harness = open(operation(told::CONFLICT));
    // The table has the keys as soon as the screen is up.
    burst(&mut harness, pressed(Key::ArrowDown));
    let next = OperationsCommand::Select(ActionItem::Operation(told::GUESS));
    assert_eq!(harness.state().asked, [next.into()]);
    burst(&mut harness, ctrl(Key::F));
    burst(&mut harness, typed("kookaburra"));
    assert_eq!(
        rows(&harness),
        ["Booking Kookaburra Air PB4-0007, confirming"]
    );
    burst(&mut harness, ctrl(Key::A));
    burst(&mut harness, typed("refused"));
    assert_eq!(rows(&harness).len(), 0);
    burst(&mut harness, alt(Key::O));
    assert_eq!(rows(&harness), ["Change MS200425 , refused"]);
}

#[test]
fn two_found_are_side_by_side_with_what_differs_marked() {
    let harness = open(operation(told::CONFLICT));
    for words in ["MS200431", "MS200432", "Manifested", "Unmanifested"] {
        assert!(
            harness.query_all_by_label(words).next().is_some(),
            "{words}"
        );
    }
    assert_eq!(
        harness.query_all_by_label("Ballarat Farm & Garden").count(),
        2
    );
    // In words above it, and in what happened.
    let words = "Created more than once: MS200431, MS200432";
    assert_eq!(harness.query_all_by_label(words).count(), 2);
}

#[test]
fn the_pill_the_banner_and_a_held_number_lead_where_they_say() {
    let mut shared = data::shared();
    shared.screen = Screen::Consign;
    let matter = ActionItem::Operation(told::CONFLICT);
    let alarm = Notice::new(Tone::Bad, "SO-48213 was created twice", "");
    shared.notices.shown = vec![(
        NoticeId(7),
        alarm.with_target(NoticeTarget::ActionItem(matter)),
    )];
    let mut harness = open(shared);
    harness.get_by_label("3 in progress").click();
    harness.run();
    harness.get_by_label("Show").click();
    harness.run();
    let asked = [
        Command::Show(Screen::Operations),
        OperationsCommand::Show(matter).into(),
        WindowCommand::Dismiss(NoticeId(7)).into(),
    ];
    assert_eq!(harness.state().asked, asked);
    let mut harness = open(operation(told::UNKNOWN));
    harness.get_by_label("MS200428").click();
    harness.run();
    let found = WindowCommand::Find("MS200428".to_owned());
    assert_eq!(harness.state().asked, [found.into()]);
}

/// Dispatch, with the list filtered to Gawler, whose second is held by a booking.
fn gawler() -> Harness<'static, Desk> {
    let mut shared = data::shared();
    shared.screen = Screen::Dispatch;
    let list = shared.dispatch.unmanifested.value_mut().expect("a list");
    list.retain(|one| [200_428, 200_427, 200_426].contains(&one.id.get()));
    let lock = ConsignmentLock::InUse(told::UNKNOWN);
    shared.operations.locked = [(ConsignmentId::new(200_428), lock)].into();
    let mut harness = open(shared);
    burst(&mut harness, ctrl(Key::F));
    burst(&mut harness, pressed(Key::Tab));
    harness
}

#[test]
fn what_is_held_is_neither_grouped_nor_deleted_and_says_why() {
    let mut harness = gawler();
    let row = harness
        .query_all_by_label_contains("MS200428")
        .find(|node| node.accesskit_node().role() == Role::Row);
    let row = row.expect("its row");
    assert_eq!(
        row.accesskit_node().description().as_deref(),
        Some("Locked by the booking with Kookaburra Air: confirming")
    );
    let free = [200_427, 200_426].map(ConsignmentId::new).to_vec();
    burst(&mut harness, [ctrl(Key::A), ctrl(Key::G)].concat());
    assert_eq!(
        harness.state().asked,
        [DispatchCommand::Group(free.clone()).into()]
    );
    burst(&mut harness, pressed(Key::Delete));
    let asked = [
        DispatchCommand::Group(free.clone()).into(),
        DispatchCommand::Delete(free).into(),
    ];
    assert_eq!(harness.state().asked, asked);
    // Alone it can't be deleted either: by whom it is held is said instead.
    burst(
        &mut harness,
        [ctrl(Key::A), pressed(Key::Home), pressed(Key::Space)].concat(),
    );
    burst(&mut harness, pressed(Key::Delete));
    harness.get_by_role_and_label(Role::Dialog, "Can't delete this now");
    burst(&mut harness, pressed(Key::Escape));
    assert_eq!(harness.state().asked.len(), 2);
}

#[test]
fn delete_in_a_field_is_a_key_of_the_field() {
    let mut harness = gawler();
    burst(&mut harness, ctrl(Key::F));
    burst(&mut harness, pressed(Key::Delete));
    assert!(harness.query_by_label_contains("Hold to delete").is_none());
}

#[test]
fn a_settled_booking_is_put_away_and_an_open_one_leads_to_its_operation() {
    let mut shared = data::shared();
    shared.screen = Screen::Dispatch;
    shared.dispatch.groups.clear();
    let mut harness = open(shared);
    let put_away = "Dismiss the booking with Kookaburra Air";
    assert!(harness.query_by_label(put_away).is_none());
    harness
        .get_by_label("Dismiss the booking with Tasman Freight")
        .click();
    harness.run();
    harness
        .get_by_label("Show progress: booking with Kookaburra Air")
        .click();
    harness.run();
    let asked = [
        Command::Dispatch(DispatchCommand::CloseBooking(OperationId(1))),
        OperationsCommand::Show(ActionItem::Operation(told::UNKNOWN)).into(),
    ];
    assert_eq!(harness.state().asked, asked);
}
