//! Speed of the label queue with 100,000 unmanifested consignments.

use std::time::{Duration, Instant};

use app::state::{Environment, LabelPart, LabelState, Remote, Shared};
use shipping::ConsignmentId;

const ROWS: i64 = 100_000;

fn shared() -> Shared {
    let now = crate::support::desk::NOW.parse().expect("a moment");
    let mut shared = Shared::new(now, Environment::Practice);
    let list = (1..=ROWS).rev().map(ConsignmentId::new);
    shared.dispatch.unmanifested = Remote::ready(list.collect());
    shared.arrange_labels();
    shared
}

fn parts(shared: &Shared) -> Vec<Vec<ConsignmentId>> {
    LabelPart::ALL
        .map(|part| shared.labels.queue.part(part).to_vec())
        .into()
}

#[test]
fn a_batch_of_five_hundred_moves_through_a_queue_of_a_hundred_thousand() {
    let mut shared = shared();
    let now = shared.now;
    let batch: Vec<_> = (1..=500).map(|at| ConsignmentId::new(at * 190)).collect();
    let started = Instant::now();
    for id in &batch {
        shared.labels.set_state(*id, LabelState::Printing);
    }
    for (at, id) in batch.iter().enumerate() {
        let state = match at % 50 {
            0 => LabelState::Failed("out of labels".to_owned()),
            1 => LabelState::Uncertain("the connection broke".to_owned()),
            _ => LabelState::Sent(now),
        };
        shared.labels.set_state(*id, state);
    }
    let took = started.elapsed();
    let counts = LabelPart::ALL.map(|part| shared.labels.queue.part(part).len());
    assert_eq!(counts, [10, 10, 0, 0, 99_500, 480]);
    // Unoptimised, on a busy machine. Sorting all labels for each of the thousand moves would take far longer.
    assert!(took < Duration::from_secs(10), "{took:?}");
    let moved = parts(&shared);
    shared.arrange_labels();
    assert_eq!(parts(&shared), moved, "moving and sorting anew agree");
}

#[test]
fn the_queue_lists_each_consignment_once_whatever_becomes_of_its_label() {
    let mut shared = shared();
    let id = ConsignmentId::new(77_777);
    for state in [
        LabelState::FailedVerification("no barcode".to_owned()),
        LabelState::Printing,
        LabelState::Stale,
        LabelState::AtService("token dock-4".to_owned()),
        LabelState::Waiting,
    ] {
        shared.labels.set_state(id, state);
        assert_eq!(
            shared.labels.queue.iter().filter(|one| *one == id).count(),
            1
        );
        assert_eq!(shared.labels.queue.len(), 100_000);
    }
    // One that is in no list has a state, and no place in the queue.
    shared
        .labels
        .set_state(ConsignmentId::new(1_000_000), LabelState::Printing);
    assert_eq!(shared.labels.queue.len(), 100_000);
}
