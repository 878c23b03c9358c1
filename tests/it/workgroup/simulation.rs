//! Many benches without windows, on one service and one database: they import the same orders, book and change the same
//! consignments, and are killed, while the service loses answers and the database loses its power. Afterwards the
//! service's own records are compared with the benches' journals.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use app::state::{OperationDecision, OperationState};
use client::Timeouts;
use draft::Draft;
use draft::orders::{Order, Sheet, guess_mapping};
use engine::{Fetch, OpenedOrders, Payload, Remote, Request};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use shipping::{ConsignmentId, ManifestGroup};
use storage::{Journal, OperationKind};
use tokio::runtime::Runtime;

use super::bench::Warehouse;
use super::connection::connect;
use super::options;
use crate::recovery::errands::{Errand, order};
use crate::support::lanes::{Lanes, Place, QUICK, client};
use crate::support::postgres::Stop;
use crate::support::runtime::runtime;
use crate::support::wait::until;
use crate::support::wire::{Fault, Wire};

/// How long the benches may take to finish what is open at the end.
const TO_THE_END: Duration = Duration::from_mins(5);

/// Each order is in the files of so many benches.
const COPIES: usize = 3;

/// When a lost answer is reconciled, in milliseconds. A request that a killed bench had sent may still arrive, later than
/// on an idle machine.
const SETTLE: [u64; 4] = [300, 1_000, 3_000, 8_000];

/// Benches that share a wire to the service.
const A_WIRE: usize = 5;

/// The consignments among which benches choose: the newest, so that they meet.
const HOT: usize = 40;

/// A service that two hundred benches keep busy answers late. A request that is given up would only be work for nothing.
const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_mins(1),
    read: Duration::from_mins(1),
    write: Duration::from_mins(1),
    create: Duration::from_mins(1),
    file: Duration::from_mins(1),
};

#[derive(Debug, Clone, Copy)]
struct Scale {
    benches: usize,
    /// How long the benches wait for the service.
    timeouts: Timeouts,
    operations: usize,
    limit: Duration,
    bench_kills: usize,
    database_kills: usize,
    has_claims: bool,
}

const SHORT: Scale = Scale {
    benches: 12,
    timeouts: QUICK,
    operations: 300,
    limit: Duration::from_mins(3),
    bench_kills: 12,
    database_kills: 2,
    has_claims: true,
};

const LONG: Scale = Scale {
    benches: 200,
    timeouts: PATIENT,
    operations: 50_000,
    limit: Duration::from_mins(30),
    bench_kills: 200,
    database_kills: 20,
    has_claims: true,
};

/// The service, the database and the counters that all benches of a run share.
struct Ground {
    warehouse: Warehouse,
    wires: Vec<Wire>,
    scale: Scale,
    begun: Instant,
    requests: AtomicUsize,
    kills: AtomicUsize,
    database_kills: AtomicUsize,
    orders: AtomicUsize,
    /// How many drafts were left for any bench, and taken over.
    left: AtomicUsize,
    taken: AtomicUsize,
    /// The orders that some bench has imported.
    imported: Mutex<HashSet<String>>,
    /// The consignments that were created, oldest first.
    made: Mutex<Vec<ConsignmentId>>,
}

impl Ground {
    fn is_over(&self) -> bool {
        self.requests.load(Ordering::SeqCst) >= self.scale.operations
            || self.begun.elapsed() > self.scale.limit
    }

    /// How many of `all` kills are due: they are spread over the requests or the time, whichever comes to its end first.
    fn due(&self, all: usize) -> usize {
        let of_requests = (all + 1) * self.requests.load(Ordering::SeqCst) / self.scale.operations;
        let step = self.scale.limit / u32::try_from(all + 1).expect("a small number");
        let of_time = self.begun.elapsed().as_millis() / step.as_millis();
        let of_time = usize::try_from(of_time).expect("a small number");
        of_requests.max(of_time).min(all)
    }

    /// Returns true for one bench that is to be killed now.
    fn takes_kill(&self) -> bool {
        let due = self.due(self.scale.bench_kills);
        let kill = |kills: usize| (kills < due).then_some(kills + 1);
        {
            self.kills
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, kill)
        }
        .is_ok()
    }
}

/// A bench with a runtime of its own, so that it can be killed at any moment.
struct SimulatedBench {
    name: String,
    address: String,
    alive: Option<(Runtime, Lanes)>,
    rng: fastrand::Rng,
}

impl SimulatedBench {
    fn new(ground: &Ground, number: usize) -> Self {
        Self {
            name: format!("Bench {number}"),
            address: ground.wires[number / A_WIRE].base_url(),
            alive: None,
            rng: fastrand::Rng::with_seed(number as u64),
        }
    }

    fn open(&mut self, ground: &Ground) {
        let site = &ground.warehouse.site;
        let runtime = runtime(1);
        let membership = || ground.warehouse.membership(&self.name);
        let place = Place {
            home: site.home(&self.name),
            name: format!("{}-QK7BND", self.name),
            clock: site.clock.clone(),
            settle_after: SETTLE.map(Duration::from_millis).to_vec(),
            workgroup: ground.scale.has_claims.then(membership),
        };
        let client = client(&self.address, &site.token(), ground.scale.timeouts);
        let lanes = Lanes::open(&runtime, place, client, Arc::new(|_| ()));
        self.alive = Some((runtime, lanes));
    }

    /// Ends the bench in the middle of whatever it does. What it had in memory is lost.
    fn kill(&mut self, ground: &Ground) {
        let Some((runtime, lanes)) = self.alive.take() else {
            return;
        };
        runtime.shutdown_timeout(Duration::from_secs(10));
        drop(lanes);
        // The journal's thread ends by itself after its last job.
        let journal = ground.warehouse.site.journal(&self.name);
        until("the journal is closed", TO_THE_END, || {
            (!is_open(&journal)).then_some(())
        });
    }

    /// Does one thing, or decides about what waits for a decision.
    fn step(&mut self, ground: &Ground) {
        if self.alive.is_none() {
            self.open(ground);
        }
        if ground.takes_kill() {
            return self.kill(ground);
        }
        self.collect(ground);
        self.decide(false);
        match self.rng.u32(..100) {
            0..45 => self.import_and_send(ground),
            93..100 if ground.scale.has_claims => self.take_and_send(ground),
            45..70 => self.book(ground),
            70..85 => self.change(ground, OperationKind::Edit),
            85..93 => self.change(ground, OperationKind::Delete),
            _ => {}
        }
    }

    fn lanes(&mut self) -> &mut Lanes {
        &mut self.alive.as_mut().expect("an open bench").1
    }

    fn ask(&mut self, ground: &Ground, request: Request) {
        ground.requests.fetch_add(1, Ordering::SeqCst);
        self.lanes().ask(request);
    }

    /// Puts new consignments where all benches find them.
    fn collect(&mut self, ground: &Ground) {
        let (_, lanes) = self.alive.as_mut().expect("an open bench");
        lanes.hear();
        let mut made = ground.made.lock().expect("nobody panicked");
        made.extend(lanes.created.drain(..).map(|one| one.id));
    }

    /// Sends again or gives up what did not happen. At the end, everything is given up.
    fn decide(&mut self, is_end: bool) {
        let open: Vec<_> = { self.lanes().operations.values() }
            .map(|operation| (operation.id, operation.state))
            .collect();
        for (id, state) in open {
            let decision = match state {
                OperationState::Absent if !is_end && self.rng.u32(..10) < 7 => {
                    OperationDecision::SendAgain
                }
                OperationState::Absent | OperationState::Conflict => OperationDecision::Discard,
                OperationState::Ask => OperationDecision::Happened(false),
                _ => continue,
            };
            self.lanes().ask(Request::Decide(id, decision));
        }
    }

    /// Imports an order that is in the files of several benches, and sends it if this bench got it.
    fn import_and_send(&mut self, ground: &Ground) {
        let next = ground.orders.fetch_add(1, Ordering::SeqCst);
        // The same order comes up on the next benches, too.
        let reference = format!("order-{}", next / COPIES);
        let journal = ground.warehouse.site.journal(&self.name);
        let earlier = Journal::earlier_orders(&journal, Timestamp::UNIX_EPOCH);
        let (_, imported) = earlier.expect("what was imported");
        if imported.contains(&reference) {
            return;
        }
        let draft = Draft {
            reference1: reference.clone(),
            is_order: true,
            ..Draft::default()
        };
        let sheet = Sheet::read(format!("Reference,To name\r\n{reference},Farm").as_bytes())
            .expect("a sheet");
        let opened = OpenedOrders {
            path: "orders.csv".into(),
            mapping: guess_mapping(&sheet),
            remembered: false,
            sheet: Arc::new(sheet),
        };
        let order_of_file = Order {
            draft: draft.clone(),
            rows: vec![0],
            digest: reference.clone(),
            duplicate: None,
        };
        let reads = self.lanes().reads();
        let imported = wait(reads.import_orders(opened, vec![order_of_file], Vec::new()));
        // While the database is away, nothing is imported.
        let is_ours = imported.is_some_and(|imported| !imported.orders.is_empty());
        if !is_ours {
            return;
        }
        { ground.imported.lock() }
            .expect("nobody panicked")
            .insert(reference);
        if ground.scale.has_claims && self.rng.u32(..5) == 0 {
            ground.left.fetch_add(1, Ordering::SeqCst);
            self.ask(ground, Request::LeaveDrafts(vec![(draft, true)]));
        } else {
            self.send(ground, draft);
        }
    }

    /// Takes over the order that has waited longest, if there is one.
    fn take_and_send(&mut self, ground: &Ground) {
        if let Some(Some(draft)) = wait(self.lanes().reads().take_draft(None)) {
            ground.taken.fetch_add(1, Ordering::SeqCst);
            self.send(ground, draft);
        }
    }

    fn send(&mut self, ground: &Ground, draft: Draft) {
        let intent = Payload::Create(Box::new(order(&draft.reference1)));
        self.ask(ground, Request::Send(Box::new(draft), intent));
    }

    fn pick(&mut self, ground: &Ground) -> Option<ConsignmentId> {
        let made = ground.made.lock().expect("nobody panicked");
        let hot = &made[made.len().saturating_sub(HOT)..];
        self.rng.choice(hot).copied()
    }

    /// Groups some of the newest consignments, and books the groups.
    fn book(&mut self, ground: &Ground) {
        let mut ids: Vec<_> = (0..4).filter_map(|_| self.pick(ground)).collect();
        ids.sort_unstable();
        ids.dedup();
        let site = &ground.warehouse.site;
        let Some(groups) = grouped(ground, &ids) else {
            return;
        };
        let grouped = site.clock.now();
        self.ask(ground, Request::Book { groups, grouped });
    }

    fn change(&mut self, ground: &Ground, kind: OperationKind) {
        let Some(id) = self.pick(ground) else { return };
        if let Some(errand) = Errand::about(&ground.warehouse.site, kind, id) {
            self.ask(ground, errand.request);
        }
    }

    /// Returns true if nothing is open, and everything is told to the database.
    fn is_settled(&mut self, ground: &Ground) -> bool {
        let lanes = self.lanes();
        lanes.hear();
        let is_open = lanes.operations.values().any(|one| one.state.is_open());
        let untold = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM leaving_drafts)";
        lanes.restored && !is_open && count(ground, &self.name, untold) == 0
    }
}

fn grouped(ground: &Ground, ids: &[ConsignmentId]) -> Option<Vec<ManifestGroup>> {
    let site = &ground.warehouse.site;
    let mut groups = site.runtime.block_on(site.client().group(ids)).ok()?;
    for group in &mut groups {
        group.dgs_declaration = Some(false);
    }
    (!groups.is_empty()).then_some(groups)
}

/// Waits for a read; `None` if it failed.
fn wait<T: Send + 'static>(fetch: Fetch<T>) -> Option<T> {
    let mut remote = Remote::default();
    remote.start(fetch);
    until("the read has ended", TO_THE_END, || {
        remote.poll().then_some(())
    });
    remote.take()?.ok()
}

/// Returns true if this process has the file open.
fn is_open(file: &std::path::Path) -> bool {
    let open = std::fs::read_dir("/proc/self/fd").expect("Linux has /proc");
    open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .any(|path| path == file)
}

/// The number that a query of a bench's journal returns.
fn count(ground: &Ground, bench: &str, sql: &str) -> u32 {
    let path = ground.warehouse.site.journal(bench);
    let journal = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let journal = journal.expect("a journal");
    journal
        .query_row(sql, [], |row| row.get(0))
        .expect("a number")
}

/// The differences between the records of the service, the database and the benches at the end of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Findings {
    bench_kills: usize,
    database_kills: usize,
    created: usize,
    booked: usize,
    double_creates: usize,
    double_bookings: usize,
    /// Operations that are done in a journal and not at the service, and orders that are nowhere.
    lost: Vec<String>,
    /// Orders that are drafts at two places.
    double_drafts: Vec<String>,
    claims_left: usize,
    /// Events that are missing in the database, or are there twice.
    wrong_events: u64,
}

/// Runs the benches, and compares the service's records with what they believe.
fn simulate(scale: Scale) -> Findings {
    let warehouse = Warehouse::open();
    let wire = || Wire::before(warehouse.site.practice.address());
    let wires: Vec<_> = (0..scale.benches.div_ceil(A_WIRE))
        .map(|_| wire())
        .collect();
    let ground = Ground {
        warehouse,
        wires,
        scale,
        begun: Instant::now(),
        requests: AtomicUsize::new(0),
        kills: AtomicUsize::new(0),
        database_kills: AtomicUsize::new(0),
        orders: AtomicUsize::new(0),
        left: AtomicUsize::new(0),
        taken: AtomicUsize::new(0),
        imported: Mutex::default(),
        made: Mutex::default(),
    };
    let numbers: Vec<_> = (0..scale.benches).collect();
    let mut benches: Vec<SimulatedBench> = std::thread::scope(|scope| {
        let drivers: Vec<_> = numbers
            .chunks(scale.benches.div_ceil(4))
            .map(|numbers| scope.spawn(|| drive(&ground, numbers)))
            .collect();
        make_trouble(&ground);
        let benches = drivers
            .into_iter()
            .map(|driver| driver.join().expect("a driver"));
        benches.flatten().collect()
    });
    settle(&ground, &mut benches);
    let findings = compare(&ground, &mut benches);
    // A test's output is shown only if it fails, or with --nocapture.
    let _shown = writeln!(
        std::io::stdout(),
        "{} benches, {} requests, {} drafts left and {} taken over, in {:.0} s: {findings:?}",
        scale.benches,
        ground.requests.load(Ordering::SeqCst),
        ground.left.load(Ordering::SeqCst),
        ground.taken.load(Ordering::SeqCst),
        ground.begun.elapsed().as_secs_f64()
    );
    findings
}

/// Lets some benches work in turns.
fn drive(ground: &Ground, numbers: &[usize]) -> Vec<SimulatedBench> {
    let mut benches: Vec<_> = { numbers.iter() }
        .map(|number| SimulatedBench::new(ground, *number))
        .collect();
    while !ground.is_over() {
        for bench in &mut benches {
            bench.step(ground);
        }
    }
    benches
}

/// Takes the power from the database, and makes the wires to the service lose answers and requests.
fn make_trouble(ground: &Ground) {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut database_kills = 0;
    while !ground.is_over() {
        let wire = &ground.wires[rng.usize(..ground.wires.len())];
        let kinds = [
            OperationKind::Create,
            OperationKind::Edit,
            OperationKind::Delete,
            OperationKind::Manifest,
        ];
        let path = Errand::path(kinds[rng.usize(..kinds.len())]);
        let fault = if rng.bool() {
            Fault::LoseAnswer
        } else {
            Fault::LoseRequest
        };
        wire.fail(path, fault);
        let begun = ground.requests.load(Ordering::SeqCst);
        let one_more = || ground.requests.load(Ordering::SeqCst) > begun + 3;
        until("some requests came", TO_THE_END, || {
            (one_more() || ground.is_over()).then_some(())
        });
        wire.heal();
        if ground.scale.has_claims && ground.due(ground.scale.database_kills) > database_kills {
            database_kills += 1;
            ground.database_kills.fetch_add(1, Ordering::SeqCst);
            ground.warehouse.server.stop(Stop::Immediately);
            ground.warehouse.server.start_again();
        }
    }
    for wire in &ground.wires {
        wire.heal();
    }
}

/// Lets all benches finish what is open.
fn settle(ground: &Ground, benches: &mut [SimulatedBench]) {
    for bench in benches.iter_mut() {
        if bench.alive.is_none() {
            bench.open(ground);
        }
    }
    let limit = TO_THE_END.max(ground.scale.limit);
    until("all benches have finished", limit, || {
        let mut open = 0;
        for bench in benches.iter_mut() {
            bench.collect(ground);
            if !bench.is_settled(ground) {
                bench.decide(true);
                open += 1;
            }
        }
        std::thread::sleep(Duration::from_millis(50));
        (open == 0).then_some(())
    });
}

fn compare(ground: &Ground, benches: &mut [SimulatedBench]) -> Findings {
    let site = &ground.warehouse.site;
    let truth = site.truth();
    let sql = "SELECT count(*) FROM consignment WHERE json_extract(document, '$.job.customer_reference') = ?1";
    let orders = ground.orders.load(Ordering::SeqCst) / COPIES;
    let copies: Vec<_> = (0..=orders)
        .map(|order| truth.count(sql, format!("order-{order}")) as usize)
        .collect();
    let manifested = "SELECT count(*) FROM history WHERE status = 3 AND consignment_id > ?1";
    let once = "SELECT count(DISTINCT consignment_id) FROM history WHERE status = 3 AND consignment_id > ?1";
    let booked = truth.count(manifested, 0) as usize;
    let mut findings = Findings {
        bench_kills: ground.kills.load(Ordering::SeqCst),
        database_kills: ground.database_kills.load(Ordering::SeqCst),
        created: copies.iter().filter(|copies| **copies > 0).count(),
        booked,
        double_creates: copies.iter().map(|copies| copies.saturating_sub(1)).sum(),
        double_bookings: booked - truth.count(once, 0) as usize,
        ..Findings::default()
    };
    let mut events: HashMap<String, i64> = HashMap::new();
    if ground.scale.has_claims {
        let database = site.runtime.block_on(async {
            let options = options(&ground.warehouse.server.address());
            workgroup::Database::connect(&options)
                .await
                .expect("a connection")
        });
        let claims = site
            .runtime
            .block_on(database.claims(&ground.warehouse.service()));
        findings.claims_left = claims.expect("claims").len();
        find_drafts(ground, benches, &mut findings);
        let rows = site.runtime.block_on(async {
            let sql = "SELECT bench, count(*) FROM packbench.operation_event GROUP BY bench";
            connect(&ground.warehouse.server)
                .await
                .query(sql, &[])
                .await
        });
        let counted = |row: &tokio_postgres::Row| (row.get(0), row.get(1));
        events.extend(rows.expect("events").iter().map(counted));
    }
    let (mut done, mut deleted) = (Vec::new(), HashSet::new());
    for bench in benches.iter_mut() {
        for operation in bench.lanes().operations.values() {
            let ids = operation.consignments.iter();
            if operation.state == OperationState::Done {
                done.extend(ids.clone().map(|id| (operation.kind, *id)));
            }
            // A clerk may give up a deletion that arrives all the same.
            if operation.kind == OperationKind::Delete && operation.attempt > 0 {
                deleted.extend(ids.copied());
            }
        }
    }
    for (kind, id) in &done {
        let is_there = truth.count("SELECT count(*) FROM consignment WHERE id = ?1", id.get()) > 0;
        let booked = "SELECT count(*) FROM history WHERE status = 3 AND consignment_id = ?1";
        let is_true = match kind {
            OperationKind::Manifest => truth.count(booked, id.get()) == 1,
            OperationKind::Delete => !is_there,
            _ => is_there || deleted.contains(id),
        };
        if !is_true {
            findings.lost.push(format!("{kind:?} of MS{id}"));
        }
    }
    for bench in benches {
        if ground.scale.has_claims {
            let own = count(ground, &bench.name, "SELECT count(*) FROM history");
            let told: Option<&i64> = events.get(&format!("{}-QK7BND", bench.name));
            findings.wrong_events += i64::from(own).abs_diff(*told.unwrap_or(&0));
        }
    }
    findings
}

/// Looks for every imported order: it is a consignment, an operation that was refused or given up, or a draft at one place.
fn find_drafts(ground: &Ground, benches: &[SimulatedBench], findings: &mut Findings) {
    let site = &ground.warehouse.site;
    let rows = site.runtime.block_on(async {
        let sql = "SELECT reference FROM packbench.waiting_draft WHERE draft IS NOT NULL";
        connect(&ground.warehouse.server)
            .await
            .query(sql, &[])
            .await
    });
    let waiting = rows.expect("drafts");
    let mut drafts: Vec<String> = waiting.iter().map(|row| row.get(0)).collect();
    let mut sent = HashSet::new();
    for bench in benches {
        let of_drafts = "SELECT json_extract(body, '$.reference1') FROM drafts";
        drafts.extend(texts(ground, &bench.name, of_drafts));
        let of_operations = "SELECT json_extract(request, '$.customerReference') FROM operations WHERE kind = 'Create'";
        sent.extend(texts(ground, &bench.name, of_operations));
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    for reference in drafts {
        *places.entry(reference).or_default() += 1;
    }
    for reference in ground.imported.lock().expect("nobody panicked").iter() {
        match places.get(reference) {
            Some(1) => {}
            Some(_) => findings.double_drafts.push(reference.clone()),
            None if sent.contains(reference) => {}
            None => findings.lost.push(reference.clone()),
        }
    }
}

/// The texts that a query of a bench's journal returns.
fn texts(ground: &Ground, bench: &str, sql: &str) -> Vec<String> {
    let path = ground.warehouse.site.journal(bench);
    let journal = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let journal = journal.expect("a journal");
    let mut query = journal.prepare(sql).expect("a query");
    let rows = query.query_map([], |row| row.get(0)).expect("rows");
    rows.map(|row| row.expect("a text")).collect()
}

fn holds(scale: Scale) {
    let findings = simulate(scale);
    assert!(findings.created > 0 && findings.booked > 0, "{findings:?}");
    let expected = Findings {
        bench_kills: scale.bench_kills,
        database_kills: scale.database_kills,
        created: findings.created,
        booked: findings.booked,
        ..Findings::default()
    };
    assert_eq!(findings, expected);
}

#[test]
fn twelve_benches_double_nothing_and_lose_nothing_while_benches_and_the_database_are_killed() {
    holds(SHORT);
}

#[test]
#[ignore = "takes half an hour"]
fn long_run_of_two_hundred_benches() {
    holds(LONG);
}

#[test]
fn without_claims_the_same_orders_are_sent_twice() {
    let findings = simulate(Scale {
        has_claims: false,
        bench_kills: 0,
        database_kills: 0,
        ..SHORT
    });
    assert!(findings.double_creates > 0, "{findings:?}");
}
