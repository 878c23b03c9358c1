//! Benches of a workgroup, without windows: what each refuses, keeps and tells while another one works.

use std::sync::Arc;
use std::time::Duration;

use app::state::{OperationDecision, OperationState};
use engine::{BatchId, Payload, PrintBatch, Request, describe_claim};
use rusqlite::{Connection, OpenFlags};
use storage::OperationKind;
use workgroup::{ClaimKey, Member, Workgroup, WorkgroupState};

use super::{MemberOnly, operation, options};
use crate::recovery::errands::Errand;
use crate::support::desk::SETTLE;
use crate::support::lanes::{Lanes, Place, QUICK, Site, client};
use crate::support::postgres::{Postgres, Stop};
use crate::support::printers::label_order;
use crate::support::recorder::Recorder;
use crate::support::runtime::runtime;
use crate::support::wait::{SOON, until};
use crate::support::wire::{Fault, Wire};

/// The kinds of operations that change something another bench may change, too.
const SHARED: [OperationKind; 6] = [
    OperationKind::Edit,
    OperationKind::Delete,
    OperationKind::Manifest,
    OperationKind::Status,
    OperationKind::PendingDelete,
    OperationKind::ServicePrint,
];

/// A practice service and the database of the warehouse.
pub(super) struct Warehouse {
    pub(super) site: Site,
    pub(super) server: Postgres,
}

impl Warehouse {
    pub(super) fn open() -> Self {
        Self {
            site: Site::open(),
            server: Postgres::start(),
        }
    }

    pub(super) fn service(&self) -> String {
        self.site.practice.base_url()
    }

    pub(super) fn membership(&self, name: &str) -> Workgroup {
        let member = Member {
            service: self.service(),
            bench: format!("{name}-QK7BND"),
            name: name.to_owned(),
            clerk: "Mia".to_owned(),
            version: "0.2.0".to_owned(),
        };
        Workgroup::new(options(&self.server.address()), member)
    }

    /// Opens a bench that calls the service at this address, without waiting for the database.
    fn begin(&self, name: &str, address: &str) -> Lanes {
        let place = Place {
            home: self.site.home(name),
            name: format!("{name}-QK7BND"),
            clock: self.site.clock.clone(),
            settle_after: SETTLE.map(Duration::from_millis).to_vec(),
            workgroup: Some(self.membership(name)),
        };
        let client = client(address, &self.site.token(), QUICK);
        Lanes::open(&self.site.runtime, place, client, Arc::new(|_| ()))
    }

    fn bench_at(&self, name: &str, address: &str) -> Lanes {
        let mut bench = self.begin(name, address);
        wait_until_connected(&mut bench);
        bench
    }

    pub(super) fn bench(&self, name: &str) -> Lanes {
        self.bench_at(name, &self.service())
    }

    /// Another bench, of which only the claims are of interest.
    fn other(&self) -> MemberOnly {
        self.member("Bench 9")
    }

    /// A bench's membership, without the bench.
    pub(super) fn member(&self, name: &str) -> MemberOnly {
        let runtime = Arc::new(runtime(1));
        let workgroup = self.membership(name);
        let connecting = workgroup.clone();
        runtime.spawn(async move { connecting.stay_connected().await });
        MemberOnly { workgroup, runtime }.connected()
    }
}

fn wait_until_connected(bench: &mut Lanes) {
    bench.until("the workgroup is connected", |bench| {
        let view = bench.workgroup.as_ref()?;
        (bench.restored && view.state == WorkgroupState::Connected).then_some(())
    });
}

/// The key of what the operation of this task changes.
fn key(errand: &Errand) -> ClaimKey {
    match &errand.request {
        Request::Perform(Payload::PendingDelete(ids)) => {
            ClaimKey::pending_consignment(ids[0].get())
        }
        Request::PrintAtService(..) => ClaimKey::label(errand.id().get()),
        _ => ClaimKey::consignment(errand.id().get()),
    }
}

#[test]
fn what_another_bench_is_booking_can_be_neither_changed_nor_deleted_nor_booked_nor_printed() {
    let warehouse = Warehouse::open();
    let other = warehouse.other();
    let mut bench = warehouse.bench("Bench 1");
    for (number, kind) in (1..).zip(SHARED) {
        let errand = Errand::prepare(&warehouse.site, kind, &format!("claimed-{kind:?}"));
        let booking = operation(number);
        assert_eq!(
            other.wait(other.workgroup.claim(&booking, &[key(&errand)])),
            Ok(())
        );
        bench.ask(errand.request.clone());
        let refused = bench.until_newest_is(OperationState::Rejected);
        assert_eq!(refused.kind, kind);
        let holder = "being booked on Bench 9 by Mia. Try again when that is done";
        assert!(refused.message.ends_with(holder), "{}", refused.message);
        assert_eq!(errand.happened(&warehouse.site.truth()), 0, "{kind:?}");

        other
            .wait(
                other
                    .workgroup
                    .release("Bench 9-QK7BND", (booking.id, booking.made)),
            )
            .expect("released");
        bench.ask(errand.request.clone());
        bench.until_newest_is(OperationState::Done);
        assert_eq!(errand.happened(&warehouse.site.truth()), 1, "{kind:?}");
        no_claims_are_left(&other);
    }
}

/// Waits until the benches have released all claims.
fn no_claims_are_left(other: &MemberOnly) {
    until("no claims are left", SOON, || {
        let claims = other.wait(other.workgroup.claims()).expect("claims");
        claims.is_empty().then_some(())
    });
}

#[test]
fn an_operation_that_waits_for_a_decision_keeps_its_claim_until_the_clerk_decides() {
    let warehouse = Warehouse::open();
    let wire = Wire::before(warehouse.site.practice.address());
    let mut first = warehouse.bench_at("Bench 1", &wire.base_url());
    let mut second = warehouse.bench("Bench 2");
    let errand = Errand::prepare(&warehouse.site, OperationKind::Delete, "undecided");
    wire.fail(Errand::path(OperationKind::Delete), Fault::LoseRequest);
    first.ask(errand.request.clone());
    let undecided = first.until_newest_is(OperationState::Absent);

    second.ask(errand.request.clone());
    let refused = second.until_newest_is(OperationState::Rejected);
    let holder = "is being deleted on Bench 1 by Mia. Try again when that is done";
    assert!(refused.message.ends_with(holder), "{}", refused.message);
    assert_eq!(errand.happened(&warehouse.site.truth()), 0);

    first.ask(Request::Decide(undecided.id, OperationDecision::Discard));
    first.until_newest_is(OperationState::Discarded);
    no_claims_are_left(&warehouse.other());
    second.ask(errand.request.clone());
    second.until_newest_is(OperationState::Done);
    assert_eq!(errand.happened(&warehouse.site.truth()), 1);
}

#[test]
fn a_bench_that_was_closed_in_the_middle_still_has_its_claims_and_releases_them_when_it_is_back() {
    let warehouse = Warehouse::open();
    let wire = Wire::before(warehouse.site.practice.address());
    let mut first = warehouse.bench_at("Bench 1", &wire.base_url());
    let errand = Errand::prepare(&warehouse.site, OperationKind::Delete, "closed");
    wire.fail(Errand::path(OperationKind::Delete), Fault::LoseAnswer);
    wire.fail("/apiv2/consignments/", Fault::LoseRequest);
    first.ask(errand.request.clone());
    // Nothing is sent while the consignment can't be read first.
    first.until_newest_is(OperationState::Rejected);
    wire.heal();
    wire.fail(Errand::path(OperationKind::Delete), Fault::LoseAnswer);
    first.ask(errand.request.clone());
    first.until("sent", |bench| {
        bench.newest().filter(|one| one.attempt > 0).map(|_| ())
    });
    first.close(&warehouse.site.runtime);

    let mut again = warehouse.bench("Bench 1");
    again.until_newest_is(OperationState::Done);
    assert_eq!(errand.happened(&warehouse.site.truth()), 1);
    no_claims_are_left(&warehouse.other());
}

#[test]
fn without_the_database_nothing_shared_is_sent_except_for_a_reason_that_is_recorded() {
    let warehouse = Warehouse::open();
    let mut bench = warehouse.bench("Bench 1");
    let booking = Errand::prepare(&warehouse.site, OperationKind::Manifest, "away");
    let create = Errand::prepare(&warehouse.site, OperationKind::Create, "by hand");
    warehouse.server.stop(Stop::Immediately);
    bench.until("the database is away", |bench| {
        let view = bench.workgroup.as_ref()?;
        matches!(view.state, WorkgroupState::Away(_)).then_some(())
    });

    bench.ask(booking.request.clone());
    let waiting = bench.until_newest_is(OperationState::Absent);
    assert!(
        waiting
            .message
            .starts_with("Not sent: the workgroup's database can't be reached")
    );
    bench.ask(Request::Decide(waiting.id, OperationDecision::SendAgain));
    bench.until("still not sent", |bench| {
        (bench.steps(waiting.id) == 3).then_some(())
    });
    assert_eq!(bench.operations[&waiting.id].state, OperationState::Absent);
    assert_eq!(booking.happened(&warehouse.site.truth()), 0);

    // A create by hand needs no claim.
    bench.ask(create.request.clone());
    bench.until_newest_is(OperationState::Done);
    assert_eq!(create.happened(&warehouse.site.truth()), 1);

    let reason = "the courier is waiting".to_owned();
    bench.ask(Request::Decide(
        waiting.id,
        OperationDecision::SendUnclaimed(reason),
    ));
    bench.until("it is booked", |bench| {
        (bench.operations[&waiting.id].state == OperationState::Done).then_some(())
    });
    assert_eq!(booking.happened(&warehouse.site.truth()), 1);

    // When the database is back, it hears of all that, in order and once.
    warehouse.server.start_again();
    wait_until_connected(&mut bench);
    let own = history(&warehouse, "Bench 1");
    assert!(
        own.iter()
            .any(|(_, _, message)| message.contains("the courier is waiting"))
    );
    let other = warehouse.other();
    until("all events are there", SOON, || {
        let mut told = other
            .wait(other.workgroup.newest_events(1000))
            .expect("events");
        told.reverse();
        let told: Vec<_> = told
            .into_iter()
            .map(|event| (event.operation, event.state, event.message))
            .collect();
        (told == own).then_some(())
    });
    no_claims_are_left(&other);
}

/// The changes of state in a bench's journal.
fn history(warehouse: &Warehouse, bench: &str) -> Vec<(i64, String, String)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let journal = Connection::open_with_flags(warehouse.site.journal(bench), flags);
    let journal = journal.expect("a journal");
    let mut rows = journal
        .prepare("SELECT operation, state, words FROM history ORDER BY rowid")
        .expect("a query");
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

fn count_in_outbox(warehouse: &Warehouse, bench: &str) -> i64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let journal = Connection::open_with_flags(warehouse.site.journal(bench), flags);
    let sql = "SELECT count(*) FROM outbox";
    let count = journal.and_then(|journal| journal.query_row(sql, [], |row| row.get(0)));
    count.expect("a number")
}

#[test]
fn a_bench_without_a_workgroup_collects_nothing_and_one_that_joins_tells_what_is_open() {
    let warehouse = Warehouse::open();
    let wire = Wire::before(warehouse.site.practice.address());
    let mut alone = warehouse.site.bench_at("Bench 1", &wire.base_url());
    let done = Errand::prepare(&warehouse.site, OperationKind::Create, "done before");
    alone.ask(done.request.clone());
    alone.until_newest_is(OperationState::Done);
    let open = Errand::prepare(&warehouse.site, OperationKind::Delete, "open");
    wire.fail(Errand::path(OperationKind::Delete), Fault::LoseRequest);
    alone.ask(open.request.clone());
    alone.until_newest_is(OperationState::Absent);
    assert_eq!(count_in_outbox(&warehouse, "Bench 1"), 0);
    alone.close(&warehouse.site.runtime);

    let mut bench = warehouse.bench("Bench 1");
    let other = warehouse.other();
    until("the open operation is claimed and told", SOON, || {
        let claims = other.wait(other.workgroup.claims()).expect("claims");
        let told = other
            .wait(other.workgroup.newest_events(10))
            .expect("events");
        let told: Vec<_> = told.iter().map(|one| one.state.as_str()).collect();
        let claimed: Vec<_> = claims.iter().map(|claim| claim.key.clone()).collect();
        (claimed == [key(&open)] && told == ["Absent"]).then_some(())
    });
    let id = bench.newest().expect("an operation").id;
    bench.ask(Request::Decide(id, OperationDecision::Discard));
    bench.until_newest_is(OperationState::Discarded);
    no_claims_are_left(&other);
}

#[test]
fn a_bench_shows_the_claims_of_the_others_and_not_its_own() {
    let warehouse = Warehouse::open();
    let other = warehouse.other();
    let mut bench = warehouse.bench("Bench 1");
    let keys = [ClaimKey::consignment(71)];
    assert_eq!(
        other.wait(other.workgroup.claim(&operation(1), &keys)),
        Ok(())
    );
    let shown = |bench: &Lanes| {
        let claims = bench.workgroup.as_ref().map(|view| view.claims.clone());
        let claims = claims.unwrap_or_default();
        claims.iter().map(describe_claim).collect::<Vec<_>>()
    };
    bench.until("the claim is shown", |bench| {
        (shown(bench) == ["MS71 is being booked on Bench 9 by Mia"]).then_some(())
    });
    let booking = operation(1);
    other
        .wait(
            other
                .workgroup
                .release("Bench 9-QK7BND", (booking.id, booking.made)),
        )
        .expect("released");
    bench.until("the claim is gone", |bench| {
        shown(bench).is_empty().then_some(())
    });
}

#[test]
fn labels_that_another_bench_prints_at_this_moment_are_not_printed_twice() {
    let warehouse = Warehouse::open();
    let other = warehouse.other();
    let mut bench = warehouse.bench("Bench 1");
    let printer = Recorder::start();
    let errand = Errand::prepare(&warehouse.site, OperationKind::Manifest, "printed");
    let print = |number| {
        Request::PrintBatch(Box::new(PrintBatch {
            id: BatchId(number),
            orders: vec![label_order(errand.id(), printer.port())],
            rules: Vec::new(),
            replaces: Vec::new(),
        }))
    };
    let printing = operation(1);
    let keys = [ClaimKey::label(errand.id().get())];
    assert_eq!(other.wait(other.workgroup.claim(&printing, &keys)), Ok(()));
    bench.ask(print(1));
    let refused = bench.until("it is refused", |bench| bench.told.first().cloned());
    let holder = "is being booked on Bench 9 by Mia. Try again when that is done";
    assert!(refused.ends_with(holder), "{refused}");

    // Booking does not prevent printing.
    other
        .wait(
            other
                .workgroup
                .release("Bench 9-QK7BND", (printing.id, printing.made)),
        )
        .expect("released");
    let keys = [ClaimKey::consignment(errand.id().get())];
    assert_eq!(other.wait(other.workgroup.claim(&printing, &keys)), Ok(()));
    bench.ask(print(2));
    assert_eq!(printer.jobs(1).len(), 1);
    other
        .wait(
            other
                .workgroup
                .release("Bench 9-QK7BND", (printing.id, printing.made)),
        )
        .expect("released");
    no_claims_are_left(&other);

    // Without the database, labels are printed as on a bench that works alone.
    warehouse.server.stop(Stop::Immediately);
    bench.ask(print(3));
    assert_eq!(printer.jobs(2).len(), 2);
}
