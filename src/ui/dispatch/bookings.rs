//! What became of the groups that were sent to their carriers.

use egui::{Align, Label, Layout, Ui, vec2};

use super::super::Context;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{icons, text};
use super::super::operations::words::{self, Look};
use super::super::words::{counted, day_and_time};
use super::note;
use crate::state::{
    Booking, DispatchCommand, Matter, Operation, OperationState, OperationsCommand,
};

/// How high the button is that leads to the operation.
const LINK: f32 = 26.0;

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    for booking in &shared.bookings {
        if let Some(operation) = shared.operation(booking.operation) {
            card(ui, context, booking, operation);
        }
    }
}

fn card(ui: &mut Ui, context: &mut Context<'_>, booking: &Booking, operation: &Operation) {
    let state = words::state(operation.state);
    let look = match operation.state {
        OperationState::Done => Look {
            word: "booked",
            ..state
        },
        OperationState::Ready | OperationState::Sending => Look {
            word: "being booked",
            ..state
        },
        _ => state,
    };
    let calm = matches!(look.tone, Tone::Accent | Tone::Ok | Tone::Neutral);
    let mut card = Card::new(booking.carrier()).icon(icons::ICON_LOCAL_SHIPPING);
    if !calm {
        card = card.tone(look.tone);
    }
    let mut put_away = false;
    ui.push_id(booking.operation, |ui| {
        card.show(
            ui,
            |ui| {
                if !operation.state.is_open() {
                    let name = format!("Put the booking with {} away", booking.carrier());
                    let cross = Button::icon_only(icons::ICON_CLOSE, &name).small();
                    put_away = ui.add(cross).clicked();
                }
                look.badge().show(ui);
            },
            |ui| body(ui, context, booking, operation),
        );
    });
    if put_away {
        context.ask(DispatchCommand::PutAway(booking.operation));
    }
}

fn body(ui: &mut Ui, context: &mut Context<'_>, booking: &Booking, operation: &Operation) {
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
    let about = text::body(format!("{count}{pickup}")).color(palette(ui).muted);
    ui.add(Label::new(about).wrap());
    if !operation.words.is_empty() && operation.state != OperationState::Done {
        ui.add(Label::new(text::body(&operation.words)).wrap());
    }
    if let Some(next) = what_next(operation.state) {
        note(ui, next);
    }
    // What may be decided about it is decided in one place.
    let word = match operation.state {
        OperationState::Absent | OperationState::Conflict => "Decide…",
        OperationState::Unknown => "What is being done",
        _ => "What happened",
    };
    let name = format!("{word}: booking with {}", booking.carrier());
    let room = vec2(ui.available_width(), LINK);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        let link = ui.add(Button::new(word).small());
        link.ctx
            .accesskit_node_builder(link.id, |node| node.set_label(name.as_str()));
        if link.clicked() {
            context.ask(OperationsCommand::Show(Matter::Operation(operation.id)));
        }
    });
}

/// What is always true of a state; all else is said by the operation's own words.
fn what_next(state: OperationState) -> Option<&'static str> {
    Some(match state {
        OperationState::Unknown => {
            "Don't book it by other means: its consignments are locked until it is known"
        }
        OperationState::Conflict => "Ask the carrier before anything is sent again",
        _ => return None,
    })
}
