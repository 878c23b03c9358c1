//! Dangerous goods inside an item, as sent, their enums, and the UN number lookup.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::formats::PreferOne;
use serde_with::{As, OneOrMany, Same};

use super::lenient::{self, lenient_records, published_too, two_way_records};
use super::values::{Celsius, CompanyDgItemId, Quantity};

/// A United Nations number, written with four digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnNumber(u16);

impl UnNumber {
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Accepts 1 to 3599, the range in use.
    pub const fn new(number: u16) -> Option<Self> {
        if number >= 1 && number < 3600 {
            Some(Self(number))
        } else {
            None
        }
    }
}

impl fmt::Display for UnNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0)
    }
}

/// Defines an enum that goes over the wire as its number and has a label for the clerk.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $number:literal $label:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub enum $name { $($(#[$variant_doc])* #[doc = $label] $variant),+ }

        impl $name {
            /// All variants, in the specification's order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => $number),+ }
            }
        }

        impl TryFrom<u8> for $name {
            type Error = String;
            fn try_from(number: u8) -> Result<Self, String> {
                match number {
                    $($number => Ok(Self::$variant),)+
                    _ => Err(format!("{number} is outside the specification's list")),
                }
            }
        }
    };
}

numbered! {
    /// The degree of danger within a class.
    PackingGroup { I = 1 "I", II = 2 "II", III = 3 "III", None = 4 "N/A" }
}

numbered! {
    ContainerType {
        Drum = 1 "Drum", Carton = 2 "Carton", Ibc = 3 "IBC", Pail = 4 "Pail", DemountableTank = 5 "Demountable tank",
        Bottle = 6 "Bottle", PressureDrum = 7 "Pressure drum", Tube = 8 "Tube", Megc = 9 "MEGC", Aerosol = 10 "Aerosol",
        Bag = 11 "Bag",
    }
}

numbered! {
    DgClass {
        FlammableGas = 2 "2.1 Flammable gas", NonFlammableGas = 3 "2.2 Non-flammable, non-toxic gas",
        ToxicGas = 4 "2.3 Toxic gas", FlammableLiquid = 5 "3 Flammable liquid", FlammableSolid = 6 "4.1 Flammable solid",
        SpontaneouslyCombustible = 7 "4.2 Spontaneously combustible", DangerousWhenWet = 8 "4.3 Dangerous when wet",
        Oxidizing = 9 "5.1 Oxidizing substance", OrganicPeroxide = 10 "5.2 Organic peroxide", Toxic = 11 "6.1 Toxic substance",
        Infectious = 12 "6.2 Infectious substance", Radioactive = 13 "7 Radioactive material", Corrosive = 14 "8 Corrosive substance",
        Miscellaneous = 15 "9 Miscellaneous", E11A = 16 "1.1A", E11B = 17 "1.1B", E11C = 18 "1.1C", E11D = 19 "1.1D",
        E11E = 20 "1.1E", E11F = 21 "1.1F", E11G = 22 "1.1G", E11J = 23 "1.1J", E11L = 24 "1.1L", E12B = 25 "1.2B",
        E12C = 26 "1.2C", E12D = 27 "1.2D", E12E = 28 "1.2E", E12F = 29 "1.2F", E12G = 30 "1.2G", E12H = 31 "1.2H",
        E12J = 32 "1.2J", E12K = 33 "1.2K", E12L = 34 "1.2L", E13C = 35 "1.3C", E13G = 36 "1.3G", E13H = 37 "1.3H",
        E13J = 38 "1.3J", E13K = 39 "1.3K", E13L = 40 "1.3L", E14B = 41 "1.4B", E14C = 42 "1.4C", E14D = 43 "1.4D",
        E14E = 44 "1.4E", E14F = 45 "1.4F", E14G = 46 "1.4G", E14S = 47 "1.4S", E15D = 48 "1.5D", E16N = 49 "1.6N",
    }
}

two_way_records! {
    /// A DG item of a consignment's item, as sent and as the service returns it. A request either describes
    /// the DG item in full, or names a saved DG item by its id, optionally with a different amount.
    #[serde(remote = "Self")]
    pub struct DgItem {
        /// The id of one of the company's saved DG items, which replaces every other field except the amount.
        pub company_dg_item_id: Option<CompanyDgItemId>,
        #[serde(default, deserialize_with = "un_number_or_nothing")]
        pub un_number: Option<UnNumber>,
        /// Sent on pending consignments only.
        pub proper_shipping_name: Option<String>,
        pub packing_group: Option<PackingGroup>,
        pub container_type: Option<ContainerType>,
        /// The amount of the DG item, in kilograms or litres.
        pub aggregate_quantity: Option<Quantity>,
        /// True for kilograms, false for litres.
        pub is_aggregate_quantity_weight: Option<bool>,
        /// The number of inner receptacles in each package, not in all packages together.
        pub number_of_containers: Option<u32>,
        pub is_marine_pollutant: Option<bool>,
        pub is_temperature_controlled: Option<bool>,
        /// Whether the container is empty but not cleaned.
        pub is_empty_dg_container: Option<bool>,
        /// The primary class; `None` in an answer if the number is outside the service's list.
        pub dg_class_type: Option<DgClass>,
        #[serde_with(skip_apply)]
        #[serde(
            default,
            deserialize_with = "lenient::all_numbered",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub sub_dg_class_types: Vec<DgClass>,
        /// Technical or chemical group names, where the UN number's classification requires them. One name is sent as
        /// text, several names as a list.
        #[serde_with(skip_apply)]
        #[serde(
            rename = "TechnicalOrChemicalGroupNames",
            default,
            skip_serializing_if = "Vec::is_empty",
            serialize_with = "As::<OneOrMany<Same, PreferOne>>::serialize",
            deserialize_with = "lenient::one_or_more_texts"
        )]
        pub technical_or_chemical_group_names: Vec<String>,
        /// The Hazchem code. The service sets the code if only one code is possible. Never send it together with
        /// `dg_hazchem_id`.
        pub hazchem: Option<String>,
        /// The service's id of the Hazchem code.
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub dg_hazchem_id: Option<u16>,
        /// In °C; required for class 3.
        pub flashpoint: Option<Celsius>,
        /// The technical names, if sent under this name; moved to `technical_or_chemical_group_names` on reading.
        #[doc(hidden)]
        #[serde_with(skip_apply)]
        #[serde(
            rename = "technicalOrChemicalGroupNames",
            default,
            deserialize_with = "lenient::one_or_more_texts",
            skip_serializing
        )]
        pub technical_names: Vec<String>,
        /// The Hazchem id and code, if sent as a record; moved to `dg_hazchem_id` and `hazchem` on reading.
        #[doc(hidden)]
        #[serde(default, deserialize_with = "lenient::hazchem_or_nothing", skip_serializing)]
        pub dg_hazchem: Option<(Option<u16>, String)>,
    }
}

published_too!(DgItem);

impl DgItem {
    fn merge_alternate_fields(&mut self) {
        let names = std::mem::take(&mut self.technical_names);
        if self.technical_or_chemical_group_names.is_empty() {
            self.technical_or_chemical_group_names = names;
        }
        if let Some((id, code)) = self.dg_hazchem.take() {
            self.dg_hazchem_id = self.dg_hazchem_id.or(id);
            let code = Some(code).filter(|code| !code.is_empty());
            self.hazchem = self.hazchem.take().or(code);
        }
    }
}

lenient_records! {
    /// An entry of the UN number lookup: the service returns an entry for each packing group of a number. UN number,
    /// packing group and class belong together and are never typed separately.
    pub struct UnLookupEntry {
        #[serde(deserialize_with = "un_number")]
        pub un_number: UnNumber,
        pub name: String,
        /// The service's name of the packing group.
        pub packing_group_name: String,
        pub packing_group: Option<PackingGroup>,
        /// All classes, including the primary class.
        pub classes: Vec<UnClass>,
        pub class: Option<UnClass>,
        pub sub_classes: Vec<UnClass>,
        pub requires_technical_name: bool,
    }

    pub struct UnClass {
        /// Like `3` or `5.1`.
        pub class: String,
        /// The service's number of the class; `None` if the number is outside the service's list.
        pub class_type: Option<DgClass>,
        /// Like `1` in 5.1, if the class has divisions.
        pub division: Option<String>,
        pub label: String,
    }
}

impl UnLookupEntry {
    /// Returns the primary class as it is sent.
    pub fn main_class(&self) -> Option<DgClass> {
        self.class.as_ref().and_then(|class| class.class_type)
    }

    /// Returns the subsidiary classes as they are sent.
    pub fn subsidiary_classes(&self) -> Vec<DgClass> {
        let classes = self.sub_classes.iter();
        classes.filter_map(|class| class.class_type).collect()
    }
}

fn un_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UnNumber, D::Error> {
    let number = un_number_or_nothing(deserializer)?;
    number.ok_or_else(|| D::Error::custom("no UN number"))
}

/// Reads a UN number; null and numbers out of range give `None`.
fn un_number_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<UnNumber>, D::Error> {
    let number: Option<u16> = lenient::count_or_nothing(deserializer)?;
    Ok(number.and_then(UnNumber::new))
}
