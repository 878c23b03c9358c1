//! Searches all suburbs for each key of typed places, compared with a plain search for the text in each. Run with
//! `cargo bench -- suburb`.

use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

use draft::Suburb;
use draft::suburbs::{australian, search};

use crate::support::report::{aim, line, median};

/// Places as clerks type them. Each letter is searched.
const TYPED: [&str; 5] = [
    "ballarat central vic 3350",
    "alexandria",
    "2015",
    "st kilda east",
    "north",
];

/// The number of suburbs that a field offers.
const MOST: usize = 12;
/// The number of times that each key is measured.
const RUNS: usize = 40;
/// The most time for the slowest key.
const LIMIT: Duration = Duration::from_millis(2);

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let slowest = slowest(|text| {
        black_box(search(australian(), text, MOST));
    });
    let plain = self::slowest(|text| {
        black_box(plain(australian(), text));
    });
    line(&mut out, "ours, slowest key", slowest)?;
    line(&mut out, "plain search of the text, slowest key", plain)?;
    aim(&mut out, "suburb_key", slowest, Some(LIMIT), 1.0)
}

/// Returns the median time of the slowest key.
fn slowest(search: impl Fn(&str)) -> Duration {
    let keys = TYPED
        .iter()
        .flat_map(|text| (1..=text.len()).map(|end| &text[..end]));
    let time = |text: &str| {
        let start = Instant::now();
        search(text);
        start.elapsed().as_secs_f64()
    };
    let medians = keys.map(|text| median((0..RUNS).map(|_| time(text)).collect()));
    Duration::from_secs_f64(medians.fold(0.0, f64::max))
}

fn plain<'a>(suburbs: &'a [Suburb], text: &str) -> Vec<&'a Suburb> {
    let has_text = |suburb: &&Suburb| suburb.label().to_lowercase().contains(text);
    suburbs.iter().filter(has_text).take(MOST).collect()
}
