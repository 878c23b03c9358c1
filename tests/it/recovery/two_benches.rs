//! Two benches on one service, working on the same consignments at once: nothing is booked twice, and each
//! learns what the other did.

mod bench;
mod rounds;

use std::sync::Arc;

use app::state::{Operation, OperationState};
use engine::{ConsignmentEdit, FaultPoint, Payload, Request};
use shipping::{ConsignmentId, EditForm, ManifestGroup};
use storage::OperationKind;

use super::errands::order;
use crate::support::lanes::{Lanes, Site};
use bench::{Meeting, ended, is_told_of, manifests_of, open};

/// Consignments that the service groups together.
fn made(site: &Site, count: usize, reference: &str) -> Vec<ConsignmentId> {
    let client = site.client();
    let one = |nth| {
        let order = order(&format!("{reference}-{nth}"));
        site.runtime
            .block_on(client.create(&order))
            .expect("made")
            .id
    };
    (0..count).map(one).collect()
}

fn grouped(site: &Site, ids: &[ConsignmentId]) -> ManifestGroup {
    let client = site.client();
    let mut groups = site.runtime.block_on(client.group(ids)).expect("grouped");
    let mut group = groups.pop().expect("a group");
    assert!(groups.is_empty(), "they belong together");
    group.dgs_declaration = Some(false);
    group
}

fn book(site: &Site, group: ManifestGroup) -> Request {
    Request::Book {
        groups: vec![group],
        grouped: site.clock.now(),
    }
}

fn form(site: &Site, id: ConsignmentId) -> EditForm {
    let client = site.client();
    site.runtime.block_on(client.edit_form(id)).expect("a form")
}

fn edit(seen: &EditForm, field: &str, text: &str) -> Request {
    let mut form = seen.clone();
    form.set(field, &text);
    let seen = seen.clone();
    Request::Perform(Payload::Edit(Box::new(ConsignmentEdit { seen, form })))
}

/// Asks both at once for what both have found to hold still: neither is sent before the other was looked at.
fn both(site: &Site, ours: Request, theirs: Request) -> ([Operation; 2], [Lanes; 2]) {
    let meeting = Arc::new(Meeting::default());
    let bench = |name| {
        let meeting = Arc::clone(&meeting);
        let witness = Arc::new(move |milestone| {
            if milestone == FaultPoint::PreconditionsChecked {
                meeting.wait();
            }
        });
        open(site, name, witness)
    };
    let (mut left, mut right) = (bench("Bench1"), bench("Bench2"));
    left.ask(ours);
    right.ask(theirs);
    let operations = [ended(&mut left), ended(&mut right)];
    assert!(meeting.took_place(), "both were about to be sent");
    (operations, [left, right])
}

/// Who of the two was first, and who was told so.
fn first_and_second(operations: &[Operation; 2]) -> (usize, usize) {
    let done = |operation: &Operation| operation.state == OperationState::Done;
    match operations.each_ref().map(done) {
        [true, false] => (0, 1),
        [false, true] => (1, 0),
        other => panic!("one is done and one refused, not {other:?}: {operations:#?}"),
    }
}

#[test]
fn booked_by_both_at_once_is_booked_once_and_the_other_is_told() {
    let site = Site::open();
    for round in 0..5 {
        let ids = made(&site, 3, &format!("both-{round}"));
        let (ours, theirs) = (grouped(&site, &ids), grouped(&site, &ids));
        let (operations, mut benches) = both(&site, book(&site, ours), book(&site, theirs));
        let (_, second) = first_and_second(&operations);
        let words = &operations[second].message;
        assert!(words.contains("already manifested"), "{words}");
        is_told_of(&mut benches[second], &operations[second]);
        for id in &ids {
            assert_eq!(manifests_of(&site, *id), 1, "{id}");
            assert!(benches[second].seen[id].is_manifested(), "{id}");
        }
    }
}

#[test]
fn changed_by_both_at_once_is_changed_once_and_the_other_is_told() {
    let site = Site::open();
    for round in 0..5 {
        let id = made(&site, 1, &format!("change-{round}"))[0];
        let seen = form(&site, id);
        let ours = edit(&seen, "specialInstructions", "Ring the bell");
        let theirs = edit(&seen, "toContact", "A. Nguyen");
        let (operations, mut benches) = both(&site, ours, theirs);
        let (first, second) = first_and_second(&operations);
        let words = &operations[second].message;
        assert!(
            words.contains("was changed since it was fetched"),
            "{words}"
        );
        let now = form(&site, id);
        let texts = ["Ring the bell", "A. Nguyen"].map(|text| format!("{now:?}").contains(text));
        assert!(
            texts[first] && !texts[second],
            "the first one's alone: {now:?}"
        );
        is_told_of(&mut benches[second], &operations[second]);
    }
}

#[test]
fn deleted_by_one_and_booked_by_the_other_at_once_is_one_of_the_two() {
    let site = Site::open();
    for round in 0..5 {
        let ids = made(&site, 2, &format!("gone-{round}"));
        let booking = book(&site, grouped(&site, &ids));
        let (operations, mut benches) = both(
            &site,
            Request::Perform(Payload::Delete(vec![ids[0]])),
            booking,
        );
        let (first, second) = first_and_second(&operations);
        let words = &operations[second].message;
        let bench = &mut benches[second];
        is_told_of(bench, &operations[second]);
        if first == 0 {
            assert!(words.contains("was not found"), "{words}");
            assert!(bench.gone.contains(&ids[0]), "gone from its list");
            assert_eq!(manifests_of(&site, ids[1]), 0, "the other one still waits");
        } else {
            assert!(words.contains("already manifested"), "{words}");
            assert!(bench.seen[&ids[0]].is_manifested(), "off its list");
            assert_eq!(manifests_of(&site, ids[0]), 1);
        }
    }
}

#[test]
fn what_the_other_did_a_moment_before_is_found_before_anything_is_sent() {
    let site = Site::open();
    let mut ours = site.bench("Bench1");
    let mut theirs = site.bench("Bench2");
    let ids = made(&site, 4, "before");
    let number = |id: ConsignmentId| format!("MS{id}");
    let (booking, seen) = (grouped(&site, &ids[..2]), form(&site, ids[2]));
    let changed = edit(&seen, "specialInstructions", "Ring the bell");
    theirs.ask(changed);
    ended(&mut theirs);
    theirs.ask(book(&site, grouped(&site, &ids[1..2])));
    ended(&mut theirs);
    theirs.ask(Request::Perform(Payload::Delete(vec![ids[3]])));
    ended(&mut theirs);

    let refused = |ours: &mut Lanes, request: Request, kind: OperationKind| {
        ours.ask(request);
        let end = ended(ours);
        assert_eq!((end.kind, end.state), (kind, OperationState::Rejected));
        end.message
    };
    let words = refused(&mut ours, book(&site, booking), OperationKind::Manifest);
    assert!(words.contains("No longer unmanifested") && words.contains(&number(ids[1])));
    assert!(
        !words.contains(&number(ids[0])),
        "that one still waits: {words}"
    );
    assert!(ours.seen[&ids[1]].is_manifested());

    let change = edit(&seen, "toContact", "A. Nguyen");
    let words = refused(&mut ours, change, OperationKind::Edit);
    assert!(
        words.contains("Someone else has changed this consignment") && words.contains("specialIn")
    );
    assert!(ours.seen.contains_key(&ids[2]));

    let words = refused(
        &mut ours,
        Request::Perform(Payload::Delete(vec![ids[3]])),
        OperationKind::Delete,
    );
    assert!(words.contains("No longer unmanifested") && words.contains(&number(ids[3])));
    assert!(ours.gone.contains(&ids[3]), "gone from the list");

    let mut booked = seen.clone();
    booked.set("id", &ids[1].get());
    let change = edit(&booked, "toContact", "A. Nguyen");
    let words = refused(&mut ours, change, OperationKind::Edit);
    assert!(words.contains("already manifested"), "{words}");
}

#[test]
fn fifty_rounds_of_two_busy_benches_book_nothing_twice() {
    rounds::play(20_261_121, 50);
}

#[test]
#[ignore = "long run: minutes"]
fn long_run_two_busy_benches_2000_rounds() {
    rounds::play(20_261_122, 2000);
}
