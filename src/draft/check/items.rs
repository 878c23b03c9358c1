//! Builds the lines of goods: direct items, or saved items with overriding values. Their customs contents are
//! required on every item of an international consignment and absent on all others. Their dangerous goods are checked
//! against the lookup entry, and against the rules for their class and country.

use rust_decimal::Decimal;

use super::{Purpose, RequestBuilder};
use crate::dg_line::{DgLine, HAZCHEM, count_warning};
use crate::field::{ContentsField, DgField, Field, GoodsField};
use crate::number::{self, MOST, NumberError};
use crate::segregation;
use crate::text::{self, non_blank};
use crate::{GoodsLine, ItemSource, PURPOSES, countries};
use shipping::{
    Celsius, Centimetres, CompanyDgItemId, CompanyItemId, ConsignmentItem, DgClass, DgItem,
    Dollars, ItemContents, ItemReference, ItemType, Kilograms, PackingGroup, Quantity,
    UnLookupEntry,
};

/// The maximum number of pieces in a new consignment, because each has a label and a barcode. An edited
/// consignment may already have more.
const MOST_PIECES: u32 = 1_000;

impl<'a> RequestBuilder<'a> {
    pub(super) fn items(&mut self) -> Vec<ConsignmentItem> {
        let draft = self.draft;
        let lines = match self.purpose {
            Purpose::Send => draft.goods.as_slice(),
            Purpose::Save => typed(&draft.goods),
        };
        if lines.is_empty() {
            self.missing(Field::AllGoods);
        }
        let items = lines.iter().enumerate();
        let items = items.map(|(index, line)| self.item(index, line)).collect();
        if self.pieces > self.most_pieces() {
            let words = format!(
                "A consignment can have at most 1,000 pieces: this one has {}",
                self.pieces
            );
            self.error(Field::AllGoods, words);
        }
        items
    }

    const fn most_pieces(&self) -> u32 {
        if self.draft.edits.is_some() {
            MOST
        } else {
            MOST_PIECES
        }
    }

    fn item(&mut self, index: usize, line: &'a GoodsLine) -> ConsignmentItem {
        let at = |field| Field::Goods(index, field);
        let company_item_id = self.saved_id(index, line);
        let item_type = self.item_type(index, line);
        let name = self.own_or_saved(line, at(GoodsField::Name));
        let sku = match line.source {
            ItemSource::Sku => self.required(at(GoodsField::Sku)),
            _ => self.text(at(GoodsField::Sku)),
        };
        let quantity = self.quantity(index, line);
        let mut measure = |field| {
            if line.is_saved() {
                self.optional(at(field), number::read_positive)
            } else {
                self.number(at(field), number::read_positive)
            }
        };
        let weight = measure(GoodsField::Weight);
        let length = measure(GoodsField::Length);
        let width = measure(GoodsField::Width);
        let height = measure(GoodsField::Height);
        let spaces = self.optional(at(GoodsField::Spaces), number::read_from_zero);
        ConsignmentItem {
            company_item_id,
            item_type,
            name,
            sku,
            quantity,
            weight: weight.map(Kilograms),
            length: length.map(Centimetres),
            width: width.map(Centimetres),
            height: height.map(Centimetres),
            pallet_spaces: spaces.map(Quantity),
            consignment_item_dg_items: self.dangerous(index, line),
            consignment_item_contents: self.contents(index, line),
            consignment_item_references: self.item_references(index, line),
            ..ConsignmentItem::default()
        }
    }

    fn saved_id(&mut self, index: usize, line: &GoodsLine) -> Option<CompanyItemId> {
        if line.source != ItemSource::Id {
            return None;
        }
        let field = Field::Goods(index, GoodsField::SavedId);
        if self.is_blank(field) {
            self.missing(field);
            return None;
        }
        let saved = line.remembered_item().and_then(|saved| saved.company);
        if self.belongs_to_other_company(saved) {
            self.error(field, "This saved item belongs to another company");
        }
        let id = self.id(field, "A saved item's id is a whole number");
        id.map(CompanyItemId::new)
    }

    fn item_type(&mut self, index: usize, line: &GoodsLine) -> Option<String> {
        let field = Field::Goods(index, GoodsField::Type);
        let typed = line.item_type.trim();
        if !typed.is_empty() && !ItemType::NAMES.contains(&typed) {
            self.error(field, field.row().missing);
            return None;
        }
        self.own_or_saved(line, field)
    }

    /// Reads a text that is optional for a saved item, because the saved item provides it.
    fn own_or_saved(&mut self, line: &GoodsLine, field: Field) -> Option<String> {
        if line.is_saved() {
            self.text(field)
        } else {
            self.required(field)
        }
    }

    fn quantity(&mut self, index: usize, line: &GoodsLine) -> Option<u32> {
        let field = Field::Goods(index, GoodsField::Quantity);
        let most = self.most_pieces();
        let read = |text: &str| number::read_count(text, most);
        let quantity = if line.is_saved() {
            self.optional(field, read)
        } else {
            self.number(field, read)
        };
        let saved = || line.count().unwrap_or(1);
        self.pieces = self.pieces.saturating_add(quantity.unwrap_or_else(saved));
        quantity
    }

    /// Reads the delegated references: one for each piece, and no reference twice.
    fn item_references(&mut self, index: usize, line: &'a GoodsLine) -> Vec<ItemReference> {
        let field = Field::Goods(index, GoodsField::References);
        let most = MOST_PIECES as usize;
        let references: Vec<&str> = line.references().take(most + 1).collect();
        if references.len() > most {
            self.error(field, "At most 1,000 references");
            return Vec::new();
        }
        let wanted = line.count().and_then(|count| usize::try_from(count).ok());
        if let Some(wanted) = wanted.filter(|_| !references.is_empty())
            && wanted != references.len()
        {
            let words = format!(
                "Enter one reference for each piece: {} for {}",
                text::counted(references.len(), "reference"),
                text::counted(wanted, "piece")
            );
            self.error(field, words);
        }
        let faults = references.iter().filter_map(|reference| {
            let twice = || format!("{reference} is used twice");
            text::text_problem(reference, field.row().max_chars)
                .or_else(|| (!self.references.insert(reference)).then(twice))
        });
        // All references are read, so that later lines are compared with them too.
        let faults: Vec<String> = faults.collect();
        if let Some(first) = faults.into_iter().next() {
            self.error(field, first);
        }
        let sent = references.into_iter().map(|text| ItemReference {
            carrier_item_reference: text.to_owned(),
        });
        sent.collect()
    }
}

/// Returns the lines without the untouched lines at the end; a new draft starts with one untouched line.
fn typed(lines: &[GoodsLine]) -> &[GoodsLine] {
    let untouched = GoodsLine::default();
    let last = lines.iter().rposition(|line| *line != untouched);
    last.and_then(|last| lines.get(..=last)).unwrap_or_default()
}

/// The highest value of contents, in Australian dollars.
const MOST_DOLLARS: u32 = 1_000_000_000;

impl RequestBuilder<'_> {
    pub(super) fn contents(&mut self, index: usize, line: &GoodsLine) -> Vec<ItemContents> {
        if !self.international {
            return Vec::new();
        }
        if line.contents.is_empty() {
            let words = "Add the contents of this item for customs";
            self.missing_because(Field::Customs(index), words);
        }
        self.doubt_contents(index, line);
        (0..line.contents.len())
            .map(|inside| self.content(index, inside, line))
            .collect()
    }

    fn content(&mut self, index: usize, inside: usize, line: &GoodsLine) -> ItemContents {
        let at = |field| Field::Contents(index, inside, field);
        ItemContents {
            description: self.required(at(ContentsField::Description)),
            quantity: self.units(at(ContentsField::Quantity), line),
            reference1: self.text(at(ContentsField::Reference1)),
            reference2: self.text(at(ContentsField::Reference2)),
            reference3: self.text(at(ContentsField::Reference3)),
            ci_marks_and_numbers: self.text(at(ContentsField::Marks)),
            part_number: self.text(at(ContentsField::PartNumber)),
            harmonized_code: self.harmonised(at(ContentsField::HarmonisedCode)),
            purpose: self.purpose_of_sending(at(ContentsField::Purpose)),
            country_of_manufacture_code: self.made_in(at(ContentsField::Country)),
            dollar_value: self.value(at(ContentsField::Value)),
            ..ItemContents::default()
        }
    }

    /// Reads the units in one item. Warns if they equal the number of items: the clerk may have entered the total.
    fn units(&mut self, field: Field, line: &GoodsLine) -> Option<u32> {
        let read = |text: &str| number::read_count(text, MOST);
        let units = self.number(field, read)?;
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
            self.missing(field);
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

    fn made_in(&mut self, field: Field) -> Option<String> {
        if self.is_blank(field) {
            self.missing(field);
            return None;
        }
        let country = countries::from_name_or_code(field.text(self.draft));
        if country.is_none() {
            self.error(field, "Choose a country from the list");
        }
        country.map(|country| country.code.to_string())
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
        let value = self.number(field, read)?;
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

/// Returns the field of one good on the screen.
type FieldOfGood<'a> = dyn Fn(DgField) -> Field + 'a;

impl RequestBuilder<'_> {
    pub(super) fn dangerous(&mut self, index: usize, line: &GoodsLine) -> Vec<DgItem> {
        let goods = line.dangerous.iter().enumerate();
        goods
            .map(|(good, typed)| {
                let at = |field| Field::Dg(index, good, field);
                if typed.is_stored() {
                    self.stored(&at)
                } else {
                    self.good(&at, line, typed)
                }
            })
            .collect()
    }

    /// Builds a reference to a saved DG item, optionally with another amount.
    fn stored(&mut self, at: &FieldOfGood<'_>) -> DgItem {
        let words = "The id of a saved DG item is a whole number";
        let id = self.id(at(DgField::Stored), words);
        let amount = self.optional(at(DgField::Amount), number::read_positive);
        DgItem {
            company_dg_item_id: id.map(CompanyDgItemId::new),
            aggregate_quantity: amount.map(Quantity),
            ..DgItem::default()
        }
    }

    fn good(&mut self, at: &FieldOfGood<'_>, line: &GoodsLine, good: &DgLine) -> DgItem {
        let entries = good.entries(self.context);
        self.un_number(at(DgField::UnNumber), good, entries);
        let entry = self.entry(at, good, entries.unwrap_or_default());
        if good.packing_group.is_none() {
            self.missing(at(DgField::PackingGroup));
        }
        let class = good
            .class
            .or_else(|| entry.and_then(UnLookupEntry::main_class));
        let sub_classes = entry.map_or_else(
            || good.sub_classes.clone(),
            UnLookupEntry::subsidiary_classes,
        );
        if good.container.is_none() {
            self.missing(at(DgField::Container));
        }
        let read = |text: &str| number::read_count(text, MOST);
        let containers = self.number(at(DgField::Containers), read);
        if let Some(words) = containers.and_then(|count| count_warning(line, good, count)) {
            self.warn(at(DgField::Containers), words);
        }
        let amount = self.number(at(DgField::Amount), number::read_positive);
        let flash_point = self.flash_point(at(DgField::FlashPoint), good, class);
        let hazchem = self.hazchem(at(DgField::Hazchem));
        let technical_names = self.technical_names(at(DgField::TechnicalName), good, entries);
        DgItem {
            un_number: good.number(),
            packing_group: good.packing_group,
            container_type: good.container,
            aggregate_quantity: amount.map(Quantity),
            is_aggregate_quantity_weight: Some(!good.litres),
            number_of_containers: containers,
            is_marine_pollutant: Some(good.marine_pollutant),
            is_temperature_controlled: Some(good.temperature_controlled),
            is_empty_dg_container: Some(good.empty_uncleaned),
            dg_class_type: class,
            sub_dg_class_types: sub_classes,
            technical_or_chemical_group_names: technical_names,
            hazchem,
            flashpoint: flash_point.map(Celsius),
            ..DgItem::default()
        }
    }

    fn un_number(&mut self, field: Field, good: &DgLine, entries: Option<&[UnLookupEntry]>) {
        let digits = good.digits();
        if digits.is_empty() {
            self.missing(field);
            return;
        }
        let four = digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !four {
            self.error(field, "A UN number has four digits, like 1170");
        } else if good.number().is_none() || entries.is_some_and(<[_]>::is_empty) {
            self.error(field, format!("UN {digits:0>4} is not known"));
        }
    }

    /// Finds the lookup entry of the DG item. Number, packing group and class must come from the same entry.
    fn entry<'e>(
        &mut self,
        at: &FieldOfGood<'_>,
        good: &DgLine,
        entries: &'e [UnLookupEntry],
    ) -> Option<&'e UnLookupEntry> {
        let digits = good.digits();
        let group = good.packing_group?;
        let of_group =
            |entry: &&UnLookupEntry| entry.packing_group.is_none_or(|known| known == group);
        let mut fitting = entries.iter().filter(of_group).peekable();
        if fitting.peek().is_none() {
            if !entries.is_empty() {
                let words = format!("UN {digits:0>4} has the packing group {}", groups(entries));
                self.error(at(DgField::PackingGroup), words);
            }
            return None;
        }
        let of_class = |entry: &&UnLookupEntry| {
            let known = entry.main_class();
            good.class.is_none() || known.is_none() || known == good.class
        };
        let of_both: Vec<_> = fitting.clone().filter(of_class).collect();
        if of_both.is_empty() {
            let known = fitting.find_map(UnLookupEntry::main_class);
            let known = known.map(segregation::class_number).unwrap_or_default();
            let words = format!("UN {digits:0>4} belongs to class {known}");
            self.error(at(DgField::Class), words);
            return None;
        }
        let Some(entry) = choose_entry(good, &of_both) else {
            let words = format!("UN {digits:0>4} has several entries: choose one");
            self.missing_because(at(DgField::Class), words);
            return None;
        };
        let known = entry.subsidiary_classes();
        if let Some(other) = good.sub_classes.iter().find(|sub| !known.contains(sub)) {
            let other = segregation::class_number(*other);
            let words = format!("UN {digits:0>4} has no subsidiary class {other}");
            self.error(at(DgField::Class), words);
        }
        Some(entry)
    }

    /// Reads the flash point, which is required for class 3, and for every good within New Zealand.
    fn flash_point(
        &mut self,
        field: Field,
        good: &DgLine,
        class: Option<DgClass>,
    ) -> Option<Decimal> {
        let (coldest, hottest) = (Decimal::from(-273), 1_000);
        let read = |text: &str| match number::read(text)? {
            point if point > Decimal::from(hottest) => Err(NumberError::TooLarge(hottest)),
            point if point < coldest => Err(NumberError::Unreadable),
            point => Ok(point),
        };
        if self.is_blank(field) {
            let by = match class {
                Some(DgClass::FlammableLiquid) => "class 3",
                _ if self.new_zealand => "New Zealand",
                _ => return None,
            };
            let words = format!("Enter the flash point in °C: {by} requires it");
            self.missing_because(field, words);
            return None;
        }
        let point = self.optional(field, read)?;
        self.warn_flash_point(field, good, class, point);
        Some(point)
    }

    /// Warns if the flash point does not fit the packing group of a class 3 good: II is below 23 °C, III is
    /// 23 to 60 °C.
    fn warn_flash_point(
        &mut self,
        field: Field,
        good: &DgLine,
        class: Option<DgClass>,
        point: Decimal,
    ) {
        if class != Some(DgClass::FlammableLiquid) {
            return;
        }
        let expected = match good.packing_group {
            Some(PackingGroup::II) if point >= 23.into() => "below 23 °C",
            Some(PackingGroup::III) if point < 23.into() || point > 60.into() => "from 23 to 60 °C",
            _ => return,
        };
        let group = good.packing_group.map(PackingGroup::label);
        let words = format!(
            "Flash point {} °C does not match packing group {}, which is for flash points {expected}",
            point.normalize(),
            group.unwrap_or_default()
        );
        self.warn(field, words);
    }

    /// Reads the Hazchem code, which must be on the specification's list. The code is recommended in Australia and
    /// required in New Zealand.
    fn hazchem(&mut self, field: Field) -> Option<String> {
        let code = field.text(self.draft).trim();
        if code.is_empty() {
            if self.new_zealand {
                self.missing(field);
            } else if !self.international {
                self.warn(field, "A Hazchem code is recommended in Australia");
            }
            return None;
        }
        if !HAZCHEM.contains(&code) {
            self.error(field, "Choose a Hazchem code from the list");
            return None;
        }
        Some(code.to_owned())
    }

    /// Reads the technical names, separated by semicolons. The lookup decides whether they are required; without a
    /// lookup result, the flag saved with the DG item decides.
    fn technical_names(
        &mut self,
        field: Field,
        good: &DgLine,
        entries: Option<&[UnLookupEntry]>,
    ) -> Vec<String> {
        let needed = match entries {
            Some(entries) => entries.iter().any(|entry| entry.requires_technical_name),
            None => good.requires_technical_name,
        };
        let typed = if needed {
            self.required(field)
        } else {
            self.text(field)
        };
        let typed = typed.unwrap_or_default();
        let names: Vec<String> = typed.split(';').filter_map(non_blank).collect();
        if needed && names.is_empty() && !typed.is_empty() && self.purpose == Purpose::Send {
            self.error(field, "Enter the technical name");
        }
        names
    }
}

/// Chooses among the entries that fit a DG item: any entry if all have the same classes, else the entry with
/// the item's shipping name, else the only entry with the item's subsidiary classes.
fn choose_entry<'e>(good: &DgLine, fitting: &[&'e UnLookupEntry]) -> Option<&'e UnLookupEntry> {
    let first = *fitting.first()?;
    let classes = |entry: &UnLookupEntry| (entry.main_class(), entry.subsidiary_classes());
    if fitting.iter().all(|entry| classes(entry) == classes(first)) {
        return Some(first);
    }
    let named = |entry: &&&UnLookupEntry| entry.name == good.shipping_name;
    if let Some(entry) = fitting.iter().find(named) {
        return Some(entry);
    }
    let same = |entry: &&&UnLookupEntry| {
        good.class.is_some() && entry.subsidiary_classes() == good.sub_classes
    };
    let mut same = fitting.iter().filter(same);
    let one = same.next()?;
    same.next().is_none().then_some(*one)
}

/// Lists the packing groups of the entries, like `II or III`.
fn groups(entries: &[UnLookupEntry]) -> String {
    let groups = entries.iter().filter_map(|entry| entry.packing_group);
    groups
        .map(PackingGroup::label)
        .collect::<Vec<_>>()
        .join(" or ")
}
