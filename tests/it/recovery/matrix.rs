//! Every fault with every kind of operation: nothing is done twice, and the bench assumes nothing that is not
//! true.
//!
//! The faults are injected by the practice service, exact to the byte. In each cell a fault affects the
//! write, then a simulated clerk finishes the task. The bench's state is compared with the service's
//! database.

mod cell;
mod faults;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use app::state::OperationState;
use practice::Fault;
use reqwest::header::CONTENT_TYPE;
use storage::OperationKind;

use super::errands::{Errand, order};
use super::kinds::send_again;
use crate::support::lanes::Site;
use crate::support::practice::client;
use crate::support::trouble::{FaultTiming, Troubled as _};
use crate::support::wait::{SOON, until};
use cell::Row;
use faults::{FAULTS, Strike};

/// Services at once, each with a row of its own: cells mostly wait for answers that do not come.
const THREADS: usize = 6;

#[test]
fn each_fault_with_each_kind_doubles_nothing_and_believes_nothing_that_is_missing() {
    let started = Instant::now();
    let rows = Mutex::new(FAULTS.iter().rev().collect::<Vec<_>>());
    let played = Mutex::new(Vec::new());
    let work = || {
        let site = Site::open();
        while let Some((name, strike)) = { rows.lock().expect("rows").pop() } {
            let row = catch_unwind(AssertUnwindSafe(|| cell::play(&site, name, *strike)));
            let row = row.unwrap_or_else(|panic| Row::broken(name, &*panic));
            played.lock().expect("rows").push(row);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let thread = std::thread::Builder::new().name("row".to_owned());
            thread.spawn_scoped(scope, work).expect("a thread");
        }
    });
    let played = played.into_inner().expect("rows");
    let cells: usize = played.iter().map(|row| row.cells.len()).sum();
    let table = table(&played);
    eprintln!("{cells} cells in {:?}\n{table}", started.elapsed());
    assert!(
        played.iter().all(Row::holds),
        "not all cells hold:\n{table}"
    );
    assert_eq!(cells, FAULTS.len() * OperationKind::ALL.len());
    assert!(cells >= 192, "24 faults and 8 kinds at least");
}

/// A line for each cell: what the operation went through, and what went wrong where it did.
fn table(rows: &[Row]) -> String {
    let mut table = String::new();
    for row in rows {
        let _infallible = writeln!(table, "{}", row.fault);
        for cell in &row.cells {
            let kind = format!("{:?}", cell.kind);
            let _infallible = writeln!(table, "  {kind:<14} {}", cell.words);
        }
    }
    table
}

/// What is later than every check is believed not to have happened: that is put right before anything is sent again.
#[test]
fn what_happens_after_every_check_is_found_before_it_is_sent_again() {
    let site = Site::open();
    for kind in OperationKind::ALL
        .iter()
        .filter(|kind| kind.can_be_reconciled())
    {
        let errand = Errand::prepare(&site, *kind, &format!("late-{kind:?}"));
        let trouble = site.practice.trouble().on(Errand::path(*kind)).once();
        trouble.set_now(Fault::CommitLate { ms: 5_000 });
        let mut lanes = cell::bench(&site, &format!("late-{kind:?}"), &site.practice.base_url());
        lanes.ask(errand.request.clone());
        let absent = lanes.until_newest_is(OperationState::Absent);
        assert_eq!(errand.happened(&site.truth()), 0, "{kind:?}: not yet");
        until("it happens late", SOON, || {
            (errand.happened(&site.truth()) == 1).then_some(())
        });
        send_again(&site, &mut lanes, &errand, (&absent, 1));
    }
}

/// The counter-proof: were writes sent again by themselves, these tests would see it.
#[test]
fn a_client_that_sends_a_write_again_blindly_does_it_twice() {
    let site = Site::open();
    let faults = [
        Fault::FailAfter { reset: false },
        Fault::FailAfter { reset: true },
        Fault::Cut { at: 1, reset: true },
        Fault::TruncatedJson,
        Fault::DelayAfter { ms: 6_000 },
        Fault::Internal {
            when: FaultTiming::After,
        },
    ];
    for (nth, fault) in faults.into_iter().enumerate() {
        let reference = format!("blind-{nth}");
        let trouble = site
            .practice
            .trouble()
            .on(Errand::path(OperationKind::Create));
        trouble.once().set_now(fault.clone());
        site.runtime
            .block_on(create_until_it_is_answered(&site, &reference));
        let made = site.truth().count(
            "SELECT count(*) FROM consignment WHERE json_extract(document, '$.job.customer_reference') = ?1",
            &reference,
        );
        assert_eq!(made, 2, "{fault:?} doubles what is sent again blindly");
    }
}

/// As many a client does: whatever is not a good answer is a reason to try once more.
async fn create_until_it_is_answered(site: &Site, reference: &str) {
    let url = format!(
        "{}{}",
        site.practice.base_url(),
        Errand::path(OperationKind::Create)
    );
    let body = serde_json::to_string(&order(reference)).expect("JSON");
    for _ in 0..3 {
        let request = client().post(&url).header("token", site.token());
        let request = request.header(CONTENT_TYPE, "application/json");
        let request = request.timeout(Duration::from_secs(3)).body(body.clone());
        let answer = match request.send().await {
            Ok(answer) if answer.status().is_success() => answer.text().await,
            _ => continue,
        };
        let is_json = |text: &String| serde_json::from_str::<serde_json::Value>(text).is_ok();
        if answer.is_ok_and(|text| is_json(&text)) {
            return;
        }
    }
    panic!("three tries, and no answer");
}

#[test]
fn the_faults_have_names_of_their_own() {
    let mut names: Vec<_> = FAULTS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FAULTS.len());
    assert!(matches!(FAULTS[0].1, Strike::Write(_)));
}
