//! The Operations screen: the commands of its keys, its texts, and pictures of the decisions that a person
//! may have to make.

use app::state::{
    ActionItem, Command, ConsignmentLock, DispatchCommand, JobId, JobState, LabelsCommand, Notice,
    NoticeId, NoticeTarget, OperationDecision, OperationId, OperationsCommand, Screen, Shared,
    ThemeChoice, Tone, WindowCommand,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::ConsignmentId;

use super::super::kit::{Role, picture_showing};
use super::data::{self, operations as told};
use super::{Desk, open, open_in};
use crate::support::keyboard::{click, hold_key, type_at_once, type_keys};
use crate::support::lists::retain_rows;

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

fn decided(id: OperationId, choice: OperationDecision) -> Command {
    OperationsCommand::Decide(id, choice).into()
}

/// A picture's name, what is drawn, and what must stand on it.
type Case = (&'static str, fn() -> Shared, &'static [&'static str]);

const CASES: [Case; 7] = [
    (
        "conflict",
        || operation(told::CONFLICT),
        &["MS200431", "MS200432"],
    ),
    ("guess", || operation(told::GUESS), &["MS200423"]),
    ("absent", || operation(told::ABSENT), &["Send again"]),
    ("ask", || operation(told::ASK), &["It went through"]),
    ("unknown", || operation(told::UNKNOWN), &["Hold to give up"]),
    ("edit", || operation(told::EDIT), &["changed"]),
    (
        "job",
        || showing(ActionItem::Job(job(&data::shared()))),
        &["printed"],
    ),
];

const LOOKS: [([f32; 2], ThemeChoice, &str); 4] = [
    (SMALL, ThemeChoice::Light, "small"),
    (SMALL, ThemeChoice::Dark, "small-dark"),
    (LARGE, ThemeChoice::Light, "large"),
    (LARGE, ThemeChoice::Dark, "large-dark"),
];

#[test]
fn what_needs_a_person_is_drawn_in_both_themes_small_and_large() {
    for (at_case, (name, shared, texts)) in CASES.into_iter().enumerate() {
        // A picture takes its time: the first in every look, the others in one each.
        let looks = if at_case == 0 {
            &LOOKS[..]
        } else {
            let one = at_case % LOOKS.len();
            &LOOKS[one..=one]
        };
        for (size, theme, word) in looks.iter().copied() {
            let mut harness = open_in(shared(), size, theme);
            picture_showing(&mut harness, &format!("operations-{name}-{word}"), texts);
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
            "Left over from the last session. Please don't enter them again",
        );
        shared.notices.shown = vec![(NoticeId(1), notice.with_target(NoticeTarget::Operations))];
        let mut harness = open_in(shared, size, theme);
        picture_showing(
            &mut harness,
            &format!("dispatch-held-{word}"),
            &["4 unfinished, being checked"],
        );
        type_keys(&mut harness, "<Ctrl+F>");
        type_at_once(&mut harness, "tweed<Tab>");
        type_at_once(&mut harness, "<Ctrl+A><Delete>");
        harness.run();
        picture_showing(
            &mut harness,
            &format!("dispatch-deletion-{word}"),
            &["Tweed Marine"],
        );
    }
}

#[test]
fn each_choice_has_its_key() {
    use OperationDecision::{Adopt, CheckNow, Happened, KeepChecking, RejectAll, SendAgain};
    let twin = |id| Adopt(ConsignmentId::new(id));
    let cases: [(OperationId, &str, OperationDecision); 9] = [
        (told::ABSENT, "<Ctrl+Enter>", SendAgain),
        (told::ABSENT, "<Alt+W>", KeepChecking),
        (told::UNKNOWN, "<F8>", CheckNow),
        (told::CONFLICT, "<Alt+1>", twin(200_431)),
        (told::CONFLICT, "<Alt+2>", twin(200_432)),
        (told::CONFLICT, "<Alt+N>", RejectAll),
        (told::GUESS, "<Alt+1>", twin(200_423)),
        (told::ASK, "<Alt+Y>", Happened(true)),
        (told::ASK, "<Alt+N>", Happened(false)),
    ];
    for (id, keys, choice) in cases {
        let mut harness = open(operation(id));
        type_keys(&mut harness, keys);
        assert_eq!(harness.state().asked, [decided(id, choice)]);
    }
}

#[test]
fn a_key_decides_nothing_that_does_not_fit_and_nothing_behind_a_dialog() {
    let mut harness = open(operation(told::EDIT));
    type_keys(&mut harness, "<Ctrl+Enter>");
    type_at_once(&mut harness, "<Alt+W><Alt+Y><Alt+N><Alt+1>");
    hold_key(&mut harness, "<Alt+G>", 80);
    assert_eq!(harness.state().asked, []);
    let mut harness = open(operation(told::CONFLICT));
    type_keys(&mut harness, "<Ctrl+K>");
    type_at_once(&mut harness, "<Alt+N><Alt+1>");
    assert_eq!(harness.state().asked, []);
}

#[test]
fn what_cannot_be_taken_back_is_held() {
    let mut harness = open(operation(told::UNKNOWN));
    type_keys(&mut harness, "<Alt+G>");
    assert_eq!(harness.state().asked, []);
    hold_key(&mut harness, "<Alt+G>", 80);
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
    type_keys(&mut harness, "<Enter>");
    assert_eq!(harness.state().asked, []);
    hold_key(&mut harness, "<Enter>", 80);
    let twin = OperationDecision::DeleteDuplicate(ConsignmentId::new(200_432));
    assert_eq!(harness.state().asked, [decided(told::CONFLICT, twin)]);
}

#[test]
fn a_print_job_that_is_a_question_is_answered_here_too() {
    let shared = data::shared();
    let id = job(&shared);
    for (key, came_out) in [("<Alt+Y>", true), ("<Alt+N>", false)] {
        let mut harness = open(showing(ActionItem::Job(id)));
        type_keys(&mut harness, key);
        let answered = LabelsCommand::SetJobPrinted(id, came_out);
        assert_eq!(harness.state().asked, [answered.into()]);
    }
    let mut failed = showing(ActionItem::Job(id));
    let job = failed.labels.jobs.iter_mut().find(|job| job.id == id);
    let job = job.expect("it is there");
    job.state = JobState::Failed;
    let consignment = job.subject.consignment().expect("a label");
    let mut harness = open(failed);
    type_keys(&mut harness, "<Ctrl+Enter>");
    let reason = "not printed the first time".to_owned();
    let again = LabelsCommand::Reprint(vec![consignment], reason);
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
    type_keys(&mut harness, "<Down>");
    let next = OperationsCommand::Select(ActionItem::Operation(told::GUESS));
    assert_eq!(harness.state().asked, [next.into()]);
    type_keys(&mut harness, "<Ctrl+F>kookaburra");
    assert_eq!(
        rows(&harness),
        ["Booking Kookaburra Air PB4-0007, confirming"]
    );
    type_keys(&mut harness, "<Ctrl+A>refused");
    assert_eq!(rows(&harness).len(), 0);
    type_keys(&mut harness, "<Alt+O>");
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
    click(&mut harness, "3 in progress");
    click(&mut harness, "Show");
    let asked = [
        Command::Show(Screen::Operations),
        OperationsCommand::Show(matter).into(),
        WindowCommand::Dismiss(NoticeId(7)).into(),
    ];
    assert_eq!(harness.state().asked, asked);
    let mut harness = open(operation(told::UNKNOWN));
    click(&mut harness, "MS200428");
    let found = WindowCommand::Find("MS200428".to_owned());
    assert_eq!(harness.state().asked, [found.into()]);
}

/// Dispatch, with the list filtered to Gawler, whose second is held by a booking.
fn gawler() -> Harness<'static, Desk> {
    let mut shared = data::shared();
    shared.screen = Screen::Dispatch;
    retain_rows(&mut shared, |id| {
        [200_428, 200_427, 200_426].contains(&id.get())
    });
    let lock = ConsignmentLock::InUse(told::UNKNOWN);
    shared.operations.locked = [(ConsignmentId::new(200_428), lock)].into();
    let mut harness = open(shared);
    type_keys(&mut harness, "<Ctrl+F><Tab>");
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
    type_at_once(&mut harness, "<Ctrl+A><Ctrl+G>");
    assert_eq!(
        harness.state().asked,
        [DispatchCommand::Group(free.clone()).into()]
    );
    type_keys(&mut harness, "<Delete>");
    let asked = [
        DispatchCommand::Group(free.clone()).into(),
        DispatchCommand::Delete(free).into(),
    ];
    assert_eq!(harness.state().asked, asked);
    // Alone it can't be deleted either: by whom it is held is said instead.
    type_at_once(&mut harness, "<Ctrl+A><Home><Space>");
    type_keys(&mut harness, "<Delete>");
    harness.get_by_role_and_label(Role::Dialog, "Can't delete this now");
    type_keys(&mut harness, "<Esc>");
    assert_eq!(harness.state().asked.len(), 2);
}

#[test]
fn delete_in_a_field_is_a_key_of_the_field() {
    let mut harness = gawler();
    type_keys(&mut harness, "<Ctrl+F><Delete>");
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
    click(&mut harness, "Dismiss the booking with Tasman Freight");
    click(&mut harness, "Show progress: booking with Kookaburra Air");
    let asked = [
        Command::Dispatch(DispatchCommand::CloseBooking(OperationId(1))),
        OperationsCommand::Show(ActionItem::Operation(told::UNKNOWN)).into(),
    ];
    assert_eq!(harness.state().asked, asked);
}
