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

/// The UN number of a text, with `UN` before it or not, as labels have it.
pub fn un_number(typed: &str) -> Option<UnNumber> {
    let digits = digits(typed);
    let plain = digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    UnNumber::new(number)
}

fn digits(typed: &str) -> &str {
    let text = typed.trim();
    match text.get(..2) {
        Some(prefix) if prefix.eq_ignore_ascii_case("UN") => text[2..].trim_start(),
        _ => text,
    }
}

/// The id of the first code of that list; the others follow.
const FIRST_HAZCHEM: i64 = 311;

/// The Hazchem code that has this id.
pub(super) fn hazchem_of(id: i64) -> Option<&'static str> {
    let at = usize::try_from(id.checked_sub(FIRST_HAZCHEM)?).ok()?;
    HAZCHEM.get(at).copied()
}

impl DgLine {
    /// Receptacles in each package; nothing where that is no count.
    pub fn in_each(&self) -> Option<u32> {
        super::number::count(&self.containers)
    }

    /// The UN number that is typed, with `UN` before it or not.
    pub fn number(&self) -> Option<UnNumber> {
        un_number(&self.un_number)
    }

    /// What is typed as its UN number, without `UN`.
    pub fn digits(&self) -> &str {
        digits(&self.un_number)
    }

    /// What the lookup said of its UN number: no entries where it is not known, nothing where it was not asked.
    pub(super) fn entries<'a>(&self, context: &'a CheckContext) -> Option<&'a [UnEntry]> {
        let number = self.number()?;
        context.un_numbers.get(&number).map(Vec::as_slice)
    }

    /// The class that the lookup gives its UN number in its packing group, where there is only one.
    pub(super) fn known_class(&self, context: &CheckContext) -> Option<DgClass> {
        let entries = self.entries(context)?.iter();
        let fits = |known: PackingGroup| self.packing_group.is_none_or(|group| group == known);
        let mut classes = entries
            .filter(|entry| entry.packing_group.is_none_or(fits))
            .map(|entry| entry.class.as_ref().and_then(|class| class.class_type));
        let first = classes.next()??;
        classes.all(|class| class == Some(first)).then_some(first)
    }

    /// True where it is a stored good of the company, by its id.
    pub fn is_stored(&self) -> bool {
        !self.stored.trim().is_empty()
    }
}
