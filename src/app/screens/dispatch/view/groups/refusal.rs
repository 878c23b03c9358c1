//! The reason why the booking of a group was refused, shown in the group's card or at the field concerned.

use egui::Ui;

use crate::state::{Booking, DispatchCommand, Operation, OperationKind, OperationState, Shared};
use crate::ui::Context;
use draft::{PickupField, PickupReview, pickup_field_from_error};
use shipping::ManifestGroup;
use widgets::notice::NoticeBar;
use widgets::tokens::Tone;

/// Returns the latest booking of exactly these consignments, if it was refused.
fn last_refused_booking<'a>(
    shared: &'a Shared,
    group: &ManifestGroup,
) -> Option<(&'a Booking, &'a Operation)> {
    let ids = &group.consignment_ids;
    let same = |booking: &&Booking| booking.group.consignment_ids == *ids;
    let booking = shared.dispatch.bookings.iter().find(same)?;
    let operation = shared.operations.by_id(booking.operation)?;
    (operation.kind == OperationKind::Manifest && operation.state == OperationState::Rejected)
        .then_some((booking, operation))
}

/// Returns whether a refused booking is shown in the card of its group, and so needs no separate card.
pub(in crate::screens::dispatch::view) fn is_shown_in_group_card(
    shared: &Shared,
    operation: &Operation,
) -> bool {
    let groups = shared.dispatch.groups.value().into_iter().flatten();
    operation.state == OperationState::Rejected && { groups }
        .any(|group| group.consignment_ids == operation.consignments)
}

/// Returns the field that the service refused and its message, as long as the group is as it was sent.
pub(super) fn refused_field(
    shared: &Shared,
    review: &PickupReview,
) -> Option<(PickupField, String)> {
    let group = review.group.as_ref().ok()?;
    let (booking, operation) = last_refused_booking(shared, group)?;
    let field = pickup_field_from_error(&operation.message)?;
    (booking.group == *group).then(|| (field, operation.message.clone()))
}

/// Draws the refusal of this group's booking, if it concerns no particular field.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, group: &ManifestGroup) {
    let Some((_, operation)) = last_refused_booking(context.shared, group) else {
        return;
    };
    let words = operation.message.as_str();
    if pickup_field_from_error(words).is_some() {
        return;
    }
    let again = words.contains("Group again");
    let headline = if words.is_empty() {
        "Not booked"
    } else {
        words
    };
    let advice = if again {
        ""
    } else if words.starts_with("Not sent") || words.starts_with("Nothing was sent") {
        "Nothing reached the carrier. Book again once the service is available"
    } else {
        "The group is unchanged. Fix what the carrier refused, or take out the consignments it refused, then book again"
    };
    let mut bar = NoticeBar::new(Tone::Bad, headline)
        .what_to_do(advice)
        .dismissable();
    if again {
        bar = bar.action("Group again");
    }
    let pressed = bar.show(ui);
    if pressed.acted {
        context.push(DispatchCommand::GroupAgain);
    }
    if pressed.acted || pressed.dismissed {
        context.push(DispatchCommand::CloseBooking(operation.id));
    }
}
