//! Resident memory of a process, as Linux reports it.

use std::path::Path;

/// KiB in memory now of the process with this folder below `/proc`; `None` when the process has ended.
pub(crate) fn resident_kib(process: &Path) -> Option<u64> {
    field(process, "VmRSS:")
}

/// KiB that this process had in memory at its peak.
pub(crate) fn own_peak_kib() -> Option<u64> {
    field(Path::new("/proc/self"), "VmHWM:")
}

/// KiB that this process has in memory now.
pub(crate) fn own_resident_kib() -> Option<u64> {
    resident_kib(Path::new("/proc/self"))
}

fn field(process: &Path, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
