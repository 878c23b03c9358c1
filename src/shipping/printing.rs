//! Labels as files (`getItemPdfFileInfo`), and the service's own printers: what they print, and their states.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lenient::lenient_records;
use super::values::{CompanyId, ConsignmentId, PrinterId};

/// The documents that the service can print for a consignment. The specification shows only 3; the other
/// numbers come from live services. The discriminant goes on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum LabelType {
    Manifest = 1,
    Consignment = 2,
    /// One label for each piece.
    #[default]
    Item = 3,
    SpecialInstructions = 4,
    DangerousGoods = 5,
    GeneratedInvoice = 7,
    UploadedInvoice = 8,
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
    /// Creates a request to print `what` for these consignments on one of the service's printers.
    pub fn new(
        ids: Vec<ConsignmentId>,
        what: LabelType,
        printer: PrinterId,
        size: LabelSize,
    ) -> Self {
        Self {
            consignment_ids: ids,
            label_type: what as u8,
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
            .find(|what| *what as u8 == self.label_type)
    }

    pub fn consignment_ids(&self) -> &[ConsignmentId] {
        &self.consignment_ids
    }
}

/// The state of a service printer. The service sends it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrinterStatus {
    /// Sent as 1.
    Online,
    /// Sent as 2.
    Offline,
    /// Sent as 3: the printer's computer has never contacted the service.
    NoHandshake,
    /// Sent as 0, or as any unknown number.
    Unknown,
}

lenient_records! {
    /// The printers that can print some consignments.
    pub struct AvailablePrinters {
        pub printers: Vec<ServicePrinter>,
        /// The default printer for item labels.
        pub default_item_printer: Option<ServicePrinter>,
        /// The default printer for A4 pages.
        pub default_a4_printer: Option<ServicePrinter>,
    }

    /// A printer that is registered at the service.
    pub struct ServicePrinter {
        pub id: PrinterId,
        pub name: String,
        pub description: String,
        pub company_id: Option<CompanyId>,
        /// Whether the printer is switched off at the service.
        pub disabled: bool,
        status: Option<i64>,
    }

    /// A label file as the service sends it. The service chooses `file_name`, so never use it as a path.
    pub struct LabelFile {
        pub file_name: String,
        /// The media type that the service claims.
        pub content_type: String,
        /// The file in base64.
        pub content: String,
    }
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

/// The paper size of labels from the service; A6 is the service's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum LabelSize {
    /// 105 × 148 mm, one label on each page.
    #[default]
    A6,
    /// 210 × 297 mm (`printA4` is true).
    A4,
}

/// Why a label file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LabelFileError {
    #[error("the service sent an empty label file")]
    Empty,
    #[error("the service's label file is damaged")]
    NotBase64,
}

impl LabelFile {
    /// Decodes the file. The renderer checks whether the bytes are a PDF.
    pub fn bytes(&self) -> Result<Vec<u8>, LabelFileError> {
        let compact: String = self.content.split_ascii_whitespace().collect();
        if compact.is_empty() {
            return Err(LabelFileError::Empty);
        }
        STANDARD
            .decode(compact)
            .map_err(|_not_base64| LabelFileError::NotBase64)
    }
}
