//! Invalid replies from a service: the bench stays usable, reports the problem without quoting the reply, and
//! never assumes that something was done.

mod replies;

use std::time::{Duration, Instant};

use app::state::{DispatchCommand, Notice, OperationState};
use client::{AvailabilityPolicy, Client, Connection, Failure, Timeouts};
use engine::EngineError;
use shipping::{ConsignmentId, ConsignmentRequest, LabelSize, ManifestGroup};
use tokio::runtime::Runtime;

use self::replies::{CANARY, Reply, all};
use crate::support::desk::{Home, open_wired_bench};
use crate::support::wire::{Fault, Then, Wire, answer};

const SHORT: Timeouts = Timeouts {
    connect: Duration::from_secs(2),
    read: Duration::from_millis(700),
    write: Duration::from_millis(700),
    create: Duration::from_millis(700),
    file: Duration::from_millis(700),
};

/// A policy that never blocks calls, so that a table of cases runs to its end.
fn never_resting() -> AvailabilityPolicy {
    AvailabilityPolicy {
        failures: u32::MAX,
        ..AvailabilityPolicy::default()
    }
}

fn client(wire: &Wire) -> Client {
    let mut connection = Connection::new(&wire.base_url(), "any".into()).expect("a connection");
    connection.timeouts = SHORT;
    connection.availability = never_resting();
    Client::new(&connection).expect("a client")
}

/// Clear words, and none of the reply's own.
fn must_be_clear(reply: &Reply, failure: &Failure) {
    let name = reply.name;
    let notice = Notice::failed("It did not work", &EngineError::Service(failure.clone()));
    assert!(notice.advice.len() > 10, "{name}: {notice:?}");
    assert!(notice.advice.len() < 800, "{name}: {}", notice.advice.len());
    let shown = format!("{notice:?} {failure}");
    assert!(!shown.contains(CANARY), "{name} is quoted: {shown}");
    assert!(!shown.contains("Okafor"), "{name} is quoted: {shown}");
}

/// A request to create a consignment; its content is irrelevant.
fn order() -> ConsignmentRequest {
    serde_json::from_str(r#"{"items":[]}"#).expect("a request")
}

fn group() -> ManifestGroup {
    serde_json::from_str(r#"{"consignmentIds":[7]}"#).expect("a group")
}

fn text(reply: &Reply) -> String {
    let Fault::Bytes(bytes, _) = &reply.fault else {
        unreachable!("every reply is bytes");
    };
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn there_are_at_least_sixty_and_each_has_its_own_name() {
    let mut names: Vec<_> = all().iter().map(|reply| reply.name).collect();
    let many = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), many);
    assert!(many >= 60, "{many}");
}

#[test]
fn no_hostile_reply_is_taken_for_something_that_was_made_or_booked() {
    let runtime = Runtime::new().expect("a runtime");
    let (order, group) = (order(), [group()]);
    for reply in all() {
        let name = reply.name;
        let wire = Wire::alone(reply.fault.clone());
        let client = client(&wire);
        let (made, booked, pending) = runtime.block_on(async {
            let pending = shipping::PendingConsignmentRequest::default();
            tokio::join!(
                client.create(&order),
                client.manifest(&group),
                client.create_pending(&pending)
            )
        });
        let made = made.map(drop).expect_err(name);
        // A pending consignment has an id and a number: what else stands beside them is no part of it.
        let pending = match pending {
            Ok(pending) => {
                assert_eq!(pending.id.get(), 7, "{name}");
                assert!(text(&reply).contains(r#"{"object":{"id":7,"#), "{name}");
                None
            }
            Err(failure) => Some(failure),
        };
        for failure in [Some(&made), pending.as_ref()].into_iter().flatten() {
            must_be_clear(&reply, failure);
            assert!(
                !failure.sent_nothing() && *failure != Failure::Unauthorised,
                "{name}: {failure:?} proves nothing"
            );
        }
        match booked {
            // Rows of nothing at all book nothing: each group is looked up by its ids.
            Ok(results) => assert!(
                results.iter().all(|result| !result.booking_successful),
                "{name}: {results:?}"
            ),
            Err(failure) => must_be_clear(&reply, &failure),
        }
        assert_eq!(wire.count("createConsignment"), 1, "{name}: sent once");
    }
}

#[test]
fn a_deletion_is_acknowledged_by_an_envelope_only() {
    let runtime = Runtime::new().expect("a runtime");
    for reply in all() {
        let wire = Wire::alone(reply.fault.clone());
        let deleted = runtime.block_on(client(&wire).delete(&[ConsignmentId::from(7)]));
        let Err(failure) = deleted else {
            let text = text(&reply);
            let says = ["\"errors\":null", "{\"object\":"]
                .iter()
                .any(|sign| text.contains(sign));
            let envelope = text.contains("200 OK") && says;
            assert!(envelope, "{} was believed", reply.name);
            continue;
        };
        must_be_clear(&reply, &failure);
    }
}

#[test]
fn reads_end_soon_with_clear_words() {
    let runtime = Runtime::new().expect("a runtime");
    for reply in all() {
        let name = reply.name;
        let wire = Wire::alone(reply.fault.clone());
        let client = client(&wire);
        let begun = Instant::now();
        let failures = runtime.block_on(async {
            let id = ConsignmentId::from(7);
            let ids = [id];
            let (list, form, label, documents) = tokio::join!(
                client.companies(None),
                client.edit_form(id),
                client.label_file(id, LabelSize::A6),
                client.documents(&ids),
            );
            [list.err(), form.err(), label.err(), documents.err()]
        });
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}");
        for failure in failures.into_iter().flatten() {
            must_be_clear(&reply, &failure);
        }
    }
}

#[test]
fn an_answer_that_is_cut_at_any_byte_is_not_believed() {
    let runtime = Runtime::new().expect("a runtime");
    let body = r#"{"object":{"id":7,"consignmentNumber":"MS7","trackingPageAccessToken":"t","items":[{"quantity":1}]},"errors":null}"#;
    let length = body.len();
    let whole = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let without_length = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{body}");
    let wire = Wire::alone(Fault::LoseRequest);
    let client = client(&wire);
    let order = order();
    let create = |text: &str| {
        wire.heal();
        wire.fail("/", Fault::Bytes(text.as_bytes().into(), Then::Close));
        runtime.block_on(client.create(&order))
    };
    assert!(create(&whole).is_ok(), "the whole answer is believed");
    assert!(create(&without_length).is_ok());
    for text in [whole, without_length] {
        for cut in 0..text.len() {
            let failure = create(&text[..cut]).map(drop).expect_err("cut");
            let proof = failure.sent_nothing()
                || matches!(failure, Failure::Refused(_) | Failure::Unauthorised);
            assert!(!proof, "at byte {cut}: {failure:?}");
        }
    }
}

#[test]
fn the_bench_shows_its_old_list_and_works_on_after_every_reply() {
    let (home, practice, wire) = Home::with_wire();
    let mut service = Home::service(wire.base_url(), practice.token());
    (service.limits, service.patience) = (SHORT, never_resting());
    let mut desk = home.open(&service);
    desk.create("SO-48213");
    desk.type_consignment("SO-48214");
    for reply in all() {
        wire.fail("getRecently", reply.fault.clone());
        desk.ask(DispatchCommand::Refresh);
        let list = desk.until(reply.name, |core| {
            let list = &core.shared.dispatch.unmanifested;
            (!list.is_loading()).then(|| list.value().map(|list| list.len()))
        });
        assert_eq!(list, Some(1), "{}: the list stays", reply.name);
        if let Some(problem) = desk.core.shared.dispatch.unmanifested.problem() {
            let notice = Notice::failed("Couldn't load the list", problem);
            assert!(!notice.advice.is_empty(), "{}", reply.name);
            assert!(!format!("{notice:?}").contains(CANARY), "{}", reply.name);
        }
        wire.heal();
    }
    assert_eq!(desk.core.editing.draft.reference1, "SO-48214");
    desk.send();
    desk.until_created("SO-48214");
}

#[test]
fn what_a_hostile_reply_did_is_found_out_by_looking() {
    for (fault, made) in [
        (answer("200 OK", "application/json", "[]"), false),
        (answer("200 OK", "text/html", "<html>Sign in</html>"), false),
        (Fault::LoseAnswer, true),
    ] {
        let (_home, _practice, wire, mut desk) = open_wired_bench();
        desk.type_consignment("SO-48213");
        wire.fail("/consignments/createConsignment", fault);
        desk.send();
        let state = desk.until("an end", |core| {
            let operation = core.shared.operations.list.first()?;
            let ended = matches!(
                operation.state,
                OperationState::Done | OperationState::Absent
            );
            ended.then_some(operation.state)
        });
        assert_eq!(state == OperationState::Done, made);
    }
}
