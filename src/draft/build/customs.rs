//! Builds customs contents: required on every item of an international consignment, absent on all others.

use rust_decimal::Decimal;

use super::RequestBuilder;
use crate::field::{ContentsField as At, Field};
use crate::number::{self, MOST, NumberError};
use crate::{GoodsLine, PURPOSES, countries};
use shipping::{CountryCode, Dollars, ItemContents};

/// The highest value of contents, in Australian dollars.
const MOST_DOLLARS: u32 = 1_000_000_000;

impl RequestBuilder<'_> {
    pub(super) fn contents(&mut self, index: usize, line: &GoodsLine) -> Vec<ItemContents> {
        if !self.international {
            return Vec::new();
        }
        if line.contents.is_empty() {
            let words = "Add the contents of this item for customs";
            self.missing(Field::Customs(index), words);
        }
        self.doubt_contents(index, line);
        (0..line.contents.len())
            .map(|inside| self.content(index, inside, line))
            .collect()
    }

    fn content(&mut self, index: usize, inside: usize, line: &GoodsLine) -> ItemContents {
        let at = |field| Field::Contents(index, inside, field);
        ItemContents {
            description: self.required(at(At::Description), "Enter a description for customs"),
            quantity: self.units(at(At::Quantity), line),
            reference1: self.text(at(At::Reference1)),
            reference2: self.text(at(At::Reference2)),
            reference3: self.text(at(At::Reference3)),
            ci_marks_and_numbers: self.text(at(At::Marks)),
            part_number: self.text(at(At::PartNumber)),
            harmonized_code: self.harmonised(at(At::HarmonisedCode)),
            purpose: self.purpose_of_sending(at(At::Purpose)),
            country_of_manufacture_code: self.made_in(at(At::Country)),
            dollar_value: self.value(at(At::Value)),
        }
    }

    /// Reads the units in one item. Warns if they equal the number of items: the clerk may have entered the total.
    fn units(&mut self, field: Field, line: &GoodsLine) -> Option<u32> {
        let read = |text: &str| number::read_count(text, MOST);
        let units = self.number(field, read, "Enter the number of units in one item")?;
        if units > 1 && line.count() == Some(units) {
            let words = format!(
                "Enter the units in one item only: {units} in each of {units} items makes {} in total",
                units.saturating_mul(units)
            );
            self.warn(field, words);
        }
        Some(units)
    }

    fn purpose_of_sending(&mut self, field: Field) -> Option<String> {
        let typed = field.text(self.draft).trim();
        if typed.is_empty() {
            self.missing(field, "Choose the reason for sending");
            return None;
        }
        let known = { PURPOSES.iter() }.find(|purpose| purpose.eq_ignore_ascii_case(typed));
        if known.is_none() {
            // Only the service has the full list of purposes, so an unknown one is sent as typed.
            let words = format!("The service may accept only {}", PURPOSES.join(", "));
            self.warn(field, words);
        }
        let typed = self.text(field);
        known.map(|known| (*known).to_owned()).or(typed)
    }

    fn made_in(&mut self, field: Field) -> Option<CountryCode> {
        let typed = field.text(self.draft);
        if typed.trim().is_empty() {
            self.missing(field, "Choose the country of origin");
            return None;
        }
        let code = match self.made_in {
            Some((known, code)) if known == typed => code,
            _ => countries::from_name_or_code(typed).map(|country| country.code),
        };
        self.made_in = Some((typed, code));
        if code.is_none() {
            self.error(field, "Choose a country from the list");
        }
        code
    }

    /// Reads a code of 6 to 12 digits. It is sent with the typed dots, but without blanks.
    fn harmonised(&mut self, field: Field) -> Option<String> {
        if self.is_blank(field) {
            let words = "Enter the HS code if you know it: customs use it to classify goods";
            self.warn(field, words);
            return None;
        }
        let letters = field
            .text(self.draft)
            .chars()
            .filter(|letter| *letter != ' ');
        let code: String = letters.take(40).collect();
        let digits = code.bytes().filter(u8::is_ascii_digit).count();
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !(6..=12).contains(&digits) || !code.split('.').all(is_number) {
            self.error(field, "An HS code has 6 to 12 digits, like 8424.41.00");
            return None;
        }
        Some(code)
    }

    /// Reads the value in whole cents; negative values are errors, zero is a warning.
    fn value(&mut self, field: Field) -> Option<Dollars> {
        let read = |text: &str| match number::read(text)? {
            value if value.is_sign_negative() => Err(NumberError::Negative),
            value if value > Decimal::from(MOST_DOLLARS) => {
                Err(NumberError::TooLarge(MOST_DOLLARS))
            }
            value => Ok(value),
        };
        let value = self.number(field, read, "Enter the value in Australian dollars")?;
        if value.scale() > 2 {
            self.error(field, "Enter dollars and cents: at most two decimals");
        } else if value.is_zero() {
            let words = "Enter a value: customs expect one even for gifts and samples";
            self.warn(field, words);
        }
        Some(Dollars(value))
    }

    /// Warns if the units of several contents entries add up to the number of items. Units are meant for one
    /// item, so the clerk may have listed the items one by one.
    fn doubt_contents(&mut self, index: usize, line: &GoodsLine) {
        let (units, _) = line.customs_totals();
        let items = line.count().filter(|items| *items > 1);
        if let Some(items) = items.filter(|items| line.contents.len() > 1 && *items == units) {
            let words = format!(
                "Enter the contents of one item only: {units} units in each of {items} items makes {} in total",
                units.saturating_mul(items)
            );
            self.warn(Field::Customs(index), words);
        }
    }
}
