//! Writes the folded text of each column of a row, as the list shows it.

use std::collections::HashMap;
use std::fmt::Write as _;

use jiff::civil::DateTime;

use super::super::columns::{Col, ListColumn as _, has_mark};
use super::fold::fold_into;
use crate::state::UnmanifestedRow;
use shipping::LocalTime;

/// Maximum number of formatted times in the cache.
const TIMES: usize = 4_096;

/// Writer of row texts. Formatted times are cached, because many rows share the same times.
#[derive(Debug, Default)]
pub(super) struct TextWriter {
    times: HashMap<DateTime, Box<str>>,
}

impl TextWriter {
    /// Appends the text of a column of `one` to `out`; appends nothing if the column is empty.
    pub(super) fn write(&mut self, out: &mut String, one: &UnmanifestedRow, col: Col) {
        match col {
            Col::Despatch => self.time(out, one.despatch),
            Col::Eta => self.time(out, one.eta),
            Col::Pieces => put(out, format_args!("{}", one.pieces)),
            Col::Weight => {
                if let Some(weight) = one.weight {
                    put(out, format_args!("{:.1}", weight.0));
                }
            }
            Col::Volume => {
                if let Some(volume) = one.volume {
                    put(out, format_args!("{:.3}", volume.0));
                }
            }
            Col::Price => {
                if let Some(price) = one.price {
                    put(out, format_args!("{:.2}", price.0));
                }
            }
            Col::Dangerous | Col::International | Col::Important => {
                if has_mark(one, col) {
                    out.push_str(col.entry().key);
                }
            }
            // Neither is stored in the row; the index checks both itself.
            Col::OnHold | Col::Label => {}
            text => fold_into(out, column_text(one, text)),
        }
    }

    fn time(&mut self, out: &mut String, at: Option<LocalTime>) {
        let Some(LocalTime(at)) = at else { return };
        if self.times.len() > TIMES {
            self.times.clear();
        }
        let words = self.times.entry(at).or_insert_with(|| {
            let words = at.strftime("%-d %b %H:%M").to_string();
            words.to_lowercase().into()
        });
        out.push_str(words);
    }
}

/// Appends formatted numbers. Writing into a string cannot fail.
fn put(out: &mut String, figures: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(figures);
}

/// Returns the text of a text column; empty for other columns.
pub(in crate::screens::dispatch::view) fn column_text(one: &UnmanifestedRow, col: Col) -> &str {
    let to = &one.to_place;
    match col {
        Col::Number => &one.number,
        Col::Reference => &one.reference,
        Col::Reference2 => &one.reference2,
        Col::CarrierNumber => &one.carrier_number,
        Col::To => &one.to,
        Col::Suburb => &to.suburb,
        Col::State => &to.state,
        Col::Postcode => &to.postcode,
        Col::Country => &to.country,
        Col::From => &one.from,
        Col::Carrier => &one.carrier,
        Col::Service => &one.service,
        _ => "",
    }
}
