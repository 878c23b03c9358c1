//! Faults of the connection: dropped before or after the call takes effect, and cut off at an exact byte.

use super::{COMPANIES, Came, get, made, order_of, post};
use crate::support::practice::{Bench, CREATE};
use crate::support::trouble::{Fault, Troubled as _};

#[tokio::test]
async fn a_call_that_fails_before_gets_no_byte_and_does_nothing() {
    let bench = Bench::start().await;
    for reset in [false, true] {
        let trouble = bench.trouble().on(CREATE).once();
        trouble.set(Fault::FailBefore { reset }).await;
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert_eq!((came.bytes.len(), came.reset), (0, reset));
    }
    assert_eq!(made(&bench).await, 0);
}

#[tokio::test]
async fn a_call_that_fails_after_gets_no_byte_and_is_done() {
    let bench = Bench::start().await;
    for (count, reset) in [(1, false), (2, true)] {
        let trouble = bench.trouble().on(CREATE).once();
        trouble.set(Fault::FailAfter { reset }).await;
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert_eq!((came.bytes.len(), came.reset), (0, reset));
        assert_eq!(made(&bench).await, count, "it was committed by then");
    }
}

/// Without the date that the answer was made at.
fn undated(mut bytes: Vec<u8>, whole: &Came) -> Vec<u8> {
    let text = whole.text();
    let from = text.find("\r\ndate: ").expect("a date") + "\r\ndate: ".len();
    let to = from + text[from..].find("\r\n").expect("its end");
    let end = to.min(bytes.len());
    if from < end {
        bytes[from..end].fill(b'-');
    }
    bytes
}

#[tokio::test]
async fn a_cut_lets_exactly_so_many_bytes_through() {
    let bench = Bench::start().await;
    let whole = get(&bench, COMPANIES).await;
    let all = whole.bytes.len();
    let head = all - whole.body().len();
    for (at, reset) in [
        (0, false),
        (1, true),
        (17, false),
        (head - 2, true),
        (head, false),
        (head + 1, true),
        (all - 1, false),
    ] {
        let trouble = bench.trouble().on(COMPANIES).once();
        let cut = u64::try_from(at).expect("a length");
        trouble.set(Fault::Cut { at: cut, reset }).await;
        let came = get(&bench, COMPANIES).await;
        assert_eq!((came.bytes.len(), came.reset), (at, reset));
        let expected = undated(whole.bytes[..at].to_vec(), &whole);
        assert_eq!(undated(came.bytes, &whole), expected);
    }
}

#[tokio::test]
async fn a_cut_behind_the_end_cuts_nothing_and_no_later_answer() {
    let bench = Bench::start().await;
    let trouble = bench.trouble().on(COMPANIES).once();
    let length = u64::try_from(get(&bench, COMPANIES).await.bytes.len()).expect("a length");
    let (at, reset) = (length + 10, true);
    trouble.set(Fault::Cut { at, reset }).await;
    // These two come over one connection, which the client keeps.
    assert!(bench.fetched(COMPANIES).await.is_array());
    assert!(bench.fetched(COMPANIES).await.is_array());
    assert_eq!(bench.trouble().struck().await, 1);
}

#[tokio::test]
async fn what_is_cut_was_done() {
    let bench = Bench::start().await;
    let trouble = bench.trouble().on(CREATE).once();
    let (at, reset) = (100, true);
    trouble.set(Fault::Cut { at, reset }).await;
    let came = post(&bench, CREATE, &order_of("SO-1")).await;
    assert_eq!((came.bytes.len(), came.reset), (100, true));
    assert_eq!(made(&bench).await, 1);
}
