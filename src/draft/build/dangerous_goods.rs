//! Builds dangerous goods: checks them against the lookup entry, and against the rules for their class and
//! country.

use rust_decimal::Decimal;

use super::{Purpose, RequestBuilder};
use crate::GoodsLine;
use crate::dg_line::{DgLine, HAZCHEM, count_warning};
use crate::field::{DgField, Field};
use crate::number::{self, MOST, NumberError};
use crate::segregation;
use crate::text::non_blank;
use shipping::{Celsius, CompanyDgItemId, DgClass, DgItem, PackingGroup, Quantity, UnLookupEntry};

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
            self.missing(at(DgField::PackingGroup), "Pick the packing group");
        }
        let class = good
            .class
            .or_else(|| entry.and_then(UnLookupEntry::main_class));
        let sub_classes = entry.map_or_else(
            || good.sub_classes.clone(),
            UnLookupEntry::subsidiary_classes,
        );
        if good.container.is_none() {
            self.missing(at(DgField::Container), "Choose the packaging type");
        }
        let containers = self.number(
            at(DgField::Containers),
            |text| number::read_count(text, MOST),
            "Enter the number of inner packagings in each package",
        );
        if let Some(words) = containers.and_then(|count| count_warning(line, good, count)) {
            self.warn(at(DgField::Containers), words);
        }
        let amount = self.number(
            at(DgField::Amount),
            number::read_positive,
            "Enter the amount, greater than 0",
        );
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
            self.missing(field, "Enter the UN number, four digits");
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
            self.missing(at(DgField::Class), &words);
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
            self.missing(
                field,
                &format!("Enter the flash point in °C: {by} requires it"),
            );
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
            Some(PackingGroup::II) if point >= 23.into() => "is below 23 °C",
            Some(PackingGroup::III) if point < 23.into() || point > 60.into() => {
                "is from 23 to 60 °C"
            }
            _ => return,
        };
        let group = good.packing_group.map(PackingGroup::label);
        let words = format!(
            "Flash point {} °C does not match the packing group: {} {expected}",
            point.normalize(),
            group.unwrap_or_default()
        );
        self.warn(field, words);
    }

    /// Reads the Hazchem code, which must be on the specification's list. Recommended in Australia, required
    /// in New Zealand.
    fn hazchem(&mut self, field: Field) -> Option<String> {
        let code = field.text(self.draft).trim();
        if code.is_empty() {
            if self.new_zealand {
                self.missing(field, "Enter the Hazchem code: New Zealand requires it");
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

    /// Reads the technical names, separated by semicolons. The lookup tells whether they are required;
    /// without a lookup result, the flag saved with the DG item does.
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
            let words = "Enter a technical or chemical group name: this UN number requires it";
            self.required(field, words)
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
