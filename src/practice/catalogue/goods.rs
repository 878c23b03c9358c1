//! Dangerous goods: UN numbers, the interface's Hazchem codes and classes, and what the companies keep in store.

use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Goods {
    hazchem_codes: Vec<Hazchem>,
    un_numbers: Vec<UnNumber>,
    pub(crate) stored: Vec<StoredGood>,
}

#[derive(Debug, Deserialize)]
struct Hazchem {
    id: i64,
    code: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnNumber {
    pub(crate) un_number: i64,
    /// The proper shipping name.
    pub(crate) name: String,
    /// As dgClassType.
    pub(crate) dg_class: i64,
    pub(crate) sub_classes: Vec<i64>,
    /// 1 to 3, or 4 where there is none.
    pub(crate) packing_groups: Vec<i64>,
    pub(crate) requires_technical_name: bool,
    /// The codes known for it: one is set by itself, among several one must be sent.
    pub(crate) hazchem: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredGood {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) name: String,
    pub(crate) un_number: i64,
    pub(crate) packing_group: i64,
    pub(crate) container_type: i64,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) aggregate_quantity: Decimal,
    pub(crate) is_aggregate_quantity_weight: bool,
    pub(crate) number_of_containers: i64,
    #[serde(deserialize_with = "super::decimal::option")]
    pub(crate) flashpoint: Option<Decimal>,
    pub(crate) hazchem: Option<String>,
    pub(crate) technical_name: Option<String>,
}

impl Goods {
    pub(crate) fn un_number(&self, number: i64) -> Option<&UnNumber> {
        self.un_numbers
            .iter()
            .find(|entry| entry.un_number == number)
    }

    pub(crate) fn stored(&self, id: i64) -> Option<&StoredGood> {
        self.stored.iter().find(|stored| stored.id == id)
    }

    /// A code of the interface, exactly as it is written there.
    pub(crate) fn hazchem_exists(&self, code: &str) -> bool {
        self.hazchem_codes
            .iter()
            .any(|hazchem| hazchem.code == code)
    }

    pub(crate) fn hazchem_by_id(&self, id: i64) -> Option<&str> {
        self.hazchem_codes
            .iter()
            .find(|hazchem| hazchem.id == id)
            .map(|hazchem| hazchem.code.as_str())
    }

    pub(crate) fn hazchem_id(&self, code: &str) -> Option<i64> {
        self.hazchem_codes
            .iter()
            .find(|hazchem| hazchem.code == code)
            .map(|hazchem| hazchem.id)
    }
}

/// The classes of the interface's class enum, from its first number, 2.
const CLASSES: [&str; 48] = [
    "2.1", "2.2", "2.3", "3", "4.1", "4.2", "4.3", "5.1", "5.2", "6.1", "6.2", "7", "8", "9",
    "1.1A", "1.1B", "1.1C", "1.1D", "1.1E", "1.1F", "1.1G", "1.1J", "1.1L", "1.2B", "1.2C", "1.2D",
    "1.2E", "1.2F", "1.2G", "1.2H", "1.2J", "1.2K", "1.2L", "1.3C", "1.3G", "1.3H", "1.3J", "1.3K",
    "1.3L", "1.4B", "1.4C", "1.4D", "1.4E", "1.4F", "1.4G", "1.4S", "1.5D", "1.6N",
];

/// The class or division that a dgClassType number stands for; none outside the enum.
pub(crate) fn class_label(class_type: i64) -> Option<&'static str> {
    usize::try_from(class_type)
        .ok()?
        .checked_sub(2)
        .and_then(|index| CLASSES.get(index))
        .copied()
}
