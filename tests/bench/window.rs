//! Measures the window, compared with an empty eframe window of the same size on the same display: time until
//! something is visible, resident memory, and that nothing is drawn while nothing happens.
//!
//! Run with `cargo bench -- window`. Both are measured from outside, through the screen's memory and `/proc`.
//! The baseline is this executable, started again with an argument.

mod damage;
mod measure;
pub(crate) mod rival;

use std::io::{self, Write as _};

use crate::support::display::Display;
use crate::support::report::{times_at_most, verdict};
use measure::{Contestant, Figures};

/// Started one after the other, so that a disturbance hits both.
const ROUNDS: usize = 7;

const FIRST_FRAME_AIM: f64 = 1.5;
const MEMORY_AIM: f64 = 1.5;

pub(crate) fn run() -> io::Result<()> {
    let display = Display::start();
    let ours = Contestant::packbench(&display);
    let rival = Contestant::empty_window(&display, ours.size());
    let (mut our_figures, mut rival_figures) = (Figures::default(), Figures::default());
    for _ in 0..ROUNDS {
        ours.round(&mut our_figures);
        rival.round(&mut rival_figures);
    }
    let (our_frames, rival_frames) = (ours.frames_while_idle(), rival.frames_while_idle());

    let mut out = io::stdout().lock();
    let first = (our_figures.first_frame_ms(), rival_figures.first_frame_ms());
    let memory = (our_figures.resident_mib(), rival_figures.resident_mib());
    writeln!(
        out,
        "{}",
        times_at_most("frame_first", "ms", first, FIRST_FRAME_AIM)
    )?;
    writeln!(
        out,
        "{}",
        times_at_most("memory_resident", "MiB", memory, MEMORY_AIM)
    )?;
    writeln!(
        out,
        "aim idle_frames ours={our_frames} rival={rival_frames} ratio=none aim=0 {}",
        verdict(our_frames == 0)
    )
}

/// Shows the rival's window until it is killed, where the arguments ask for it.
pub(crate) fn as_child(arguments: &[String]) -> Option<io::Result<()>> {
    let size = rival::wanted(arguments)?;
    Some(rival::open(size).map_err(|error| io::Error::other(error.to_string())))
}
