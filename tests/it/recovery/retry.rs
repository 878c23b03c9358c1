//! Reads are tried three times, writes are sent once. Also tests what counts as proof that a request was
//! never sent.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use app::state::Notice;
use client::{Client, Connection, Failure};
use engine::EngineError;
use shipping::{Clock, ConsignmentId};
use tokio::runtime::Runtime;

use crate::support::desk::Home;
use crate::support::wait::{SOON, until};
use crate::support::wire::{Fault, Wire, answer, nobody};

const DELETE: &str = "deleteUnmanifestedConsignments";
const COMPANIES: &str = "companies/getAll";

fn client(base_url: &str, token: &str) -> Client {
    let mut connection = Connection::new(base_url, token.into()).expect("a connection");
    connection.timeouts.read = Duration::from_millis(1500);
    connection.timeouts.write = Duration::from_millis(1500);
    connection.availability.failures = u32::MAX;
    Client::new(&connection).expect("a client")
}

fn pause(status: &str, value: &str) -> Fault {
    Fault::Answer(format!(
        "HTTP/1.1 {status}\r\nretry-after: {value}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    ))
}

fn delete(runtime: &Runtime, client: &Client) -> Failure {
    let deleted = runtime.block_on(client.delete(&[ConsignmentId::from(1)]));
    deleted.expect_err("it cannot succeed")
}

#[test]
fn a_read_is_tried_three_times_in_all_where_the_failure_is_a_passing_one() {
    let runtime = Runtime::new().expect("a runtime");
    for (fault, failure, tries) in [
        (
            answer("503 Service Unavailable", "text/plain", ""),
            Failure::Status(503),
            3,
        ),
        (Fault::LoseRequest, Failure::Broken, 3),
        (
            answer("500 Internal Server Error", "text/plain", ""),
            Failure::Status(500),
            1,
        ),
        (
            answer("401 Unauthorized", "text/plain", ""),
            Failure::Unauthorised,
            1,
        ),
    ] {
        let wire = Wire::alone(fault);
        let asked = runtime.block_on(client(&wire.base_url(), "any").companies(None));
        assert_eq!(asked.err(), Some(failure));
        assert_eq!(wire.count(COMPANIES), tries);
    }
}

#[test]
fn a_pause_that_the_service_asks_for_is_kept_and_then_the_read_succeeds() {
    let (home, practice, wire) = Home::with_wire();
    wire.fail(COMPANIES, pause("429 Too Many Requests", "1"));
    let client = client(&wire.base_url(), practice.token());
    let begun = Instant::now();
    let asked = home
        .runtime
        .spawn(async move { client.companies(None).await });
    until("asked once", SOON, || {
        (wire.count(COMPANIES) == 1).then_some(())
    });
    wire.heal();
    let companies = home.runtime.block_on(asked).expect("no panic");
    assert!(!companies.expect("companies").is_empty());
    assert!(begun.elapsed() >= Duration::from_secs(1), "the pause");
    assert_eq!(wire.count(COMPANIES), 2);
}

#[test]
fn a_pause_is_seconds_or_a_date_and_nothing_else() {
    let runtime = Runtime::new().expect("a runtime");
    let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
    for (value, seconds) in [
        ("7", Some(7)),
        ("Fri, 20 Nov 2026 03:05:30 GMT", Some(30)),
        ("Fri, 20 Nov 2026 03:04:30 GMT", Some(0)),
        ("99999999999999999999999999", Some(86_400)),
        ("", None),
        ("-1", None),
        ("soon", None),
        ("1.5", None),
        ("2026-11-20T03:05:30Z", None),
    ] {
        let wire = Wire::alone(pause("429 Too Many Requests", value));
        let connection = Connection::new(&wire.base_url(), "any".into()).expect("a connection");
        let client = Client::new(&connection.with_clock(Clock::fixed(now))).expect("a client");
        let expected = seconds.map_or(Failure::Status(429), |seconds| Failure::Busy {
            status: 429,
            pause: Duration::from_secs(seconds),
        });
        assert_eq!(delete(&runtime, &client), expected, "{value}");
    }
}

#[test]
fn a_long_pause_is_told_and_not_waited_for() {
    let runtime = Runtime::new().expect("a runtime");
    for (value, seconds) in [("61", 61), ("300", 300), ("999999999", 86_400)] {
        let wire = Wire::alone(pause("503 Service Unavailable", value));
        let asked = runtime.block_on(client(&wire.base_url(), "any").companies(None));
        let failure = asked.expect_err("a pause");
        let busy = Failure::Busy {
            status: 503,
            pause: Duration::from_secs(seconds),
        };
        assert_eq!(failure, busy);
        assert_eq!(wire.count(COMPANIES), 1, "asked once");
    }
    let busy = Failure::Busy {
        status: 429,
        pause: Duration::from_mins(5),
    };
    let notice = Notice::failed("Couldn't load the list", &EngineError::Service(busy));
    assert_eq!(notice.advice, "The service is busy. Try again in 5 minutes");
}

#[test]
fn a_write_is_sent_once_whatever_comes_back_and_is_not_taken_for_unsent() {
    let runtime = Runtime::new().expect("a runtime");
    let faults = [
        pause("429 Too Many Requests", "0"),
        pause("503 Service Unavailable", "1"),
        answer("429 Too Many Requests", "text/plain", ""),
        answer("500 Internal Server Error", "text/plain", ""),
        answer("502 Bad Gateway", "text/html", "<html></html>"),
        answer("503 Service Unavailable", "text/plain", ""),
        answer("504 Gateway Timeout", "text/plain", ""),
        answer("408 Request Timeout", "text/plain", ""),
        answer("307 Temporary Redirect", "text/plain", ""),
        Fault::LoseRequest,
        Fault::LoseAnswer,
        Fault::Silence(Duration::from_secs(3)),
        Fault::Answer("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{\"obj".to_owned()),
    ];
    for fault in faults {
        let wire = Wire::alone(fault.clone());
        let failure = delete(&runtime, &client(&wire.base_url(), "any"));
        assert_eq!(wire.count(DELETE), 1, "{fault:?}");
        assert!(
            !failure.sent_nothing() && failure != Failure::Unauthorised,
            "{fault:?}: {failure}"
        );
    }
}

#[test]
fn nothing_was_sent_where_no_connection_stood() {
    let runtime = Runtime::new().expect("a runtime");
    let address = nobody();
    assert_eq!(
        delete(&runtime, &client(&address, "any")),
        Failure::NeverSent
    );
}

#[test]
fn nothing_was_sent_where_the_time_ran_out_before_the_body_was_asked_for() {
    let runtime = Runtime::new().expect("a runtime");
    let mute = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = mute.local_addr().expect("its number");
    // TLS never gets its answer, and the whole limit is over before the limit of connecting is.
    let unsent = delete(&runtime, &client(&format!("https://{address}"), "any"));
    assert_eq!(unsent, Failure::NeverSent);
    // In plain HTTP the kernel has taken it all.
    let sent = delete(&runtime, &client(&format!("http://{address}"), "any"));
    assert_eq!(sent, Failure::TimedOut);
    // Without a body there is nothing to be seen: not proven.
    let bare = runtime.block_on(client(&format!("https://{address}"), "any").ping());
    assert_eq!(bare, Err(Failure::TimedOut));
}
