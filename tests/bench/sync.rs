//! Measures the first sync of 100,000 consignments into the store on disk, compared with fetching and
//! discarding the same pages with bare `reqwest`, and how much memory a running sync uses.
//!
//! Run with `cargo bench -- sync`. The two sides alternate at one practice service in its own process, and
//! medians are compared. The consignments are copies of a few that were created through the interface,
//! written directly to the service's database.

mod bare;
mod following;
mod memory;
mod records;

use std::io::{self, Write as _};
use std::time::Duration;

use crate::support::practice_service::PracticeService;
use crate::support::report::verdict;
use crate::support::runtime::runtime;

pub(crate) use memory::as_child;

const ROWS: usize = 100_000;
const ROUNDS: usize = 3;

/// Of the bare speed, at the least.
const AIM: f64 = 0.8;

pub(crate) fn run() -> io::Result<()> {
    let runtime = runtime(2);
    let folder = tempfile::tempdir()?;
    let service = PracticeService::start(&folder.path().join("practice"));
    records::fill(&service, &runtime, ROWS);
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

fn a_second(mut rounds: Vec<Duration>) -> f64 {
    rounds.sort();
    let median = rounds[rounds.len() / 2];
    f64::from(u32::try_from(ROWS).unwrap_or(u32::MAX)) / median.as_secs_f64()
}
