//! Pending consignments: kept on the bench, and converted once, at either end, never twice.

mod lost;
mod request;

use app::state::{ConsignCommand, DraftState, NoticeTarget, WindowCommand};
use client::Client;
use draft::{Draft, PendingCopy};
use engine::{Payload, Request};
use shipping::{PendingConsignmentId, PendingConsignmentRequest};
use storage::{Journal, NewOperation, OperationKind, OperationState};

use crate::recovery::errands;
use crate::support::desk::{Desk, notice, open_bench, open_reopenable_bench};
use crate::support::lanes::{Lanes, Site};
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, Wire};

const DELETE: &str = "/apiv2/pendingConsignments/deletePendingConsignments ";

/// Somebody completes it in the service's own interface.
pub(super) async fn convert(address: &str, token: &str, id: PendingConsignmentId) {
    let http = reqwest::Client::builder().build().expect("a client");
    let url = format!("{address}/practice/convertPendingConsignment?id={id}");
    let reply = http.post(url).header("token", token).send().await;
    let reply = reply.expect("an answer").text().await.expect("text");
    assert!(reply.contains("consignmentNumber"), "{reply}");
}

/// Saved at the service, and first in the list of drafts.
fn saved(desk: &mut Desk, reference: &str) -> PendingCopy {
    desk.type_consignment(reference);
    desk.ask(ConsignCommand::SavePending);
    desk.until("it is saved at the service", |core| {
        core.shared.consign.drafts.first()?.pending.clone()
    })
}

fn open_first(desk: &mut Desk) {
    let id = desk.core.shared.consign.drafts[0].id.clone();
    desk.ask(ConsignCommand::OpenDraft(id));
    desk.turn();
}

fn pending_order(reference: &str) -> PendingConsignmentRequest {
    PendingConsignmentRequest::from_consignment(errands::order(reference))
}

/// A pending consignment of the service's, and the draft that it is known by.
fn pending_draft(site: &Site, reference: &str) -> Draft {
    let made = site.runtime.block_on(async {
        let client: Client = site.client();
        client.create_pending(&pending_order(reference)).await
    });
    let made = made.expect("saved");
    Draft {
        reference1: reference.to_owned(),
        pending: Some(PendingCopy {
            id: made.id,
            number: made.consignment_number,
        }),
        ..Draft::default()
    }
}

fn convert_here(lanes: &Lanes, draft: &Draft) {
    let intent = Payload::Create(Box::new(errands::order(&draft.reference1)));
    lanes.ask(Request::Send(Box::new(draft.clone()), intent));
}

/// How many of it are pending at the service, and how many are consignments.
fn there(site: &Site, draft: &Draft) -> (u32, u32) {
    let truth = site.truth();
    let id = draft.pending.as_ref().expect("a pending one").id.get();
    (
        truth.count("SELECT count(*) FROM pending WHERE id = ?1", id),
        truth.count(
            "SELECT count(*) FROM consignment WHERE json_extract(document, '$.job.customer_reference') = ?1",
            &draft.reference1,
        ),
    )
}

fn all_done(lanes: &mut Lanes) {
    lanes.until("the pending one is deleted", |lanes| {
        let mut all = lanes.operations.values();
        let deleted = { lanes.operations.values() }.any(|one| {
            one.kind == OperationKind::PendingDelete && one.state == OperationState::Done
        });
        (deleted && all.all(|one| !one.state.is_open())).then_some(())
    });
}

#[test]
fn what_is_saved_as_pending_stays_on_the_bench_and_knows_its_number() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    let saved = saved(&mut desk, "SO-1");
    assert!(saved.number.starts_with("PC"), "{saved:?}");
    let shared = &desk.core.shared;
    let state = shared.draft_state(&shared.consign.drafts[0]);
    assert_eq!(state, DraftState::Pending(&saved.number));
    assert!(
        desk.core.editing.draft.is_blank(),
        "the form is ready for the next"
    );
    desk.core.close(home.runtime.handle());
    // It is still so after a restart, and found by its number.
    let mut desk = home.open(&service);
    desk.until("the drafts are there", |core| {
        (core.editing.draft.pending.is_some()).then_some(())
    });
    desk.ask(ConsignCommand::NewDraft);
    desk.ask(WindowCommand::Find(saved.number.clone()));
    desk.turn();
    assert_eq!(desk.core.editing.draft.pending, Some(saved));
}

#[test]
fn sent_from_here_it_becomes_one_consignment_and_the_pending_one_goes() {
    let (_home, _practice, mut desk) = open_bench();
    saved(&mut desk, "SO-2");
    open_first(&mut desk);
    desk.send();
    desk.until_operation(OperationKind::PendingDelete, OperationState::Done);
    assert!(desk.core.shared.consign.drafts.is_empty());
    desk.until("it is one consignment", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == 1).then_some(())
    });
}

#[test]
fn saved_again_the_new_one_takes_the_place_of_the_old_one() {
    let (_home, _practice, mut desk) = open_bench();
    let first = saved(&mut desk, "SO-3");
    open_first(&mut desk);
    desk.core.editing.draft.instructions = "Ring the bell".to_owned();
    desk.ask(ConsignCommand::SavePending);
    let second = desk.until("it is saved once more", |core| {
        let pending = core.shared.consign.drafts.first()?.pending.clone()?;
        (pending != first).then_some(pending)
    });
    assert!(second.id > first.id);
    desk.until("the old one is deleted", |core| {
        let mut all = core.shared.operations.list.iter();
        all.find(|one| one.title == first.number && one.state == OperationState::Done)
            .map(|_| ())
    });
}

#[test]
fn what_somebody_else_converted_closes_with_a_notice_that_leads_to_it() {
    let (home, practice, mut desk) = open_bench();
    let pending = saved(&mut desk, "SO-4");
    home.runtime
        .block_on(convert(&practice.base_url(), practice.token(), pending.id));
    open_first(&mut desk);
    let told = desk.until("it is noticed", |core| {
        notice(&core.shared, "was completed")
    });
    assert!(told.headline.starts_with(&format!(
        "{} was completed at the service as MS",
        pending.number
    )));
    assert!(
        matches!(told.target, Some(NoticeTarget::Consignment(_))),
        "{told:?}"
    );
    assert!(desk.core.editing.draft.is_blank());
    assert!(desk.core.shared.consign.drafts.is_empty());
}

/// A bench, and a pending consignment of the service's.
fn pending_bench(reference: &str) -> (Site, Lanes, Draft, PendingConsignmentId) {
    let site = Site::open();
    let lanes = site.bench("Bench4");
    let draft = pending_draft(&site, reference);
    let id = draft.pending.as_ref().expect("a pending one").id;
    (site, lanes, draft, id)
}

#[test]
fn a_conversion_by_somebody_else_is_never_doubled() {
    let (site, mut lanes, draft, id) = pending_bench("SO-5");
    site.runtime
        .block_on(convert(&site.practice.base_url(), &site.token(), id));
    convert_here(&lanes, &draft);
    let stopped = lanes.until_newest_is(OperationState::Discarded);
    assert_contains(&stopped.message, "was already converted into MS");
    assert_eq!(there(&site, &draft), (0, 1));
    lanes.until("the draft is gone", |_| {
        let journal = Journal::open(&site.journal("Bench4")).expect("a journal");
        journal.drafts().expect("drafts").is_empty().then_some(())
    });
}

#[test]
fn thrown_away_it_goes_from_the_service_too_and_can_be_brought_back_as_a_draft() {
    let (_home, _practice, mut desk) = open_bench();
    saved(&mut desk, "SO-6");
    let id = desk.core.shared.consign.drafts[0].id.clone();
    desk.ask(ConsignCommand::DiscardDraft(id));
    desk.until_operation(OperationKind::PendingDelete, OperationState::Done);
    assert!(desk.core.shared.consign.drafts.is_empty());
    desk.ask(ConsignCommand::RestoreDraft);
    desk.turn();
    let draft = &desk.core.editing.draft;
    assert_eq!((draft.reference1.as_str(), &draft.pending), ("SO-6", &None));
}

#[test]
fn one_that_is_gone_already_is_deleted() {
    let (_site, mut lanes, _draft, id) = pending_bench("SO-7");
    for words in ["Deleted at the service", "Already deleted"] {
        lanes.ask(Request::Perform(Payload::PendingDelete(vec![id])));
        lanes.until(words, |lanes| {
            let newest = lanes.newest()?;
            (newest.state == OperationState::Done && newest.message == words).then_some(())
        });
    }
}

#[test]
fn a_deletion_that_got_lost_is_made_up_for_with_the_next_list() {
    let site = Site::open();
    let wire = Wire::before(site.practice.address());
    let mut lanes = site.bench_at("Bench4", &wire.base_url());
    for (fault, reference) in [(Fault::LoseRequest, "SO-8"), (Fault::LoseAnswer, "SO-9")] {
        let draft = pending_draft(&site, reference);
        wire.fail(DELETE, fault);
        convert_here(&lanes, &draft);
        let open = lanes.until_newest_is(OperationState::Absent);
        assert_eq!(open.kind, OperationKind::PendingDelete);
        wire.heal();
        lanes.fetch_list();
        all_done(&mut lanes);
        assert_eq!(there(&site, &draft), (0, 1));
    }
}

#[test]
fn closed_between_the_two_the_next_start_deletes_it() {
    let site = Site::open();
    let draft = pending_draft(&site, "SO-10");
    let wire = Wire::before(site.practice.address());
    wire.fail(DELETE, Fault::LoseRequest);
    let mut lanes = site.bench_at("Bench4", &wire.base_url());
    convert_here(&lanes, &draft);
    lanes.until_newest_is(OperationState::Absent);
    lanes.close(&site.runtime);
    assert_eq!(there(&site, &draft), (1, 1));
    all_done(&mut site.bench("Bench4"));
    assert_eq!(there(&site, &draft), (0, 1));
}

#[test]
fn a_deletion_in_the_middle_of_which_the_program_ended_is_no_question() {
    let site = Site::open();
    let draft = pending_draft(&site, "SO-11");
    let id = draft.pending.as_ref().expect("a pending one").id;
    let now = site.clock.now();
    let mut journal = Journal::open(&site.journal("Bench4")).expect("a journal");
    let create = NewOperation {
        kind: OperationKind::Create,
        key: "Bench4-ABCDEFGH".to_owned(),
        title: "SO-11".to_owned(),
        request: serde_json::to_string(&errands::order("SO-11")).expect("text"),
        draft: None,
        consignments: Vec::new(),
    };
    let mut create = journal.begin(&[create], now).expect("written").remove(0);
    let follows = NewOperation::deletion_after(create.id, &[id]).expect("text");
    create.state = OperationState::Done;
    journal
        .change_and_follow_up(&mut create, OperationState::Ready, Some(&follows), now)
        .expect("written");
    let mut deletion = journal.unfinished_deletions().expect("read").remove(0);
    assert_eq!(deletion.follows(), Some(create.id));
    deletion.state = OperationState::Sending;
    journal
        .change(&mut deletion, OperationState::Ready, now)
        .expect("written");
    drop(journal);
    all_done(&mut site.bench("Bench4"));
    assert_eq!(there(&site, &draft).0, 0);
}

#[test]
fn what_is_replaced_is_written_down_and_told_only_to_services_that_know_of_it() {
    let site = Site::open();
    let draft = pending_draft(&site, "SO-12");
    let wire = Wire::before(site.practice.address());
    // Written down with the intent, and left out where the deployment does not know it.
    let mut lanes = site.bench_at("Bench4", &wire.base_url());
    convert_here(&lanes, &draft);
    all_done(&mut lanes);
    let create = { lanes.operations.values() }.find(|one| one.kind == OperationKind::Create);
    let create = create.expect("a create");
    assert!(
        create
            .request
            .json()
            .contains("linkedPendingConsignmentIds")
    );
    assert_eq!(wire.count("linkedPending"), 0);
    assert_eq!(there(&site, &draft), (0, 1));
}
