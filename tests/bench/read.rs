//! Reads 100,000 consignments in recent-updates pages of 200 from a recorded file. Measures rows per second
//! and peak memory, compared with Python's `json` with `pydantic` models of the same fields, and with
//! `serde_json::Value`. Run with `cargo bench -- read`; needs the packages of
//! `sh assets/setup-debian.sh --tests`.
//!
//! The file is recorded from the practice service at the start. Each reader runs in its own process, so that
//! peak memory is measured separately, and holds one page at a time.

mod python;
mod reader;
mod recording;

use std::io::{self, Write};

use crate::support::report::verdict;
use reader::{Reader, Reading};

pub(crate) use reader::as_child;

/// Consignments in a page.
const PAGE: usize = 200;

/// Different pages in the recorded file.
const PAGES: usize = 5;

/// Number of consignments read for one measurement.
const ROWS: usize = 100_000;

/// Number of measurements of each reader. The best counts, because the others were disturbed.
const RUNS: usize = 5;

pub(crate) fn run() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("recent-updates.jsonl");
    let bytes = recording::record(&path, PAGES, PAGE)?;
    let mut out = io::stdout();
    writeln!(
        out,
        "{ROWS} consignments in pages of {PAGE}, {} KiB a page",
        bytes / PAGES / 1024
    )?;
    let ours = best(&mut out, "ours", || reader::measured(Reader::Ours, &path))?;
    let value = best(&mut out, "serde_json::Value", || {
        reader::measured(Reader::Value, &path)
    })?;
    let python = best(&mut out, "Python json + pydantic", || {
        python::measured(&path)
    })?;
    aim(&mut out, "read_against_python", &ours, &python, 20.0)?;
    aim(&mut out, "read_against_value", &ours, &value, 2.0)?;
    writeln!(
        out,
        "aim read_peak_memory ours={:.1}MiB rival={:.1}MiB ratio={:.2} aim=1 {}",
        ours.peak_mib(),
        python.peak_mib(),
        ours.peak_mib() / python.peak_mib(),
        verdict(ours.peak_mib() <= python.peak_mib()),
    )
}

fn best(
    out: &mut impl Write,
    name: &str,
    mut read: impl FnMut() -> io::Result<Reading>,
) -> io::Result<Reading> {
    let mut best: Option<Reading> = None;
    for _ in 0..RUNS {
        let reading = read()?;
        if best
            .as_ref()
            .is_none_or(|best| reading.rows_a_second() > best.rows_a_second())
        {
            best = Some(reading);
        }
    }
    let best = best.ok_or(io::ErrorKind::InvalidData)?;
    writeln!(
        out,
        "{name:<24} {:>10.0} rows a second, {:>6.1} MiB at its peak",
        best.rows_a_second(),
        best.peak_mib()
    )?;
    Ok(best)
}

fn aim(
    out: &mut impl Write,
    name: &str,
    ours: &Reading,
    rival: &Reading,
    times: f64,
) -> io::Result<()> {
    let ratio = ours.rows_a_second() / rival.rows_a_second();
    writeln!(
        out,
        "aim {name} ours={:.0}rows/s rival={:.0}rows/s ratio={ratio:.2} aim={times} {}",
        ours.rows_a_second(),
        rival.rows_a_second(),
        verdict(ratio >= times),
    )
}
