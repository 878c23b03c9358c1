//! What the screens show of routes, previews and printers: ready to draw, nothing to work out in a frame.

mod printers;
mod routes;

use std::sync::Arc;

use jiff::Timestamp;

use crate::shipping::{ConsignmentId, LabelSize, ManifestGroup, PrinterChoice};
use crate::work::{Fault, JobSubject};
pub use printers::{
    DocumentRoute, PrinterField, PrinterForm, PrinterHint, PrinterProblem, PrinterState,
    PrinterView, TestLabelView,
};
pub use routes::{DespatchView, LiveRate, PricePart, RouteChange, RouteDetails, RouteView};

/// One page of a label, dot for dot as it will be burnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// What is shown.
    pub subject: JobSubject,
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
    /// True where the printer is given these very dots; false where its driver draws the page itself.
    pub exact: bool,
    /// True where the check before ink passed: the codes read back as the consignment's references. Where nothing is wrong
    /// and this is false, they were not compared: no number of the consignment is known.
    pub checked: bool,
    /// Why it must not be burnt, and what to do about that, where the check failed.
    pub problem: Option<PreviewProblem>,
    /// The same page small enough for a screen, where it has more dots than a screen can show at once.
    pub overview: Option<Overview>,
}

/// Why a label fails the check before ink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewProblem {
    /// One line.
    pub headline: String,
    /// What to do about it.
    pub advice: String,
    /// The page that it is on, from 0, where it is on one.
    pub page: Option<usize>,
    /// What a clerk's word that it is printed all the same would be for.
    pub fault: Fault,
}

/// A page in shades of grey, smaller by a whole factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
    /// How many dots across and down are one of these.
    pub factor: u32,
    /// Rows from the top, a byte each: 0 is black, 255 paper.
    pub greys: Arc<[u8]>,
}

/// The service's own printers for some consignments.
#[derive(Debug, Clone, PartialEq)]
pub struct ServicePrinters {
    /// Whose labels.
    pub ids: Vec<ConsignmentId>,
    /// The printers, with their states and the usual ones.
    pub choice: PrinterChoice,
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
