//! Faults of time: a late start, a late answer, and a commit after the client has given up.

use std::time::{Duration, Instant};

use super::{asked, came, made, order_of, post, until};
use crate::support::practice::{Bench, CREATE};
use crate::support::trouble::{Fault, Troubled as _};

const MS: u64 = 400;
const LATE: Duration = Duration::from_millis(MS);
/// Longer than a test may take.
const NEVER_MS: u64 = 600_000;

#[tokio::test]
async fn delayed_calls_are_answered_late_and_rightly() {
    let bench = Bench::start().await;
    let faults = [
        Fault::DelayBefore { ms: MS },
        Fault::DelayAfter { ms: MS },
        Fault::CommitLate { ms: MS },
    ];
    for (count, fault) in faults.into_iter().enumerate() {
        bench.trouble().on(CREATE).once().set(fault).await;
        let begun = Instant::now();
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert!(begun.elapsed() >= LATE, "{:?}", begun.elapsed());
        assert_eq!(came.status(), 200);
        assert!(came.json()["object"]["id"].is_i64());
        assert_eq!(made(&bench).await, count + 1);
    }
}

/// Sends a create and hangs up when it has been struck.
async fn left(bench: &Bench, fault: Fault) -> Instant {
    bench.trouble().on(CREATE).once().set(fault).await;
    let begun = Instant::now();
    let stream = asked(bench, "POST", CREATE, &order_of("SO-1").to_string()).await;
    until("it is struck", async || {
        (bench.trouble().struck().await == 1).then_some(())
    })
    .await;
    drop(stream);
    begun
}

#[tokio::test]
async fn what_is_committed_late_is_committed_though_its_client_has_left() {
    let bench = Bench::start().await;
    let begun = left(&bench, Fault::CommitLate { ms: MS }).await;
    let before = made(&bench).await;
    if begun.elapsed() < LATE {
        assert_eq!(before, 0, "not yet");
    }
    is_committed(&bench).await;
}

/// Waits until there is one consignment.
async fn is_committed(bench: &Bench) {
    let is_made = async || (made(bench).await == 1).then_some(());
    until("it is committed", is_made).await;
}

#[tokio::test]
async fn what_was_done_at_once_is_there_though_its_client_has_left() {
    let bench = Bench::start().await;
    left(&bench, Fault::DelayAfter { ms: NEVER_MS }).await;
    is_committed(&bench).await;
}

#[tokio::test]
async fn what_was_not_begun_is_not_begun_when_its_client_has_left() {
    let bench = Bench::start().await;
    left(&bench, Fault::DelayBefore { ms: MS }).await;
    // One that is struck after it, by the same fault, ends after it would have.
    let trouble = bench.trouble().on(CREATE).once();
    trouble.set(Fault::DelayBefore { ms: 2 * MS }).await;
    assert_eq!(post(&bench, CREATE, &order_of("SO-2")).await.status(), 200);
    assert_eq!(made(&bench).await, 1, "only the second");
}

#[tokio::test]
async fn stopping_the_service_waits_for_no_delay() {
    let bench = Bench::start().await;
    let mut streams = Vec::new();
    for fault in [
        Fault::DelayBefore { ms: NEVER_MS },
        Fault::DelayAfter { ms: NEVER_MS },
        Fault::CommitLate { ms: NEVER_MS },
    ] {
        bench.trouble().on(CREATE).once().set(fault).await;
        let order = order_of("SO-1").to_string();
        streams.push(asked(&bench, "POST", CREATE, &order).await);
    }
    until("all are struck", async || {
        (bench.trouble().struck().await == 3).then_some(())
    })
    .await;
    let folder = bench.stop().await;
    for (stream, answered) in streams.into_iter().zip([false, true, false]) {
        assert_eq!(!came(stream).await.bytes.is_empty(), answered);
    }
    let again = Bench::start_in(folder).await;
    assert_eq!(made(&again).await, 1, "what was answered, and no more");
}
