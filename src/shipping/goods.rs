//! Items as sent ("Item object"): dimensions on the item itself, or nested on the complex endpoint.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::customs::ItemContents;
use super::dangerous_goods::DgItem;
use super::ids::CompanyItemId;
use super::lenient;
use super::values::{Centimetres, Kilograms, Quantity};

/// Packaging kinds that the service is known to take, by the name that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemType;

impl ItemType {
    /// All names, the commonest first.
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

    /// The kinds that take floor: the service counts pallet spaces from these.
    pub fn takes_space(name: &str) -> bool {
        matches!(name, "Pallet" | "Skid" | "Crate" | "Pack")
    }
}

/// One line of goods, as sent. Kilograms and centimetres are those of one item. A saved item is its id or SKU alone; what
/// is given beside it overrides the saved value.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemRequest {
    /// A saved item, by id.
    pub company_item_id: Option<CompanyItemId>,
    /// Packaging kind, by name.
    pub item_type: Option<String>,
    /// Short description.
    pub name: Option<String>,
    /// Stock keeping unit; alone, a saved item.
    pub sku: Option<String>,
    /// How many identical items.
    pub quantity: Option<u32>,
    /// Weight of one (simple endpoint).
    pub weight: Option<Kilograms>,
    /// Length of one (simple endpoint).
    pub length: Option<Centimetres>,
    /// Width of one (simple endpoint).
    pub width: Option<Centimetres>,
    /// Height of one (simple endpoint).
    pub height: Option<Centimetres>,
    /// Weight and dimensions of one (complex endpoint).
    pub standard_item: Option<StandardItem>,
    /// Pallet spaces, where the clerk knows better than the service's count.
    pub pallet_spaces: Option<Quantity>,
    /// Dangerous goods inside (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_dg_items: Vec<DgItem>,
    /// What customs are told (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_contents: Vec<ItemContents>,
    /// Delegated barcodes, one for each unit (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_references: Vec<ItemReference>,
}

/// Weight and dimensions of one item; of a saved item, those that override.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardItem {
    /// Kilograms.
    pub weight: Option<Kilograms>,
    /// Centimetres.
    pub length: Option<Centimetres>,
    /// Centimetres.
    pub width: Option<Centimetres>,
    /// Centimetres.
    pub height: Option<Centimetres>,
}

/// A barcode given by the shipper, in the carrier's format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReference {
    /// The barcode's text.
    #[serde(deserialize_with = "lenient::text")]
    pub carrier_item_reference: String,
}

impl ItemRequest {
    /// True where only the complex endpoint can take it. A saved item may bring dangerous goods along, so that it counts.
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

    /// Moves weight and dimensions into `standardItem`, where the complex endpoint wants them.
    #[must_use]
    pub fn nested(mut self) -> Self {
        let own = StandardItem {
            weight: self.weight.take(),
            length: self.length.take(),
            width: self.width.take(),
            height: self.height.take(),
        };
        let any = own.weight.is_some()
            || own.length.is_some()
            || own.width.is_some()
            || own.height.is_some();
        if any {
            self.standard_item = Some(own);
        }
        self
    }
}
