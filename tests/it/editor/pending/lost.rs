//! Pending consignments whose conversion or deletion is not confirmed: the draft keeps its number until the
//! consignment is certainly gone.

use std::sync::Arc;
use std::time::Duration;

use app::state::{ConsignCommand, OperationDecision};
use client::{Client, Connection};
use engine::{Payload, Request};
use shipping::{Compatibility, OptionalFeatures};
use storage::{Journal, OperationKind, OperationState};

use super::{DELETE, convert_here, pending_draft, pending_order, saved, there};
use crate::support::desk::{SETTLE, open_wired_bench};
use crate::support::lanes::{Lanes, Place, QUICK, Site};
use crate::support::wire::{Fault, Wire};

#[test]
fn a_draft_whose_deletion_is_in_doubt_is_brought_back_with_its_number_and_sent_once() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    let pending = saved(&mut desk, "SO-1");
    wire.fail(DELETE, Fault::LoseRequest);
    let id = desk.core.shared.consign.drafts[0].id.clone();
    desk.ask(ConsignCommand::DiscardDraft(id));
    desk.until_operation(OperationKind::PendingDelete, OperationState::Ask);
    wire.heal();
    desk.ask(ConsignCommand::RestoreDraft);
    desk.turn();
    assert_eq!(desk.core.editing.draft.pending, Some(pending.clone()));
    desk.send();
    desk.until("the pending one went with the send", |core| {
        let mut all = core.shared.operations.list.iter();
        all.find(|one| one.follows().is_some() && one.state == OperationState::Done)
            .filter(|one| one.title == pending.number)
            .map(|_| ())
    });
}

#[test]
fn a_lost_save_that_happened_gives_the_draft_back_with_the_number_that_it_had() {
    let site = Site::open();
    let wire = Wire::before(site.practice.address());
    let mut lanes = site.bench_at("Bench4", &wire.base_url());
    let draft = pending_draft(&site, "SO-2");
    wire.fail(
        "/apiv2/pendingConsignments/createPendingConsignment",
        Fault::LoseAnswer,
    );
    let intent = Payload::PendingCreate(Box::new(pending_order("SO-2")));
    lanes.ask(Request::Send(Box::new(draft.clone()), intent));
    let open = lanes.until_newest_is(OperationState::Ask);
    lanes.ask(Request::Decide(open.id, OperationDecision::Happened(true)));
    let done = lanes.until_newest_is(OperationState::Done);
    assert!(done.message.contains("list of pending"), "{}", done.message);
    lanes.close(&site.runtime);
    let journal = Journal::open(&site.journal("Bench4")).expect("a journal");
    assert_eq!(journal.drafts().expect("drafts"), [draft]);
}

#[test]
fn a_service_that_knows_links_deletes_what_was_replaced_by_itself() {
    let site = Site::open();
    let knows = Compatibility {
        optional: OptionalFeatures {
            linked_pending: true,
            ..OptionalFeatures::default()
        },
        ..Compatibility::default()
    };
    let connection = Connection::new(&site.practice.base_url(), site.token().into());
    let mut connection = connection.expect("an address");
    connection.timeouts = QUICK;
    connection.compatibility = knows;
    let client = Client::new(&connection).expect("a client");
    let place = Place {
        home: site.home("Bench4"),
        name: "Bench4".to_owned(),
        clock: site.clock.clone(),
        settle_after: SETTLE.map(Duration::from_millis).to_vec(),
        workgroup: None,
    };
    let mut lanes = Lanes::open(&site.runtime, place, client, Arc::new(|_| ()));
    let draft = pending_draft(&site, "SO-3");
    convert_here(&lanes, &draft);
    lanes.until_newest_is(OperationState::Done);
    assert_eq!(there(&site, &draft), (0, 1));
    lanes.fetch_list();
    lanes.hear();
    let kinds: Vec<_> = lanes.operations.values().map(|one| one.kind).collect();
    assert_eq!(kinds, [OperationKind::Create]);
}
