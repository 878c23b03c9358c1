//! A day at the bench: 60 consignments of four carriers are created, grouped, adjusted, refused once, booked
//! and labelled in the order of dispatch, one of them twice. Then all of that is compared with the service's
//! data.

use std::time::Duration;

use app::Service;
use app::state::{DispatchCommand, JobState, LabelsCommand, OperationState};
use client::Timeouts;
use draft::{PickupContext, PickupDraft};
use printing::codes;
use shipping::{Consignment, ConsignmentId, ManifestGroup};

use super::bench::{booking_of, by, groups, held};
use super::support::listed;
use crate::support::desk::{Desk, Home};
use crate::support::readers::burn;
use crate::support::recorder::Recorder;
use crate::support::wait::until;
use crate::support::wire::Wire;

const CARRIERS: [(i64, &str); 4] = [
    (11, "Southern Cross"),
    (12, "Bluegum"),
    (14, "Kookaburra Air"),
    (15, "Wattle Parcel"),
];

const CONSIGNMENTS: usize = 60;

/// Labels that are read back, spread over the day.
const READ_BACK: usize = 6;

pub(crate) fn make(desk: &mut Desk) -> Vec<Consignment> {
    let mut made = Vec::new();
    for at in 0..CONSIGNMENTS {
        let (carrier, name) = CARRIERS[at % CARRIERS.len()];
        let reference = format!("SO-{}", 48_000 + at);
        desk.type_consignment(&reference);
        desk.core.editing.draft.routing = by(carrier, name);
        "1".clone_into(&mut desk.core.editing.draft.goods[0].quantity);
        desk.send();
        made.push(desk.until(&format!("{reference} is created"), |core| {
            let one = core.shared.consign.last_created.as_ref()?;
            (one.customer_reference.as_deref() == Some(reference.as_str())).then(|| one.clone())
        }));
    }
    made
}

/// As the clerk leaves them: two adjusted, and one that asks for more room than the carrier has.
pub(crate) fn adjusted(desk: &Desk, groups: &[ManifestGroup]) -> Vec<ManifestGroup> {
    let adjust = |group: &ManifestGroup| {
        let mut draft = PickupDraft::from(group.clone());
        match group.carrier_name.as_deref() {
            Some("Southern Cross") => {
                "4pm".clone_into(&mut draft.pickup);
                "Dock 3, forklift on site".clone_into(&mut draft.instructions);
            }
            Some("Bluegum") => "3".clone_into(&mut draft.spaces),
            Some("Wattle Parcel") => "5".clone_into(&mut draft.spaces),
            _ => {}
        }
        draft
            .review(&PickupContext::at(desk.core.shared.now, "Australia/Sydney"))
            .group
            .expect("nothing is wrong with it")
    };
    groups.iter().map(adjust).collect()
}

fn is_label_of(zpl: &[u8], one: &Consignment) {
    let pages = burn(zpl);
    assert_eq!(pages.len(), 1);
    let read = codes::read(&pages[0]);
    let reference = &one.item_references()[0];
    assert!(
        read.iter().any(|code| code.text == *reference),
        "{reference} is not among {read:?}"
    );
}

/// Prints these labels, in this order; answers what came out.
pub(crate) fn print_all(
    desk: &mut Desk,
    printer: &Recorder,
    order: &[ConsignmentId],
) -> Vec<Vec<u8>> {
    desk.ask(DispatchCommand::PrintLabels(order.to_vec()));
    until("all labels are handed over", Duration::from_mins(2), || {
        desk.turn();
        let labels = desk.core.shared.labels.jobs.iter();
        let labels = labels.filter(|job| job.subject.consignment().is_some());
        let sent = labels.filter(|job| job.state == JobState::Sent).count();
        (sent == order.len() && printer.count() >= sent).then_some(())
    });
    printer.jobs(order.len())
}

/// One was refused by its carrier, in the carrier's words, and stays as it was; answers what is in it.
fn one_was_refused(desk: &Desk) -> Vec<ConsignmentId> {
    let core = &desk.core;
    let refused: Vec<_> = core
        .shared
        .operations
        .list
        .iter()
        .filter(|one| one.state == OperationState::Rejected)
        .collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(
        refused[0].message,
        "Wattle Parcel takes at most 4 pallet spaces in one pickup"
    );
    let left = core.shared.dispatch.groups.value().expect("groups");
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].consignment_ids, refused[0].consignments);
    refused[0].consignments.clone()
}

#[test]
fn sixty_consignments_of_four_carriers_leave_the_bench() {
    let mut home = Home::new();
    let printer = Recorder::start();
    home.settings.printers = vec![super::bench::printer(
        "Zebra bench 4",
        printer.port(),
        ["zpl", "a6"],
    )];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra bench 4");
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    // It groups 60 at once, perhaps on a machine that builds meanwhile.
    let mut desk = home.open(&Service {
        limits: Timeouts::default(),
        ..Home::service(wire.base_url(), practice.token())
    });
    let made = make(&mut desk);
    let ids: Vec<_> = made.iter().map(|one| one.id).collect();
    assert_eq!(listed(&mut desk).len(), CONSIGNMENTS);

    desk.ask(DispatchCommand::GroupAll);
    let grouped = groups(&mut desk);
    assert_eq!(grouped.len(), CARRIERS.len());
    assert!(
        grouped
            .iter()
            .all(|group| group.consignment_ids.len() == 15)
    );
    let sent = adjusted(&desk, &grouped);
    desk.ask(DispatchCommand::Book(sent.clone()));
    desk.until("all are answered", |core| {
        let ended = |group: &ManifestGroup| {
            let operation = booking_of(core, &group.consignment_ids)?;
            (!operation.state.is_open()).then_some(())
        };
        sent.iter().map(ended).collect::<Option<Vec<()>>>()
    });
    assert_eq!(wire.count("/manifests/manifest "), 4, "one group a call");

    let waiting = one_was_refused(&desk);

    // Labels in the order of dispatch: group by group.
    let order: Vec<ConsignmentId> = sent
        .iter()
        .flat_map(|group| group.consignment_ids.iter().copied())
        .collect();
    let jobs = print_all(&mut desk, &printer, &order);
    assert_eq!(jobs.len(), CONSIGNMENTS);
    let handed: Vec<_> = { desk.core.shared.labels.jobs.iter() }
        .filter_map(|job| job.subject.consignment())
        .rev()
        .collect();
    assert_eq!(handed, order);
    let one = |id: ConsignmentId| made.iter().find(|one| one.id == id).expect("made here");
    for at in (0..CONSIGNMENTS).step_by(CONSIGNMENTS / READ_BACK) {
        is_label_of(&jobs[at], one(order[at]));
    }
    let torn = LabelsCommand::Reprint(vec![order[7]], "torn".to_owned());
    desk.ask(torn);
    desk.until("the reason is kept", |core| {
        let job = core.shared.labels.jobs.first()?;
        (job.reason == "torn" && job.state == JobState::Sent).then_some(())
    });
    let again = printer.jobs(CONSIGNMENTS + 1).pop().expect("one more");
    assert!(again == jobs[7], "the same dots once more");

    the_service_holds(&held(&home, &practice, &ids), &sent, &waiting);
    assert_eq!(listed(&mut desk).len(), waiting.len());
}

/// What was booked is on one manifest a group, with the pickup that the clerk asked for; the rest waits.
fn the_service_holds(
    held: &[serde_json::Value],
    sent: &[ManifestGroup],
    waiting: &[ConsignmentId],
) {
    assert_eq!(held.len(), CONSIGNMENTS);
    let of = |id: ConsignmentId| {
        let mut all = held.iter();
        all.find(|one| one["id"].as_i64() == Some(id.get()))
            .expect("the service has it")
    };
    let mut manifests = Vec::new();
    for group in sent {
        let ids = &group.consignment_ids;
        let on: Vec<_> = ids
            .iter()
            .map(|id| of(*id)["manifestId"].as_i64())
            .collect();
        let status: Vec<_> = ids
            .iter()
            .map(|id| of(*id)["status"]["id"].as_i64())
            .collect();
        assert!(on.iter().all(|manifest| *manifest == on[0]), "{on:?}");
        if ids == waiting {
            assert!(status.iter().all(|status| *status == Some(2)), "{status:?}");
        } else {
            assert!(status.iter().all(|status| *status == Some(3)), "{status:?}");
            manifests.push(on[0]);
        }
    }
    manifests.sort_unstable();
    manifests.dedup();
    assert_eq!(manifests.len(), 3, "a manifest a group");
}
