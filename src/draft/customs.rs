//! The customs contents of a line of goods, as typed.

use serde::{Deserialize, Serialize};

use super::{GoodsLine, number};
use shipping::Dollars;

/// The carrier-specific option that the interface names. The form has a checkbox for it.
pub const DUTIES: &str = "AreDutiesPaidByRecipient";

/// The known reasons for sending, as they are sent (`purpose`). The interface names three and does not show
/// the full list.
pub const PURPOSES: &[&str] = &["Sale", "Gift", "Return", "Sample", "Repair", "Personal"];

/// The highest value of contents, in Australian dollars.
pub(super) const MOST_DOLLARS: u32 = 1_000_000_000;

/// A kind of goods inside an item, for customs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentsLine {
    pub description: String,
    /// Identifies the goods, or their invoice or order.
    pub reference1: String,
    pub reference2: String,
    pub reference3: String,
    /// Marks and numbers on the packages.
    pub marks: String,
    pub part_number: String,
    /// Physical units inside one item; differs from the item's own quantity.
    pub quantity: String,
    /// The harmonised customs tariff code.
    pub harmonised_code: String,
    /// The reason for sending: `Sale`, `Gift` …
    pub purpose: String,
    /// The country of manufacture, by name or code as typed.
    pub country: String,
    /// The commercial value in Australian dollars.
    pub value: String,
}

impl ContentsLine {
    /// Returns the purpose as sent; `None` if it is not one of [`PURPOSES`].
    pub(super) fn known_purpose(&self) -> Option<&'static str> {
        let typed = self.purpose.trim();
        let known = |purpose: &&&str| purpose.eq_ignore_ascii_case(typed);
        PURPOSES.iter().find(known).copied()
    }

    /// Returns the harmonised code as sent: 6 to 12 digits with the typed dots, without blanks. `None` if it
    /// is malformed.
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
    /// Returns the total units inside one item and the total declared value.
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
