//! Measures what a workgroup costs: a claim of 50 consignments at 1, 20 and 200 benches, beside the bare statement by the
//! same driver; creates with and without a workgroup; and how long it takes until another bench hears of a claim.
//!
//! Run with `cargo bench -- workgroup`. The server is a PostgreSQL of its own, which writes to the disk as usual.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Outcome;
use jiff::Timestamp;
use tokio::runtime::Runtime;
use tokio::sync::Barrier;
use tokio_postgres::{Client, NoTls};
use workgroup::{ClaimKey, ClaimingOperation, Member, Workgroup, WorkgroupOptions, WorkgroupState};

use crate::journal::ours::Ours;
use crate::support::postgres::{PASSWORD, Postgres};
use crate::support::practice_service::PracticeService;
use crate::support::report::{times_at_most, verdict};
use crate::support::runtime::runtime;
use crate::support::wait::{SOON, until};

/// The consignments of a claim.
const IDS: i64 = 50;

/// Claims of each bench, by the number of benches.
const BENCHES: [(usize, usize); 3] = [(1, 300), (20, 60), (200, 20)];

const CLAIM_AIM: f64 = 2.0;
const CREATE_AIM: f64 = 1.15;
const HEARD_AIM: f64 = 1000.0;

/// Creates of one turn, and turns.
const A_TURN: usize = 100;
const TURNS: usize = 5;

/// Claims of which another bench hears.
const HEARD: usize = 100;

/// The statement of a claim by itself.
const BARE: &str = "
INSERT INTO bare_claim (key, bench, operation)
SELECT key, $2, $3 FROM unnest($1::text[]) AS key ORDER BY key ON CONFLICT DO NOTHING";

pub(crate) fn run() -> io::Result<()> {
    let server = Postgres::start();
    let runtime = Arc::new(runtime(2));
    let mut out = io::stdout();
    runtime.block_on(prepare(&server));
    for (benches, claims) in BENCHES {
        let ours = runtime.block_on(claims_of(&server, benches, claims));
        let bare = runtime.block_on(bare_statements(&server, benches, claims));
        writeln!(
            out,
            "{benches} benches, {IDS} consignments a claim: p50 {:.2} ms, bare {:.2} ms",
            percentile(&ours, 50),
            percentile(&bare, 50)
        )?;
        let name = format!("claim_p99_{benches}");
        let figures = (percentile(&ours, 99), percentile(&bare, 99));
        writeln!(out, "{}", times_at_most(&name, "ms", figures, CLAIM_AIM))?;
    }
    heard(&mut out, &server, &runtime)?;
    creates(&mut out, &server, &runtime)
}

fn membership(server: &Postgres, bench: &str, service: &str) -> Workgroup {
    let options = WorkgroupOptions {
        address: server.address().parse().expect("an address"),
        password: Some(PASSWORD.into()),
        authority: None,
    };
    let member = Member {
        service: service.to_owned(),
        bench: bench.to_owned(),
        name: bench.to_owned(),
        clerk: String::new(),
        version: "bench".to_owned(),
    };
    Workgroup::new(options, member)
}

async fn connected(server: &Postgres, bench: &str) -> Workgroup {
    let workgroup = membership(server, bench, "https://api.example.com/");
    let connecting = workgroup.clone();
    tokio::spawn(async move { connecting.stay_connected().await });
    let mut states = workgroup.state();
    let connected = states.wait_for(|state| *state == WorkgroupState::Connected);
    connected.await.expect("a connection");
    workgroup
}

async fn bare_client(server: &Postgres) -> Client {
    let mut config: tokio_postgres::Config = server.address().parse().expect("an address");
    let connecting = config.password(PASSWORD).connect(NoTls);
    let (client, connection) = connecting.await.expect("a connection");
    tokio::spawn(connection);
    client
}

async fn prepare(server: &Postgres) {
    let table = "CREATE TABLE bare_claim (key text PRIMARY KEY, bench text NOT NULL, operation bigint NOT NULL)";
    let client = bare_client(server).await;
    client.batch_execute(table).await.expect("a table");
}

fn operation(id: i64) -> ClaimingOperation {
    ClaimingOperation {
        id,
        made: Timestamp::UNIX_EPOCH,
        kind: "Manifest".to_owned(),
        title: String::new(),
    }
}

/// Milliseconds of each claim, when all benches claim at once.
async fn claims_of(server: &Postgres, benches: usize, claims: usize) -> Vec<f64> {
    let begin = Arc::new(Barrier::new(benches));
    let mut tasks = Vec::new();
    for bench in 0..benches {
        let workgroup = connected(server, &format!("bench {benches}-{bench}")).await;
        let begin = Arc::clone(&begin);
        tasks.push(tokio::spawn(async move {
            begin.wait().await;
            let mut took = Vec::with_capacity(claims);
            let first = i64::try_from(bench).expect("a small number") * IDS;
            let keys: Vec<_> = (first..first + IDS).map(ClaimKey::consignment).collect();
            for number in 0..claims {
                let operation = operation(i64::try_from(number).expect("a small number"));
                let begun = Instant::now();
                workgroup.claim(&operation, &keys).await.expect("a claim");
                took.push(begun.elapsed().as_secs_f64() * 1000.0);
                let bench = workgroup.member().bench;
                let released = workgroup.release(&bench, (operation.id, operation.made));
                released.await.expect("released");
            }
            took
        }));
    }
    all(tasks).await
}

/// Milliseconds of each bare statement, when all benches claim at once.
async fn bare_statements(server: &Postgres, benches: usize, claims: usize) -> Vec<f64> {
    let begin = Arc::new(Barrier::new(benches));
    let mut tasks = Vec::new();
    for bench in 0..benches {
        let client = bare_client(server).await;
        let begin = Arc::clone(&begin);
        tasks.push(tokio::spawn(async move {
            let insert = client.prepare(BARE).await.expect("a statement");
            begin.wait().await;
            let mut took = Vec::with_capacity(claims);
            let first = i64::try_from(bench).expect("a small number") * IDS;
            let keys: Vec<_> = (first..first + IDS)
                .map(|id| format!("consignment {id}"))
                .collect();
            let name = format!("bench {bench}");
            for number in 0..claims {
                let operation = i64::try_from(number).expect("a small number");
                let begun = Instant::now();
                client
                    .execute(&insert, &[&keys, &name, &operation])
                    .await
                    .expect("inserted");
                took.push(begun.elapsed().as_secs_f64() * 1000.0);
                let delete = "DELETE FROM bare_claim WHERE bench = $1 AND operation = $2";
                client
                    .execute(delete, &[&name, &operation])
                    .await
                    .expect("deleted");
            }
            took
        }));
    }
    all(tasks).await
}

async fn all(tasks: Vec<tokio::task::JoinHandle<Vec<f64>>>) -> Vec<f64> {
    let mut figures = Vec::new();
    for task in tasks {
        figures.extend(task.await.expect("a bench"));
    }
    figures.sort_by(f64::total_cmp);
    figures
}

/// Returns a percentile of sorted figures.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

/// How long it takes until the window of another bench hears of a claim.
fn heard(out: &mut impl io::Write, server: &Postgres, runtime: &Arc<Runtime>) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let service = PracticeService::start(&folder.path().join("practice"));
    let address = service.address.clone();
    let watching = membership(server, "watching", &address);
    let mut watching = Ours::open_in(
        runtime,
        &folder.path().join("watching"),
        &service,
        Some(watching),
    );
    let claiming = membership(server, "claiming", &address);
    let connecting = claiming.clone();
    runtime.spawn(async move { connecting.stay_connected().await });
    let states = claiming.state();
    until("connected", SOON, || {
        (*states.borrow() == WorkgroupState::Connected).then_some(())
    });
    let mut wait_for = |claims: usize| {
        until("the claim is heard of", SOON, || {
            match watching.next_outcome() {
                Some(Outcome::Workgroup(view)) if view.claims.len() == claims => Some(()),
                _ => None,
            }
        });
    };
    let mut took = Vec::new();
    for number in 0..HEARD {
        let operation = operation(i64::try_from(number).expect("a small number"));
        let keys = [ClaimKey::consignment(1)];
        let claim = claiming.claim(&operation, &keys);
        let begun = Instant::now();
        runtime.block_on(claim).expect("a claim");
        wait_for(1);
        took.push(begun.elapsed().as_secs_f64() * 1000.0);
        let bench = claiming.member().bench;
        let released = claiming.release(&bench, (operation.id, operation.made));
        runtime.block_on(released).expect("released");
        wait_for(0);
    }
    took.sort_by(f64::total_cmp);
    let p99 = percentile(&took, 99);
    writeln!(
        out,
        "aim change_seen_p99 ours={p99:.0}ms rival=none ratio=none aim={HEARD_AIM}ms {}",
        verdict(p99 <= HEARD_AIM)
    )
}

/// Creates by hand, with a workgroup and without.
fn creates(out: &mut impl io::Write, server: &Postgres, runtime: &Runtime) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let service = PracticeService::start(&folder.path().join("practice"));
    let member = membership(server, "creating", &service.address);
    let mut shared = Ours::open_in(
        runtime,
        &folder.path().join("shared"),
        &service,
        Some(member),
    );
    let mut alone = Ours::open_in(runtime, &folder.path().join("alone"), &service, None);
    shared.create(A_TURN);
    alone.create(A_TURN);
    let (mut ours, mut rival) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        ours += shared.create(A_TURN);
        rival += alone.create(A_TURN);
    }
    let each = |all: Duration| all.as_secs_f64() * 1000.0 / (A_TURN * TURNS) as f64;
    let figures = (each(ours), each(rival));
    writeln!(
        out,
        "{}",
        times_at_most("workgroup_create", "ms", figures, CREATE_AIM)
    )
}
