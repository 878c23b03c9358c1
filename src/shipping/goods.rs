//! Items as sent: dimensions are on the item itself or, for the complex endpoint, nested.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::customs::ItemContents;
use super::dangerous_goods::DgItem;
use super::ids::CompanyItemId;
use super::lenient;
use super::values::{Centimetres, Kilograms, Quantity};

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

/// A line of goods, as sent. Kilograms and centimetres are for one item. A saved item is sent as its id or
/// SKU alone; any other field overrides the saved value.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemRequest {
    /// The id of a saved item.
    pub company_item_id: Option<CompanyItemId>,
    /// The name of a packaging kind.
    pub item_type: Option<String>,
    pub name: Option<String>,
    /// Stock keeping unit. Without weight and dimensions, the SKU references a saved item.
    pub sku: Option<String>,
    /// The number of identical items.
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
    /// Overrides the service's own count of pallet spaces.
    pub pallet_spaces: Option<Quantity>,
    /// Dangerous goods inside (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_dg_items: Vec<DgItem>,
    /// Customs contents (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_contents: Vec<ItemContents>,
    /// Delegated barcodes, one for each unit (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_references: Vec<ItemReference>,
}

/// Weight and dimensions of one item. For a saved item, only the values that override it.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardItem {
    pub weight: Option<Kilograms>,
    pub length: Option<Centimetres>,
    pub width: Option<Centimetres>,
    pub height: Option<Centimetres>,
}

/// A barcode that the shipper provides, in the carrier's format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReference {
    #[serde(deserialize_with = "lenient::text")]
    pub carrier_item_reference: String,
}

impl ItemRequest {
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
