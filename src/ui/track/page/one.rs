//! The consignment that a page is about: what is followed of it, and what the service said of all of it.

use std::borrow::Cow;

use crate::shipping::{Consignment, StatusId, zone_of};
use crate::state::{Exception, Followed, Shared, Tracked};

/// What is known of the one that is shown.
pub(super) struct One<'a> {
    pub(super) shared: &'a Shared,
    pub(super) followed: Cow<'a, Followed>,
    /// All of it, once the service was asked.
    pub(super) whole: Option<&'a Consignment>,
}

impl<'a> One<'a> {
    /// Nothing while neither the store nor the service has said anything of it.
    pub(super) fn of(shared: &'a Shared) -> Option<Self> {
        let page = &shared.track.page;
        let open = page.open?;
        let whole = page.whole.value().map(AsRef::as_ref);
        let followed = match page.followed.value().and_then(Option::as_ref) {
            Some(followed) => Cow::Borrowed(followed),
            None => Cow::Owned(Followed::of(whole?, None)),
        };
        (followed.row.id == open).then_some(Self {
            shared,
            followed,
            whole,
        })
    }

    pub(super) fn row(&self) -> &Tracked {
        &self.followed.row
    }

    pub(super) fn status(&self) -> StatusId {
        self.row().status.id
    }

    /// The zone (IANA) of where it is picked up; empty where nobody knows it.
    pub(super) fn sender_zone(&self) -> &str {
        zone_of(&self.row().from_place)
    }

    /// The zone (IANA) of where it goes; empty where nobody knows it.
    pub(super) fn to_zone(&self) -> &str {
        zone_of(&self.row().to_place)
    }

    /// Why somebody has to look at it, as the board says; by its status alone where the board was not counted.
    pub(super) fn exception(&self) -> Option<Exception> {
        let board = self.shared.track.board.value();
        let listed = board.and_then(|board| board.exception(self.row().id));
        let by_board = listed.map(|row| row.exception);
        by_board.or_else(|| self.status().mishap().map(Exception::from))
    }
}
