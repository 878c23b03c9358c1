//! Dangerous goods: UN numbers, the API's Hazchem codes, and the companies' saved dangerous goods.
//!
//! The UN numbers are entries of 49 CFR 172.101, one on each line of `un-numbers.csv`. Their assignment to
//! Hazchem codes is invented for practice, and is kept in `hazchem.json`.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::{CatalogueError, exists};

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
    pub(crate) aggregate_quantity: Decimal,
    pub(crate) is_aggregate_quantity_weight: bool,
    pub(crate) number_of_containers: i64,
    pub(crate) flashpoint: Option<Decimal>,
    pub(crate) hazchem: Option<String>,
    pub(crate) technical_name: Option<String>,
}

impl DangerousGoods {
    pub(super) fn new(
        table: &str,
        hazchem: HazchemFile,
        stored: Vec<StoredGood>,
    ) -> Result<Self, CatalogueError> {
        let lines = table.lines().enumerate().skip(1);
        let read = |(index, line): (usize, &str)| {
            entry(line).ok_or(CatalogueError::Line {
                file: "un-numbers.csv",
                line: index + 1,
            })
        };
        let goods = Self {
            un_numbers: lines.map(read).collect::<Result<_, _>>()?,
            hazchem,
            stored,
        };
        goods.check()?;
        Ok(goods)
    }

    /// Checks that the numbers ascend, because they are found by binary search, and that every reference
    /// is valid.
    fn check(&self) -> Result<(), CatalogueError> {
        let ascending = |pair: &[UnNumber]| pair[0].un_number < pair[1].un_number;
        let mut pairs = self.un_numbers.windows(2);
        if let Some(pair) = pairs.find(|pair| !ascending(pair)) {
            let name = format!("UN {:04}", pair[1].un_number);
            exists(None::<()>, &name, "is not in its place")?;
        }
        for tie in &self.hazchem.ties {
            let known = tie.codes.iter().all(|code| self.hazchem_exists(code));
            let entry = self.un_number(tie.un_number).filter(|_| known);
            exists(
                entry,
                "the Hazchem codes of",
                &format!("UN {:04}", tie.un_number),
            )?;
        }
        for stored in &self.stored {
            exists(
                self.un_number(stored.un_number),
                &stored.name,
                "has no UN number",
            )?;
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

/// Labels and names of the classes, starting at dgClassType 2, the first number of the API's enumeration.
const CLASSES: [(&str, &str); 14] = [
    ("2.1", "Flammable Gas"),
    ("2.2", "Non-flammable non-toxic gas"),
    ("2.3", "Toxic Gas"),
    ("3", "Flammable Liquids"),
    ("4.1", "Flammable Solids"),
    ("4.2", "Spontaneously Combustible"),
    ("4.3", "Dangerous When Wet"),
    ("5.1", "Oxidizing Substances"),
    ("5.2", "Organic Peroxides"),
    ("6.1", "Toxic Substance"),
    ("6.2", "Infectious Substance"),
    ("7", "Radioactive Material"),
    ("8", "Corrosive Substances"),
    ("9", "Miscellaneous Dangerous Goods"),
];

/// Divisions of explosives, which follow in the enumeration. They have a compatibility letter in place of a name.
const EXPLOSIVES: [&str; 34] = [
    "1.1A", "1.1B", "1.1C", "1.1D", "1.1E", "1.1F", "1.1G", "1.1J", "1.1L", "1.2B", "1.2C", "1.2D",
    "1.2E", "1.2F", "1.2G", "1.2H", "1.2J", "1.2K", "1.2L", "1.3C", "1.3G", "1.3H", "1.3J", "1.3K",
    "1.3L", "1.4B", "1.4C", "1.4D", "1.4E", "1.4F", "1.4G", "1.4S", "1.5D", "1.6N",
];

fn class(class_type: i64) -> Option<(&'static str, &'static str)> {
    let index = usize::try_from(class_type).ok()?.checked_sub(2)?;
    let explosive = || Some((*EXPLOSIVES.get(index - CLASSES.len())?, ""));
    CLASSES.get(index).copied().or_else(explosive)
}

/// Returns the class or division of a dgClassType number, or none if the number is not in the enumeration.
pub(crate) fn class_label(class_type: i64) -> Option<&'static str> {
    class(class_type).map(|(label, _)| label)
}

/// Returns the title in the enumeration's form: `Class 2.1 Flammable Gas`.
pub(crate) fn class_title(class_type: i64) -> String {
    let (label, name) = class(class_type).unwrap_or_default();
    format!("Class {label} {name}").trim_end().to_owned()
}

/// Returns the dgClassType number of a label such as `2.1`.
fn class_type(label: &str) -> Option<i64> {
    let last = 2 + CLASSES.len() + EXPLOSIVES.len();
    (2..i64::try_from(last).ok()?).find(|number| class_label(*number) == Some(label))
}
