//! How figures are printed: a line each, and a line each aim.

use std::io::{self, Write};
use std::time::Duration;

/// A figure by itself.
pub(crate) fn line(out: &mut impl Write, name: &str, time: Duration) -> io::Result<()> {
    writeln!(out, "{name:<56} {:>8.2} ms", milliseconds(time))
}

/// Ours beside its rival, and whether their ratio is below the aim.
pub(crate) fn aim(
    out: &mut impl Write,
    name: &str,
    ours: Duration,
    rival: Option<Duration>,
    aim: f64,
) -> io::Result<()> {
    let Some(rival) = rival else {
        return writeln!(out, "aim {name} not measured: its rival is not installed");
    };
    let (ours, rival) = (milliseconds(ours), milliseconds(rival));
    let ratio = ours / rival;
    let verdict = if ratio < aim { "met" } else { "missed" };
    writeln!(
        out,
        "aim {name} ours={ours:.2}ms rival={rival:.2}ms ratio={ratio:.3} aim={aim} {verdict}"
    )
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
