//! Sending all ready drafts: one after the other, each once, can be stopped in between, and nothing is lost.

use std::collections::BTreeMap;

use app::state::{Command, ConsignCommand, OperationKind, OperationState, OrdersCommand};
use draft::{Draft, DraftId, Routing};
use practice::RunningService;

use crate::support::desk::{Desk, Home, fill};
use crate::support::practice::CREATE;
use crate::support::trouble::{Fault, Troubled as _};

/// A bench with so many drafts, all of them ready.
fn bench(
    home: &Home,
    practice: &RunningService,
    count: usize,
    spoil: impl Fn(usize, &mut Draft),
) -> Desk {
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    desk.type_consignment("first");
    for at in 0..count {
        if at > 0 {
            let sender = desk.core.editing.draft.from.clone();
            desk.core.editing.draft.from = sender;
        }
        fill(&mut desk.core.editing.draft, &format!("SO-{at:02}"));
        spoil(at, &mut desk.core.editing.draft);
        desk.turn();
        desk.ask(ConsignCommand::NewDraft);
        desk.turn();
    }
    desk.until("all are listed", |core| {
        (core.shared.consign.drafts.len() == count).then_some(())
    });
    desk
}

fn send_all(desk: &mut Desk) -> usize {
    let ready: Vec<DraftId> = desk.until("they are counted", |core| {
        let batch = core.shared.consign.batch();
        let counted = batch.ready.len() + batch.unready + batch.excluded;
        (counted == core.shared.consign.drafts.len())
            .then(|| batch.ready.iter().map(|draft| draft.id.clone()).collect())
    });
    let count = ready.len();
    desk.ask(Command::from(OrdersCommand::SendAll(ready)));
    count
}

/// What the bench has written down of each reference, by state.
fn states(desk: &Desk) -> BTreeMap<String, Vec<OperationState>> {
    let mut states: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for operation in &desk.core.shared.operations.list {
        if operation.kind == OperationKind::Create {
            states
                .entry(operation.title.clone())
                .or_default()
                .push(operation.state);
        }
    }
    states
}

/// The service does not know this suburb, and the bench cannot know that.
fn refused_by_the_service(draft: &mut Draft) {
    "Nowhere At All VIC 3350".clone_into(&mut draft.to.place);
}

#[test]
fn twenty_are_sent_one_by_one_stopped_between_two_and_two_are_refused() {
    let (home, practice) = Home::with_practice();
    let mut desk = bench(&home, &practice, 20, |at, draft| {
        if at == 19 || at == 3 {
            refused_by_the_service(draft);
        }
    });
    assert_eq!(send_all(&mut desk), 20);
    desk.until("five are done", |core| {
        let run = core.shared.consign.run.as_ref()?;
        assert!(core.shared.operations.open().count() <= 1, "one at a time");
        (run.done() >= 5).then_some(())
    });
    desk.ask(Command::from(OrdersCommand::StopSending));
    desk.until("it has stopped", |core| {
        core.shared.consign.run.is_none().then_some(())
    });
    let sent = states(&desk).len();
    assert!((5..=8).contains(&sent), "{sent} were sent");
    let kept = desk.core.shared.consign.drafts.len();
    assert_eq!(kept, 20 - sent + 1, "the refused one is a draft again");

    send_all(&mut desk);
    desk.until("the rest is sent", |core| {
        let over = core.shared.consign.run.is_none();
        (over && core.shared.consign.drafts.len() == 2).then_some(())
    });
    let states = states(&desk);
    assert_eq!(states.len(), 20);
    for (reference, states) in &states {
        let done = states
            .iter()
            .filter(|state| **state == OperationState::Done)
            .count();
        let refused = ["SO-19", "SO-03"].contains(&reference.as_str());
        assert_eq!(done, usize::from(!refused), "{reference}: {states:?}");
    }
    let left = desk.core.shared.consign.drafts[0].clone();
    assert!(!desk.core.shared.consign.refusals[&left.id].is_empty());
    desk.ask(ConsignCommand::OpenDraft(left.id.clone()));
    desk.turn();
    assert_eq!(desk.core.editing.draft.id, left.id);
    let words: Vec<_> = desk
        .core
        .editing
        .problems()
        .map(|problem| problem.message.clone())
        .collect();
    assert!(
        words
            .iter()
            .any(|words| words.to_lowercase().contains("suburb")),
        "{words:?}"
    );
}

#[test]
fn what_is_not_ready_is_skipped_and_said() {
    let (home, practice) = Home::with_practice();
    let mut desk = bench(&home, &practice, 4, |at, draft| match at {
        0 => draft.to.name.clear(),
        1 => draft.routing = Routing::Unchosen,
        2 => draft.routing = Routing::Fastest,
        _ => {}
    });
    let all: Vec<_> = desk
        .core
        .shared
        .consign
        .drafts
        .iter()
        .map(|draft| draft.id.clone())
        .collect();
    desk.until("counted", |core| {
        (core.shared.consign.batch().unready == 2).then_some(())
    });
    let batch = desk.core.shared.consign.batch();
    let ways: Vec<_> = batch.ready.iter().map(|draft| &draft.routing).collect();
    assert_eq!(ways, [&Routing::Cheapest, &Routing::Fastest]);
    // Whatever the fastest costs.
    desk.core.shared.bench.dear_percent = None;
    desk.ask(Command::from(OrdersCommand::SendAll(all)));
    desk.turn();
    let notice = desk.until("it has ended", |core| {
        let over = core.shared.consign.run.is_none();
        core.shared
            .notices
            .shown
            .iter()
            .find(|_| over)
            .map(|(_, notice)| notice.clone())
    });
    assert_eq!(notice.headline, "2 of 4 sent · 2 skipped");
    assert_eq!(desk.core.shared.consign.drafts.len(), 2);
}

#[test]
fn a_service_that_is_away_stops_the_run_and_every_draft_is_kept() {
    let (home, practice) = Home::with_practice();
    let mut desk = bench(&home, &practice, 5, |_, _| ());
    home.runtime.block_on(practice.stop());
    assert_eq!(send_all(&mut desk), 5);
    desk.until("it has stopped", |core| {
        let over = core.shared.consign.run.is_none();
        (over && !core.shared.notices.shown.is_empty()).then_some(())
    });
    let sent_or_kept =
        desk.core.shared.consign.drafts.len() + desk.core.shared.operations.open().count();
    assert_eq!(sent_or_kept, 5, "nothing is lost");
}

#[test]
fn one_lost_answer_is_checked_and_the_run_goes_on() {
    let (home, practice) = Home::with_practice();
    let mut desk = bench(&home, &practice, 4, |_, _| ());
    practice
        .trouble()
        .on(CREATE)
        .skip(1)
        .once()
        .set_now(Fault::FailAfter { reset: false });
    assert_eq!(send_all(&mut desk), 4);
    let notice = desk.until("it has ended", |core| {
        let said = core
            .shared
            .notices
            .shown
            .iter()
            .map(|(_, notice)| notice.clone());
        let over = core.shared.consign.run.is_none();
        said.filter(|_| over)
            .find(|notice| notice.headline.contains("sent"))
    });
    assert_eq!(notice.headline, "3 of 4 sent · 1 being checked");
    desk.until("the fourth is found", |core| {
        let open = core.shared.operations.open().count();
        (open == 0 && core.shared.consign.drafts.is_empty()).then_some(())
    });
    let states = states(&desk);
    assert!(
        states
            .values()
            .all(|states| *states == [OperationState::Done]),
        "{states:?}"
    );
}

#[test]
fn what_is_opened_during_the_run_is_not_sent_by_it() {
    let (home, practice) = Home::with_practice();
    let mut desk = bench(&home, &practice, 3, |_, _| ());
    send_all(&mut desk);
    let batch = desk.core.shared.consign.batch();
    let last = batch.ready.last().expect("three").id.clone();
    desk.ask(ConsignCommand::OpenDraft(last.clone()));
    desk.turn();
    assert_eq!(desk.core.editing.draft.id, last);
    desk.core.editing.draft.instructions = "Not yet".to_owned();
    desk.ask(ConsignCommand::NewDraft);
    desk.until("it has ended", |core| {
        let sent = core.shared.operations.list.len() >= 2;
        (sent && core.shared.consign.run.is_none()).then_some(())
    });
    let left: Vec<_> = desk
        .core
        .shared
        .consign
        .drafts
        .iter()
        .map(|draft| &draft.id)
        .collect();
    assert_eq!(left, [&last]);
    assert_eq!(states(&desk).len(), 2);
}
