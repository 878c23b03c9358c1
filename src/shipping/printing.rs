//! The service's own printers: what is printed there, and on which ("Operation rules", 7; printers from the field notes).

use serde::{Deserialize, Serialize};

use super::ids::{CompanyId, ConsignmentId, PrinterId};
use super::label::LabelSize;
use super::lenient;

/// What the service can print for a consignment. The specification shows 3; the others are the field notes'.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelType {
    /// 1
    Manifest,
    /// 2
    Consignment,
    /// 3: one label a piece.
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
    /// Every one, the usual one first.
    pub const ALL: [Self; 7] = [
        Self::Item,
        Self::Consignment,
        Self::DangerousGoods,
        Self::SpecialInstructions,
        Self::Manifest,
        Self::GeneratedInvoice,
        Self::UploadedInvoice,
    ];

    /// The number that goes on the wire.
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

    /// The label that the clerk sees.
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

/// One element of `sendLabelsToPrinter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelOrder {
    consignment_ids: Vec<ConsignmentId>,
    label_type: u8,
    printer_id: PrinterId,
    #[serde(rename = "printA4")]
    print_a4: bool,
}

impl LabelOrder {
    /// Prints `what` of these consignments on one of the service's printers.
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

    /// Where.
    pub const fn printer(&self) -> PrinterId {
        self.printer_id
    }

    /// What, where it is a kind that is known.
    pub fn what(&self) -> Option<LabelType> {
        LabelType::ALL
            .into_iter()
            .find(|what| what.number() == self.label_type)
    }

    /// Whose labels.
    pub fn consignment_ids(&self) -> &[ConsignmentId] {
        &self.consignment_ids
    }
}

/// How a printer of the service does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrinterStatus {
    /// 1
    Online,
    /// 2
    Offline,
    /// 3: its computer has never spoken to the service.
    NoHandshake,
    /// 0, and anything that is not known.
    Unknown,
}

/// A printer that the service knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServicePrinter {
    /// Its id.
    pub id: PrinterId,
    /// Its name.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// Where it stands, or what it is for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub description: String,
    /// Whose it is.
    #[serde(default, deserialize_with = "lenient::id_or_nothing")]
    pub company_id: Option<CompanyId>,
    /// True where it was switched off at the service.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub disabled: bool,
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    status: Option<i64>,
}

impl ServicePrinter {
    /// How it does.
    pub fn status(&self) -> PrinterStatus {
        match self.status {
            Some(1) => PrinterStatus::Online,
            Some(2) => PrinterStatus::Offline,
            Some(3) => PrinterStatus::NoHandshake,
            _ => PrinterStatus::Unknown,
        }
    }
}

/// Which printers some consignments can be printed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PrinterChoice {
    /// All of them.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub printers: Vec<ServicePrinter>,
    /// The usual one for item labels.
    #[serde(default)]
    pub default_item_printer: Option<ServicePrinter>,
    /// The usual one for A4 pages.
    #[serde(default)]
    pub default_a4_printer: Option<ServicePrinter>,
}
