//! Manifest groups, their bookings and the booked manifests: commands, and what the screens show.

use std::collections::HashMap;
use std::sync::Arc;

use super::{BookingMember, ManifestPage, ManifestRow, OperationId, Remote};
use shipping::{ConsignmentId, ManifestGroup};

/// A command about groups and booked manifests.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupsCommand {
    /// Take a consignment out of its group; `true` also puts it on hold.
    MoveOut(ConsignmentId, bool),
    /// Put the consignment that was taken out last back into its group.
    MoveBack,
    /// Stop after the group that is being booked.
    StopBooking,
    /// Group the remaining consignments of a partly booked group again, together with all other groups.
    RegroupRest(OperationId),
    /// Load the booked manifests from the journal.
    ListManifests,
    OpenManifest(OperationId),
    /// Print a manifest on the printer for manifests.
    PrintManifest(OperationId),
    /// Save a manifest; the clerk picks the path in a dialog.
    SaveManifest(OperationId),
    /// Save a manifest at a typed path, if there is no file dialog.
    SaveManifestAt(OperationId, String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedMember {
    pub id: ConsignmentId,
    pub number: String,
    /// The group before the consignment was taken out; shared by all that were taken out together.
    pub group: Arc<ManifestGroup>,
    /// True if the consignment was put on hold.
    pub held: bool,
}

/// The booking of several groups, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookingRun {
    /// Number of groups to book.
    pub total: usize,
    /// The operations recorded so far.
    pub operations: Vec<OperationId>,
    /// Number of groups whose booking was answered, or is being reconciled.
    pub done: usize,
    /// True if no group is booked after the present one.
    pub stopping: bool,
}

/// Everything that the screens show about groups, except the groups themselves.
#[derive(Default)]
pub struct GroupsView {
    /// Consignments taken out of the shown groups, the last one at the end.
    pub moved_out: Vec<RemovedMember>,
    pub run: Option<BookingRun>,
    /// The consignments of each booking, as last read back.
    pub members: HashMap<OperationId, Vec<BookingMember>>,
    /// The manifests booked from this bench, newest first.
    pub manifests: Remote<Arc<Vec<ManifestRow>>>,
    pub shown: Option<OperationId>,
    /// The content of the shown manifest.
    pub manifest: Remote<Arc<ManifestPage>>,
    pub printer: Option<String>,
}
