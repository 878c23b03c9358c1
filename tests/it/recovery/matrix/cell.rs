//! One cell: a task under a fault, then a clerk who finishes it, and the conditions that must hold at the
//! end.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::state::OperationState;
use client::Timeouts;
use engine::{FaultHook, FaultPoint};
use practice::Fault;
use storage::{Journal, OperationKind};
use tokio::runtime::Handle;

use super::faults::{Fixed, LOOKS, Strike, WAITS};
use crate::recovery::clerk::{Clerk, speaks_well};
use crate::recovery::errands::Errand;
use crate::support::lanes::{Lanes, Place, QUICK, Site, client};
use crate::support::trouble::{Troubled as _, Troubles};
use crate::support::wire::{self, Wire};

/// How long lookups lag: the last look comes after it.
const LAG_MS: u64 = 450;

/// What is late has come by then.
const LATER: Duration = Duration::from_secs(2);

/// A fault with every kind.
pub(super) struct Row {
    pub(super) fault: String,
    pub(super) cells: Vec<Cell>,
    broken: bool,
}

/// A fault with one kind.
pub(super) struct Cell {
    pub(super) kind: OperationKind,
    pub(super) words: String,
    holds: bool,
}

impl Row {
    pub(super) fn holds(&self) -> bool {
        !self.broken && self.cells.iter().all(|cell| cell.holds)
    }

    pub(super) fn broken(fault: &str, panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().cloned();
        Self {
            fault: format!("{fault}: {}", text.unwrap_or_default()),
            cells: Vec::new(),
            broken: true,
        }
    }
}

/// All kinds under one fault.
pub(super) fn play(site: &Site, fault: &str, strike: Strike) -> Row {
    let cells = OperationKind::ALL.iter().map(|kind| {
        let name = format!("{fault}-{kind:?}").replace([' ', ','], "-");
        let ended = one(site, &name, *kind, strike);
        site.practice.trouble().clear_now();
        Cell {
            kind: *kind,
            holds: ended.is_ok(),
            words: match ended {
                Ok(states) => format!("{states:?}"),
                Err(words) => format!("WRONG: {words}; it went {:?}", states(site, &name)),
            },
        }
    });
    Row {
        fault: fault.to_owned(),
        cells: cells.collect(),
        broken: false,
    }
}

fn states(site: &Site, name: &str) -> Vec<OperationState> {
    let journal = Journal::open(&site.journal(name)).expect("a reader");
    let mut operations = journal.operations(100).expect("operations");
    operations.sort_by_key(|operation| operation.id);
    let events = operations
        .iter()
        .flat_map(|operation| journal.history(operation.id).expect("a history"));
    let mut states: Vec<_> = events.map(|event| event.state).collect();
    states.dedup();
    states
}

fn one(
    site: &Site,
    name: &str,
    kind: OperationKind,
    strike: Strike,
) -> Result<Vec<OperationState>, String> {
    let errand = Errand::prepare(site, kind, name);
    let troubles = site.practice.trouble();
    let wire = Wire::before(site.practice.address());
    let address = match strike {
        Strike::LastByte => wire.base_url(),
        _ => site.practice.base_url(),
    };
    let witness = set(site, &wire, kind, strike);
    let mut lanes = bench_with(site, name, &address, witness);
    lanes.ask(errand.request.clone());
    let goes_on = matches!(strike, Strike::RefusedAfter | Strike::LostThenRefused);
    lanes.until("an end, or none", |lanes| {
        let newest = lanes.newest()?;
        let rests = !matches!(
            newest.state,
            OperationState::Ready | OperationState::Sending | OperationState::Unknown
        );
        // Nothing can be found out before the service takes the token again.
        let waits = goes_on && newest.message.contains("Can't check");
        (rests || waits).then_some(())
    });
    speaks_well(lanes.newest().expect("an operation"))?;
    troubles.clear_now();
    wire.heal();
    let looks_after = match strike {
        Strike::Write(Fixed::CommitLate) => LATER,
        _ => Duration::ZERO,
    };
    let mut clerk = Clerk::new(&errand.subject, site.truth_file()).looking_after(looks_after);
    let client = site.client();
    clerk.see_through(&mut lanes, |lanes| {
        let now = site.clock.now();
        lanes.ask(site.runtime.block_on(errand.subject.request(&client, now)));
    })?;
    let open = Journal::count_open(&site.journal(name)).expect("a count");
    if open > 0 {
        return Err(format!("{open} operations are still open"));
    }
    Ok(states(site, name))
}

/// Sets the fault; returns a hook that sets the remaining faults once the write is answered.
fn set(site: &Site, wire: &Wire, kind: OperationKind, strike: Strike) -> FaultHook {
    let path = Errand::path(kind);
    let troubles = site.practice.trouble();
    let on_write = || troubles.clone().on(path).once();
    let lost = || on_write().set_now(Fault::FailAfter { reset: false });
    match strike {
        Strike::Write(fixed) => {
            let address = format!("{}{path}", site.practice.base_url());
            on_write().set_now(fixed.fault(&address));
        }
        Strike::LastByte => wire.fail(&format!("{path} "), wire::Fault::KeepLastByte),
        Strike::Lag => {
            on_write().set_now(Fault::LookupLag { ms: LAG_MS });
            lost();
        }
        Strike::Twice => {
            lost();
            troubles.clone().everywhere().set_now(Fault::DuplicateIds);
        }
        Strike::RefusedAfter => return refuse_when_answered(troubles),
        Strike::LostThenRefused => {
            lost();
            return refuse_when_answered(troubles);
        }
    }
    Arc::new(|_| ())
}

fn refuse_when_answered(troubles: Troubles) -> FaultHook {
    let once = AtomicBool::new(false);
    Arc::new(move |milestone| {
        if milestone == FaultPoint::Answered && !once.swap(true, Ordering::SeqCst) {
            // The service lives on the same runtime: it must not wait for this thread.
            tokio::task::block_in_place(|| {
                let set = troubles.clone().everywhere().set(Fault::Unauthorised);
                Handle::current().block_on(set)
            });
        }
    })
}

/// A bench that waits no longer than the faults are made for.
pub(super) fn bench(site: &Site, name: &str, address: &str) -> Lanes {
    bench_with(site, name, address, Arc::new(|_| ()))
}

fn bench_with(site: &Site, name: &str, address: &str, witness: FaultHook) -> Lanes {
    let limits = Timeouts {
        write: WAITS,
        create: WAITS,
        ..QUICK
    };
    let place = Place {
        home: site.home(name),
        name: "Bench4".to_owned(),
        clock: site.clock.clone(),
        settle_after: LOOKS.map(Duration::from_millis).to_vec(),
        workgroup: None,
    };
    let client = client(address, &site.token(), limits);
    Lanes::open(&site.runtime, place, client, witness)
}
