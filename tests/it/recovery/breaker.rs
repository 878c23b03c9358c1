//! The circuit breaker: after five failures in a row calls fail at once, until a ping finds the service back.

use std::time::{Duration, Instant};

use app::Core;
use app::state::{Command, Screen};
use client::{Client, Connection, Failure};
use engine::EngineError;
use shipping::ConsignmentId;
use tokio::runtime::Runtime;

use crate::support::desk::Home;
use crate::support::wait::{SOON, until};
use crate::support::wire::{Fault, Wire, answer};

const DELETE: &str = "deleteUnmanifestedConsignments";
const PING: &str = "authenticate/ping";
const CREATE: &str = "/consignments/createConsignment";

fn client(wire: &Wire, token: &str, rest: Duration) -> Client {
    let mut connection = Connection::new(&wire.base_url(), token.into()).expect("a connection");
    connection.timeouts.read = Duration::from_secs(2);
    connection.timeouts.write = Duration::from_secs(2);
    connection.availability.cooldown = rest;
    Client::new(&connection).expect("a client")
}

/// As long as a test takes, and longer.
const LONG: Duration = Duration::from_hours(1);

/// A client of a service that never answers.
fn before_nobody() -> (Runtime, Wire, Client) {
    let runtime = Runtime::new().expect("a runtime");
    let wire = Wire::alone(Fault::LoseRequest);
    let client = client(&wire, "any", LONG);
    (runtime, wire, client)
}

fn delete(runtime: &Runtime, client: &Client) -> Result<(), Failure> {
    runtime.block_on(client.delete(&[ConsignmentId::from(1)]))
}

#[test]
fn after_five_failures_calls_fail_at_once_and_leave_nothing_on_the_wire() {
    let (runtime, wire, client) = before_nobody();
    for _ in 0..5 {
        assert_eq!(delete(&runtime, &client), Err(Failure::Broken));
    }
    assert_eq!(wire.count(DELETE), 5);
    // The first failure was looked into.
    assert_eq!(wire.count(PING), 1);
    let begun = Instant::now();
    for _ in 0..100 {
        let stopped = delete(&runtime, &client).expect_err("the service is away");
        assert_eq!(stopped, Failure::Away);
        assert!(stopped.sent_nothing());
        assert_eq!(runtime.block_on(client.ping()), Err(Failure::Away));
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "at once");
    assert_eq!((wire.count(DELETE), wire.count(PING)), (5, 1));
    assert!(client.health().away_since.is_some());
}

#[test]
fn one_ping_finds_the_service_back_and_then_everything_goes_out_again() {
    let (home, practice, wire) = Home::with_wire();
    let client = client(&wire, practice.token(), Duration::from_millis(100));
    wire.fail("/", Fault::LoseRequest);
    for _ in 0..5 {
        delete(&home.runtime, &client).expect_err("nobody answers");
    }
    // It stays away: pings fail, the write stays here.
    until("three pings in vain", SOON, || {
        assert_eq!(delete(&home.runtime, &client), Err(Failure::Away));
        (wire.count(PING) >= 4).then_some(())
    });
    assert_eq!(wire.count(DELETE), 5);
    wire.heal();
    until("the write goes out", SOON, || {
        (delete(&home.runtime, &client) != Err(Failure::Away)).then_some(())
    });
    assert_eq!(wire.count(DELETE), 6);
    assert_eq!(client.health().away_since, None);
    assert_eq!(client.health().returns, 1);
}

#[test]
fn five_failures_stop_calls_for_ten_seconds_unless_the_bench_says_otherwise() {
    let connection = Connection::new("http://127.0.0.1:1", "any".into()).expect("a connection");
    let policy = connection.availability;
    assert_eq!(
        (policy.failures, policy.cooldown),
        (5, Duration::from_secs(10))
    );
}

#[test]
fn one_caller_in_each_rest_asks_whether_the_service_is_back() {
    let (home, practice, wire) = Home::with_wire();
    let client = client(&wire, practice.token(), Duration::from_secs(3));
    wire.fail("/", Fault::LoseRequest);
    for _ in 0..5 {
        delete(&home.runtime, &client).expect_err("nobody answers");
    }
    let pings = wire.count(PING);
    until("the first ping after the rest", SOON, || {
        assert_eq!(delete(&home.runtime, &client), Err(Failure::Away));
        (wire.count(PING) > pings).then_some(())
    });
    // The next rest has begun.
    for _ in 0..20 {
        assert_eq!(delete(&home.runtime, &client), Err(Failure::Away));
    }
    assert_eq!(wire.count(PING), pings + 1);
}

#[test]
fn a_web_page_is_no_sign_that_the_service_is_back() {
    let runtime = Runtime::new().expect("a runtime");
    let wire = Wire::alone(Fault::LoseRequest);
    let client = client(&wire, "any", Duration::from_millis(50));
    for _ in 0..5 {
        delete(&runtime, &client).expect_err("nobody answers");
    }
    wire.heal();
    wire.fail("/", answer("200 OK", "text/html", "<html>Sign in</html>"));
    until("two pings", SOON, || {
        assert_eq!(delete(&runtime, &client), Err(Failure::Away));
        (wire.count(PING) >= 3).then_some(())
    });
}

#[test]
fn a_service_that_answers_the_ping_with_a_failure_is_back_all_the_same() {
    let runtime = Runtime::new().expect("a runtime");
    for status in [
        "403 Forbidden",
        "404 Not Found",
        "429 Too Many Requests",
        "500 Internal Server Error",
    ] {
        let wire = Wire::alone(Fault::LoseRequest);
        let client = client(&wire, "any", Duration::from_millis(50));
        for _ in 0..5 {
            delete(&runtime, &client).expect_err("nobody answers");
        }
        wire.heal();
        wire.fail("/", answer(status, "text/plain", "no"));
        until("calls go out", SOON, || {
            (delete(&runtime, &client) != Err(Failure::Away)).then_some(())
        });
        assert_eq!(client.health().away_since, None, "{status}");
    }
}

#[test]
fn one_call_that_always_fails_is_no_sign_that_the_service_is_away() {
    let (home, practice, wire) = Home::with_wire();
    let client = client(&wire, practice.token(), LONG);
    wire.fail(DELETE, Fault::LoseRequest);
    for _ in 0..8 {
        assert_eq!(delete(&home.runtime, &client), Err(Failure::Broken));
        let health = client.health();
        assert_eq!((health.away_since, health.returns), (None, 0));
    }
}

#[test]
fn refusals_are_answers_and_never_stop_a_call() {
    let runtime = Runtime::new().expect("a runtime");
    let refusals = [
        (
            answer("401 Unauthorized", "application/json", ""),
            Failure::Unauthorised,
        ),
        (
            answer("500 Internal Server Error", "text/plain", "oops"),
            Failure::Status(500),
        ),
        (
            answer("429 Too Many Requests", "text/plain", "slower"),
            Failure::Status(429),
        ),
    ];
    for (fault, failure) in refusals {
        let wire = Wire::alone(fault);
        let client = client(&wire, "any", LONG);
        for _ in 0..8 {
            assert_eq!(delete(&runtime, &client), Err(failure.clone()));
        }
        assert_eq!(wire.count(DELETE), 8);
        assert_eq!(client.health().away_since, None);
    }
}

#[test]
fn a_gateway_that_answers_for_a_service_that_is_away_counts() {
    let runtime = Runtime::new().expect("a runtime");
    for status in ["502 Bad Gateway", "503 Service Unavailable"] {
        let wire = Wire::alone(answer(status, "text/html", "<html>nginx</html>"));
        let client = client(&wire, "any", LONG);
        for _ in 0..5 {
            delete(&runtime, &client).expect_err("a gateway's words");
        }
        assert_eq!(delete(&runtime, &client), Err(Failure::Away), "{status}");
    }
}

#[test]
fn somebody_who_asks_for_it_is_not_held_back() {
    let (runtime, wire, client) = before_nobody();
    for _ in 0..5 {
        delete(&runtime, &client).expect_err("nobody answers");
    }
    client.reconnect();
    assert_eq!(delete(&runtime, &client), Err(Failure::Broken));
    assert_eq!(wire.count(DELETE), 6);
}

#[test]
fn a_consignment_that_the_breaker_stops_is_not_sent_and_stays_as_typed() {
    let (home, practice, wire) = Home::with_wire();
    let mut service = Home::service(wire.base_url(), practice.token());
    service.patience.cooldown = LONG;
    let mut desk = home.open(&service);
    desk.type_consignment("SO-48213");
    desk.until("the list", |core| {
        core.shared.dispatch.unmanifested.value().map(|_| ())
    });
    wire.fail("/", Fault::LoseRequest);
    // Refresh the list until no more calls are sent.
    let rests = |core: &Core| {
        matches!(
            core.shared.dispatch.unmanifested.problem(),
            Some(EngineError::Service(Failure::Away))
        )
    };
    for _ in 0..6 {
        desk.ask(Command::Show(Screen::Dispatch));
        desk.until("an end", |core| {
            let list = &core.shared.dispatch.unmanifested;
            (list.problem().is_some() && !list.is_loading()).then_some(())
        });
    }
    assert!(rests(&desk.core), "calls rest");
    desk.send();
    desk.until("told", |core| {
        core.shared
            .notices
            .shown
            .first()
            .map(|(_, notice)| notice.clone())
    });
    assert_eq!(wire.count(CREATE), 0, "nothing was sent");
    assert_eq!(desk.core.editing.draft.reference1, "SO-48213");
}
