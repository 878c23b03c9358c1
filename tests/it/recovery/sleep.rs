//! After the machine slept or its clock was set: idle connections are dropped, and measured times are
//! discarded.

use std::time::{Duration, Instant};

use client::{Client, Connection, Failure};
use jiff::{SignedDuration, Timestamp};
use shipping::{Clock, ConsignmentId};
use tokio::runtime::{Builder, Runtime};

use crate::support::desk::NOW;
use crate::support::keepalive::{Keepalive, Then};
use crate::support::wait::{SOON, until};
use crate::support::wire::nobody;

fn clock() -> Clock {
    Clock::fixed(NOW.parse::<Timestamp>().expect("a moment"))
}

fn client(base_url: &str, clock: &Clock) -> Client {
    let mut connection = Connection::new(base_url, "any".into()).expect("a connection");
    // Far longer than the test takes: only a jump of the clock ends it.
    connection.availability.cooldown = Duration::from_hours(1);
    Client::new(&connection.with_clock(clock.clone())).expect("a client")
}

#[test]
fn idle_connections_are_dropped_when_the_clock_jumps() {
    // One thread: what a call leaves to be done is done when it has been given a few turns, and not some time later.
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let service = Keepalive::start(Then::Serve);
    let clock = clock();
    let client = client(&service.base_url(), &clock);
    let ping = || {
        let answer = runtime.block_on(async {
            let answer = client.ping().await;
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            answer
        });
        assert_eq!(answer, Ok(true));
    };
    (0..3).for_each(|_| ping());
    assert_eq!(service.connections(), 1, "reads keep their connection");
    clock.advance(SignedDuration::from_secs(29));
    ping();
    assert_eq!(service.connections(), 1, "that was no jump");
    clock.advance(SignedDuration::from_hours(8));
    ping();
    assert_eq!(service.connections(), 2, "a night later");
    clock.advance(SignedDuration::from_mins(-5));
    ping();
    ping();
    assert_eq!(service.connections(), 3, "set back, once");
}

#[test]
fn setting_a_running_clock_changes_no_age() {
    let clock = Clock::system();
    let before = clock.instant();
    clock.advance(SignedDuration::from_hours(8));
    let after = clock.instant();
    assert!(after - before < Duration::from_hours(8));
    clock.advance(SignedDuration::from_hours(-16));
    assert!(clock.instant() >= after);
}

#[test]
fn the_pulse_notices_a_jump_while_nobody_calls() {
    let runtime = Runtime::new().expect("a runtime");
    let service = Keepalive::start(Then::Serve);
    let clock = clock();
    let client = client(&service.base_url(), &clock);
    runtime.block_on(client.ping()).expect("an answer");
    clock.advance(SignedDuration::from_hours(8));
    assert!(
        !runtime.block_on(client.check_health()),
        "the service is as it was"
    );
    runtime.block_on(client.ping()).expect("an answer");
    assert_eq!(service.connections(), 2);
}

#[test]
fn calls_that_rested_before_the_sleep_go_out_after_it() {
    let runtime = Runtime::new().expect("a runtime");
    let address = nobody();
    let clock = clock();
    let client = client(&address, &clock);
    let delete = || runtime.block_on(client.delete(&[ConsignmentId::from(1)]));
    for _ in 0..5 {
        assert_eq!(delete(), Err(Failure::NeverSent));
    }
    assert_eq!(delete(), Err(Failure::Away));
    clock.advance(SignedDuration::from_hours(8));
    assert_eq!(delete(), Err(Failure::NeverSent), "it was tried");
}

#[test]
fn a_pulse_that_comes_late_means_that_the_machine_slept_whatever_the_clocks_say() {
    let runtime = Runtime::new().expect("a runtime");
    let service = Keepalive::start(Then::Serve);
    let connection = Connection::new(&service.base_url(), "any".into());
    let mut connection = connection.expect("a connection");
    connection.availability.cooldown = Duration::from_millis(10);
    connection.availability.max_clock_drift = Duration::from_millis(200);
    let client = Client::new(&connection).expect("a client");
    runtime.block_on(client.ping()).expect("an answer");
    runtime.block_on(client.check_health());
    let late = Instant::now() + Duration::from_millis(300);
    until("the pulse is late", SOON, || {
        (Instant::now() > late).then_some(())
    });
    runtime.block_on(client.check_health());
    runtime.block_on(client.ping()).expect("an answer");
    assert_eq!(service.connections(), 2);
}
