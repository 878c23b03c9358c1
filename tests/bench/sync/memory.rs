//! Measures the memory of a long sync: a separate process syncs everything and reports how much its resident
//! memory grew after the first rows.
//!
//! Only ids grow with the rows, three times: the received ids, so that each row is reported once; the changed
//! ids; and the keys of the metrics. That is some tens of bytes per row.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use crate::support::memory::own_resident_kib;
use crate::support::practice_service::PracticeService;
use crate::support::runtime::runtime;
use crate::sync::following;

/// For 80,000 rows.
pub(crate) const AIM_MIB: f64 = 16.0;

/// By then everything that is needed once is there, and the store's page cache of 16 MB is full.
const WARM_ROWS: usize = 20_000;

const ARGUMENT: &str = "follow-all";

/// MiB.
pub(crate) fn growth_mib(service: &PracticeService, home: &Path) -> io::Result<f64> {
    let child = Command::new(std::env::current_exe()?)
        .arg(ARGUMENT)
        .args([&service.address, &service.token])
        .arg(home)
        .output()?;
    let said = String::from_utf8_lossy(&child.stdout);
    said.trim().parse().map_err(io::Error::other)
}

/// Runs the child that follows, where the arguments ask for it.
pub(crate) fn as_child(arguments: &[String]) -> Option<io::Result<()>> {
    match arguments {
        [first, address, token, home] if first == ARGUMENT => {
            Some(follow(address, token, Path::new(home)))
        }
        _ => None,
    }
}

fn follow(address: &str, token: &str, home: &Path) -> io::Result<()> {
    let runtime = runtime(2);
    let (mut before, mut peak) = (0, 0);
    following::follow(&runtime, home, address, token, |progress| {
        let now = own_resident_kib().unwrap_or(0);
        if progress.came < WARM_ROWS {
            before = now.max(before);
        } else {
            peak = now.max(peak);
        }
    });
    assert!(
        before > 0 && peak > 0,
        "the memory was looked at before the first rows and after them"
    );
    let growth = u32::try_from(peak.saturating_sub(before)).unwrap_or(u32::MAX);
    writeln!(io::stdout(), "{:.2}", f64::from(growth) / 1024.0)
}
