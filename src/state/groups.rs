//! Groups, their bookings and the manifests that came of them: what can be asked for, and what the screens show.

use std::collections::HashMap;
use std::sync::Arc;

use super::{BookingMember, ManifestPage, ManifestRow, OperationId, Remote};
use crate::shipping::{ConsignmentId, ManifestGroup};

/// On groups and booked manifests.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupsCommand {
    /// Take this one out of its group; held back from grouping all, or not.
    MoveOut(ConsignmentId, bool),
    /// Put the one back that was taken out last.
    MoveBack,
    /// Book nothing more after the group that is being booked.
    StopBooking,
    /// Group what is left of a booking that others took consignments of, with all other groups.
    GroupRest(OperationId),
    /// Fetch the booked manifests from the journal.
    ListManifests,
    /// Show this one.
    OpenManifest(OperationId),
    /// Print it on the printer for manifests.
    PrintManifest(OperationId),
    /// Save it where the clerk says.
    SaveManifest(OperationId),
    /// Save it at a typed path (when no file dialog is to be had).
    SaveManifestAt(OperationId, String),
}

/// A consignment that the clerk took out of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedOut {
    /// Which.
    pub id: ConsignmentId,
    /// Its number.
    pub number: String,
    /// The group as it was with it, shared by all that were taken out at once.
    pub group: Arc<ManifestGroup>,
    /// It is held back since.
    pub held: bool,
}

/// Groups on their way to their carriers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookingRun {
    /// How many were asked for.
    pub total: usize,
    /// Their operations, as far as they are written down.
    pub operations: Vec<OperationId>,
    /// Those whose end is known, or known to be open.
    pub done: usize,
    /// Nothing more is booked after the one that is on its way.
    pub stopping: bool,
}

/// What there is to show of groups besides themselves.
#[derive(Default)]
pub struct GroupsView {
    /// What was taken out of the groups that are shown, the last one last.
    pub moved_out: Vec<MovedOut>,
    /// The booking that is under way.
    pub run: Option<BookingRun>,
    /// The consignments of bookings as they were read back last.
    pub members: HashMap<OperationId, Vec<BookingMember>>,
    /// The manifests that were booked from this bench, newest first.
    pub manifests: Remote<Arc<Vec<ManifestRow>>>,
    /// The one that is shown.
    pub shown: Option<OperationId>,
    /// It, whole.
    pub manifest: Remote<Arc<ManifestPage>>,
    /// The printer that manifests go to.
    pub printer: Option<String>,
}
