//! Measures queries of Track over a store of a million consignments: rows that match a text, letter by
//! letter, and the board's metrics, compared with plain SQL over the same rows.
//!
//! Run with `cargo bench -- track`; set `PACKBENCH_TRACKED=100000` for a smaller store. Making the store
//! takes some minutes.

mod data;
mod plain;

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::report::{self, milliseconds, verdict};
use app::state::{Board, Thresholds, TrackList, TrackQuery, TrackScope};
use data::Store;
use engine::{Fetch, Remote};
use plain::Plain;

const CONSIGNMENTS: i64 = 1_000_000;

/// Targets for the slowest letter and for all metrics, in milliseconds.
const SEARCH_AIM: f64 = 20.0;
const BOARD_AIM: f64 = 50.0;

/// What a clerk types: numbers, references, names, places; some that nothing holds.
const TYPED: [&str; 10] = [
    "MS200431",
    "TLX0431",
    "SO-77123",
    "smith",
    "Café Wollongong",
    "harbour 2500",
    "o'brien marine",
    "0431",
    "zq",
    "qqqzzz",
];

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let count = std::env::var("PACKBENCH_TRACKED");
    let count = count
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(CONSIGNMENTS);
    let mut store = Store::make(count);
    writeln!(out, "{count} consignments: {}", store.summary())?;
    let plain = Plain::open(&store.path);
    store.open();
    let started = Instant::now();
    let _ = board(&store);
    report::line(
        &mut out,
        "figures loaded, and counted once",
        started.elapsed(),
    )?;
    if let Some(memory) = store.grown() {
        writeln!(out, "memory that the figures take: {memory} MiB")?;
    }
    search(&mut out, &store, &plain)?;
    let (mut ours, mut rival) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let started = Instant::now();
        let counted = board(&store);
        ours.push(started.elapsed());
        assert!(counted.total > 0, "something is counted");
    }
    for _ in 0..3 {
        let started = Instant::now();
        plain.board(data::now());
        rival.push(started.elapsed());
    }
    aim(
        &mut out,
        "board_figures",
        middle(ours),
        middle(rival),
        BOARD_AIM,
    )
}

fn search(out: &mut impl io::Write, store: &Store, plain: &Plain) -> io::Result<()> {
    let (mut slowest, mut slow_key, mut all) = (Duration::ZERO, String::new(), Vec::new());
    let mut rival = Duration::ZERO;
    for typed in TYPED {
        for end in typed.char_indices().map(|(at, c)| at + c.len_utf8()) {
            let key = &typed[..end];
            let time = (0..3)
                .map(|_| typed_once(store, key))
                .min()
                .unwrap_or_default();
            all.push(time);
            if time > slowest {
                (slowest, slow_key) = (time, key.to_owned());
            }
            let started = Instant::now();
            plain.search(key);
            rival = rival.max(started.elapsed());
        }
    }
    writeln!(out, "{} keys; the slowest is {slow_key:?}", all.len())?;
    report::line(out, "the key in the middle", middle(all))?;
    aim(out, "search_as_you_type", slowest, rival, SEARCH_AIM)
}

/// From the key to the list.
fn typed_once(store: &Store, words: &str) -> Duration {
    let started = Instant::now();
    let query = TrackQuery {
        words: words.to_owned(),
        scope: data::scope(),
        ..TrackQuery::default()
    };
    let list: TrackList = fetched(store.reads().track_list(query, Thresholds::default()));
    let took = started.elapsed();
    assert_eq!(list.query.words, words);
    took
}

fn board(store: &Store) -> Arc<Board> {
    let scope: TrackScope = data::scope();
    fetched(store.reads().board(scope, Thresholds::default()))
}

fn fetched<T: Send + 'static>(fetch: Fetch<T>) -> T {
    let mut remote = Remote::default();
    remote.start(fetch);
    while !remote.poll() {
        std::thread::sleep(Duration::from_micros(50));
    }
    let answer = remote.take().expect("an answer");
    answer.expect("no failure")
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn aim(
    out: &mut impl io::Write,
    name: &str,
    ours: Duration,
    rival: Duration,
    aim: f64,
) -> io::Result<()> {
    let (ours, rival) = (milliseconds(ours), milliseconds(rival));
    writeln!(
        out,
        "aim {name} ours={ours:.2}ms rival={rival:.2}ms ratio={:.4} aim={aim}ms {}",
        ours / rival,
        verdict(ours <= aim)
    )
}
