//! Statuses set by clerks: through the program and a practice service, and through their dialogs.

mod dialogs;
mod typed;

use std::time::Duration;

use app::state::{Command, Operation, OperationKind, OperationState, Screen, TrackCommand};
use draft::{StatusChangeDraft, StatusTarget};
use practice::RunningService;
use shipping::{ConsignmentId, StatusId, StatusUpdate};

use crate::support::desk::{Desk, Home};
use crate::support::lanes::{QUICK, client};
use crate::support::wire::{Fault, Wire};

const UPDATE: &str = "/consignments/updateConsignmentStatuses";
const FETCH: &str = "/consignments/getConsignment?";

/// What somebody else does at the service, who may everything.
pub(crate) struct There<'a> {
    home: &'a Home,
    practice: &'a RunningService,
}

impl<'a> There<'a> {
    pub(crate) const fn of(home: &'a Home, practice: &'a RunningService) -> Self {
        Self { home, practice }
    }

    fn client(&self) -> client::Client {
        let token = self.practice.supervisor_token();
        client(&self.practice.base_url(), token, QUICK)
    }

    /// Books these.
    pub(crate) fn book(&self, ids: &[ConsignmentId]) {
        let client = self.client();
        self.home.runtime.block_on(async {
            let groups = client.group(ids).await.expect("groups");
            client.manifest(&groups).await.expect("booked");
        });
    }

    pub(crate) fn set(&self, id: ConsignmentId, status: StatusId) {
        let update = update(id, status);
        let client = self.client();
        let set = self
            .home
            .runtime
            .block_on(client.update_statuses(&[update]));
        set.expect("it is set");
    }

    pub(crate) fn status(&self, id: ConsignmentId) -> StatusId {
        let one = self.home.runtime.block_on(self.client().consignment(id));
        let one = one.expect("it is there");
        one.status().expect("it has a status").id
    }
}

pub(crate) const fn update(id: ConsignmentId, status: StatusId) -> StatusUpdate {
    StatusUpdate {
        consignment_id: id,
        status,
        status_date_time_local: None,
        item_reference: None,
        extra_information: None,
    }
}

/// Sends so many and has them booked.
pub(crate) fn booked(there: &There<'_>, desk: &mut Desk, count: usize) -> Vec<ConsignmentId> {
    let ids: Vec<_> = (0..count)
        .map(|at| desk.create(&format!("SO-{at}")))
        .collect();
    there.book(&ids);
    ids
}

fn open(desk: &mut Desk, id: ConsignmentId) {
    desk.ask(TrackCommand::Open(id));
    desk.pass(Duration::from_millis(400));
    desk.until("the page", |core| {
        let page = &core.shared.track.page;
        (page.history.value().is_some_and(Option::is_some) && !page.consignment.is_loading())
            .then_some(())
    });
}

/// Books one and opens its page.
fn booked_and_open(there: &There<'_>, desk: &mut Desk) -> ConsignmentId {
    let id = booked(there, desk, 1)[0];
    open(desk, id);
    id
}

fn change(desk: &mut Desk, state: OperationState) -> Operation {
    desk.until(&format!("a status change that is {state:?}"), |core| {
        let mut all = core.shared.operations.list.iter();
        let found = all.find(|one| one.kind == OperationKind::Status && one.state == state);
        found.cloned()
    })
}

/// Until the page shows it so, as the service has it.
fn until_shown(desk: &mut Desk, status: StatusId) {
    desk.until("the page shows it", |core| {
        let followed = core.shared.track.page.history.value()?.as_ref()?;
        (followed.row.status.id == status).then_some(())
    });
}

fn bench(home: &Home, token: impl FnOnce(&RunningService) -> &str) -> (RunningService, Wire, Desk) {
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let desk = home.open(&Home::service(wire.base_url(), token(&practice)));
    (practice, wire, desk)
}

#[test]
fn going_through_rows_asks_the_service_for_none_of_them() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home, RunningService::token);
    let ids = booked(&There::of(&home, &practice), &mut desk, 3);
    // The label of the newest is asked for by itself.
    desk.until("its label", |core| {
        let preview = &core.shared.labels.preview;
        (!preview.is_loading() && (preview.value().is_some() || preview.problem().is_some()))
            .then_some(())
    });
    wire.forget();
    for id in ids.iter().rev() {
        desk.ask(TrackCommand::Open(*id));
        desk.turn();
        desk.turn();
    }
    assert_eq!(wire.count(FETCH), 0);
    desk.pass(Duration::from_millis(400));
    desk.until("it is there whole", |core| {
        core.shared.track.page.consignment.value().map(drop)
    });
    let asked = |id: &ConsignmentId| wire.count(&format!("{FETCH}id={id} "));
    let counts: Vec<_> = ids.iter().map(asked).collect();
    assert_eq!(counts, [1, 0, 0], "the one that it stopped at");
}

#[test]
fn a_supervisor_cancels_and_the_service_shows_it() {
    let home = Home::new();
    let (practice, _wire, mut desk) = bench(&home, RunningService::supervisor_token);
    let there = There::of(&home, &practice);
    let ids = [booked_and_open(&there, &mut desk)];
    let cancel = StatusUpdate {
        extra_information: Some("No longer needed".to_owned()),
        ..update(ids[0], StatusId::CANCELLED)
    };
    desk.ask(TrackCommand::SetStatuses(vec![cancel]));
    let done = change(&mut desk, OperationState::Done);
    assert_eq!(done.consignments, ids);
    until_shown(&mut desk, StatusId::CANCELLED);
    assert_eq!(there.status(ids[0]), StatusId::CANCELLED);
    let followed = desk.core.shared.track.page.history.value();
    let followed = followed.and_then(Option::as_ref).expect("it is followed");
    let why = followed
        .history
        .iter()
        .filter_map(|step| step.status_information.as_deref());
    assert!(why.into_iter().any(|why| why == "No longer needed"));
    assert!(!desk.core.shared.operations.locked.contains_key(&ids[0]));
}

#[test]
fn a_clerk_is_refused_in_the_services_words_and_not_offered_it_again_until_asked() {
    let home = Home::new();
    let (practice, _wire, mut desk) = bench(&home, RunningService::token);
    let there = There::of(&home, &practice);
    let ids = [booked_and_open(&there, &mut desk)];
    desk.core.shared.screen = Screen::Track;
    let cancel = vec![update(ids[0], StatusId::CANCELLED)];
    desk.ask(TrackCommand::SetStatuses(cancel));
    change(&mut desk, OperationState::Rejected);
    let rights = &desk.core.shared.track.rights;
    let words = "You do not have permission to cancel consignments";
    assert_eq!(rights.no_cancel.as_deref(), Some(words));
    assert_eq!(rights.no_statuses, None);
    assert_eq!(there.status(ids[0]), StatusId::MANIFESTED);
    // The page says it: no notice beside it.
    let told = desk.core.shared.notices.shown.iter();
    assert!(
        told.into_iter()
            .all(|(_, notice)| notice.detail != words && notice.advice != words)
    );
    desk.ask(TrackCommand::EnableRefused);
    desk.turn();
    assert_eq!(desk.core.shared.track.rights.no_cancel, None);
}

#[test]
fn n15_who_may_only_look_is_refused_when_they_try_and_nothing_is_posted_before() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home, RunningService::viewer_token);
    let other = Home::new();
    let mut clerk = other.open(&Home::service(practice.base_url(), practice.token()));
    let ids = booked(&There::of(&other, &practice), &mut clerk, 1);
    for _ in 0..3 {
        desk.ask(Command::Show(Screen::Track));
        desk.until("Track is up", |core| {
            (core.shared.screen == Screen::Track).then_some(())
        });
        desk.ask(Command::Show(Screen::Dispatch));
        desk.turn();
    }
    open(&mut desk, ids[0]);
    assert_eq!(wire.count(UPDATE), 0, "no write is called unasked");
    let update = update(ids[0], StatusId::COMPLETE);
    desk.ask(TrackCommand::SetStatuses(vec![update]));
    let words = desk.until("the token's rights", |core| {
        core.shared.track.rights.no_statuses.clone()
    });
    assert_eq!(
        words,
        "You do not have permission to update consignment statuses"
    );
    assert_eq!(wire.count(UPDATE), 1);
}

#[test]
fn a_status_change_with_a_lost_answer_is_found_by_the_time_that_was_given() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home, RunningService::token);
    let there = There::of(&home, &practice);
    let ids = booked(&there, &mut desk, 1);
    there.set(ids[0], StatusId::IN_TRANSIT);
    open(&mut desk, ids[0]);
    wire.fail(UPDATE, Fault::LoseAnswer);
    let again = StatusUpdate {
        status_date_time_local: Some(
            shipping::LocalTime::read("2026-11-19T09:30:00").expect("a time"),
        ),
        ..update(ids[0], StatusId::new(17))
    };
    desk.ask(TrackCommand::SetStatuses(vec![again]));
    let unknown = change(&mut desk, OperationState::Unknown);
    assert!(desk.core.shared.operations.locked.contains_key(&ids[0]));
    assert!(desk.core.shared.track.rights.changes.contains(&unknown.id));
    change(&mut desk, OperationState::Done);
    assert_eq!(wire.count(UPDATE), 1, "it was sent once");
    until_shown(&mut desk, StatusId::new(17));
}

#[test]
fn of_many_the_one_that_is_cancelled_already_is_left_out_and_a_batch_is_all_or_nothing() {
    let home = Home::new();
    let (practice, _wire, mut desk) = bench(&home, RunningService::supervisor_token);
    let there = There::of(&home, &practice);
    let ids = booked(&there, &mut desk, 3);
    for id in &ids {
        open(&mut desk, *id);
    }
    // Behind the bench's back.
    there.set(ids[1], StatusId::CANCELLED);
    let all = ids
        .iter()
        .map(|id| update(*id, StatusId::CANCELLED))
        .collect();
    desk.ask(TrackCommand::SetStatuses(all));
    let refused = change(&mut desk, OperationState::Rejected);
    assert_eq!(refused.message, "Consignment is cancelled");
    assert_eq!(
        desk.core.shared.track.rights.no_cancel, None,
        "it is not about rights"
    );
    assert_eq!(there.status(ids[0]), StatusId::MANIFESTED);
    let target = |id: &ConsignmentId| StatusTarget {
        id: *id,
        number: format!("MS{id}"),
        status: there.status(*id),
        zone: "Australia/Sydney".to_owned(),
        in_open_operation: false,
    };
    let targets: Vec<_> = ids.iter().map(target).collect();
    let typed = StatusChangeDraft {
        information: "Booked twice".to_owned(),
        ..StatusChangeDraft::cancel()
    };
    let plan = typed.check(&targets, home.clock.now(), "Australia/Sydney");
    let plan = plan.expect("two can be cancelled");
    let left: Vec<_> = plan
        .skipped
        .iter()
        .map(|one| (one.id, one.reason.as_str()))
        .collect();
    assert_eq!(left, [(ids[1], "already cancelled")]);
    desk.ask(TrackCommand::SetStatuses(plan.updates));
    change(&mut desk, OperationState::Done);
    for id in &ids {
        assert_eq!(there.status(*id), StatusId::CANCELLED);
    }
}
