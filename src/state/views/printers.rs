//! What the screens show of printers: how they are, what they are set to, what goes where.

use super::super::{DocumentKind, Fitting, Language, Media};
use super::Preview;

/// How a printer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrinterState {
    /// It takes jobs.
    Ready,
    /// It is at one.
    Printing,
    /// It has stopped.
    Stopped,
    /// Its queue takes no jobs.
    Rejecting,
    /// It is off, or its cable is out: jobs wait for it.
    OutOfReach,
    /// Somebody has to go there: labels, ribbon, cover.
    NeedsAttention,
    /// It cannot be seen: a port or a file shows only when it is used.
    Unseen,
    /// Its queue is gone.
    Missing,
}

/// A printer, set up on this bench or found on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterView {
    /// Its name.
    pub name: String,
    /// "ZPL · 203 dpi · 832 dots · item labels", or what was found of a queue that is not set up.
    pub words: String,
    /// How it is.
    pub state: PrinterState,
    /// In its own words: "out of labels".
    pub message: String,
    /// Labels go there.
    pub chosen: bool,
    /// True where it is set up on this bench; false where its queue was only found.
    pub set_up: bool,
    /// What to start from when it is set up or changed.
    pub form: PrinterForm,
    /// It answers otherwise than it is set up.
    pub hint: Option<PrinterHint>,
    /// "proved on 20 Nov": its test label was scanned back. Empty before that.
    pub proved: String,
}

/// A printer that answers otherwise than it is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterHint {
    /// "It says that it understands ZPL, and is set to PDF".
    pub words: String,
    /// What it would be set to.
    pub form: PrinterForm,
}

/// A printer as typed when it is set up. Numbers are as typed, empty for what is usual.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrinterForm {
    /// The name that it had before, where it is changed.
    pub was: Option<String>,
    /// Its name.
    pub name: String,
    /// Where bytes go: `queue NAME`, `HOST:PORT` of a label printer, `ipp://…`, or an absolute path of a file.
    pub destination: String,
    /// What it is given.
    pub language: Language,
    /// 8 (203 dpi), 11.8 or 12 (300 dpi) or 24 (600 dpi).
    pub dots_per_mm: String,
    /// Dots across its head; empty where it does not matter.
    pub head_dots: String,
    /// The paper in it.
    pub media: Media,
    /// Between two labels, in millimetres; empty for the usual 3.
    pub gap_mm: String,
    /// How far everything is moved to the right, in millimetres or as `4 dots`.
    pub offset_x: String,
    /// And down.
    pub offset_y: String,
    /// What becomes of a page larger than what the printer can print.
    pub fitting: Fitting,
    /// In per cent: labels are printed smaller than that only when somebody agreed; empty for the usual 90.
    pub least_percent: String,
    /// How many of each; empty for one.
    pub copies: String,
    /// After how many minutes a waiting job is taken back; empty for the usual 30.
    pub expiry_minutes: String,
    /// What is printed on it from now on; what it printed before and is not here goes nowhere.
    pub documents: Vec<DocumentKind>,
}

/// Something typed of a printer that can't be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterProblem {
    /// Where it was typed.
    pub field: PrinterField,
    /// What to type instead.
    pub message: &'static str,
}

/// The typed fields of a [`PrinterForm`].
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

/// Where documents of a kind go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRoute {
    /// Which kind.
    pub kind: DocumentKind,
    /// The printer that was chosen for it; nothing where none was, and then nothing of it is printed.
    pub printer: Option<String>,
    /// Why nothing of it can be printed now; empty where it can.
    pub problem: String,
}

/// The test label of a printer, before it is printed and until it is scanned back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLabelView {
    /// Whose.
    pub printer: String,
    /// What its code says.
    pub token: String,
    /// The very dots.
    pub preview: Preview,
    /// It was handed over, and waits to be scanned.
    pub printed: bool,
}
