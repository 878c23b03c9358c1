//! Filter and sort order of the list give the same rows as a simple pass over all rows.

use std::collections::HashSet;
use std::sync::Arc;

use app::state::{
    Command, ConsignmentRow, DispatchCommand, Environment, LabelState, ListField, ListOrder, Shared,
};
use egui_kittest::kittest::Queryable as _;
use proptest::prelude::*;
use shipping::ConsignmentId;

use super::screen::{data, filter, open, shared, to_the_list};
use crate::support::keyboard::{click, type_and_see};
use crate::support::lists::{ListService, list_rows, listed, put_row, retain_rows};

/// Names and words that share letters, cases and accents.
const NAMES: [&str; 6] = ["Abba", "bab", "ÁBC", "cab ca", "", "Bäcker"];
const FILTERS: [&str; 14] = [
    "",
    "a",
    "ab",
    "abc",
    "b a",
    "to:b",
    "to:\"cab c\"",
    "reference:a",
    "carrier:ab b",
    "dg:yes",
    "held:no a",
    "label:wait",
    "label:s",
    "che",
];
const SORTS: [ListField; 6] = [
    ListField::To,
    ListField::Carrier,
    ListField::Pieces,
    ListField::Number,
    ListField::OnHold,
    ListField::Label,
];

/// Where labels stand, in the order of what needs a person first.
const LABELS: [&str; 9] = [
    "not sent",
    "check",
    "printed?",
    "changed",
    "waiting",
    "printing",
    "sent",
    "by service",
    "printed",
];

fn label(place: usize) -> LabelState {
    let now = jiff::Timestamp::UNIX_EPOCH;
    let states = [
        LabelState::Failed(String::new()),
        LabelState::FailedVerification(String::new()),
        LabelState::Uncertain(String::new()),
        LabelState::Stale,
        LabelState::Waiting,
        LabelState::Printing,
        LabelState::Sent(now),
        LabelState::AtService(String::new()),
        LabelState::Printed(now),
    ];
    states.into_iter().nth(place).expect("a place")
}

/// What none was said of waits.
fn label_word(shared: &Shared, one: &ConsignmentRow) -> &'static str {
    let Some(state) = shared.labels.states.get(&one.id) else {
        return "waiting";
    };
    let place = (0..LABELS.len()).find(|place| label(*place) == *state);
    LABELS[place.expect("a state that is known")]
}

#[derive(Debug, Clone)]
enum Change {
    Put(i64, usize, usize, usize),
    Remove(i64),
    Filter(usize),
    Sort(Option<(usize, bool)>),
    Hold(i64),
    Label(i64, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let id = 1..12_i64;
    let name = 0..NAMES.len();
    let one = prop_oneof![
        3 => (id.clone(), name.clone(), name.clone(), name)
            .prop_map(|(id, to, reference, carrier)| Change::Put(id, to, reference, carrier)),
        1 => id.clone().prop_map(Change::Remove),
        3 => (0..FILTERS.len()).prop_map(Change::Filter),
        2 => proptest::option::of((0..SORTS.len(), any::<bool>())).prop_map(Change::Sort),
        1 => id.clone().prop_map(Change::Hold),
        2 => (id, 0..LABELS.len()).prop_map(|(id, state)| Change::Label(id, state)),
    ];
    prop::collection::vec(one, 1..40)
}

fn row(id: i64, to: usize, reference: usize, carrier: usize) -> ConsignmentRow {
    let base = data::rows(1).next().expect("a row");
    ConsignmentRow {
        id: ConsignmentId::new(id),
        number: format!("MS{id}"),
        to: NAMES[to].to_owned(),
        reference: NAMES[reference].to_owned(),
        reference2: String::new(),
        carrier_number: String::new(),
        carrier: NAMES[carrier].to_owned(),
        service: String::new(),
        from: String::new(),
        to_place: shipping::Location::default(),
        pieces: i64::try_from(to * 7 % 3).expect("small"),
        weight: None,
        volume: None,
        price: None,
        despatch: None,
        eta: None,
        dangerous: Some(reference.is_multiple_of(2)),
        international: false,
        important: false,
        ..base
    }
}

fn fold(text: &str) -> String {
    text.to_lowercase().replace(['á', 'ä'], "a")
}

/// The same by looking at every row, column and word.
fn plainly(shared: &Shared, filter: &str, sort: Option<ListOrder>) -> Vec<ConsignmentId> {
    let row = |id: &ConsignmentId| shared.row(*id).expect("a row");
    let mut rows = listed(shared);
    rows.retain(|id| fits(shared, row(id), filter));
    let Some(order) = sort else { return rows };
    let key = |id: &ConsignmentId| said(shared, row(id), order.column);
    rows.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        let empty = a.is_empty().cmp(&b.is_empty());
        let by_value = if order.descending {
            b.cmp(&a)
        } else {
            a.cmp(&b)
        };
        empty.then(by_value)
    });
    rows
}

/// What is compared, as text that is in the same order.
fn said(shared: &Shared, one: &ConsignmentRow, col: ListField) -> String {
    match col {
        ListField::To => fold(&one.to),
        ListField::Carrier => fold(&one.carrier),
        ListField::Pieces => one.pieces.to_string(),
        ListField::Number => format!("{:04}", one.id.get()),
        ListField::OnHold if shared.dispatch.on_hold.contains(&one.id) => "held".to_owned(),
        // In the order of what needs a person first.
        ListField::Label => {
            let word = label_word(shared, one);
            let place = LABELS.iter().position(|known| *known == word);
            place.expect("a state that is known").to_string()
        }
        _ => String::new(),
    }
}

fn fits(shared: &Shared, one: &ConsignmentRow, filter: &str) -> bool {
    let held = shared.dispatch.on_hold.contains(&one.id);
    let label = label_word(shared, one);
    // That it waits is found by its column alone.
    let said = if label == "waiting" { "" } else { label };
    let (to, reference, carrier) = (fold(&one.to), fold(&one.reference), fold(&one.carrier));
    let pieces = one.pieces.to_string();
    let dg = if one.dangerous == Some(true) {
        "dg"
    } else {
        ""
    };
    let back = if held { "on hold" } else { "" };
    let number = fold(&one.number);
    let all = [&to, &reference, &carrier, &pieces, dg, said, back, &number];
    let any = |word: &str| all.iter().any(|text| text.contains(word));
    match filter {
        "to:\"cab c\"" => to.contains("cab c"),
        "held:no a" => !held && any("a"),
        "dg:yes" => one.dangerous == Some(true),
        "label:wait" => label.contains("wait"),
        "label:s" => label.contains('s'),
        filter => filter
            .split_whitespace()
            .all(|word| match word.split_once(':') {
                Some(("to", word)) => to.contains(word),
                Some(("reference", word)) => reference.contains(word),
                Some(("carrier", word)) => carrier.contains(word),
                _ => any(word),
            }),
    }
}

fn apply(shared: &mut Shared, change: &Change) {
    match change {
        Change::Put(id, to, reference, carrier) => {
            put_row(shared, row(*id, *to, *reference, *carrier));
        }
        Change::Remove(id) => retain_rows(shared, |one| one.get() != *id),
        Change::Hold(id) => {
            let id = ConsignmentId::new(*id);
            let held: &mut HashSet<_> = Arc::make_mut(&mut shared.dispatch.on_hold);
            if !held.remove(&id) {
                held.insert(id);
            }
        }
        Change::Label(id, state) => {
            let id = ConsignmentId::new(*id);
            shared.labels.states.insert(id, label(*state));
        }
        Change::Filter(_) | Change::Sort(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]
    #[test]
    fn what_is_shown_is_what_a_plain_look_shows(changes in changes()) {
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let mut shared = Shared::new(now, Environment::Practice);
        list_rows(&mut shared, []);
        let mut lists = ListService::default();
        let (mut filter, mut sort) = ("", None);
        for change in &changes {
            apply(&mut shared, change);
            match change {
                Change::Filter(which) => filter = FILTERS[*which],
                Change::Sort(by) => {
                    sort = by.map(|(col, descending)| ListOrder { column: SORTS[col], descending });
                }
                _ => {}
            }
            let order = sort.unwrap_or_default();
            let query = Command::Dispatch(DispatchCommand::Query(filter.to_owned(), order));
            ListService::take(&mut shared, &query);
            lists.answer(&mut shared);
            let shown = shared.dispatch.shown().ids;
            prop_assert_eq!(shown.to_vec(), plainly(&shared, filter, sort), "{:?} by {:?}", filter, sort);
        }
    }
}

#[test]
fn a_hundred_thousand_rows_are_found_by_any_column() {
    let mut shared = shared(100_000);
    let mut lists = ListService::default();
    assert_eq!(shared.dispatch.shown().ids.len(), 100_000);
    for (words, count) in [
        ("ms234567", 1),
        ("SO-48000", 1),
        ("so48000", 1),
        ("ref:so-48000", 1),
        ("to:so-48000", 0),
        ("cafe zurich", 11_111),
        ("\"café zü\"", 11_111),
        ("carrier:southern state:vic dg:yes", 456),
        ("nowhere", 0),
    ] {
        let query = DispatchCommand::Query(words.to_owned(), ListOrder::default());
        ListService::take(&mut shared, &Command::Dispatch(query));
        lists.answer(&mut shared);
        assert_eq!(shared.dispatch.shown().ids.len(), count, "{words}");
    }
}

#[test]
fn escape_clears_the_filter_and_an_empty_list_says_what_to_do() {
    let mut window = open(shared(50));
    filter(&mut window, "nowhere");
    window.get_by_label("No results");
    window.get_by_label("0 of 50");
    click(&mut window, "Clear the filter");
    window.get_by_label("50");
    filter(&mut window, "ms200049");
    window.get_by_label("1 of 50");
    type_and_see(&mut window, "<Ctrl+F><Esc>", "50");
    to_the_list(&mut window);
}
