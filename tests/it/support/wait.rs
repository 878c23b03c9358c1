//! Waits for a condition, never for a fixed time. Every wait has a limit, and a failure names the condition.

use std::thread;
use std::time::{Duration, Instant};

/// For what happens at once on an idle machine: generous, because two cores may be busy with a build.
pub(crate) const SOON: Duration = Duration::from_secs(30);

const PAUSE: Duration = Duration::from_millis(10);

/// Asks `probe` until it answers, and fails naming `what` when `limit` has passed.
#[track_caller]
pub(crate) fn until<T>(what: &str, limit: Duration, mut probe: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = probe() {
            return answer;
        }
        assert!(start.elapsed() < limit, "after {limit:?} still not: {what}");
        thread::sleep(PAUSE);
    }
}

#[test]
fn waiting_ends_with_the_answer() {
    let mut asked = 0;
    let answer = until("asked three times", SOON, || {
        asked += 1;
        (asked == 3).then_some(asked)
    });
    assert_eq!(answer, 3);
}

#[test]
#[should_panic(expected = "still not: the impossible")]
fn waiting_in_vain_says_for_what() {
    until("the impossible", Duration::from_millis(20), || None::<()>);
}
