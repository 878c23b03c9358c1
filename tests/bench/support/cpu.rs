//! CPU time, user and system together, as Linux accounts for it in steps of 10 ms: measure seconds, not milliseconds.

use std::fs;
use std::time::Duration;

/// Linux shows user space a hundred ticks a second on every architecture that this runs on.
const TICK: Duration = Duration::from_millis(10);

/// What this process has used, without its children.
pub(crate) fn own() -> Duration {
    fields("self", 13, 14)
}

/// What its ended children have used, and theirs, as far as they were waited for.
pub(crate) fn ended_children() -> Duration {
    fields("self", 15, 16)
}

/// What another process has used.
pub(crate) fn of(process: u32) -> Duration {
    fields(&process.to_string(), 13, 14)
}

/// The sum of two fields of `/proc/…/stat`, numbered from 0.
fn fields(process: &str, one: usize, other: usize) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))
        .expect("Linux keeps account of every process");
    // The name in brackets may hold spaces.
    let after_name = stat.rsplit_once(')').expect("the name is in brackets").1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |at: usize| fields[at - 2].parse::<u32>().expect("a count of ticks");
    TICK * (ticks(one) + ticks(other))
}
