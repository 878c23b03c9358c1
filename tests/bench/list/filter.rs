//! Measures filtering 100,000 rows over all columns while a clerk types, from the key to the list, compared with
//! `to_lowercase().contains` over each column. Also reports, without a target, the time for reading all texts, for
//! sorting, and after a change.

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use app::state::{ConsignmentHistory, ConsignmentRow, ListOrder, Remote, TrackQuery, ViewedList};
use engine::Engine;
use jiff::Timestamp;
use shipping::{Clock, ConsignmentId};
use storage::TrackStore;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::Rows;
use crate::support::report::{median, verdict};
use crate::support::runtime::runtime;
use crate::support::start_engine;

/// Milliseconds a key.
const AIM_MS: f64 = 5.0;
const TIMES: usize = 15;
/// Rows that are written at a time.
const A_PAGE: usize = 500;
/// Typed key by key.
const TYPED: [&str; 6] = [
    "southern",
    "ballarat 31",
    "carrier:southern vic",
    "ms2999",
    "zurich",
    "dg:yes kg:310",
];

/// The engine, on a store with the rows of the list.
struct Bench {
    ids: Arc<[ConsignmentId]>,
    work: Engine,
    _runtime: Runtime,
    _folder: TempDir,
}

impl Bench {
    fn new(list: &[Arc<ConsignmentRow>]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let now: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let path = TrackStore::beside(&folder.path().join("journal.db"));
        let mut store = TrackStore::open(&path).expect("a store");
        for page in list.chunks(A_PAGE) {
            let row = |row: &Arc<ConsignmentRow>| ConsignmentHistory {
                row: ConsignmentRow::clone(row),
                history: Vec::new(),
            };
            let page: Vec<_> = page.iter().map(row).collect();
            store.put(&page, now).expect("kept");
        }
        drop(store);
        let (runtime, clock) = (runtime(2), Clock::fixed(now));
        let address = "http://127.0.0.1:9";
        Self {
            ids: list.iter().map(|row| row.id).collect(),
            work: start_engine::start(&runtime, folder.path(), clock, address, "none"),
            _runtime: runtime,
            _folder: folder,
        }
    }

    /// Milliseconds from a query to its rows.
    fn query(&self, words: &str, order: ListOrder) -> f64 {
        let begun = Instant::now();
        let query = TrackQuery {
            words: words.to_owned(),
            order,
            ..TrackQuery::default()
        };
        let mut list = Remote::default();
        let reads = self.work.reads();
        list.start(reads.unmanifested_list(Arc::clone(&self.ids), query, Arc::default()));
        while !list.poll() {
            std::thread::sleep(Duration::from_micros(20));
        }
        assert!(list.problem().is_none(), "the query was answered");
        begun.elapsed().as_secs_f64() * 1000.0
    }

    /// Milliseconds from a filter to its rows.
    fn key(&self, words: &str) -> f64 {
        let times = (0..TIMES).map(|_| self.query(words, ListOrder::default()));
        median(times.collect())
    }
}

pub(crate) fn run(out: &mut impl Write, list: &Rows) -> io::Result<()> {
    let bench = Bench::new(list);
    let reading = bench.query("warm", ListOrder::default());
    let letters = ('a'..='z').chain('0'..='9').map(String::from);
    let words = TYPED
        .iter()
        .flat_map(|text| (1..=text.len()).map(|end| text[..end].to_owned()));
    let worst = |keys: &mut dyn Iterator<Item = String>| {
        let keys = keys.map(|key| (bench.key(&key), key));
        let longest = keys.max_by(|one, other| one.0.total_cmp(&other.0));
        longest.unwrap_or_default()
    };
    let first = worst(&mut letters.into_iter());
    let typed = worst(&mut words.into_iter());
    for (name, (ours, text)) in [("filter_first_letter", first), ("filter_as_typed", typed)] {
        let plainly = |_| timed(|| drop(black_box(plain(list, &text))));
        let its = median((0..3).map(plainly).collect());
        writeln!(
            out,
            "aim {name} ours={ours:.2}ms rival={its:.2}ms ratio={:.3} aim={AIM_MS}ms {} ({text})",
            ours / its,
            verdict(ours <= AIM_MS)
        )?;
    }
    writeln!(out, "all texts read for the first filter: {reading:.1} ms")?;
    let mut sorts: Vec<(&str, f64)> = ViewedList::Dispatch
        .fields()
        .map(|column| {
            let order = ListOrder {
                column,
                descending: true,
            };
            (column.key(), bench.query("", order))
        })
        .collect();
    sorts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let words: Vec<String> = sorts
        .iter()
        .map(|(column, ms)| format!("{column} {ms:.1}"))
        .collect();
    writeln!(out, "sorted by, in ms: {}", words.join(", "))?;
    let fewer = Bench {
        ids: bench.ids[1..].into(),
        ..bench
    };
    let changed = fewer.query("southern", ListOrder::default());
    writeln!(
        out,
        "one consignment less, while a filter is typed: {changed:.1} ms"
    )
}

fn timed(what: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    what();
    begun.elapsed().as_secs_f64() * 1000.0
}

/// The rival: every word in any column, folded as it is looked at.
fn plain(list: &[Arc<ConsignmentRow>], filter: &str) -> Vec<ConsignmentId> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |one: &ConsignmentRow| {
        let columns = columns(one);
        let holds = |word: &String| {
            columns
                .iter()
                .any(|text| text.to_lowercase().contains(word))
        };
        words.iter().all(holds)
    };
    let rows = list.iter().filter(|one| fits(one));
    rows.map(|one| one.id).collect()
}

fn columns(one: &ConsignmentRow) -> [&str; 14] {
    [
        &one.number,
        &one.reference,
        &one.reference2,
        &one.carrier_number,
        &one.from,
        &one.to,
        &one.to_place.suburb,
        &one.to_place.state,
        &one.to_place.postcode,
        &one.to_place.country,
        &one.carrier,
        &one.service,
        &one.from_place.suburb,
        &one.from_place.state,
    ]
}
