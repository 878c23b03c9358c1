//! Measures filtering 100,000 rows over all columns while a clerk types, compared with
//! `to_lowercase().contains` over each column. Also reports, without a target, the time for sorting, reading
//! and adding a consignment.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use app::screens::dispatch::view::index::Index;
use app::state::{ListOrder, Shared, UnmanifestedList, UnmanifestedRow, ViewedList};

use crate::list::at_dispatch;
use crate::support::report::{median, verdict};

/// Milliseconds a key.
const AIM_MS: f64 = 5.0;
const TIMES: usize = 15;
/// Typed key by key.
const TYPED: [&str; 6] = [
    "southern",
    "ballarat 31",
    "carrier:southern vic",
    "ms2999",
    "zurich",
    "dg:yes kg:310",
];

pub(crate) fn run(out: &mut impl Write, list: &UnmanifestedList) -> io::Result<()> {
    let mut shared = at_dispatch(list.clone());
    let mut index = Index::default();
    let reading = timed(|| index.refresh(&shared, "warm", None, 0.0));
    index.refresh(&shared, "", None, 0.0);
    let letters: Vec<String> = ('a'..='z').chain('0'..='9').map(String::from).collect();
    let worst = |keys: Vec<(String, f64)>| {
        let longest = keys.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        longest.unwrap_or_default()
    };
    let first = worst(
        letters
            .iter()
            .map(|letter| (letter.clone(), key(&mut index, &shared, "", letter)))
            .collect(),
    );
    let typed = worst(
        TYPED
            .iter()
            .flat_map(|text| word(&mut index, &shared, text))
            .collect(),
    );
    let of_rival = |text: &str| {
        median(
            (0..3)
                .map(|_| timed(|| drop(black_box(plain(list, text)))))
                .collect(),
        )
    };
    for (name, (text, ours)) in [("filter_first_letter", first), ("filter_as_typed", typed)] {
        let its = of_rival(&text);
        writeln!(
            out,
            "aim {name} ours={ours:.2}ms rival={its:.2}ms ratio={:.3} aim={AIM_MS}ms {} ({text})",
            ours / its,
            verdict(ours <= AIM_MS)
        )?;
    }
    writeln!(out, "all rows read at once: {reading:.1} ms")?;
    let mut sorts: Vec<(&str, f64)> = Vec::new();
    for field in ViewedList::Dispatch.fields() {
        let order = ListOrder {
            column: field,
            descending: true,
        };
        index.refresh(&shared, "", None, 0.0);
        sorts.push((
            field.key(),
            timed(|| index.refresh(&shared, "", Some(order), 0.0)),
        ));
    }
    sorts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let words: Vec<String> = sorts
        .iter()
        .map(|(col, ms)| format!("{col} {ms:.1}"))
        .collect();
    writeln!(out, "sorted by, in ms: {}", words.join(", "))?;
    index.refresh(&shared, "southern", None, 0.0);
    if let (Some(list), Some(first)) = (
        shared.dispatch.unmanifested.value_mut(),
        list.rows().first(),
    ) {
        let mut made: UnmanifestedRow = (**first).clone();
        made.id = shipping::ConsignmentId::new(made.id.get() + 1);
        list.put(made);
    }
    let created = timed(|| index.refresh(&shared, "southern", None, 0.0));
    writeln!(
        out,
        "one more consignment, while a filter is typed: {created:.1} ms"
    )
}

/// Milliseconds that the list takes to follow a word, for each of its keys.
fn word(index: &mut Index, shared: &Shared, text: &str) -> Vec<(String, f64)> {
    (1..=text.len())
        .map(|end| {
            (
                text[..end].to_owned(),
                key(index, shared, &text[..end - 1], &text[..end]),
            )
        })
        .collect()
}

/// Milliseconds from one filter to the next.
fn key(index: &mut Index, shared: &Shared, before: &str, after: &str) -> f64 {
    let once = |_| {
        index.refresh(shared, "", None, 0.0);
        index.refresh(shared, before, None, 0.0);
        timed(|| index.refresh(shared, after, None, 0.0))
    };
    median((0..TIMES).map(once).collect())
}

fn timed(what: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    what();
    begun.elapsed().as_secs_f64() * 1000.0
}

/// The rival: every word in any column, folded as it is looked at.
fn plain(list: &UnmanifestedList, filter: &str) -> Vec<u32> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |one: &UnmanifestedRow| {
        let columns = columns(one);
        let holds = |word: &String| {
            columns
                .iter()
                .any(|text| text.to_lowercase().contains(word))
        };
        words.iter().all(holds)
    };
    let rows = (0u32..).zip(list.iter());
    rows.filter(|(_, one)| fits(one))
        .map(|(row, _)| row)
        .collect()
}

fn columns(one: &UnmanifestedRow) -> [&str; 14] {
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
