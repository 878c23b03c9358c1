//! What customs are told of one line of goods, as typed ("Contents object").

use serde::{Deserialize, Serialize};

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
