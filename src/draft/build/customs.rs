//! Builds customs contents: required on every item of an international consignment, absent on all others.

use rust_decimal::Decimal;

use super::RequestBuilder;
use crate::customs::{ContentsLine, MOST_DOLLARS, PURPOSES};
use crate::field::{ContentsField, Field};
use crate::number::{self, MOST, NumberError};
use crate::{GoodsLine, countries};
use shipping::{CountryCode, Dollars, ItemContents};

/// The indexes of a line and of a contents entry in it, both from 0.
#[derive(Clone, Copy)]
struct ContentsIndex(usize, usize);

impl ContentsIndex {
    fn at(self, field: ContentsField) -> Field {
        Field::Contents(self.0, self.1, field)
    }
}

impl<'a> RequestBuilder<'a> {
    pub(super) fn contents(&mut self, index: usize, line: &'a GoodsLine) -> Vec<ItemContents> {
        if !self.international {
            return Vec::new();
        }
        if line.contents.is_empty() {
            self.missing(
                Field::Customs(index),
                "Add the contents of this item for customs",
            );
        }
        self.doubt_contents(index, line);
        let contents = line.contents.iter().enumerate();
        contents
            .map(|(at, inside)| self.content(ContentsIndex(index, at), line, inside))
            .collect()
    }

    fn content(
        &mut self,
        place: ContentsIndex,
        line: &GoodsLine,
        inside: &'a ContentsLine,
    ) -> ItemContents {
        let description = self.required(
            place.at(ContentsField::Description),
            &inside.description,
            "Enter a description for customs",
        );
        let quantity = self.number(
            place.at(ContentsField::Quantity),
            number::read_count(&inside.quantity, MOST),
            "Enter the number of units in one item",
        );
        self.doubt_units(place, line, quantity);
        ItemContents {
            description,
            reference1: self.text(place.at(ContentsField::Reference1), &inside.reference1),
            reference2: self.text(place.at(ContentsField::Reference2), &inside.reference2),
            reference3: self.text(place.at(ContentsField::Reference3), &inside.reference3),
            ci_marks_and_numbers: self.text(place.at(ContentsField::Marks), &inside.marks),
            part_number: self.text(place.at(ContentsField::PartNumber), &inside.part_number),
            quantity,
            harmonized_code: self.harmonised(place, inside),
            purpose: self.purpose_of_sending(place, inside),
            country_of_manufacture_code: self.made_in(place, inside),
            dollar_value: self.value(place, inside),
        }
    }

    fn purpose_of_sending(
        &mut self,
        place: ContentsIndex,
        inside: &ContentsLine,
    ) -> Option<String> {
        let field = place.at(ContentsField::Purpose);
        let known = inside.known_purpose();
        if inside.purpose.trim().is_empty() {
            self.missing(field, "Choose the reason for sending");
            return None;
        }
        if known.is_none() {
            // Only the service has the full list of purposes, so an unknown one is sent as typed.
            let words = format!("The service may accept only {}", PURPOSES.join(", "));
            self.warn(field, words);
        }
        let typed = self.text(field, &inside.purpose);
        known.map(str::to_owned).or(typed)
    }

    fn made_in(&mut self, place: ContentsIndex, inside: &'a ContentsLine) -> Option<CountryCode> {
        let field = place.at(ContentsField::Country);
        if inside.country.trim().is_empty() {
            self.missing(field, "Choose the country of origin");
            return None;
        }
        let code = match self.made_in {
            Some((typed, code)) if typed == inside.country => code,
            _ => countries::from_name_or_code(&inside.country).map(|country| country.code),
        };
        self.made_in = Some((&inside.country, code));
        if code.is_none() {
            self.error(field, "Choose a country from the list");
        }
        code
    }

    /// Reads a code of 6 to 12 digits. It is sent with the typed dots, but without blanks.
    fn harmonised(&mut self, place: ContentsIndex, inside: &ContentsLine) -> Option<String> {
        let field = place.at(ContentsField::HarmonisedCode);
        if inside.harmonised_code.trim().is_empty() {
            self.warn(
                field,
                "Enter the HS code if you know it: customs use it to classify goods",
            );
            return None;
        }
        let code = inside.code();
        if code.is_none() {
            self.error(field, "An HS code has 6 to 12 digits, like 8424.41.00");
        }
        code
    }

    /// Reads the value in whole cents; negative values are errors, zero is a warning.
    fn value(&mut self, place: ContentsIndex, inside: &ContentsLine) -> Option<Dollars> {
        let field = place.at(ContentsField::Value);
        let read = number::read(&inside.value).and_then(|value| {
            if value.is_sign_negative() {
                Err(NumberError::Negative)
            } else if value > Decimal::from(MOST_DOLLARS) {
                Err(NumberError::TooLarge(MOST_DOLLARS))
            } else {
                Ok(value)
            }
        });
        let value = self.number(field, read, "Enter the value in Australian dollars")?;
        if value.scale() > 2 {
            self.error(field, "Enter dollars and cents: at most two decimals");
        } else if value.is_zero() {
            self.warn(
                field,
                "Enter a value: customs expect one even for gifts and samples",
            );
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

    /// Warns if the units equal the number of items. Units are meant for one item, so the clerk may have
    /// entered the total.
    fn doubt_units(&mut self, place: ContentsIndex, line: &GoodsLine, units: Option<u32>) {
        let items = line.count().filter(|items| *items > 1);
        if let Some(items) = items.filter(|items| Some(*items) == units) {
            let words = format!(
                "Enter the units in one item only: {items} in each of {items} items makes {} in total",
                items.saturating_mul(items)
            );
            self.warn(place.at(ContentsField::Quantity), words);
        }
    }
}
