//! What following costs: the first look at 100,000 consignments, into the store on disk, beside the same pages fetched by bare
//! `reqwest` and thrown away; and how much memory the look takes once it is under way.
//!
//! `cargo bench --bench sync`. Both take turns at one practice service in a process of its own; the medians count. The
//! service's consignments are copies of a few that were made by the interface, put on its disk directly.

#[path = "sync/bare.rs"]
mod bare;
#[path = "sync/following.rs"]
mod following;
#[path = "sync/memory.rs"]
mod memory;
#[path = "sync/service.rs"]
mod service;

use std::io::{self, Write as _};
use std::time::Duration;

use service::Service;

const ROWS: usize = 100_000;
const ROUNDS: usize = 3;

/// Of the bare speed, at the least.
const AIM: f64 = 0.8;

fn main() -> io::Result<()> {
    if memory::is_child() {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let folder = tempfile::tempdir()?;
    let service = Service::start(&folder.path().join("practice"));
    service.fill(&runtime, ROWS);
    let (mut ours, mut rival) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let home = folder.path().join(format!("bench {round}"));
        let (rows, took) =
            following::follow(&runtime, &home, &service.address, &service.token, |_| ());
        assert_eq!(rows, ROWS, "all of them are followed");
        ours.push(took);
        rival.push(bare::fetch(&runtime, &service, ROWS)?);
    }
    let (ours, rival) = (a_second(ours), a_second(rival));
    let ratio = ours / rival;
    let mut out = io::stdout();
    writeln!(
        out,
        "aim sync_first ours={ours:.0}rows/s rival={rival:.0}rows/s ratio={ratio:.2} aim={AIM} {}",
        verdict(ratio >= AIM)
    )?;
    let growth = memory::growth_mib(&service, &folder.path().join("memory"))?;
    writeln!(
        out,
        "aim sync_memory ours={growth:.1}MiB aim={}MiB {}",
        memory::AIM_MIB,
        verdict(growth <= memory::AIM_MIB)
    )
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
}

fn a_second(mut rounds: Vec<Duration>) -> f64 {
    rounds.sort();
    let median = rounds[rounds.len() / 2];
    f64::from(u32::try_from(ROWS).unwrap_or(u32::MAX)) / median.as_secs_f64()
}
