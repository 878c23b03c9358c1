//! What became of the groups that were sent to their carriers.

use egui::{Label, Ui};

use super::super::Context;
use super::super::frame::checks;
use super::super::kit::badge::Badge;
use super::super::kit::card::Card;
use super::super::kit::notice::icon_of;
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{icons, text};
use super::super::words::{counted, day_and_time};
use super::note;
use crate::state::{Booking, Operation, OperationState};

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    for booking in &shared.bookings {
        if let Some(operation) = shared.operation(booking.operation) {
            card(ui, context, booking, operation);
        }
    }
}

fn card(ui: &mut Ui, context: &mut Context<'_>, booking: &Booking, operation: &Operation) {
    let (tone, word) = match operation.state {
        OperationState::Done => (Tone::Ok, "booked"),
        OperationState::Ready | OperationState::Sending => (Tone::Accent, "being booked"),
        state => checks::state(state),
    };
    let icon = if tone == Tone::Accent || tone == Tone::Ok {
        icons::ICON_LOCAL_SHIPPING
    } else {
        icon_of(tone)
    };
    let mut card = Card::new(booking.carrier()).icon(icon);
    if !matches!(tone, Tone::Ok | Tone::Accent) {
        card = card.tone(tone);
    }
    ui.push_id(booking.operation, |ui| {
        let badge = Badge::new(tone, word);
        let badge = if tone == Tone::Ok {
            badge.icon(icons::ICON_CHECK)
        } else {
            badge
        };
        card.show(
            ui,
            |ui| drop(badge.show(ui)),
            |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                if !operation.reference.is_empty() {
                    ui.add(Label::new(text::mono_strong(&operation.reference)).selectable(true));
                }
                let count = counted(booking.count(), "consignment", "consignments");
                let pickup = booking
                    .group
                    .pickup_date_time
                    .map(|at| format!(" · pickup {}", day_and_time(at)))
                    .unwrap_or_default();
                ui.add(
                    Label::new(text::body(format!("{count}{pickup}")).color(palette(ui).muted))
                        .wrap(),
                );
                if !operation.words.is_empty() && operation.state != OperationState::Done {
                    ui.add(Label::new(text::body(&operation.words)).wrap());
                }
                if let Some(next) = what_next(operation.state) {
                    note(ui, next);
                }
                checks::buttons(ui, operation, context);
            },
        );
    });
}

fn what_next(state: OperationState) -> Option<&'static str> {
    Some(match state {
        OperationState::Unknown => {
            "Don't book it by other means: its consignments are locked until it is known"
        }
        OperationState::Rejected => {
            "Nothing was booked: change what the service asks for and group again"
        }
        OperationState::Absent => "It was looked for and not found: it can be sent again",
        OperationState::Conflict => "Ask the carrier before anything is sent again",
        _ => return None,
    })
}
