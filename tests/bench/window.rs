//! The window, beside an empty eframe window of the same size on the same display: how soon something is to be seen,
//! how much memory is resident, and that nothing is drawn while nothing happens.
//!
//! `cargo bench --bench window`. Both are watched from outside, by the screen's own memory and by `/proc`, so neither
//! can flatter itself. The rival is this very executable, started again with an argument.

#[path = "window/damage.rs"]
mod damage;
#[path = "window/measure.rs"]
mod measure;
#[path = "window/rival.rs"]
mod rival;
#[path = "../it/support"]
#[expect(dead_code, reason = "the tests use the rest of it")]
mod support {
    pub(crate) mod display;
    pub(crate) mod program;
    pub(crate) mod wait;
}

use std::env;
use std::io::{self, Write as _};

use measure::{Contestant, Figures};
use support::display::Display;

/// Started one after the other, so that a disturbance hits both.
const ROUNDS: usize = 7;

const FIRST_FRAME_AIM: f64 = 1.5;
const MEMORY_AIM: f64 = 1.5;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let Some(size) = rival::wanted(&arguments) {
        return rival::open(size).map_err(|error| io::Error::other(error.to_string()));
    }
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
    let verdict = if our_frames == 0 { "met" } else { "missed" };
    writeln!(
        out,
        "aim idle_frames ours={our_frames} rival={rival_frames} ratio=none aim=0 {verdict}"
    )
}

fn times_at_most(name: &str, unit: &str, (ours, rival): (f64, f64), aim: f64) -> String {
    let ratio = ours / rival;
    let verdict = if ratio <= aim { "met" } else { "missed" };
    format!(
        "aim {name} ours={ours:.1}{unit} rival={rival:.1}{unit} ratio={ratio:.2} aim={aim} {verdict}"
    )
}
