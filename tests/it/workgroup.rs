//! Many benches on one PostgreSQL server: a real server, and connections as the program makes them.

mod administrator;
mod bench;
mod claims;
mod connection;
mod handover;
mod orders;
mod shared;
mod simulation;
mod window;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::runtime::Runtime;
use workgroup::{
    ClaimKey, ClaimingOperation, Member, OperationEvent, Workgroup, WorkgroupOptions,
    WorkgroupState,
};

use crate::support::postgres::{PASSWORD, Postgres};
use crate::support::runtime::runtime;
use crate::support::wait::{SOON, until};

const SERVICE: &str = "https://api.example.com/";

fn options(address: &str) -> WorkgroupOptions {
    WorkgroupOptions {
        address: address.parse().expect("an address"),
        password: Some(PASSWORD.into()),
        authority: None,
    }
}

/// A bench's membership, without the bench.
struct MemberOnly {
    workgroup: Workgroup,
    runtime: Arc<Runtime>,
}

impl MemberOnly {
    fn join(runtime: &Arc<Runtime>, options: WorkgroupOptions, bench: &str) -> Self {
        let member = Member {
            service: SERVICE.to_owned(),
            bench: format!("{bench}-ABC123"),
            name: bench.to_owned(),
            clerk: "Mia".to_owned(),
            version: "0.2.0".to_owned(),
        };
        let workgroup = Workgroup::new(options, member);
        let connecting = workgroup.clone();
        runtime.spawn(async move { connecting.stay_connected().await });
        Self {
            workgroup,
            runtime: Arc::clone(runtime),
        }
    }

    fn connected(self) -> Self {
        self.wait_for(&WorkgroupState::Connected);
        self
    }

    fn wait_for(&self, state: &WorkgroupState) {
        let states = self.workgroup.state();
        until(&format!("{state:?}"), SOON, || {
            (*states.borrow() == *state).then_some(())
        });
    }

    fn wait<T>(&self, job: impl Future<Output = T>) -> T {
        self.runtime.block_on(job)
    }
}

fn two_benches(server: &Postgres) -> [MemberOnly; 2] {
    let runtime = Arc::new(runtime(2));
    ["Bench 1", "Bench 2"]
        .map(|name| MemberOnly::join(&runtime, options(&server.address()), name).connected())
}

fn operation(id: i64) -> ClaimingOperation {
    ClaimingOperation {
        id,
        made: Timestamp::from_second(1_800_000_000 + id).expect("a time"),
        kind: "Manifest".to_owned(),
        title: "Tasman".to_owned(),
    }
}

fn consignments(ids: impl IntoIterator<Item = i64>) -> Vec<ClaimKey> {
    ids.into_iter().map(ClaimKey::consignment).collect()
}

/// The event of an operation of this bench that has come to this state.
fn event(
    member: &MemberOnly,
    operation: &ClaimingOperation,
    state: &str,
    is_end: bool,
) -> OperationEvent {
    OperationEvent {
        id: format!(
            "{}-{}-{state}",
            member.workgroup.member().bench,
            operation.id
        ),
        bench: member.workgroup.member().bench,
        operation: operation.id,
        made: operation.made,
        kind: operation.kind.clone(),
        state: state.to_owned(),
        is_end,
        title: operation.title.clone(),
        reference: String::new(),
        consignments: vec![1],
        message: String::new(),
        clerk: "Mia".to_owned(),
        happened: operation.made,
    }
}
