//! The service's own printers: what they print, and their states.

use serde::{Deserialize, Serialize};

use super::ids::{CompanyId, ConsignmentId, PrinterId};
use super::label::LabelSize;
use super::lenient;

/// The documents that the service can print for a consignment. The specification shows only 3; the other
/// numbers come from live services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelType {
    /// 1
    Manifest,
    /// 2
    Consignment,
    /// 3: one label for each piece.
    Item,
    /// 4
    SpecialInstructions,
    /// 5
    DangerousGoods,
    /// 7
    GeneratedInvoice,
    /// 8
    UploadedInvoice,
}

impl LabelType {
    /// All types, the usual one first.
    pub const ALL: [Self; 7] = [
        Self::Item,
        Self::Consignment,
        Self::DangerousGoods,
        Self::SpecialInstructions,
        Self::Manifest,
        Self::GeneratedInvoice,
        Self::UploadedInvoice,
    ];

    /// Returns the number that goes on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Self::Manifest => 1,
            Self::Consignment => 2,
            Self::Item => 3,
            Self::SpecialInstructions => 4,
            Self::DangerousGoods => 5,
            Self::GeneratedInvoice => 7,
            Self::UploadedInvoice => 8,
        }
    }

    /// Returns the label that the clerk sees.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Manifest => "Manifest",
            Self::Consignment => "Consignment",
            Self::Item => "Item labels",
            Self::SpecialInstructions => "Special instructions",
            Self::DangerousGoods => "Dangerous goods document",
            Self::GeneratedInvoice => "Commercial invoice",
            Self::UploadedInvoice => "Uploaded commercial invoice",
        }
    }
}

/// An element of the request to `sendLabelsToPrinter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PrintLabelsRequest {
    consignment_ids: Vec<ConsignmentId>,
    label_type: u8,
    printer_id: PrinterId,
    #[serde(rename = "printA4")]
    print_a4: bool,
}

impl PrintLabelsRequest {
    /// Requests `what` for these consignments on one of the service's printers.
    pub fn new(
        ids: Vec<ConsignmentId>,
        what: LabelType,
        printer: PrinterId,
        size: LabelSize,
    ) -> Self {
        Self {
            consignment_ids: ids,
            label_type: what.number(),
            printer_id: printer,
            print_a4: size == LabelSize::A4,
        }
    }

    pub const fn printer(&self) -> PrinterId {
        self.printer_id
    }

    /// Returns the label type, if its number is known.
    pub fn label_type(&self) -> Option<LabelType> {
        LabelType::ALL
            .into_iter()
            .find(|what| what.number() == self.label_type)
    }

    pub fn consignment_ids(&self) -> &[ConsignmentId] {
        &self.consignment_ids
    }
}

/// The state of a service printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrinterStatus {
    /// 1
    Online,
    /// 2
    Offline,
    /// 3: the printer's computer has never contacted the service.
    NoHandshake,
    /// 0, or any unknown number.
    Unknown,
}

/// A printer that is registered at the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServicePrinter {
    pub id: PrinterId,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub description: String,
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    /// Whether the printer is switched off at the service.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub disabled: bool,
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    status: Option<i64>,
}

impl ServicePrinter {
    pub fn status(&self) -> PrinterStatus {
        match self.status {
            Some(1) => PrinterStatus::Online,
            Some(2) => PrinterStatus::Offline,
            Some(3) => PrinterStatus::NoHandshake,
            _ => PrinterStatus::Unknown,
        }
    }
}

/// The printers that can print some consignments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AvailablePrinters {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub printers: Vec<ServicePrinter>,
    /// The default printer for item labels.
    #[serde(default)]
    pub default_item_printer: Option<ServicePrinter>,
    /// The default printer for A4 pages.
    #[serde(default)]
    pub default_a4_printer: Option<ServicePrinter>,
}
