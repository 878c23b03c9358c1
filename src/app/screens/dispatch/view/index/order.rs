//! Sorts the rows by a column.
//!
//! Invariant: in both directions, equal rows stay newest first and rows without a value come last.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::super::columns::{Col, has_mark, label_sort_position};
use super::row_texts::RowTexts;
use crate::state::{Shared, UnmanifestedList};
use shipping::LocalTime;

/// The column and direction by which the Dispatch list is sorted.
pub type Order = crate::ui::lists::Order<Col>;

/// Sort key of a row; for text, the first 16 bytes after the common prefix.
type Key = u128;
/// Key of a row without a value: sorts last.
const NO_VALUE: Key = Key::MAX;

/// Returns the indices of all rows of the list in the given order.
pub(super) fn sorted_rows(
    shared: &Shared,
    list: &UnmanifestedList,
    texts: &RowTexts,
    by: Order,
) -> Vec<u32> {
    let rows = 0..u32::try_from(list.len()).unwrap_or(u32::MAX);
    if by.col == Col::Number {
        // The list is already sorted by id, newest first.
        return if by.descending {
            rows.collect()
        } else {
            rows.rev().collect()
        };
    }
    if !is_text_column(by.col) {
        let keys = values(shared, list, by.col);
        return sorted(keys, by.descending);
    }
    let fields: Vec<&[u8]> = rows
        .map(|row| texts.field(row, by.col).as_bytes())
        .collect();
    rows_by_rank(&ranks(&fields), by.descending)
}

/// Returns whether sorting by a column needs the texts of the rows. Text columns come before `Pieces`.
pub(super) const fn is_text_column(col: Col) -> bool {
    (col as u8) < Col::Pieces as u8
}

fn sorted(keys: Vec<Key>, descending: bool) -> Vec<u32> {
    let mut rows: Vec<(Key, u32)> = keys.into_iter().zip(0u32..).collect();
    // A stable sort keeps rows with equal keys newest first, and is fast where thousands of keys are equal.
    rows.sort_by(|(a, _), (b, _)| {
        let by_key = a.cmp(b);
        // Rows without a value stay last in descending order, too.
        let turned = descending && *a != NO_VALUE && *b != NO_VALUE;
        if turned { by_key.reverse() } else { by_key }
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns the rank of each field among the distinct values, from 0; `None` for an empty field. Only distinct
/// values are compared, because in a long list thousands of rows have the same value.
fn ranks(fields: &[&[u8]]) -> Vec<Option<u32>> {
    let mut known: HashMap<&[u8], u32> = HashMap::new();
    let mut differing: Vec<&[u8]> = Vec::new();
    let which: Vec<Option<u32>> = fields
        .iter()
        .map(|field| {
            let number = u32::try_from(differing.len()).unwrap_or(u32::MAX);
            (!field.is_empty()).then(|| {
                *known.entry(field).or_insert_with(|| {
                    differing.push(field);
                    number
                })
            })
        })
        .collect();
    let common = common(&differing);
    let mut order: Vec<(Key, u32)> = differing
        .iter()
        .map(|field| text_key(field, common))
        .zip(0..)
        .collect();
    let tail = |at: u32| differing[at as usize].get(common + size_of::<Key>()..);
    order.sort_unstable_by(|(key_a, a), (key_b, b)| {
        key_a.cmp(key_b).then_with(|| tail(*a).cmp(&tail(*b)))
    });
    let mut places = vec![0; order.len()];
    for (place, (_, at)) in (0..).zip(&order) {
        places[*at as usize] = place;
    }
    which
        .iter()
        .map(|which| which.map(|which| places[which as usize]))
        .collect()
}

/// Sorts rows by rank with a counting sort, which keeps rows of equal rank in their order.
fn rows_by_rank(places: &[Option<u32>], descending: bool) -> Vec<u32> {
    let last = places.iter().flatten().max().map_or(0, |last| last + 1);
    let turned = |place: &Option<u32>| {
        let place = place.map_or(
            last,
            |place| {
                if descending { last - 1 - place } else { place }
            },
        );
        place as usize
    };
    let mut starts = vec![0_usize; last as usize + 2];
    for place in places {
        starts[turned(place) + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut rows = vec![0; places.len()];
    for (row, place) in (0..).zip(places) {
        let start = &mut starts[turned(place)];
        rows[*start] = row;
        *start += 1;
    }
    rows
}

/// Returns the length of the prefix that all fields share, in bytes.
fn common(fields: &[&[u8]]) -> usize {
    let Some((first, others)) = fields.split_first() else {
        return 0;
    };
    let mut length = first.len();
    for field in others {
        let alike = first[..length]
            .iter()
            .zip(*field)
            .take_while(|(a, b)| a == b);
        length = alike.count();
        if length == 0 {
            break;
        }
    }
    length
}

/// Returns the 16 bytes after the common prefix as a number; numbers compare as the bytes do.
fn text_key(field: &[u8], common: usize) -> Key {
    let mut bytes = [0; size_of::<Key>()];
    for (place, byte) in bytes
        .iter_mut()
        .zip(field.get(common..).unwrap_or_default())
    {
        *place = *byte;
    }
    Key::from_be_bytes(bytes)
}

fn values(shared: &Shared, list: &UnmanifestedList, col: Col) -> Vec<Key> {
    let key = |one: &crate::state::UnmanifestedRow| match col {
        Col::Pieces => Some(ordered_integer(one.pieces)),
        Col::Weight => one.weight.map(|weight| ordered(weight.0)),
        Col::Volume => one.volume.map(|volume| ordered(volume.0)),
        Col::Price => one.price.map(|price| ordered(price.0)),
        Col::Despatch => one.despatch.map(time),
        Col::Eta => one.eta.map(time),
        Col::Label => Some(Key::from(label_sort_position(shared.label_state(one.id)))),
        Col::OnHold => shared.on_hold.contains(&one.id).then_some(0),
        col => has_mark(one, col).then_some(0),
    };
    list.iter()
        .map(|one| key(one).unwrap_or(NO_VALUE))
        .collect()
}

const fn ordered_integer(value: i64) -> Key {
    (value as i128 - i64::MIN as i128).cast_unsigned()
}

/// Returns the key of an amount in millionths, which is finer than any amount that is written.
fn ordered(value: Decimal) -> Key {
    let scale = value.scale();
    let mantissa = value.mantissa();
    let millionths = if scale <= 6 {
        mantissa.saturating_mul(10_i128.pow(6 - scale))
    } else {
        mantissa / 10_i128.pow(scale - 6)
    };
    // Halving and shifting the value keeps the key positive: negative amounts come first, none is NOTHING.
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
