//! A dangerous good in a line, as typed, and its lookup entries.

use serde::{Deserialize, Serialize};

use super::CheckContext;
use shipping::{ContainerType, DgClass, PackingGroup, UnLookupEntry, UnNumber};

/// A dangerous good, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DgLine {
    /// The id of a stored good of the company, as typed. A stored good replaces every other field except
    /// the amount.
    pub stored: String,
    pub un_number: String,
    /// The proper shipping name from the lookup.
    pub shipping_name: String,
    /// Whether the lookup requires a technical name.
    pub requires_technical_name: bool,
    pub packing_group: Option<PackingGroup>,
    pub class: Option<DgClass>,
    pub sub_classes: Vec<DgClass>,
    /// The kind of inner receptacle.
    pub container: Option<ContainerType>,
    /// The number of receptacles in each package.
    pub containers: String,
    /// The amount, in kilograms or litres.
    pub amount: String,
    /// True for litres, false for kilograms.
    pub litres: bool,
    /// In °C.
    pub flash_point: String,
    pub hazchem: String,
    /// Technical or chemical group names, separated by semicolons.
    pub technical_name: String,
    pub marine_pollutant: bool,
    pub temperature_controlled: bool,
    /// Whether the container is empty but not cleaned.
    pub empty_uncleaned: bool,
}

/// The Hazchem codes of the specification's list. Some start with the bullet `•`.
pub const HAZCHEM: &[&str] = &[
    "1W", "1X", "1Y", "1Z", "2P", "2RE", "2SE", "2T", "2TE", "2WE", "2XE", "2YE", "3W", "3WE",
    "3X", "3Y", "3YE", "3Z", "4W", "4WE", "4Y", "•2W", "•2WE", "•3W", "•3WE", "•2Y", "•2YE", "•3Y",
    "•3YE", "-2", "-3",
];

/// Parses a UN number, with or without a leading `UN` as on labels.
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

/// The interface's id of the first code in [`HAZCHEM`]; the ids of the others follow in order.
const FIRST_HAZCHEM: i64 = 311;

/// Returns the Hazchem code with this id.
pub(super) fn hazchem_from_id(id: i64) -> Option<&'static str> {
    let at = usize::try_from(id.checked_sub(FIRST_HAZCHEM)?).ok()?;
    HAZCHEM.get(at).copied()
}

impl DgLine {
    /// Returns the number of receptacles in each package, if it is a valid count.
    pub fn containers_per_package(&self) -> Option<u32> {
        super::number::count(&self.containers)
    }

    /// Parses the typed UN number, with or without a leading `UN`.
    pub fn number(&self) -> Option<UnNumber> {
        un_number(&self.un_number)
    }

    /// Returns the typed UN number without a leading `UN`.
    pub fn digits(&self) -> &str {
        digits(&self.un_number)
    }

    /// Returns the lookup's entries for the UN number: empty if the service does not know the number, `None`
    /// if it was not looked up.
    pub(super) fn entries<'a>(&self, context: &'a CheckContext) -> Option<&'a [UnLookupEntry]> {
        let number = self.number()?;
        context.un_numbers.get(&number).map(Vec::as_slice)
    }

    /// Returns the class for the UN number and packing group, if the lookup gives exactly one.
    pub(super) fn known_class(&self, context: &CheckContext) -> Option<DgClass> {
        let entries = self.entries(context)?.iter();
        let fits = |known: PackingGroup| self.packing_group.is_none_or(|group| group == known);
        let mut classes = entries
            .filter(|entry| entry.packing_group.is_none_or(fits))
            .map(|entry| entry.class.as_ref().and_then(|class| class.class_type));
        let first = classes.next()??;
        classes.all(|class| class == Some(first)).then_some(first)
    }

    /// Returns whether this is a stored good of the company.
    pub fn is_stored(&self) -> bool {
        !self.stored.trim().is_empty()
    }
}
