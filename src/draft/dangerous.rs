//! A dangerous good in a line, as typed, and the rules that the specification sets for it.

use serde::{Deserialize, Serialize};

use super::field::{DgField, Field};
use super::number;
use super::problem::Problem;
use crate::shipping::{Celsius, ContainerType, DgClass, DgItem, PackingGroup, Quantity, UnNumber};

/// A dangerous good, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DgLine {
    /// A stored good of the company by its id, as typed, instead of all but the amount.
    pub stored: String,
    /// UN number.
    pub un_number: String,
    /// Proper shipping name, as the lookup has it.
    pub shipping_name: String,
    /// The lookup says that a technical name is obligatory.
    pub requires_technical_name: bool,
    /// Packing group.
    pub packing_group: Option<PackingGroup>,
    /// Class.
    pub class: Option<DgClass>,
    /// Subsidiary classes.
    pub sub_classes: Vec<DgClass>,
    /// Kind of inner receptacle.
    pub container: Option<ContainerType>,
    /// Receptacles in each package.
    pub containers: String,
    /// Amount, in kilograms or litres.
    pub amount: String,
    /// True for litres, false for kilograms.
    pub litres: bool,
    /// Flash point in °C.
    pub flash_point: String,
    /// Hazchem code.
    pub hazchem: String,
    /// Technical or chemical group names.
    pub technical_name: String,
    /// Harms water life.
    pub marine_pollutant: bool,
    /// Travels at a set temperature.
    pub temperature_controlled: bool,
    /// An empty container, not cleaned.
    pub empty_uncleaned: bool,
}

/// Hazchem codes of the specification's list; `•` is the bullet that precedes some.
pub const HAZCHEM: &[&str] = &[
    "1W", "1X", "1Y", "1Z", "2P", "2RE", "2SE", "2T", "2TE", "2WE", "2XE", "2YE", "3W", "3WE",
    "3X", "3Y", "3YE", "3Z", "4W", "4WE", "4Y", "•2W", "•2WE", "•3W", "•3WE", "•2Y", "•2YE", "•3Y",
    "•3YE", "-2", "-3",
];

impl DgLine {
    /// The record that is sent, where every field of it can be read; problems are added either way. `line` and `at`
    /// say which one it is, both from 0.
    pub(super) fn build(
        &self,
        line: usize,
        at: usize,
        problems: &mut Vec<Problem>,
    ) -> Option<DgItem> {
        let mut missing =
            |field, words: &str| problems.push(Problem::error(Field::Dg(line, at, field), words));
        let un_number = self.un_number.trim().parse().ok().and_then(UnNumber::new);
        if un_number.is_none() {
            missing(DgField::UnNumber, "Type the UN number, four digits");
        }
        if self.packing_group.is_none() {
            missing(DgField::PackingGroup, "Pick the packing group");
        }
        if self.container.is_none() {
            missing(DgField::Container, "Pick the container");
        }
        let amount = number::positive(&self.amount);
        if amount.is_none() {
            missing(DgField::Amount, "Type the amount of the good, above 0");
        }
        let containers = number::count(&self.containers);
        if containers.is_none() {
            missing(
                DgField::Containers,
                "Type how many containers are in each package",
            );
        }
        let flash_point = number::decimal(&self.flash_point);
        if self.class == Some(DgClass::FlammableLiquid) && flash_point.is_none() {
            missing(DgField::FlashPoint, "Class 3 needs its flash point");
        } else if !self.flash_point.trim().is_empty() && flash_point.is_none() {
            missing(DgField::FlashPoint, "Type the flash point in °C");
        }
        let hazchem = self.hazchem.trim();
        if !hazchem.is_empty() && !HAZCHEM.contains(&hazchem) {
            missing(DgField::Hazchem, "Pick a Hazchem code of the list");
        }
        self.warn(line, at, flash_point, problems);
        Some(DgItem {
            un_number: Some(un_number?),
            packing_group: Some(self.packing_group?),
            container_type: Some(self.container?),
            aggregate_quantity: Some(Quantity(amount?)),
            is_aggregate_quantity_weight: Some(!self.litres),
            number_of_containers: Some(containers?),
            is_marine_pollutant: Some(self.marine_pollutant),
            is_temperature_controlled: Some(self.temperature_controlled),
            is_empty_dg_container: Some(self.empty_uncleaned),
            dg_class_type: self.class,
            technical_or_chemical_group_names: super::build::given(&self.technical_name)
                .into_iter()
                .collect(),
            hazchem: super::build::given(hazchem),
            flashpoint: flash_point.map(Celsius),
            ..DgItem::default()
        })
    }

    /// Packing group II of class 3 means a flash point below 23 °C, III one from 23 to 60 °C: worth a look, no more.
    fn warn(
        &self,
        line: usize,
        at: usize,
        flash_point: Option<rust_decimal::Decimal>,
        problems: &mut Vec<Problem>,
    ) {
        let (Some(DgClass::FlammableLiquid), Some(point)) = (self.class, flash_point) else {
            return;
        };
        let fits = match self.packing_group {
            Some(PackingGroup::II) => point < 23.into(),
            Some(PackingGroup::III) => point >= 23.into() && point <= 60.into(),
            _ => true,
        };
        if !fits {
            let words = format!("Flash point {point} °C does not fit the packing group");
            problems.push(Problem::warning(
                Field::Dg(line, at, DgField::FlashPoint),
                words,
            ));
        }
    }
}
