//! 4: TEST and LIVE are shown only as far as the service's answers have proved them.

use std::time::Instant;

use app::state::KindEvidence;
use app::{Environment, Service};

use super::clerk::Place;
use crate::support::clerk::Clerk;
use crate::support::desk::Home;
use crate::support::wait::SOON;

const UNCONFIRMED: &str = "Marked as TEST, not confirmed";
const CONFIRMED: &str = "No carrier will collect";

/// The service with this user's token, marked as TEST.
fn marked_as_test(place: &Place, token: &str) -> Service {
    Service {
        environment: Environment::Test,
        ..Home::service(place.wire.base_url(), token)
    }
}

fn send_one(clerk: &mut Clerk) {
    clerk.await_locations(1);
    clerk.type_order();
    clerk.send();
}

fn evidence(clerk: &mut Clerk, wanted: KindEvidence) {
    clerk.until(&format!("{wanted:?}"), |core| {
        (core.shared.session.kind_evidence == wanted).then_some(())
    });
}

/// Frames until these words are drawn.
#[track_caller]
fn until_seen(clerk: &mut Clerk, words: &str) {
    let begun = Instant::now();
    while !clerk.sees(words) {
        assert!(begun.elapsed() < SOON, "never drawn: {words}");
        clerk.rest();
    }
}

#[test]
fn n4_test_is_promised_once_an_answer_has_shown_it_and_test_rows_are_marked() {
    let place = Place::new();
    let service = marked_as_test(&place, place.practice.test_token());
    let mut clerk = Clerk::at(&place.home, &service);
    clerk.await_locations(1);
    assert!(clerk.sees(UNCONFIRMED) && !clerk.sees(CONFIRMED));
    send_one(&mut clerk);
    evidence(&mut clerk, KindEvidence::Confirmed);
    assert!(clerk.sees(CONFIRMED) && !clerk.sees(UNCONFIRMED));

    // Another bench reads it in the first list, before anything is sent.
    let other = Home::new();
    let mut clerk = Clerk::at(&other, &service);
    evidence(&mut clerk, KindEvidence::Confirmed);
    assert!(clerk.sees(CONFIRMED));
    assert_eq!(place.wire.count("createConsignment"), 1);
    clerk.keys("<F3>");
    until_seen(&mut clerk, "Ballarat Farm & Garden, test");
    clerk.keys("<F5><Alt+2>");
    until_seen(&mut clerk, ", Unmanifested, test");
}

#[test]
fn n4_real_consignments_on_a_service_marked_as_test_are_named() {
    let place = Place::new();
    send_one(&mut place.clerk());
    let other = Home::new();
    let service = marked_as_test(&place, place.practice.token());
    let mut clerk = Clerk::at(&other, &service);
    evidence(&mut clerk, KindEvidence::Contradicted);
    assert!(clerk.sees("Marked as TEST, but recent consignments are real"));
    assert!(!clerk.sees(CONFIRMED));
}

#[test]
fn n4_live_is_not_promised_without_knowing_either() {
    let place = Place::new();
    let service = Service {
        environment: Environment::Live,
        ..place.service()
    };
    let mut clerk = Clerk::at(&place.home, &service);
    clerk.await_locations(1);
    assert!(clerk.sees("Marked as LIVE, not confirmed") && !clerk.sees("Carriers will collect"));
    send_one(&mut clerk);
    evidence(&mut clerk, KindEvidence::Confirmed);
    assert!(clerk.sees("Carriers will collect"));
}
