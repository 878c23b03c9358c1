//! Measures start-up with 100,000 stored consignments and 10,000 operations in the journal, compared with an
//! empty journal: once for the journal alone, from opening it to its first outcome, and once for the program,
//! from process start to the first visible frame.
//!
//! Run with `cargo bench -- start`. The two sides alternate, so that a disturbance affects both, and medians
//! are compared. The service is away in both cases, so everything shown comes from the journal.

mod filling;
mod measure;

use std::io::{self, Write as _};

use crate::support::report::verdict;
use filling::{CONSIGNMENTS, OPERATIONS};
use measure::{Figures, Journals, Windows};

const ROUNDS: usize = 9;

/// How much longer a full journal may take.
const AIM_MS: f64 = 150.0;

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let journals = Journals::new();
    writeln!(
        out,
        "{CONSIGNMENTS} consignments and {OPERATIONS} operations: {} MiB; an empty one: {} KiB",
        journals.full_bytes() / 1024 / 1024,
        journals.empty_bytes() / 1024,
    )?;
    let (mut full, mut empty) = (Figures::default(), Figures::default());
    for _ in 0..ROUNDS {
        empty.add(journals.start_empty());
        full.add(journals.start_full());
    }
    aim(&mut out, "start_full_journal", &full, &empty)?;
    let (shown, of) = journals.time_to_list();
    writeln!(
        out,
        "the list of {of} is on the screen after {shown:.0} ms, behind the work"
    )?;
    writeln!(
        out,
        "the whole journal is checked in {:.0} ms, behind the work",
        journals.check()
    )?;
    writeln!(
        out,
        "and backed up in {:.0} ms, behind the work",
        journals.back_up()
    )?;

    let windows = Windows::new(&journals);
    let (mut full, mut empty) = (Figures::default(), Figures::default());
    for _ in 0..ROUNDS {
        empty.add(windows.start_empty());
        full.add(windows.start_full());
    }
    aim(&mut out, "start_full_window", &full, &empty)
}

fn aim(out: &mut impl io::Write, name: &str, ours: &Figures, rival: &Figures) -> io::Result<()> {
    let (ours, rival) = (ours.median_ms(), rival.median_ms());
    let longer = ours - rival;
    writeln!(
        out,
        "aim {name} ours={ours:.1}ms rival={rival:.1}ms ratio={:.2} aim=+{AIM_MS}ms difference={longer:+.1}ms {}",
        ours / rival,
        verdict(longer <= AIM_MS)
    )
}
