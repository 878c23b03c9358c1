//! Operations: what its keys ask for, what it says, and pictures of what a person may have to decide.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use packbench::shipping::ConsignmentId;
use packbench::state::{
    Choice, Command, DispatchCommand, Editing, FrameCommand, JobId, JobState, LabelsCommand,
    LeadsTo, Lock, Matter, Notice, NoticeId, OperationId, OperationState, OperationsCommand, Screen,
    Shared, ThemeChoice, Tone,
};

use super::super::kit::{Role, burst, chord, picture, pressed, typed};
use super::data::{self, operations as told};
use super::{Desk, desk};

const SMALL: [f32; 2] = [1024.0, 700.0];
const LARGE: [f32; 2] = [1920.0, 1080.0];

fn showing(matter: Matter) -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Operations;
    told::show(&mut shared, matter);
    shared
}

fn operation(id: OperationId) -> Shared {
    showing(Matter::Operation(id))
}

/// The print job whose label may have come out.
fn job(shared: &Shared) -> JobId {
    let asked = shared.jobs.iter().find(|job| job.state == JobState::Ask);
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

fn decided(id: OperationId, choice: Choice) -> Command {
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
    ("job", || showing(Matter::Job(job(&data::shared())))),
];

const LOOKS: [([f32; 2], ThemeChoice, &str); 4] = [
    (SMALL, ThemeChoice::Light, "small"),
    (SMALL, ThemeChoice::Dark, "small-dark"),
    (LARGE, ThemeChoice::Light, "large"),
    (LARGE, ThemeChoice::Dark, "large-dark"),
];

#[test]
fn what_needs_a_person_is_drawn_in_both_themes_small_and_large() {
    for (name, shared) in CASES {
        for (size, theme, word) in LOOKS {
            let mut harness = at(size, theme, shared());
            picture(&mut harness, &format!("operations-{name}-{word}"));
        }
    }
}

#[test]
fn what_asks_and_what_leads_here_is_drawn() {
    for (size, theme, word) in LOOKS {
        let mut shared = data::shared();
        shared.screen = Screen::Dispatch;
        let notice = Notice::new(
            Tone::Unknown,
            "4 unfinished, being checked",
            "Left from the last time. Don't type them again",
        );
        shared.notices = vec![(NoticeId(1), notice.leading_to(LeadsTo::Operations))];
        let mut harness = at(size, theme, shared);
        picture(&mut harness, &format!("dispatch-held-{word}"));
        burst(&mut harness, ctrl(Key::F));
        burst(&mut harness, [typed("tweed"), pressed(Key::Tab)].concat());
        burst(&mut harness, [ctrl(Key::A), pressed(Key::Delete)].concat());
        harness.run();
        picture(&mut harness, &format!("dispatch-deletion-{word}"));
    }
}
