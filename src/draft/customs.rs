//! What customs are told of one line of goods, as typed ("Contents object").

use serde::{Deserialize, Serialize};

use super::{GoodsLine, number};
use crate::shipping::Dollars;

/// The carrier's own option that the interface names, which has a field of its own ("International consignment fields", 4).
pub const DUTIES: &str = "AreDutiesPaidByRecipient";

/// Reasons for sending that are known, as they are sent ("purpose"). The interface names three and shows no full list.
pub const PURPOSES: &[&str] = &["Sale", "Gift", "Return", "Sample", "Repair", "Personal"];

/// The most that contents may be worth, in Australian dollars.
pub(super) const MOST_DOLLARS: u32 = 1_000_000_000;

/// One kind of thing inside an item, for customs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentsLine {
    /// What the goods are.
    pub description: String,
    /// Identifies the goods, or their invoice or order.
    pub reference1: String,
    /// Another one.
    pub reference2: String,
    /// A third.
    pub reference3: String,
    /// Marks and numbers on the packages.
    pub marks: String,
    /// Part number.
    pub part_number: String,
    /// Physical units inside one item: not the item's own quantity.
    pub quantity: String,
    /// Harmonised customs code.
    pub harmonised_code: String,
    /// Why it is sent: `Sale`, `Gift` …
    pub purpose: String,
    /// Made in, by name or code as typed.
    pub country: String,
    /// Commercial value in Australian dollars.
    pub value: String,
}

impl ContentsLine {
    /// The purpose as it is sent; nothing where it is none of [`PURPOSES`].
    pub(super) fn known_purpose(&self) -> Option<&'static str> {
        let typed = self.purpose.trim();
        let known = |purpose: &&&str| purpose.eq_ignore_ascii_case(typed);
        PURPOSES.iter().find(known).copied()
    }

    /// The harmonised code as it is sent: its digits, with the dots that were typed and no blanks. Nothing where there are
    /// fewer than six digits or more than twelve, or anything else.
    pub(super) fn code(&self) -> Option<String> {
        let code: String = self
            .harmonised_code
            .chars()
            .filter(|letter| *letter != ' ')
            .take(40)
            .collect();
        let digits = code.bytes().filter(u8::is_ascii_digit).count();
        let parted = code
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        ((6..=12).contains(&digits) && parted).then_some(code)
    }
}

impl GoodsLine {
    /// What its contents come to: units inside one item, and their value as declared.
    pub fn customs_totals(&self) -> (u32, Dollars) {
        let mut sum = (0_u32, Dollars::ZERO);
        for inside in &self.contents {
            sum.0 = sum
                .0
                .saturating_add(number::count(&inside.quantity).unwrap_or(0));
            let value = number::read(&inside.value).unwrap_or_default();
            sum.1.0 = sum.1.0.saturating_add(value);
        }
        sum
    }
}
