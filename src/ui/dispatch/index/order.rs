//! The rows in the order of a column.
//!
//! What always holds: rows that say the same stay with the newest first, and rows that say nothing come last, whichever way.

use std::cmp::Ordering;
use std::collections::HashMap;

use rust_decimal::Decimal;

use super::super::columns::{Col, label_word, mark};
use super::texts::Texts;
use crate::shipping::{ConsignmentId, LocalTime};
use crate::state::{Shared, WaitingList};

/// Which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub col: Col,
    /// The largest first.
    pub descending: bool,
}

/// What is compared first; of text its beginning.
type Key = u128;
/// Comes last.
const NOTHING: Key = Key::MAX;

/// Every row of the list, in order.
pub(super) fn order(shared: &Shared, list: &WaitingList, texts: &Texts, by: Order) -> Vec<u32> {
    let rows = 0..u32::try_from(list.len()).unwrap_or(u32::MAX);
    if by.col == Col::Number {
        // The list is in the order of ids as it is.
        return if by.descending {
            rows.collect()
        } else {
            rows.rev().collect()
        };
    }
    if !is_text(by.col) {
        let keys = values(shared, list, by.col);
        return sorted(keys, by.descending, |_, _| Ordering::Equal);
    }
    let field = |row: u32| texts.field(row, by.col).as_bytes();
    let common = common(rows.clone().map(field));
    let keys = rows
        .clone()
        .map(|row| beginning(field(row), common))
        .collect();
    let after = common + size_of::<Key>();
    // Where thousands say the same, looking a field up for each comparison is what would take the time.
    let tails: Vec<&[u8]> = rows
        .map(|row| field(row).get(after..).unwrap_or_default())
        .collect();
    sorted(keys, by.descending, |a, b| {
        tails[a as usize].cmp(tails[b as usize])
    })
}

/// Does a column's order need the rows' texts?
pub(super) const fn is_text(col: Col) -> bool {
    (col as u8) < Col::Pieces as u8
}

fn sorted(keys: Vec<Key>, descending: bool, tie: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut rows: Vec<(Key, u32)> = keys.into_iter().zip(0u32..).collect();
    // Stable, and in the rows' own order before: what says the same stays so, and thousands of the same cost little.
    rows.sort_by(|(key_a, a), (key_b, b)| {
        // Nothing is after everything, and never turned around.
        if *key_a == NOTHING || *key_b == NOTHING {
            return key_a.cmp(key_b);
        }
        let by_key = key_a.cmp(key_b).then_with(|| tie(*a, *b));
        if descending { by_key.reverse() } else { by_key }
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

/// How many bytes all of these begin with alike; those that are empty don't count.
fn common<'a>(mut fields: impl Iterator<Item = &'a [u8]>) -> usize {
    let Some(first) = fields.find(|field| !field.is_empty()) else {
        return 0;
    };
    let mut length = first.len();
    for field in fields.filter(|field| !field.is_empty()) {
        let alike = first[..length]
            .iter()
            .zip(field)
            .take_while(|(a, b)| a == b);
        length = alike.count();
        if length == 0 {
            break;
        }
    }
    length
}

/// The bytes after the common ones, so that numbers compare as the bytes do. Folded text never begins with 0xFF.
fn beginning(field: &[u8], common: usize) -> Key {
    if field.is_empty() {
        return NOTHING;
    }
    let mut bytes = [0; size_of::<Key>()];
    for (place, byte) in bytes
        .iter_mut()
        .zip(field.get(common..).unwrap_or_default())
    {
        *place = *byte;
    }
    Key::from_be_bytes(bytes)
}

fn values(shared: &Shared, list: &WaitingList, col: Col) -> Vec<Key> {
    if col == Col::Label {
        let places: HashMap<&str, Key> = label_places();
        let key = |id: &ConsignmentId| {
            let state = shared.label_states.get(id)?;
            places.get(label_word(state)).copied()
        };
        return list
            .iter()
            .map(|one| key(&one.id).unwrap_or(NOTHING))
            .collect();
    }
    let key = |one: &crate::state::Waiting| match col {
        Col::Pieces => Some(ordered_integer(one.pieces)),
        Col::Weight => one.weight.map(|weight| ordered(weight.0)),
        Col::Volume => one.volume.map(|volume| ordered(volume.0)),
        Col::Price => one.price.map(|price| ordered(price.0)),
        Col::Despatch => one.despatch.map(time),
        Col::Eta => one.eta.map(time),
        Col::Held => shared.held_back.contains(&one.id).then_some(0),
        col => mark(one, col).then_some(0),
    };
    list.iter().map(|one| key(one).unwrap_or(NOTHING)).collect()
}

/// What needs a person first.
fn label_places() -> HashMap<&'static str, Key> {
    [
        "not sent", "look", "changed", "waiting", "printing", "sent", "printed",
    ]
    .into_iter()
    .zip(0..)
    .collect()
}

const fn ordered_integer(value: i64) -> Key {
    (value as i128 - i64::MIN as i128).cast_unsigned()
}

/// In millionths: finer than any amount is written.
fn ordered(value: Decimal) -> Key {
    let scale = value.scale();
    let mantissa = value.mantissa();
    let millionths = if scale <= 6 {
        mantissa.saturating_mul(10_i128.pow(6 - scale))
    } else {
        mantissa / 10_i128.pow(scale - 6)
    };
    // Half of what there is, so that negative ones come first and nothing is NOTHING.
    ((millionths >> 1) + (i128::MAX >> 1)).cast_unsigned()
}

fn time(LocalTime(at): LocalTime) -> Key {
    let parts = [
        (i128::from(at.year()) + 10_000, 1),
        (i128::from(at.month()), 16),
        (i128::from(at.day()), 32),
        (i128::from(at.hour()), 32),
        (i128::from(at.minute()), 64),
        (i128::from(at.second()), 64),
        (i128::from(at.subsec_nanosecond()), 1 << 30),
    ];
    parts
        .iter()
        .fold(0, |key, (part, room)| key * room + part)
        .cast_unsigned()
}
