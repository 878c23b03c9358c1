//! Commands of Dispatch; manifest groups, their bookings and the booked manifests as the screen shows them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::state::{
    BookingMember, ListOrder, ListProgress, ListView, ManifestPage, ManifestRow, OperationId,
    Remote, TrackList, TrackQuery, ViewedList,
};
use engine::CarrierClosing;
use shipping::{ConsignmentId, ManifestGroup};

/// A command about groups and booked manifests.
#[derive(Debug, Clone, Copy, PartialEq)]
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedMember {
    pub id: ConsignmentId,
    pub number: String,
    /// The group before the consignment was taken out; shared by all consignments that were taken out together.
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
    /// Consignments taken out of the shown groups, the most recently removed last.
    pub moved_out: Vec<RemovedMember>,
    pub run: Option<BookingRun>,
    /// The consignments of each booking, as they were last read back from the service.
    pub members: HashMap<OperationId, Vec<BookingMember>>,
    /// The manifests booked from this bench, newest first.
    pub manifests: Remote<Arc<Vec<ManifestRow>>>,
    pub shown: Option<OperationId>,
    /// The content of the shown manifest.
    pub manifest: Remote<Arc<ManifestPage>>,
    pub printer: Option<String>,
}

/// A command on Dispatch.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchCommand {
    /// Fetch the unmanifested list again.
    Refresh,
    /// Show the rows that match these words, in this order.
    Query(String, ListOrder),
    /// Group these consignments for manifests.
    Group(Vec<ConsignmentId>),
    /// Group all unmanifested consignments.
    GroupAll,
    /// Repeat the last grouping, which failed.
    GroupAgain,
    /// Close the groups.
    ClearGroups,
    /// Book these groups as they are, one at a time.
    Book(Vec<ManifestGroup>),
    /// Delete these consignments at the service after a few seconds, unless the clerk undoes the deletion.
    Delete(Vec<ConsignmentId>),
    /// Cancel the deletion that is about to be sent.
    UndoDelete,
    /// Put these consignments on hold, so that they are left out when all are grouped; or release them.
    SetOnHold(Vec<ConsignmentId>, bool),
    /// Save a view of the list. Replaces the view with the same name; the name is empty for the last used state.
    SaveView(ListView),
    RemoveView(ViewedList, String),
    /// Print the labels of these consignments, in this order.
    PrintLabels(Vec<ConsignmentId>),
    /// Show the label of a consignment on Labels.
    ShowLabel(ConsignmentId),
    /// Show a consignment on Dispatch.
    Reveal(ConsignmentId),
    /// Close the card of a booking that is done or was refused.
    CloseBooking(OperationId),
    Groups(GroupsCommand),
}

/// Consignments that are about to be deleted. Nothing was sent yet, so the clerk can undo the deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingDeletion {
    pub ids: Vec<ConsignmentId>,
    /// When the deletion is sent.
    pub at: Timestamp,
}

/// A group that was sent to be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    pub operation: OperationId,
    /// The group as it was sent.
    pub group: ManifestGroup,
}

impl Booking {
    pub fn carrier(&self) -> &str {
        self.group.carrier_name.as_deref().unwrap_or_default()
    }

    /// Returns the number of consignments.
    pub fn count(&self) -> usize {
        self.group.consignment_ids.len()
    }
}

/// Everything that Dispatch shows.
#[derive(Default)]
pub struct DispatchView {
    /// The unmanifested consignments, newest first.
    pub unmanifested: Remote<Arc<[ConsignmentId]>>,
    /// The filter and the order of the list.
    pub query: TrackQuery,
    /// The rows that match the query; empty if all rows are shown, newest first.
    pub found: Remote<TrackList>,
    /// When the unmanifested list was fetched.
    pub unmanifested_at: Option<Timestamp>,
    /// The carriers that close later today, the first one first, each with consignments that are not booked.
    pub closings: Remote<Arc<Vec<CarrierClosing>>>,
    /// Progress of the unmanifested list that is being fetched.
    pub list_progress: Option<ListProgress>,
    /// Unmanifested consignments on hold, which are left out when all are grouped.
    pub on_hold: Arc<HashSet<ConsignmentId>>,
    /// Consignments about to be deleted, until the deletion is sent or undone.
    pub deleting: Option<PendingDeletion>,
    /// Saved views of the list. The view without a name is the last used state of a list.
    pub views: Arc<Vec<ListView>>,
    /// The manifest groups from the last grouping, with default pickups. Booked groups are removed.
    pub groups: Remote<Vec<ManifestGroup>>,
    /// Consignments taken out of groups, the progress of bookings, and booked manifests.
    pub groups_view: GroupsView,
    /// Groups sent to be booked in this session, newest first; their state is in `operations`.
    pub bookings: Vec<Booking>,
}

impl DispatchView {
    /// Returns whether a consignment is unmanifested.
    pub fn lists(&self, id: ConsignmentId) -> bool {
        let list = self.unmanifested.value();
        list.is_some_and(|list| list.binary_search_by(|one| id.cmp(one)).is_ok())
    }

    /// Returns the rows that are shown, in their order.
    pub fn shown(&self) -> TrackList {
        let all = || TrackList {
            ids: self.unmanifested.value().cloned().unwrap_or_default(),
            ..TrackList::default()
        };
        self.found.value().cloned().unwrap_or_else(all)
    }
}
