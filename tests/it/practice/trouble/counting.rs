//! Tests that a fault affects the calls that its operation and its count select, and no others.

use serde_json::json;

use super::{COMPANIES, get, order_of, post};
use crate::support::practice::{Bench, CREATE};
use crate::support::trouble::{Fault, FaultTiming, Troubled as _};

const PING: &str = "/apiv2/authenticate/ping";

/// The statuses of this many calls, one after the other.
async fn statuses(bench: &Bench, calls: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..calls {
        statuses.push(get(bench, COMPANIES).await.status());
    }
    statuses
}

fn away() -> Fault {
    Fault::Unavailable {
        when: FaultTiming::Before,
        retry_after: None,
    }
}

#[tokio::test]
async fn the_first_calls_pass_then_some_are_struck_then_all_is_well() {
    let bench = Bench::start().await;
    bench
        .trouble()
        .on(COMPANIES)
        .skip(2)
        .times(3)
        .set(away())
        .await;
    let came = statuses(&bench, 7).await;
    assert_eq!(came, [200, 200, 503, 503, 503, 200, 200]);
    let report = &bench.trouble().list().await[0];
    assert_eq!(
        (&report["seen"], &report["struck"], &report["over"]),
        (&json!(5), &json!(3), &json!(true))
    );
}

#[tokio::test]
async fn without_a_count_it_goes_on_until_it_is_cleared() {
    let bench = Bench::start().await;
    bench.trouble().on(COMPANIES).set(away()).await;
    assert_eq!(statuses(&bench, 3).await, [503, 503, 503]);
    bench.trouble().clear().await;
    assert_eq!(statuses(&bench, 2).await, [200, 200]);
    assert!(bench.trouble().list().await.is_empty());
}

#[tokio::test]
async fn other_operations_are_not_struck() {
    let bench = Bench::start().await;
    bench.trouble().on(CREATE).set(away()).await;
    assert_eq!(statuses(&bench, 1).await, [200]);
    assert_eq!(post(&bench, PING, &json!(null)).await.status(), 200);
    assert_eq!(post(&bench, CREATE, &order_of("SO-1")).await.status(), 503);
}

#[tokio::test]
async fn every_operation_is_struck_but_those_of_the_practice_service_itself() {
    let bench = Bench::start().await;
    bench.trouble().everywhere().set(away()).await;
    assert_eq!(statuses(&bench, 1).await, [503]);
    assert_eq!(post(&bench, PING, &json!(null)).await.status(), 503);
    let live = "/middleware/live-pricing/shop";
    assert_eq!(post(&bench, live, &json!({})).await.status(), 503);
    assert_eq!(get(&bench, "/t1/abc").await.status(), 503);
    for own in ["/practice/printJobs", "/practice/troubles", "/openapi.json"] {
        assert_eq!(get(&bench, own).await.status(), 200, "{own}");
    }
    assert_eq!(get(&bench, "/nowhere").await.status(), 404);
    assert_eq!(bench.trouble().struck().await, 4);
}

#[tokio::test]
async fn of_several_the_first_that_is_due_strikes_and_the_others_wait() {
    let bench = Bench::start().await;
    bench
        .trouble()
        .on(COMPANIES)
        .skip(1)
        .times(1)
        .set(away())
        .await;
    bench
        .trouble()
        .everywhere()
        .times(2)
        .set(Fault::Forbidden)
        .await;
    bench
        .trouble()
        .on(COMPANIES)
        .once()
        .set(Fault::Unauthorised)
        .await;
    let came = statuses(&bench, 5).await;
    assert_eq!(came, [403, 503, 403, 401, 200]);
}

#[tokio::test]
async fn calls_at_the_same_time_are_each_counted_once() {
    let bench = Bench::start().await;
    bench
        .trouble()
        .on(COMPANIES)
        .skip(3)
        .times(4)
        .set(away())
        .await;
    let address = bench.url(COMPANIES);
    let calls: Vec<_> = (0..12)
        .map(|_| {
            let request = bench.client.get(&address);
            tokio::spawn(request.header("token", bench.service.token()).send())
        })
        .collect();
    let mut struck = 0;
    for call in calls {
        let reply = call.await.expect("no panic").expect("a reply");
        struck += u32::from(reply.status() == 503);
    }
    assert_eq!(struck, 4);
}
