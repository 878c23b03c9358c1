//! Items as sent ("Item object"): dimensions on the item itself, or nested on the complex endpoint.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::dangerous_goods::DgItem;
use super::values::{Centimetres, Kilograms};

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

/// One line of goods, as sent. Kilograms and centimetres are those of one item.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemRequest {
    /// Packaging kind, by name.
    pub item_type: String,
    /// Short description.
    pub name: String,
    /// Stock keeping unit.
    pub sku: Option<String>,
    /// How many identical items.
    pub quantity: u32,
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
    pub pallet_spaces: Option<u32>,
    /// Dangerous goods inside (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_dg_items: Vec<DgItem>,
    /// Delegated barcodes, one for each unit (complex endpoint).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consignment_item_references: Vec<ItemReference>,
}

/// Weight and dimensions of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardItem {
    /// Kilograms.
    pub weight: Kilograms,
    /// Centimetres.
    pub length: Centimetres,
    /// Centimetres.
    pub width: Centimetres,
    /// Centimetres.
    pub height: Centimetres,
}

/// A barcode given by the shipper, in the carrier's format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReference {
    /// The barcode's text.
    pub carrier_item_reference: String,
}

impl ItemRequest {
    #[must_use]
    /// Moves weight and dimensions into `standardItem`, where the complex endpoint wants them.
    pub fn nested(mut self) -> Self {
        if let (Some(weight), Some(length), Some(width), Some(height)) =
            (self.weight, self.length, self.width, self.height)
        {
            self.standard_item = Some(StandardItem {
                weight,
                length,
                width,
                height,
            });
            (self.weight, self.length, self.width, self.height) = (None, None, None, None);
        }
        self
    }
}
