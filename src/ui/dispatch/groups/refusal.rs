//! The reason why the booking of a group was refused, shown in the group's card or at the field concerned.

use egui::Ui;

use crate::draft::{PickupField, PickupReview, refused_pickup};
use crate::shipping::ManifestGroup;
use crate::state::{Booking, DispatchCommand, Kind, Operation, OperationState, Shared};
use crate::ui::Context;
use crate::ui::kit::notice::NoticeBar;
use crate::ui::kit::tokens::Tone;

/// A refused booking whose message concerns no particular field.
pub(super) struct Refusal<'a> {
    operation: &'a Operation,
}

/// Returns the latest booking of exactly these consignments, if it was refused.
fn last<'a>(shared: &'a Shared, group: &ManifestGroup) -> Option<(&'a Booking, &'a Operation)> {
    let ids = &group.consignment_ids;
    let same = |booking: &&Booking| booking.group.consignment_ids == *ids;
    let booking = shared.bookings.iter().find(same)?;
    let operation = shared.operation(booking.operation)?;
    (operation.kind == Kind::Manifest && operation.state == OperationState::Rejected)
        .then_some((booking, operation))
}

/// Returns whether a refused booking is shown in the card of its group, and so needs no card of its own.
pub(in crate::ui::dispatch) fn is_told_there(shared: &Shared, operation: &Operation) -> bool {
    let groups = shared.groups.value().into_iter().flatten();
    operation.state == OperationState::Rejected && { groups }
        .any(|group| group.consignment_ids == operation.consignments)
}

/// Returns the field that the service refused and its message, as long as the group is as it was sent.
pub(super) fn at_field(shared: &Shared, review: &PickupReview) -> Option<(PickupField, String)> {
    let group = review.group.as_ref().ok()?;
    let (booking, operation) = last(shared, group)?;
    let field = refused_pickup(&operation.words)?;
    (booking.group == *group).then(|| (field, operation.words.clone()))
}

/// Returns the refusal of this group's booking, if it concerns no particular field.
pub(super) fn of<'a>(shared: &'a Shared, group: &ManifestGroup) -> Option<Refusal<'a>> {
    let (_, operation) = last(shared, group)?;
    refused_pickup(&operation.words)
        .is_none()
        .then_some(Refusal { operation })
}

impl Refusal<'_> {
    pub(super) fn show(&self, ui: &mut Ui, context: &mut Context<'_>) {
        let words = self.operation.words.as_str();
        let again = words.contains("Group again");
        let headline = if words.is_empty() {
            "Not booked"
        } else {
            words
        };
        let advice = if again {
            ""
        } else if words.starts_with("Not sent") || words.starts_with("Nothing was sent") {
            "Nothing reached the carrier. Book it again once the service answers"
        } else {
            "The group is as it was. Change what they ask for, or take out what they don't want, and book again"
        };
        let mut bar = NoticeBar::new(Tone::Bad, headline)
            .what_to_do(advice)
            .dismissable();
        if again {
            bar = bar.action("Group again");
        }
        let pressed = bar.show(ui);
        if pressed.acted {
            super::card::group_again(context);
        }
        if pressed.acted || pressed.dismissed {
            context.ask(DispatchCommand::PutAway(self.operation.id));
        }
    }
}
