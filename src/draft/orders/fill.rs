//! Fills a draft from the rows of one order.

use std::collections::HashMap;

use super::column::{Column, Mapping, fold_header};
use super::{OrderTerms, Sheet};
use crate::countries::is_australia;
use crate::field::RecordField as _;
use crate::party::join_parts;
use crate::preset::StatedOptions;
use crate::text::one_line;
use crate::{
    AddressField, AddressMode, ContentsLine, Draft, Field, GoodsField, GoodsLine, ItemSource,
    Party, Routing,
};
use shipping::ItemType;

/// The longest text of a cell, in characters.
const LONGEST_CELL: usize = 1_000;

/// Problems of rows: the row's index in the sheet, and the reason.
pub(super) type Faults = Vec<(usize, String)>;

/// The rows of one order, with the position of each mapped column.
struct Rows<'a> {
    sheet: &'a Sheet,
    rows: &'a [usize],
    at: HashMap<Column, usize>,
    faults: Faults,
}

/// Fills a draft from the rows of one order; each row becomes a line of goods.
pub(super) fn fill(
    sheet: &Sheet,
    mapping: &Mapping,
    rows: &[usize],
    terms: &OrderTerms,
) -> (Draft, Faults) {
    let columns = mapping.iter().enumerate();
    let at = columns.filter_map(|(at, column)| column.map(|column| (column, at)));
    let mut order = Rows {
        sheet,
        rows,
        at: at.collect(),
        faults: Vec::new(),
    };
    order.look_at_rows();
    let mut draft = Draft {
        company: terms.company,
        from: order.from(terms),
        to: order.to(terms),
        is_order: true,
        ..Draft::default()
    };
    let mut stated = StatedOptions::default();
    for column in Column::all() {
        match *column {
            Column::Text(field) => {
                if let Some(option) = field.text_option() {
                    *(option.value_mut)(&mut draft) = order.order_value(*column);
                }
            }
            Column::Question(question) => {
                let answer = order.yes_or_no(*column);
                if answer.is_some() {
                    stated.questions.insert(question);
                }
                if answer == Some(true) {
                    draft.questions.insert(question);
                }
            }
            Column::Flag(flag) => {
                let answer = order.yes_or_no(*column);
                if answer.is_some() {
                    stated.flags.push(flag);
                }
                *draft.flags.value_mut(flag) = answer == Some(true);
            }
            Column::Routing => draft.routing = order.routing(*column),
        }
    }
    draft.goods = rows.iter().map(|row| order.line(*row, terms)).collect();
    terms.complete(&mut draft, &stated);
    (draft, order.faults)
}

impl Rows<'_> {
    fn look_at_rows(&mut self) {
        for row in self.rows {
            let own = &self.sheet.rows[*row];
            let mut fault = |words: &str| self.faults.push((*row, words.to_owned()));
            if own.open_quote {
                fault("This row has an opening quote without a closing quote");
            } else if self.sheet.is_too_long(*row) {
                fault("This row has more cells than the header");
            }
            if own
                .cells
                .iter()
                .any(|cell| cell.chars().count() > LONGEST_CELL)
            {
                fault("A cell is longer than 1,000 characters");
            }
        }
    }

    /// Returns a cell's text on one line, because spreadsheets add blanks and line breaks.
    fn cell(&self, row: usize, column: Column) -> String {
        let at = self.at.get(&column);
        at.map_or_else(String::new, |at| one_line(self.sheet.cell(row, *at)))
    }

    /// Returns a value that applies to the whole order. Any of its rows may contain the value; rows with
    /// different values are faults.
    fn order_value(&mut self, column: Column) -> String {
        let mut said: Option<(usize, String)> = None;
        for row in self.rows {
            let cell = self.cell(*row, column);
            match &said {
                _ if cell.is_empty() => {}
                None => said = Some((*row, cell)),
                Some((_, first)) if cell.eq_ignore_ascii_case(first) => {}
                Some((first, _)) => {
                    let (name, line) = (column.name(), self.sheet.rows[*first].line);
                    let words =
                        format!("{name} differs from line {line}, which has the same reference");
                    self.faults.push((*row, words));
                }
            }
        }
        said.map(|(_, said)| said).unwrap_or_default()
    }

    fn fault(&mut self, column: Column, words: &str) {
        let row = self.rows.first().copied().unwrap_or_default();
        self.faults
            .push((row, format!("{}: {words}", column.name())));
    }

    /// Returns the answer to a question; `None` if the order says nothing.
    fn yes_or_no(&mut self, column: Column) -> Option<bool> {
        let said = self.order_value(column);
        match said.to_ascii_lowercase().as_str() {
            "" => None,
            "no" | "n" | "false" | "0" => Some(false),
            "yes" | "y" | "true" | "1" | "x" => Some(true),
            _ => {
                self.fault(column, "Enter yes or no");
                None
            }
        }
    }

    fn routing(&mut self, column: Column) -> Routing {
        let said = self.order_value(column);
        match said.to_ascii_lowercase().as_str() {
            "" => Routing::Unchosen,
            "cheapest" | "cheap" | "lowest" => Routing::Cheapest,
            "fastest" | "fast" | "express" => Routing::Fastest,
            _ => {
                let words = "Enter cheapest or fastest, or leave this empty";
                self.fault(column, words);
                Routing::Unchosen
            }
        }
    }

    fn from(&mut self, terms: &OrderTerms) -> Party {
        let short = self.order_value(Column::Text(Field::From(AddressField::Saved)));
        if short.is_empty() {
            terms.from.clone()
        } else {
            saved(short, terms)
        }
    }

    fn to(&mut self, terms: &OrderTerms) -> Party {
        let to = |field| Column::Text(Field::To(field));
        let short = self.order_value(to(AddressField::Saved));
        let mut side = Party {
            mode: AddressMode::Full,
            ..Party::default()
        };
        for column in Column::all() {
            match *column {
                // The receiver's fields depend on each other and are filled in below.
                Column::Text(Field::To(
                    AddressField::Saved
                    | AddressField::Place
                    | AddressField::Province
                    | AddressField::Postcode,
                )) => {}
                Column::Text(Field::To(field)) => {
                    field.set_text(&mut side, self.order_value(*column));
                }
                _ => {}
            }
        }
        if is_scientific_notation(&side.phone) {
            let words = "The spreadsheet has shortened this number. Format the cell as text and enter it again";
            self.fault(to(AddressField::Phone), words);
        }
        let suburb = self.order_value(to(AddressField::Place));
        let state = self.order_value(to(AddressField::Province));
        let postcode = self.order_value(to(AddressField::Postcode));
        if !short.is_empty() {
            if !(side.line1.is_empty() && suburb.is_empty() && postcode.is_empty()) {
                let words =
                    "Enter either the abbreviation of a saved location or an address, not both";
                self.fault(to(AddressField::Saved), words);
            }
            return saved(short, terms);
        }
        if is_australia(&side.country) {
            let postcode = restore_leading_zero(postcode);
            side.place = join_parts(&[&suburb, &state, &postcode], " ");
        } else {
            (side.city, side.province, side.postcode) = (suburb, state, postcode);
        }
        side
    }

    /// Builds a line of goods. A row with an SKU becomes a saved item if the row has no measures, or if the
    /// bench knows the SKU and measures are missing. In any other row, missing values are reported, never
    /// taken from elsewhere.
    fn line(&self, row: usize, terms: &OrderTerms) -> GoodsLine {
        let mut line = GoodsLine::default();
        for column in Column::all() {
            if let Column::Text(Field::Goods(_, field)) = *column {
                field.set_text(&mut line, self.cell(row, *column));
            }
        }
        line.item_type = item_type(&line.item_type);
        let measures = [&line.weight, &line.length, &line.width, &line.height];
        let left_out = measures.iter().filter(|text| text.is_empty()).count();
        let all = measures.len();
        if left_out > 0 && !line.sku.is_empty() {
            line.source = ItemSource::Sku;
            line.attach_remembered_item(&terms.items);
            if line.saved.is_none() && left_out < all {
                line.source = ItemSource::Direct;
            }
        }
        line.contents.extend(self.contents(row));
        if !line.is_saved() {
            if line.item_type.is_empty() {
                GoodsLine::default()
                    .item_type
                    .clone_into(&mut line.item_type);
            }
            if line.name.is_empty() {
                line.sku.clone_into(&mut line.name);
            }
            let quantity = Column::Text(Field::Goods(0, GoodsField::Quantity));
            if !self.at.contains_key(&quantity) {
                "1".clone_into(&mut line.quantity);
            }
        }
        line
    }

    /// Returns the customs contents of a row, if any of their columns is filled.
    fn contents(&self, row: usize) -> Option<ContentsLine> {
        let mut inside = ContentsLine::default();
        for column in Column::all() {
            if let Column::Text(Field::Contents(_, _, field)) = *column {
                field.set_text(&mut inside, self.cell(row, *column));
            }
        }
        (!inside.is_untouched()).then_some(inside)
    }
}

/// Returns a saved location by its abbreviation; resolves the abbreviation if the bench knows the location.
fn saved(short: String, terms: &OrderTerms) -> Party {
    let mut side = Party {
        mode: AddressMode::Saved,
        ..Party::default()
    };
    side.abbreviation = short;
    side.resolve_abbreviation(&terms.locations);
    side
}

/// Returns whether a spreadsheet turned the number into scientific notation, like `3.55E+10`.
fn is_scientific_notation(phone: &str) -> bool {
    let phone = phone.to_ascii_uppercase();
    phone.split_once("E+").is_some_and(|(digits, power)| {
        digits.starts_with(|first: char| first.is_ascii_digit())
            && power.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Restores the leading zero of a postcode like `0800`, which spreadsheets remove.
fn restore_leading_zero(postcode: String) -> String {
    if postcode.len() == 3 && postcode.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("0{postcode}")
    } else {
        postcode
    }
}

/// Returns the packaging kind as it is sent; an unknown kind stays as typed.
fn item_type(said: &str) -> String {
    let known = ItemType::NAMES
        .iter()
        .find(|name| fold_header(name) == fold_header(said));
    known.map_or_else(|| said.to_owned(), |name| (*name).to_owned())
}
