//! Items as sent, with their customs contents: dimensions are on the item itself or, for the complex endpoint,
//! nested.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use super::dangerous_goods::DgItem;
use super::lenient::{self, published_too, two_way_records};
use super::values::{Centimetres, CompanyItemId, Dollars, Kilograms, Quantity};

/// The packaging kinds that the service is known to accept, by the name that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemType;

impl ItemType {
    /// All names, the most common first.
    pub const NAMES: &'static [&'static str] = &[
        "Carton",
        "Satchel",
        "Pallet",
        "Skid",
        "Crate",
        "Envelope",
        "JiffyBag",
        "Roll",
        "Panel",
        "Bag",
        "Tube",
        "Stillage",
        "Pack",
        "Rails",
        "TimberLoose",
        "Combined",
        "TimberPack",
        "Pipe",
        "Bundle",
        "Case",
        "IBC",
        "Trolley",
        "Drum",
        "Tray",
        "Item",
        "Flatpack",
        "Length",
        "Bottle",
    ];

    /// Returns whether this kind takes floor space: the service counts pallet spaces from these kinds.
    pub fn takes_space(name: &str) -> bool {
        matches!(name, "Pallet" | "Skid" | "Crate" | "Pack")
    }
}

two_way_records! {
    /// A line of goods, as sent and as the service returns it. Kilograms and centimetres are for one item. A saved
    /// item is sent as its id or SKU alone; any other field overrides the saved value.
    #[serde(remote = "Self")]
    pub struct ConsignmentItem {
        /// The id of a saved item.
        pub company_item_id: Option<CompanyItemId>,
        /// The packaging kind: a name, or in an answer possibly a number that the bench does not know.
        pub item_type: Option<String>,
        pub name: Option<String>,
        /// Stock keeping unit. Without weight and dimensions, the SKU references a saved item.
        pub sku: Option<String>,
        /// The number of identical items.
        pub quantity: Option<u32>,
        /// Weight and dimensions of one item (simple endpoint).
        pub weight: Option<Kilograms>,
        pub length: Option<Centimetres>,
        pub width: Option<Centimetres>,
        pub height: Option<Centimetres>,
        /// Weight and dimensions of one item (complex endpoint).
        pub standard_item: Option<StandardItem>,
        /// Overrides the service's own count of pallet spaces.
        pub pallet_spaces: Option<Quantity>,
        /// Dangerous goods inside (complex endpoint).
        pub consignment_item_dg_items: Vec<DgItem>,
        /// Customs contents (complex endpoint).
        pub consignment_item_contents: Vec<ItemContents>,
        /// The dangerous goods of a pending consignment's item.
        pub pending_consignment_item_dg_items: Vec<DgItem>,
        /// The customs contents of a pending consignment's item.
        pub pending_consignment_item_contents: Vec<ItemContents>,
        /// Delegated barcodes, one for each unit (complex endpoint).
        #[serde_with(skip_apply)]
        #[serde(
            default,
            deserialize_with = "item_references",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub consignment_item_references: Vec<ItemReference>,
        /// Barcodes in an answer, one for each unit of the quantity.
        #[serde_with(skip_apply)]
        #[serde(
            default,
            deserialize_with = "lenient::references_or_default",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub references: Vec<String>,
        /// The references, as some live services name the field; moved to `references` when the item is read.
        #[doc(hidden)]
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::references_or_default", skip_serializing)]
        pub item_references: Vec<String>,
    }

    /// Weight and dimensions of one item. For a saved item, only the values that override the saved values.
    #[derive(Copy)]
    pub struct StandardItem {
        pub weight: Option<Kilograms>,
        pub length: Option<Centimetres>,
        pub width: Option<Centimetres>,
        pub height: Option<Centimetres>,
    }

    /// The contents of one item, for customs, as sent and as the service returns them. The service refuses an
    /// international quote if an item has no contents.
    #[serde(remote = "Self")]
    pub struct ItemContents {
        pub description: Option<String>,
        /// Identifies the goods, or their invoice or order.
        pub reference1: Option<String>,
        pub reference2: Option<String>,
        pub reference3: Option<String>,
        pub ci_marks_and_numbers: Option<String>,
        pub part_number: Option<String>,
        /// Physical units inside the item; differs from the item's own quantity.
        pub quantity: Option<u32>,
        pub harmonized_code: Option<String>,
        /// The reason for sending, in the service's terms: `Sale`, `Gift` …
        pub purpose: Option<String>,
        /// Three letters as sent; two or three in an answer.
        pub country_of_manufacture_code: Option<String>,
        /// The commercial value in Australian dollars.
        pub dollar_value: Option<Dollars>,
        /// The country, as some live services name the field; moved to `country_of_manufacture_code` on reading.
        #[doc(hidden)]
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::country_or_nothing", skip_serializing)]
        pub country_of_manufacture: Option<String>,
    }
}

published_too!(ConsignmentItem, ItemContents);

impl ItemContents {
    fn merge_alternate_fields(&mut self) {
        let published = self.country_of_manufacture.take();
        self.country_of_manufacture_code = self.country_of_manufacture_code.take().or(published);
    }
}

impl StandardItem {
    /// Takes missing values from the nested values.
    fn or(self, nested: Option<Self>) -> Self {
        let nested = nested.unwrap_or_default();
        Self {
            weight: self.weight.or(nested.weight),
            length: self.length.or(nested.length),
            width: self.width.or(nested.width),
            height: self.height.or(nested.height),
        }
    }
}

/// A barcode that the shipper provides, in the carrier's format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReference {
    #[serde(deserialize_with = "lenient::text")]
    pub carrier_item_reference: String,
}

/// Reads a list of barcodes in every form in which an answer may have them.
fn item_references<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ItemReference>, D::Error> {
    let texts = lenient::references_or_default(deserializer)?.into_iter();
    let reference = |carrier_item_reference| ItemReference {
        carrier_item_reference,
    };
    Ok(texts.map(reference).collect())
}

impl ConsignmentItem {
    fn merge_alternate_fields(&mut self) {
        let published = std::mem::take(&mut self.item_references);
        if self.references.is_empty() {
            self.references = published;
        }
    }

    /// Returns whether only the complex endpoint accepts this item. Saved items count, because they may
    /// contain dangerous goods.
    pub fn is_complex(&self) -> bool {
        let measures = [self.length, self.width, self.height];
        let by_sku =
            self.sku.is_some() && (self.weight.is_none() || measures.iter().any(Option::is_none));
        self.standard_item.is_some()
            || self.company_item_id.is_some()
            || by_sku
            || !self.consignment_item_dg_items.is_empty()
            || !self.consignment_item_contents.is_empty()
            || !self.consignment_item_references.is_empty()
    }

    /// Moves weight and dimensions into `standardItem`, as the complex endpoint requires.
    #[must_use]
    pub fn nested(mut self) -> Self {
        let own = StandardItem {
            weight: self.weight.take(),
            length: self.length.take(),
            width: self.width.take(),
            height: self.height.take(),
        };
        if own != StandardItem::default() {
            self.standard_item = Some(own);
        }
        self
    }

    /// Returns weight and dimensions of one item, from the item itself or nested.
    pub fn size(&self) -> StandardItem {
        let own = StandardItem {
            weight: self.weight,
            length: self.length,
            width: self.width,
            height: self.height,
        };
        own.or(self.standard_item)
    }

    /// Converts an item of a consignment: a pending consignment's item has weight and dimensions on itself, and
    /// no delegated barcodes.
    pub(super) fn into_pending(self) -> Self {
        let size = self.size();
        Self {
            weight: size.weight,
            length: size.length,
            width: size.width,
            height: size.height,
            standard_item: None,
            pending_consignment_item_dg_items: self.consignment_item_dg_items,
            pending_consignment_item_contents: self.consignment_item_contents,
            consignment_item_dg_items: Vec::new(),
            consignment_item_contents: Vec::new(),
            consignment_item_references: Vec::new(),
            ..self
        }
    }
}

/// A country as three capital letters (ISO 3166-1 alpha-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CountryCode([u8; 3]);

/// The error for a text that is not three letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a country code has three letters, like AUS")]
pub struct NotACountry;

impl CountryCode {
    /// One end of every international consignment is in Australia.
    pub const AUSTRALIA: Self = Self(*b"AUS");
    /// Domestic consignments in New Zealand need a Hazchem code and a flash point.
    pub const NEW_ZEALAND: Self = Self(*b"NZL");

    /// Accepts three letters in either case, with or without surrounding blanks.
    pub fn new(text: &str) -> Result<Self, NotACountry> {
        let letters: [u8; 3] = text
            .trim()
            .as_bytes()
            .try_into()
            .map_err(|_other_length| NotACountry)?;
        if letters.iter().all(u8::is_ascii_alphabetic) {
            Ok(Self(letters.map(|letter| letter.to_ascii_uppercase())))
        } else {
            Err(NotACountry)
        }
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl From<CountryCode> for String {
    fn from(code: CountryCode) -> Self {
        code.to_string()
    }
}

impl TryFrom<String> for CountryCode {
    type Error = NotACountry;
    fn try_from(text: String) -> Result<Self, NotACountry> {
        Self::new(&text)
    }
}
