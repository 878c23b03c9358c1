//! A dangerous good in a line, as typed, and what the lookup knows of it.

use serde::{Deserialize, Serialize};

use super::CheckContext;
use crate::shipping::{ContainerType, DgClass, PackingGroup, UnEntry, UnNumber};

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

/// The id of the first code of that list; the others follow.
const FIRST_HAZCHEM: i64 = 311;

/// The Hazchem code that has this id.
pub(super) fn hazchem_of(id: i64) -> Option<&'static str> {
    let at = usize::try_from(id.checked_sub(FIRST_HAZCHEM)?).ok()?;
    HAZCHEM.get(at).copied()
}

impl DgLine {
    /// The UN number that is typed, with `UN` before it or not.
    pub(super) fn number(&self) -> Option<UnNumber> {
        let digits = self.digits();
        let plain = digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .parse()
            .ok()
            .filter(|_| plain)
            .and_then(UnNumber::new)
    }

    /// What is typed as its UN number, without `UN`.
    pub(super) fn digits(&self) -> &str {
        let text = self.un_number.trim();
        match text.get(..2) {
            Some(prefix) if prefix.eq_ignore_ascii_case("UN") => text[2..].trim_start(),
            _ => text,
        }
    }

    /// What the lookup said of its UN number: no entries where it is not known, nothing where it was not asked.
    pub(super) fn entries<'a>(&self, context: &'a CheckContext) -> Option<&'a [UnEntry]> {
        let number = self.number()?;
        context.un_numbers.get(&number).map(Vec::as_slice)
    }

    /// The class that the lookup gives its UN number.
    pub(super) fn known_class(&self, context: &CheckContext) -> Option<DgClass> {
        let entry = self.entries(context)?.first()?;
        entry.class.as_ref().and_then(|class| class.class_type)
    }

    /// True where it is a stored good of the company, by its id.
    pub fn is_stored(&self) -> bool {
        !self.stored.trim().is_empty()
    }
}
