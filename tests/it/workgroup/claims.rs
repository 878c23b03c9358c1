//! Claims and the events that release them.

use std::collections::HashMap;
use std::sync::Arc;

use workgroup::{ClaimError, WorkgroupState};

use super::{MemberOnly, consignments, event, operation, options, two_benches};
use crate::support::postgres::{Postgres, Stop};
use crate::support::runtime::runtime;
use crate::support::wait::{SOON, until};

#[test]
fn an_operation_gets_all_of_its_consignments_or_none_and_hears_who_has_them() {
    let server = Postgres::start();
    let [first, second] = two_benches(&server);
    let claimed = first.wait(first.workgroup.claim(&operation(1), &consignments([3, 4])));
    assert_eq!(claimed, Ok(()));

    let refused = second.wait(second.workgroup.claim(&operation(9), &consignments([4, 5])));
    let Err(ClaimError::Held(held)) = refused else {
        panic!("{refused:?}");
    };
    let [claim] = &*held else { panic!("{held:?}") };
    assert_eq!(claim.key.consignment_id(), Some(4));
    assert_eq!(
        (claim.bench_name.as_str(), claim.clerk.as_str()),
        ("Bench 1", "Mia")
    );
    assert_eq!(claim.operation, operation(1));
    assert!(claim.is_connected, "the bench is connected");

    // Nothing of the refused claim stays.
    let free = first.wait(first.workgroup.claim(&operation(2), &consignments([5])));
    assert_eq!(free, Ok(()));
}

#[test]
fn the_same_operation_may_claim_again_because_an_answer_may_have_been_lost() {
    let server = Postgres::start();
    let [bench, _] = two_benches(&server);
    for keys in [vec![1, 2], vec![1, 2], vec![1, 2, 3], vec![1, 1]] {
        let claimed = bench.wait(bench.workgroup.claim(&operation(1), &consignments(keys)));
        assert_eq!(claimed, Ok(()));
    }
    let claims = bench.wait(bench.workgroup.claims()).expect("claims");
    assert_eq!(claims.len(), 3);
    // A later operation of the bench may claim before the end of the earlier one is delivered, which then releases
    // nothing of it. An id may be used again after a restoration.
    let mut later = operation(1);
    later.made += jiff::SignedDuration::from_secs(1);
    let claimed = bench.wait(bench.workgroup.claim(&later, &consignments([3])));
    assert_eq!(claimed, Ok(()));
    let end = [event(&bench, &operation(1), "Done", true)];
    assert_eq!(bench.wait(bench.workgroup.deliver(&end)), Ok(()));
    let claims = bench.wait(bench.workgroup.claims()).expect("claims");
    let left: Vec<_> = claims
        .iter()
        .map(|claim| (claim.key.consignment_id(), claim.operation.clone()))
        .collect();
    assert_eq!(left, [(Some(3), later)]);
}

#[test]
fn the_end_of_an_operation_releases_its_claims_and_an_event_is_stored_once() {
    let server = Postgres::start();
    let [first, second] = two_benches(&server);
    let booking = operation(1);
    let keys = consignments(1..=50);
    assert_eq!(first.wait(first.workgroup.claim(&booking, &keys)), Ok(()));
    let other = operation(2);
    let kept = consignments([60]);
    assert_eq!(first.wait(first.workgroup.claim(&other, &kept)), Ok(()));

    let sending = [event(&first, &booking, "Sending", false)];
    assert_eq!(first.wait(first.workgroup.deliver(&sending)), Ok(()));
    let refused = second.wait(second.workgroup.claim(&operation(7), &keys));
    assert!(matches!(refused, Err(ClaimError::Held(held)) if held.len() == 50));

    // The answer to the first delivery was lost.
    let both = [sending[0].clone(), event(&first, &booking, "Done", true)];
    for _ in 0..2 {
        assert_eq!(first.wait(first.workgroup.deliver(&both)), Ok(()));
    }
    assert_eq!(
        second.wait(second.workgroup.claim(&operation(7), &keys)),
        Ok(())
    );
    let events = second
        .wait(second.workgroup.newest_events(10))
        .expect("events");
    let states: Vec<_> = events
        .iter()
        .map(|one| (one.state.as_str(), one.is_end))
        .collect();
    assert_eq!(states, [("Done", true), ("Sending", false)]);
    let claims = second.wait(second.workgroup.claims()).expect("claims");
    let of_others = claims.iter().filter(|claim| claim.operation == other);
    assert_eq!(of_others.count(), 1, "another operation's claim stays");
}

#[test]
fn benches_that_claim_the_same_at_the_same_time_never_both_get_it() {
    const BENCHES: i64 = 8;
    const ROUNDS: i64 = 30;
    let server = Postgres::start();
    let runtime = Arc::new(runtime(2));
    let benches: Vec<_> = (0..BENCHES)
        .map(|number| {
            let name = format!("Bench {number}");
            MemberOnly::join(&runtime, options(&server.address()), &name).connected()
        })
        .collect();
    let tasks: Vec<_> = benches
        .iter()
        .zip(0_i64..)
        .map(|(bench, number)| {
            let workgroup = bench.workgroup.clone();
            runtime.spawn(async move {
                let mut won = Vec::new();
                for round in 0..ROUNDS {
                    // Every bench asks for three of five consignments, in an order of its own.
                    let first = round * 5;
                    let mut ids: Vec<_> = (0..3).map(|id| first + (id + number) % 5).collect();
                    ids.reverse();
                    let claimed = workgroup
                        .claim(&operation(round), &consignments(ids.clone()))
                        .await;
                    match claimed {
                        Ok(()) => won.extend(ids),
                        Err(ClaimError::Held(held)) => assert!(!held.is_empty()),
                        Err(ClaimError::Database(error)) => panic!("{error}"),
                    }
                }
                won
            })
        })
        .collect();
    let mut winners = HashMap::new();
    for task in tasks {
        for id in runtime.block_on(task).expect("a bench") {
            *winners.entry(id).or_insert(0) += 1;
        }
    }
    assert!(winners.values().all(|count| *count == 1), "{winners:?}");
    assert!(
        i64::try_from(winners.len()).is_ok_and(|won| won >= ROUNDS * 3),
        "some bench wins each round"
    );
}

#[test]
fn a_claim_survives_a_power_cut_of_the_database_and_the_benches_connect_again() {
    let server = Postgres::start();
    let [first, second] = two_benches(&server);
    assert_eq!(
        first.wait(first.workgroup.claim(&operation(1), &consignments([1]))),
        Ok(())
    );
    server.stop(Stop::Immediately);
    let states = first.workgroup.state();
    until("the database is away", SOON, || {
        matches!(*states.borrow(), WorkgroupState::Away(_)).then_some(())
    });
    let refused = first.wait(first.workgroup.claim(&operation(2), &consignments([2])));
    assert!(
        matches!(refused, Err(ClaimError::Database(_))),
        "{refused:?}"
    );
    server.start_again();
    for bench in [&first, &second] {
        bench.wait_for(&WorkgroupState::Connected);
    }
    let refused = second.wait(second.workgroup.claim(&operation(1), &consignments([1])));
    assert!(matches!(refused, Err(ClaimError::Held(_))), "{refused:?}");
    assert_eq!(
        first.wait(first.workgroup.claim(&operation(2), &consignments([2]))),
        Ok(())
    );
}

#[test]
fn another_bench_hears_of_a_claim() {
    let server = Postgres::start();
    let [first, second] = two_benches(&server);
    let mut heard = second.workgroup.changes();
    heard.mark_unchanged();
    assert_eq!(
        first.wait(first.workgroup.claim(&operation(1), &consignments([1]))),
        Ok(())
    );
    until("the other bench hears of it", SOON, || {
        heard.has_changed().expect("a bench").then_some(())
    });
}
