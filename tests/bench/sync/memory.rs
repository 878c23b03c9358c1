//! What a long look takes of the memory: a process of its own follows everything, and says by how much its resident memory
//! grew after the first rows had come.
//!
//! What grows with the rows is their ids, three times over: those that came, so that each is given once; those that changed;
//! and what the figures count them by. That is some tens of bytes a row.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use crate::following;
use crate::service::Service;

/// For 80,000 rows.
pub(crate) const AIM_MIB: f64 = 16.0;

/// By then everything that is needed once is there, and the store's page cache of 16 MB is full.
const WARM_ROWS: usize = 20_000;

const ARGUMENT: &str = "--memory-of";

/// MiB.
pub(crate) fn growth_mib(service: &Service, home: &Path) -> io::Result<f64> {
    let child = Command::new(std::env::current_exe()?)
        .arg(ARGUMENT)
        .args([&service.address, &service.token])
        .arg(home)
        .output()?;
    let said = String::from_utf8_lossy(&child.stdout);
    said.trim().parse().map_err(io::Error::other)
}

/// True where this process is the one that follows; it has done so then.
pub(crate) fn is_child() -> bool {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [first, address, token, home] = arguments.as_slice() else {
        return false;
    };
    if first != ARGUMENT {
        return false;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let (mut before, mut peak) = (0, 0);
    following::follow(&runtime, Path::new(home), address, token, |progress| {
        let now = resident_kib();
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
    let _said = writeln!(io::stdout(), "{:.2}", f64::from(growth) / 1024.0);
    true
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
