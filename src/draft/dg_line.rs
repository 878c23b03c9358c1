//! A dangerous good in a line, as typed, with its lookup entries, the rules for counting its inner receptacles
//! (`numberOfContainers`) and its declaration.
//!
//! A declaration covers the goods as declared. Invariant: adding, changing or removing a dangerous good voids the
//! declaration, and restoring the same goods makes it valid again. The quantity and the order of lines do not matter.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::field::{DgField, RecordField as _};
use super::{CheckContext, Draft, GoodsLine, number};
use shipping::{ContainerType, DgClass, ItemType, PackingGroup, UnLookupEntry, UnNumber};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DgLine {
    /// The id of one of the company's saved DG items, as typed. A saved DG item replaces every other field
    /// except the amount.
    pub stored: String,
    pub un_number: String,
    /// The proper shipping name from the lookup.
    pub shipping_name: String,
    /// Whether the lookup requires a technical name.
    pub requires_technical_name: bool,
    pub packing_group: Option<PackingGroup>,
    pub class: Option<DgClass>,
    pub sub_classes: Vec<DgClass>,
    pub container: Option<ContainerType>,
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

/// The service's id of the first code in [`HAZCHEM`]; the ids of the other codes follow in order.
const FIRST_HAZCHEM: i64 = 311;

pub(super) fn hazchem_from_id(id: i64) -> Option<&'static str> {
    let at = usize::try_from(id.checked_sub(FIRST_HAZCHEM)?).ok()?;
    HAZCHEM.get(at).copied()
}

impl DgLine {
    /// Returns the number of receptacles in each package, if it is a valid count.
    pub fn containers_per_package(&self) -> Option<u32> {
        number::count(&self.containers)
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
            .map(UnLookupEntry::main_class);
        let first = classes.next()??;
        classes.all(|class| class == Some(first)).then_some(first)
    }

    /// Returns whether the DG item was added but never filled in.
    pub(super) fn is_untouched(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the line uses one of the company's saved DG items.
    pub fn is_stored(&self) -> bool {
        !self.stored.trim().is_empty()
    }
}

/// Returns the text that explains how to count a kind of receptacle. `quantity` is the line's number of items;
/// `in_each` is the number typed so far.
pub fn container_rule(
    container: ContainerType,
    quantity: Option<u32>,
    in_each: Option<u32>,
) -> String {
    let mut words = match container {
        ContainerType::Carton => {
            "Enter 1 for goods loose in a carton. For a pallet of cartons, enter the number of cartons".to_owned()
        }
        other => format!(
            "Enter the number of {} in one package: for 12 in a carton, enter 12",
            plural(other)
        ),
    };
    if let Some(items) = quantity.filter(|quantity| *quantity > 1) {
        words = format!("{words}. Count one of the {items} packages, not all of them");
        if let Some(all) = in_each.and_then(|in_each| in_each.checked_mul(items)) {
            words = format!("{words}: {all} in all");
        }
    }
    words
}

fn plural(container: ContainerType) -> String {
    let label = container.label();
    if label == label.to_uppercase() {
        format!("{label}s")
    } else {
        format!("{}s", label.to_lowercase())
    }
}

/// Warns about a suspicious count: several cartons in a line that is not a pallet of cartons.
pub(super) fn count_warning(line: &GoodsLine, good: &DgLine, containers: u32) -> Option<String> {
    if good.container != Some(ContainerType::Carton) || containers == 1 {
        return None;
    }
    let kind = line.kind();
    if ItemType::takes_space(kind) || matches!(kind, "" | "Stillage" | "Combined") {
        return None;
    }
    Some(match line.count() {
        Some(items) if items > 1 && items == containers => format!(
            "Enter the number in one package, not in all {items}. Enter 1 for goods loose in a carton"
        ),
        _ => "Enter 1 for goods loose in a carton. Only for a pallet, enter the number of cartons"
            .to_owned(),
    })
}

impl Draft {
    /// Declares the current dangerous goods, or withdraws the declaration.
    pub fn declare(&mut self, declared: bool) {
        self.dangerous_goods_declared = declared;
        self.declared_goods = if declared { self.goods_digest() } else { 0 };
    }

    /// Returns whether the clerk declared the current dangerous goods.
    pub fn is_declared(&self) -> bool {
        self.dangerous_goods_declared && self.declared_goods == self.goods_digest()
    }

    /// Returns a digest of the dangerous goods that does not depend on the order of lines.
    fn goods_digest(&self) -> u64 {
        let dangerous = self.goods.iter().filter(|line| line.has_dangerous_goods());
        dangerous.map(digest).fold(0, u64::wrapping_add)
    }
}

fn digest(line: &GoodsLine) -> u64 {
    let mut hash = Sha256::new();
    if line.saved_item_has_dangerous_goods() {
        put(&mut hash, &line.sku.to_ascii_lowercase());
        put(&mut hash, &line.item_id);
    }
    for good in &line.dangerous {
        put_good(&mut hash, good);
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    u64::from_be_bytes(first)
}

/// Hashes the fields that the clerk declares; values that the lookup fills in are left out.
fn put_good(hash: &mut Sha256, good: &DgLine) {
    for field in DgField::ALL {
        match field {
            DgField::UnNumber => put(hash, good.digits()),
            DgField::PackingGroup | DgField::Class | DgField::Container => {}
            _ => put(hash, field.text(good)),
        }
    }
    let group = good.packing_group.map_or("", |group| group.label());
    put(hash, group);
    put(hash, good.class.map_or("", |class| class.label()));
    put(hash, good.container.map_or("", |kind| kind.label()));
    for flag in [
        good.litres,
        good.marine_pollutant,
        good.temperature_controlled,
        good.empty_uncleaned,
    ] {
        hash.update([u8::from(flag)]);
    }
}

/// Hashes a text with a terminator, so that two texts never hash like their concatenation.
fn put(hash: &mut Sha256, text: &str) {
    hash.update(text.trim());
    hash.update([0x1f]);
}
