//! The consignment of the open page: the stored row and history, and the service's full record.

use std::borrow::Cow;

use crate::state::{ConsignmentHistory, ConsignmentRow, Exception, Shared};
use shipping::{Consignment, StatusId, time_zone_of};

pub(super) struct ShownConsignment<'a> {
    pub(super) shared: &'a Shared,
    pub(super) followed: Cow<'a, ConsignmentHistory>,
    /// The full record, once the service has answered.
    pub(super) full_record: Option<&'a Consignment>,
}

impl<'a> ShownConsignment<'a> {
    /// Returns `None` while neither the store nor the service has answered.
    pub(super) fn of(shared: &'a Shared) -> Option<Self> {
        let page = &shared.track.page;
        let open = page.open?;
        let whole = page.consignment.value().map(AsRef::as_ref);
        let followed = match page.history.value().and_then(Option::as_ref) {
            Some(followed) => Cow::Borrowed(followed),
            None => Cow::Owned(ConsignmentHistory::of(whole?, None)),
        };
        (followed.row.id == open).then_some(Self {
            shared,
            followed,
            full_record: whole,
        })
    }

    pub(super) fn row(&self) -> &ConsignmentRow {
        &self.followed.row
    }

    pub(super) fn status(&self) -> StatusId {
        self.row().status.id
    }

    /// The time zone (IANA) of the pickup place; empty if unknown.
    pub(super) fn sender_zone(&self) -> &str {
        time_zone_of(&self.row().from_place)
    }

    /// The time zone (IANA) of the delivery place; empty if unknown.
    pub(super) fn to_zone(&self) -> &str {
        time_zone_of(&self.row().to_place)
    }

    /// Returns the exception as counted on the board, or by status alone if the board does not
    /// list the consignment.
    pub(super) fn exception(&self) -> Option<Exception> {
        let board = self.shared.track.board.value();
        let listed = board.and_then(|board| board.exception(self.row().id));
        let by_board = listed.map(|row| row.exception);
        by_board.or_else(|| self.status().exception().map(Exception::from))
    }
}
