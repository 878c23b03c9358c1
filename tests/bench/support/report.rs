//! Prints results: one line per measurement and one line per target.

use std::io::{self, Write};
use std::time::Duration;

/// Prints a time by itself.
pub(crate) fn line(out: &mut impl Write, name: &str, time: Duration) -> io::Result<()> {
    writeln!(out, "{name:<56} {:>8.2} ms", milliseconds(time))
}

/// Prints our time beside the rival's, and whether their ratio is below the aim.
pub(crate) fn aim(
    out: &mut impl Write,
    name: &str,
    ours: Duration,
    rival: Option<Duration>,
    aim: f64,
) -> io::Result<()> {
    let Some(rival) = rival else {
        return not_measured(out, name);
    };
    let (ours, rival) = (milliseconds(ours), milliseconds(rival));
    let ratio = ours / rival;
    writeln!(
        out,
        "aim {name} ours={ours:.2}ms rival={rival:.2}ms ratio={ratio:.3} aim={aim} {}",
        verdict(ratio < aim)
    )
}

/// Returns the line of a figure that may be at most `aim` times the rival's.
pub(crate) fn times_at_most(name: &str, unit: &str, (ours, rival): (f64, f64), aim: f64) -> String {
    let ratio = ours / rival;
    format!(
        "aim {name} ours={ours:.1}{unit} rival={rival:.1}{unit} ratio={ratio:.2} aim={aim} {}",
        verdict(ratio <= aim)
    )
}

/// What a figure in milliseconds is held against.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// At most so many times the rival's.
    Ratio(f64),
    /// Less than so many milliseconds.
    Milliseconds(f64),
}

/// Prints milliseconds a frame beside the rival's, and whether the target is met.
pub(crate) fn frame_target(
    out: &mut impl Write,
    name: &str,
    (ours, rival): (f64, f64),
    target: Target,
) -> io::Result<()> {
    let ratio = ours / rival;
    let (aim, is_met) = match target {
        Target::Ratio(most) => (most.to_string(), ratio <= most),
        Target::Milliseconds(most) => (format!("{most}ms"), ours < most),
    };
    writeln!(
        out,
        "aim {name} ours={ours:.2}ms rival={rival:.2}ms ratio={ratio:.2} aim={aim} {}",
        verdict(is_met)
    )
}

/// Runs both sides in turns, so that a disturbance affects both, and returns their medians.
pub(crate) fn alternate(
    rounds: usize,
    mut ours: impl FnMut() -> f64,
    mut rival: impl FnMut() -> f64,
) -> (f64, f64) {
    let (mut of_ours, mut of_rival) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        of_ours.push(ours());
        of_rival.push(rival());
    }
    (median(of_ours), median(of_rival))
}

pub(crate) fn not_measured(out: &mut impl Write, name: &str) -> io::Result<()> {
    writeln!(out, "aim {name} not measured: its rival is not installed")
}

pub(crate) const fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns the median; NaN if there are no values.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
