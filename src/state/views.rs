//! What the screens show of routes and labels: ready to draw, nothing to work out in a frame.

mod printers;
mod routes;

use std::sync::Arc;

use jiff::Timestamp;

use crate::shipping::{ConsignmentId, LabelSize, ManifestGroup};
pub use printers::{
    DocumentRoute, PrinterForm, PrinterHint, PrinterState, PrinterView, TestLabelView,
};
pub use routes::{DespatchView, LiveRate, PricePart, RouteChange, RouteDetails, RouteView};

/// Where a consignment's label stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelState {
    /// Not printed yet.
    Waiting,
    /// Being fetched, drawn or handed over.
    Printing,
    /// Handed over to the printer: the bench knows no more.
    Sent(Timestamp),
    /// The clerk said that it came out.
    Printed(Timestamp),
    /// Printed, and the consignment was changed since: it is printed again.
    Stale,
    /// Not handed over; the words say why.
    Failed(String),
    /// Perhaps handed over: look at the printer.
    Ask(String),
}

/// A row of the label queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelEntry {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// `MS200431`.
    pub number: String,
    /// The receiver.
    pub to: String,
    /// Where it stands.
    pub state: LabelState,
}

/// One page of a label, dot for dot as it will be burnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// `MS200431`.
    pub number: String,
    /// Which page, from 0.
    pub page: usize,
    /// Of how many.
    pub pages: usize,
    /// The paper.
    pub size: LabelSize,
    /// Dots across.
    pub width: u32,
    /// Dots down.
    pub height: u32,
    /// Rows from the top, eight dots a byte, the first in the highest bit, 1 is black; each row starts a byte.
    pub dots: Arc<[u8]>,
    /// How many codes were read back from these dots.
    pub codes_read: usize,
    /// What to know: fitted to the head, a code that does not read.
    pub notes: Vec<String>,
    /// True where the check before ink passed: the codes read back as the consignment's references.
    pub checked: bool,
}

/// A batch of labels on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchProgress {
    /// Done so far.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// Consignments that are to be deleted, and may still be left alone: nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleting {
    /// Which.
    pub ids: Vec<ConsignmentId>,
    /// When they are sent to be deleted.
    pub at: Timestamp,
}

/// A group that was sent to its carrier, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// Its operation.
    pub operation: super::OperationId,
    /// The group, as it was sent.
    pub group: ManifestGroup,
}

impl Booking {
    /// The carrier.
    pub fn carrier(&self) -> &str {
        self.group.carrier_name.as_deref().unwrap_or_default()
    }

    /// How many consignments.
    pub fn count(&self) -> usize {
        self.group.consignment_ids.len()
    }
}
