//! One round: a task over several runs, with the conditions that must hold after each run and at the end.

use std::path::Path;
use std::sync::Arc;

use storage::{Journal, OperationKind, OperationState};

use super::deaths::{About, Case};
use super::life::{Life, Task};
use super::paper;
use crate::recovery::errands::Subject;
use crate::support::lanes::Site;

/// Plays one; gives how many lives were killed. `between` is done to the bench's folder after each of them.
pub(super) fn play(
    site: &Site,
    number: usize,
    case: &Case,
    between: &dyn Fn(&Path),
) -> Result<usize, String> {
    let name = format!("round-{number}");
    let life = Life {
        address: site.practice.base_url(),
        token: site.token(),
        truth: site.truth_file(),
        home: site.home(&name),
        task: match case.about {
            About::Errand(kind) => {
                let client = site.client();
                let made = Subject::make(&client, kind, &name);
                Task::Errand(site.runtime.block_on(made))
            }
            About::Conversion => {
                let client = site.client();
                let made = Subject::conversion(&client, &name);
                Task::Errand(site.runtime.block_on(made))
            }
            About::Label => Task::Label(paper::Label::prepare(site, &name)),
        },
        dies_at: None,
    };
    let home = life.home.clone();
    match &life.task {
        Task::Errand(subject) => errand(site, &life, subject, (case, between))?,
        Task::Label(_) => paper::play(site, life, case)?,
    }
    // Thousands of them would fill the disk; one that went wrong is kept until the end.
    let _ = std::fs::remove_dir_all(home);
    Ok(case.deaths.len())
}

fn errand(
    site: &Site,
    life: &Life,
    subject: &Subject,
    (case, between): (&Case, &dyn Fn(&Path)),
) -> Result<(), String> {
    let mut typed = false;
    for (nth, death) in case.deaths.iter().enumerate() {
        let told = life.until(*death);
        let told = told.map_err(|words| format!("life {}: {words}", nth + 1))?;
        typed |= told.typed;
        let stands = stands(site, life, subject, typed);
        stands.map_err(|words| format!("after life {}: {words}", nth + 1))?;
        let happened = subject.happened(&site.truth());
        if nth == 0 && death.sent().is_some_and(|sent| sent != (happened == 1)) {
            return Err(format!(
                "killed {death:?}, and it happened {happened} times"
            ));
        }
        between(&life.home);
    }
    life.through(&site.runtime, Arc::new(|_| ()), &|_| ())
        .map_err(|words| format!("the last life: {words}"))?;
    let happened = subject.happened(&site.truth());
    if happened != 1 {
        return Err(format!("it happened {happened} times"));
    }
    if subject.is_conversion() && subject.left_pending(&site.truth()) > 0 {
        return Err("what it replaced is still pending".to_owned());
    }
    let journal = Journal::open(&life.home.join("journal.db")).expect("a journal");
    let open = Journal::count_open(&life.home.join("journal.db")).expect("a count");
    if open > 0 {
        return Err(format!("{open} operations are still open"));
    }
    let mut drafts = journal.drafts().expect("drafts");
    // Saved as pending, a draft stays: with its number, or without where only the clerk saw that it was.
    drafts
        .retain(|draft| draft.pending.is_none() && subject.kind() != OperationKind::PendingCreate);
    match drafts.len() {
        0 => Ok(()),
        left => Err(format!("{left} drafts are offered that were sent")),
    }
}

/// Every operation with its history, for a message.
fn history(file: &Path) -> String {
    let journal = Journal::open(file).expect("a journal");
    let operations = journal.operations(100).expect("operations");
    let histories = operations.iter().map(|operation| {
        let history = journal.history(operation.id).expect("a history");
        format!("{:?} {history:?}", operation.kind)
    });
    histories.collect::<Vec<_>>().join("; ")
}

/// What must hold whenever the bench is dead.
fn stands(site: &Site, life: &Life, subject: &Subject, typed: bool) -> Result<(), String> {
    let file = life.home.join("journal.db");
    let happened = subject.happened(&site.truth());
    if happened > 1 {
        return Err(format!("it happened {happened} times: {}", history(&file)));
    }
    if !file.exists() {
        return if happened > 0 || typed {
            Err("there is no journal".to_owned())
        } else {
            Ok(())
        };
    }
    let journal = Journal::open(&file).expect("a journal");
    let operations = journal.operations(100).expect("operations");
    if happened > 0 && operations.is_empty() {
        return Err("something left without an intent".to_owned());
    }
    let of_it = { operations.iter() }.find(|operation| operation.kind == subject.kind());
    let state = of_it.map(|operation| operation.state);
    // The clerk's own answer leads from the question straight to done.
    let history = of_it.map(|one| journal.history(one.id).expect("a history"));
    let states = history.unwrap_or_default();
    let seen_by_clerk = { states.windows(2) }
        .any(|pair| pair[0].state == OperationState::Ask && pair[1].state == OperationState::Done);
    let drafts = journal.drafts().expect("drafts");
    let kept = drafts
        .iter()
        .any(|draft| draft.reference1 == subject.reference);
    // Saved at the service, a draft stays on the bench and knows it; a clerk who looked knows it themselves.
    let at_service = drafts
        .iter()
        .any(|draft| draft.reference1 == subject.reference && draft.pending.is_some());
    let is_done = state == Some(OperationState::Done);
    let is_known = is_done && kept && !seen_by_clerk;
    if subject.kind() == OperationKind::PendingCreate && at_service != is_known {
        return Err(format!(
            "known as pending: {at_service}, and the operation {state:?}"
        ));
    }
    let should_stay = match subject.kind() {
        OperationKind::Create => Some(!is_done),
        OperationKind::PendingCreate => Some(true),
        _ => None,
    };
    if typed && should_stay.is_some_and(|should| kept != should) {
        return Err(format!(
            "the draft is {}, and the operation {state:?}",
            if kept { "there" } else { "gone" }
        ));
    }
    if state == Some(OperationState::Done) && happened == 0 {
        return Err("believed, but missing".to_owned());
    }
    Ok(())
}
