//! Rounds in which both benches book, change and delete the same few consignments, each in its own order and
//! speed.

use std::sync::Arc;
use std::time::Duration;

use app::state::{Operation, OperationId, OperationState};
use engine::{Payload, Request};
use shipping::ConsignmentId;
use storage::OperationKind;

use super::bench::{is_told_of, manifests_of, open};
use super::{book, edit, made};
use crate::recovery::clerk::speaks_well;
use crate::support::lanes::{Lanes, Site};

/// In a round.
const CONSIGNMENTS: usize = 3;

/// Of each bench in a round.
const MOST_ACTS: usize = 3;

/// Between what a clerk sees and what they ask for.
const MOST_PAUSE: Duration = Duration::from_millis(12);

/// What a refusal may say, where the other bench or the same one was there before.
const TOLD: &[&str] = &[
    "already manifested",
    "was not found",
    "No longer unmanifested",
    "Someone else has changed this consignment",
    "was changed since it was fetched",
    "This consignment can no longer be changed",
];

/// What a clerk does.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Books so many of the consignments, from the first or from the last.
    Book(usize, bool),
    Edit(usize),
    Delete(usize),
}

/// Plays so many rounds.
pub(super) fn play(seed: u64, rounds: usize) {
    let site = Site::open();
    let mut dice = fastrand::Rng::with_seed(seed);
    let nobody = || Arc::new(|_| ());
    let mut benches = [
        open(&site, "Bench1", nobody()),
        open(&site, "Bench2", nobody()),
    ];
    let (mut refused, mut done) = (0, 0);
    for round in 0..rounds {
        let ids = made(&site, CONSIGNMENTS, &format!("round-{round}"));
        let before = benches
            .each_ref()
            .map(|lanes| lanes.operations.keys().next_back().copied());
        std::thread::scope(|scope| {
            for lanes in &mut benches {
                let (mut dice, site, ids) = (dice.fork(), &site, &ids);
                let thread = std::thread::Builder::new().name("bench".to_owned());
                let work = move || act(site, lanes, ids, &mut dice);
                thread.spawn_scoped(scope, work).expect("a thread");
            }
        });
        let (left, right) = (since(&benches[0], before[0]), since(&benches[1], before[1]));
        let all: Vec<_> = left.iter().chain(&right).cloned().collect();
        let context = format!("seed {seed}, round {round}: {all:#?}");
        believed_is_true(&site, &ids, &all, &context);
        for (lanes, own) in benches.iter_mut().zip([left, right]) {
            for operation in own {
                is_told(lanes, &operation, &all, &context);
                match operation.state {
                    OperationState::Done => done += 1,
                    _ => refused += 1,
                }
            }
        }
    }
    eprintln!("{rounds} rounds: {done} done, {refused} refused");
    assert!(refused > rounds / 10, "they did come across each other");
}

/// A clerk at one bench; ends when all that was asked for has ended.
fn act(site: &Site, lanes: &mut Lanes, ids: &[ConsignmentId], dice: &mut fastrand::Rng) {
    let client = site.client();
    let (before, mut asked) = (lanes.operations.len(), 0);
    for _ in 0..=dice.usize(..MOST_ACTS) {
        let act = match dice.u8(..4) {
            0 | 1 => Act::Book(dice.usize(1..=ids.len()), dice.bool()),
            2 => Act::Edit(dice.usize(..ids.len())),
            _ => Act::Delete(dice.usize(..ids.len())),
        };
        // What is not there any more cannot be chosen.
        let request = match act {
            Act::Book(count, first) => {
                let some = if first {
                    &ids[..count]
                } else {
                    &ids[ids.len() - count..]
                };
                let grouped = site.runtime.block_on(client.group(some));
                grouped
                    .ok()
                    .and_then(|mut groups| groups.pop())
                    .map(|mut group| {
                        group.dgs_declaration = Some(false);
                        book(site, group)
                    })
            }
            Act::Edit(nth) => {
                let seen = site.runtime.block_on(client.edit_form(ids[nth])).ok();
                let text = format!("Ring {}", dice.u32(..));
                seen.map(|seen| edit(&seen, "specialInstructions", &text))
            }
            Act::Delete(nth) => Some(Request::Perform(Payload::Delete(vec![ids[nth]]))),
        };
        std::thread::sleep(MOST_PAUSE.mul_f64(dice.f64()));
        if let Some(request) = request {
            asked += 1;
            lanes.ask(request);
        }
    }
    lanes.until("all has ended", |lanes| {
        let open = lanes.operations.values().any(|one| one.state.is_open());
        (!open && lanes.operations.len() == before + asked).then_some(())
    });
}

fn since(lanes: &Lanes, before: Option<OperationId>) -> Vec<Operation> {
    let new = lanes
        .operations
        .values()
        .filter(|one| Some(one.id) > before);
    new.cloned().collect()
}

/// What both believe together is what the service has.
fn believed_is_true(site: &Site, ids: &[ConsignmentId], all: &[Operation], context: &str) {
    let truth = site.truth();
    for id in ids {
        let done = |kind: OperationKind| {
            let of_it = |one: &&Operation| one.kind == kind && one.consignments.contains(id);
            let of_it = all.iter().filter(of_it);
            of_it
                .filter(|one| one.state == OperationState::Done)
                .count()
        };
        let there = truth.count("SELECT count(*) FROM consignment WHERE id = ?1", id.get());
        let booked = manifests_of(site, *id);
        assert!(booked <= 1, "{id} is booked {booked} times; {context}");
        assert_eq!(
            done(OperationKind::Manifest),
            booked as usize,
            "booking {id}; {context}"
        );
        assert_eq!(
            done(OperationKind::Delete),
            1 - there as usize,
            "deleting {id}; {context}"
        );
    }
}

/// A refusal has words that say why; there is a reason; and the list is put right.
fn is_told(lanes: &mut Lanes, operation: &Operation, all: &[Operation], context: &str) {
    speaks_well(operation).expect("words for the clerk");
    if operation.state == OperationState::Done {
        return;
    }
    assert_eq!(operation.state, OperationState::Rejected, "{context}");
    let words = &operation.message;
    assert!(
        TOLD.iter().any(|told| words.contains(told)),
        "{words}; {context}"
    );
    let is_reason = |other: &Operation| {
        let same = |id| operation.consignments.contains(id);
        other.state == OperationState::Done && other.consignments.iter().any(same)
    };
    assert!(all.iter().any(is_reason), "refused for nothing; {context}");
    is_told_of(lanes, operation);
}
