//! Sorts the rows by a column.
//!
//! Invariant: in both directions, equal rows stay newest first and rows without a value come last.

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use super::row_texts::RowTexts;
use crate::state::{
    FieldValue, LabelState, ListField, ListOrder, Shared, UnmanifestedList, UnmanifestedRow,
};

/// Returns the indices of all rows of the list in the given order.
pub(super) fn sorted_rows(
    shared: &Shared,
    list: &UnmanifestedList,
    texts: &RowTexts,
    by: ListOrder,
) -> Vec<u32> {
    let rows = 0..u32::try_from(list.len()).unwrap_or(u32::MAX);
    match by.column {
        // The list is already sorted by id, newest first.
        ListField::Number if by.descending => rows.collect(),
        ListField::Number => rows.rev().collect(),
        column if column.is_text() => {
            let text = |row| Some(texts.field(row, column)).filter(|text| !text.is_empty());
            sorted(rows.map(|row| (text(row), row)).collect(), by.descending)
        }
        column => {
            let values = list.iter().map(|row| value(shared, row, column));
            sorted(values.zip(rows).collect(), by.descending)
        }
    }
}

/// Sorts rows by their keys. The sort is stable, so that equal rows stay newest first.
fn sorted<K: Ord>(mut rows: Vec<(Option<K>, u32)>, descending: bool) -> Vec<u32> {
    rows.sort_by(|(a, _), (b, _)| {
        let by_key = if descending { b.cmp(a) } else { a.cmp(b) };
        a.is_none().cmp(&b.is_none()).then(by_key)
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns the value of a row by which it is sorted, as a number.
fn value(shared: &Shared, row: &UnmanifestedRow, column: ListField) -> Option<i128> {
    match column {
        ListField::Label => Some(label_sort_position(shared.labels.state(row.id)).into()),
        ListField::OnHold => shared.dispatch.on_hold.contains(&row.id).then_some(0),
        column => match row.field(column) {
            FieldValue::Count(count) => Some(count.into()),
            FieldValue::Amount(amount) => Some(millionths(amount)),
            FieldValue::Time(at) => Some(at.0.duration_since(DateTime::ZERO).as_nanos()),
            FieldValue::Mark(true) => Some(0),
            _ => None,
        },
    }
}

/// Returns the sort position of a label's state: states that need attention come first.
const fn label_sort_position(state: &LabelState) -> u8 {
    match state {
        LabelState::Failed(_) => 0,
        LabelState::FailedVerification(_) => 1,
        LabelState::Uncertain(_) => 2,
        LabelState::Stale => 3,
        LabelState::Waiting => 4,
        LabelState::Printing => 5,
        LabelState::InQueue(_) => 6,
        LabelState::Sent(_) => 7,
        LabelState::AtService(_) => 8,
        LabelState::Printed(_) => 9,
    }
}

/// Returns an amount in millionths, which is finer than any amount that is written. The result fits: it has up to 117 bits.
fn millionths(amount: Decimal) -> i128 {
    let (scale, mantissa) = (amount.scale(), amount.mantissa());
    if scale <= 6 {
        mantissa * 10_i128.pow(6 - scale)
    } else {
        mantissa / 10_i128.pow(scale - 6)
    }
}
