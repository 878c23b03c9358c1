//! Printers as the screens show them: their state, settings and documents.

use crate::state::Preview;
use crate::state::{DocumentKind, FitMode, Language, Media};
use shipping::{AvailablePrinters, ConsignmentId};

/// The state of a printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrinterState {
    /// Ready for jobs.
    Ready,
    Printing,
    Stopped,
    /// Online, but its queue accepts no jobs.
    Rejecting,
    /// Off or disconnected: jobs wait for it.
    OutOfReach,
    /// A person must go there: labels, ribbon or cover.
    NeedsAttention,
    /// Not known: a port or a file shows its state only when it is used.
    Unknown,
    /// Removed: its queue no longer exists.
    Missing,
}

/// A printer that is set up on this bench, or was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterView {
    pub name: String,
    /// The settings ("ZPL · 203 dpi · 832 dots · item labels"), or what was found about a queue
    /// that is not set up.
    pub description: String,
    pub state: PrinterState,
    /// The printer's own message, such as "out of labels".
    pub message: String,
    /// True if labels are printed here.
    pub chosen: bool,
    /// True if the printer is set up on this bench; false if only its queue was found.
    pub set_up: bool,
    /// The values to start from when the printer is set up or changed.
    pub form: PrinterForm,
    /// The detected settings, if they differ from the saved settings.
    pub hint: Option<PrinterHint>,
    /// "proved on 20 Nov" after the printed test label was scanned; empty before.
    pub proved: String,
}

/// Detected settings that differ from the saved settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterHint {
    /// The message: "It says that it understands ZPL, and is set to PDF".
    pub message: String,
    /// The form with the detected settings.
    pub form: PrinterForm,
}

/// The typed settings of a printer. Numbers are as typed; an empty one means the default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrinterForm {
    /// The former name, if a printer is being changed.
    pub was: Option<String>,
    pub name: String,
    /// Where the bytes go: `queue NAME`, `HOST:PORT` of a label printer, `ipp://…`, or the
    /// absolute path of a file.
    pub destination: String,
    /// The printer language.
    pub language: Language,
    /// Resolution: 8 (203 dpi), 11.8 or 12 (300 dpi) or 24 (600 dpi).
    pub dots_per_mm: String,
    /// Width of the print head in dots; empty if it does not matter.
    pub head_dots: String,
    /// The kind of paper.
    pub media: Media,
    /// Gap between two labels in millimetres; empty for the default of 3.
    pub gap_mm: String,
    /// Offset to the right, in millimetres or as `4 dots`.
    pub offset_x: String,
    /// Offset downwards, in millimetres or as `4 dots`.
    pub offset_y: String,
    /// How a page is treated that is larger than the printable area.
    pub fitting: FitMode,
    /// Lowest scale in per cent that is printed without asking; empty for the default of 90.
    pub min_scale_percent: String,
    /// Number of copies; empty for one.
    pub copies: String,
    /// Minutes after which a waiting job is cancelled; empty for the default of 30.
    pub expiry_minutes: String,
    /// The kinds of documents that this printer prints from now on. Kinds removed here have no
    /// printer afterwards.
    pub documents: Vec<DocumentKind>,
}

/// An error in a typed setting of a printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterProblem {
    pub field: PrinterField,
    /// Message that says what to type instead.
    pub message: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrinterField {
    Name,
    Destination,
    Resolution,
    Head,
    LeastPercent,
    Gap,
    OffsetX,
    OffsetY,
    Copies,
    Expiry,
}

/// The printer for a kind of document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRoute {
    pub kind: DocumentKind,
    /// The chosen printer. If there is none, documents of this kind are not printed.
    pub printer: Option<String>,
    /// Why documents of this kind cannot be printed now; empty if they can.
    pub problem: String,
}

/// The test label of a printer, until the printed label has been scanned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLabelView {
    /// The printer's name.
    pub printer: String,
    /// The text in the barcode.
    pub token: String,
    pub preview: Preview,
    /// True if the label was printed and is waiting to be scanned.
    pub printed: bool,
}

/// The service's printers for some consignments.
#[derive(Debug, Clone, PartialEq)]
pub struct ServicePrinters {
    pub ids: Vec<ConsignmentId>,
    /// The printers with their states, and the default printers.
    pub choice: AvailablePrinters,
}
