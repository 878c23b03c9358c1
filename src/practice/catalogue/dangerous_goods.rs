//! Dangerous goods: UN numbers, the API's Hazchem codes, and the companies' saved dangerous goods.
//!
//! The UN numbers are entries of 49 CFR 172.101, one on each line of `un-numbers.csv`. Their assignment to
//! Hazchem codes is invented for practice, and is kept in `hazchem.json`.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::{CatalogueError, class_type};

const FILE: &str = "un-numbers.csv";

/// All data about dangerous goods, read from three files.
#[derive(Debug)]
pub(crate) struct DangerousGoods {
    un_numbers: Vec<UnNumber>,
    hazchem: HazchemFile,
    pub(crate) stored: Vec<StoredGood>,
}

#[derive(Debug, Deserialize)]
pub(super) struct HazchemFile {
    codes: Vec<Hazchem>,
    ties: Vec<HazchemAssignment>,
}

#[derive(Debug, Deserialize)]
struct Hazchem {
    id: i64,
    code: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HazchemAssignment {
    un_number: i64,
    codes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredFile {
    pub(super) stored: Vec<StoredGood>,
}

#[derive(Debug)]
pub(crate) struct UnNumber {
    pub(crate) un_number: i64,
    /// The proper shipping name.
    pub(crate) name: String,
    /// The class as a dgClassType number.
    pub(crate) dg_class: i64,
    pub(crate) sub_classes: Vec<i64>,
    /// Packing groups 1 to 3, or 4 for none.
    pub(crate) packing_groups: Vec<i64>,
    /// Symbol G in the regulation's table: the name is generic, and a technical name must be added.
    pub(crate) requires_technical_name: bool,
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

impl DangerousGoods {
    pub(super) fn new(
        table: &str,
        hazchem: HazchemFile,
        stored: StoredFile,
    ) -> Result<Self, CatalogueError> {
        let lines = table.lines().enumerate().skip(1);
        let read = |(index, line): (usize, &str)| {
            entry(line).ok_or(CatalogueError::Line {
                file: FILE,
                line: index + 1,
            })
        };
        let goods = Self {
            un_numbers: lines.map(read).collect::<Result<_, _>>()?,
            hazchem,
            stored: stored.stored,
        };
        goods.check()?;
        Ok(goods)
    }

    /// Checks that the numbers ascend, because they are found by binary search, and that every reference
    /// is valid.
    fn check(&self) -> Result<(), CatalogueError> {
        let ascending = |pair: &[UnNumber]| pair[0].un_number < pair[1].un_number;
        if let Some(pair) = self.un_numbers.windows(2).find(|pair| !ascending(pair)) {
            let number = pair[1].un_number;
            let what = format!("UN {number:04} is not in its place");
            return Err(CatalogueError::Dangling(what));
        }
        for tie in &self.hazchem.ties {
            let known = tie.codes.iter().all(|code| self.hazchem_exists(code));
            if self.un_number(tie.un_number).is_none() || !known {
                let what = format!("the Hazchem codes of UN {:04}", tie.un_number);
                return Err(CatalogueError::Dangling(what));
            }
        }
        for stored in &self.stored {
            if self.un_number(stored.un_number).is_none() {
                let what = format!("{} has no UN number", stored.name);
                return Err(CatalogueError::Dangling(what));
            }
        }
        Ok(())
    }

    pub(crate) fn un_number(&self, number: i64) -> Option<&UnNumber> {
        let found = self
            .un_numbers
            .binary_search_by_key(&number, |entry| entry.un_number);
        found.ok().and_then(|index| self.un_numbers.get(index))
    }

    /// Returns the Hazchem codes of a UN number. A single code is set automatically; of several, the request
    /// must name one.
    pub(crate) fn hazchem_codes(&self, number: i64) -> &[String] {
        let tie = self.hazchem.ties.iter().find(|tie| tie.un_number == number);
        tie.map(|tie| tie.codes.as_slice()).unwrap_or_default()
    }

    pub(crate) fn stored(&self, id: i64) -> Option<&StoredGood> {
        self.stored.iter().find(|stored| stored.id == id)
    }

    /// Returns true if the API defines this Hazchem code, in exactly this spelling.
    pub(crate) fn hazchem_exists(&self, code: &str) -> bool {
        self.hazchem_id(code).is_some()
    }

    pub(crate) fn hazchem_by_id(&self, id: i64) -> Option<&str> {
        let mut codes = self.hazchem.codes.iter();
        codes
            .find(|hazchem| hazchem.id == id)
            .map(|hazchem| hazchem.code.as_str())
    }

    pub(crate) fn hazchem_id(&self, code: &str) -> Option<i64> {
        let mut codes = self.hazchem.codes.iter();
        codes
            .find(|hazchem| hazchem.code == code)
            .map(|hazchem| hazchem.id)
    }
}

/// Parses a line such as `1230;METHANOL;3;6.1;II;`: number, name, class, subsidiary classes, packing groups,
/// and G for a generic name.
fn entry(line: &str) -> Option<UnNumber> {
    let fields: Vec<&str> = line.split(';').collect();
    let &[number, name, class, subsidiary, groups, symbol] = fields.as_slice() else {
        return None;
    };
    let group = |text: &str| match text {
        "I" => Some(1),
        "II" => Some(2),
        "III" => Some(3),
        "-" => Some(4),
        _ => None,
    };
    Some(UnNumber {
        un_number: number.parse().ok()?,
        name: name.to_owned(),
        dg_class: class_type(class)?,
        sub_classes: subsidiary
            .split_whitespace()
            .map(class_type)
            .collect::<Option<_>>()?,
        packing_groups: groups.split(' ').map(group).collect::<Option<_>>()?,
        requires_technical_name: match symbol {
            "G" => true,
            "" => false,
            _ => return None,
        },
    })
}
