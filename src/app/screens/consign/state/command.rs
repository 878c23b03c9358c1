//! Commands of the Consign screen.

use draft::DraftId;
use shipping::ConsignmentId;

/// A command on Consign. Typing needs no command: changes are noticed in [`crate::state::Editing`] and
/// saved automatically.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsignCommand {
    /// Fetch prices at once. Without this command, they are fetched once the draft has been
    /// left alone a while.
    FindRoutes,
    /// Dismiss the message that the chosen route has changed.
    AcknowledgeRoute,
    /// Repeat the failed lookups of UN numbers and carriers.
    LookUpAgain,
    /// Validate, record and send the draft. If it has problems, show all of them instead.
    Send,
    /// Keep this draft and start a new draft.
    NewDraft,
    OpenDraft(DraftId),
    /// Delete a draft, also at the service if it is saved there. If the draft is open, start a new draft.
    DiscardDraft(DraftId),
    /// Restore the draft that was deleted last.
    RestoreDraft,
    /// Save the open draft at the service as a pending consignment, to be completed later.
    SavePending,
    /// Fetch a consignment's form to change it.
    Edit(ConsignmentId),
    /// Fetch a consignment and start a new draft like it.
    Clone(ConsignmentId),
    RefreshLocations,
    /// Show, until it is dismissed, that the scanned text is not a known SKU.
    UnknownScan(String),
    /// Show, until it is dismissed, that the scanned item is in this line (from 0), whose quantity
    /// cannot be increased.
    UncountedScan(String, usize),
}
