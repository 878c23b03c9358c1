//! What was sent and is not known yet: each operation whose end is open, and what can be done about it.

use egui::{ScrollArea, Ui};

use super::super::Context;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::rule;
use super::super::kit::empty::empty;
use super::super::kit::modal::Modal;
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{icons, text};
use super::super::words::clock_seconds;
use crate::state::{Choice, Kind, Operation, OperationState, OperationsCommand};

pub(super) fn show(ui: &Ui, open: &mut bool, context: &mut Context<'_>) {
    Modal::new("checks", "Being checked")
        .width(620.0)
        .show(ui, open, |ui, _| {
            if context.shared.open_operations().next().is_none() {
                empty(
                    ui,
                    icons::ICON_CHECK_CIRCLE,
                    "Nothing is open",
                    "All that was sent is known",
                    None,
                );
                return;
            }
            let operations: Vec<&Operation> = context.shared.open_operations().collect();
            ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
                for (at, operation) in operations.into_iter().enumerate() {
                    if at > 0 {
                        rule(ui);
                    }
                    entry(ui, operation, context);
                }
            });
        });
}

fn entry(ui: &mut Ui, operation: &Operation, context: &mut Context<'_>) {
    let p = palette(ui);
    let (tone, word) = state(operation.state);
    ui.horizontal_wrapped(|ui| {
        let what = kind(operation.kind);
        ui.label(text::strong(format!("{what} · {}", operation.title)).color(p.text));
        Badge::new(tone, word).show(ui);
    });
    if !operation.words.is_empty() {
        ui.label(text::body(&operation.words).color(p.text));
    }
    let at = clock_seconds(operation.made, &context.shared.zone);
    ui.label(
        text::small(format!(
            "Sent at {at}, looked for {} times",
            operation.checks
        ))
        .color(p.muted),
    );
    buttons(ui, operation, context);
}

/// What can be done about an operation, by its state.
pub(in crate::ui) fn buttons(ui: &mut Ui, operation: &Operation, context: &mut Context<'_>) {
    ui.push_id(operation.id, |ui| {
        ui.horizontal_wrapped(|ui| match operation.state {
            OperationState::Unknown | OperationState::Conflict => {
                if ui
                    .add(Button::new("Check now").icon(icons::ICON_REFRESH))
                    .clicked()
                {
                    context.ask(OperationsCommand::Decide(operation.id, Choice::CheckNow));
                }
                if ui
                    .add(Button::quiet("Give up"))
                    .on_hover_text("Only when you know what became of it")
                    .clicked()
                {
                    context.ask(OperationsCommand::Decide(operation.id, Choice::Discard));
                }
            }
            OperationState::Absent => {
                if ui
                    .add(Button::new("Send again").icon(icons::ICON_SEND))
                    .clicked()
                {
                    context.ask(OperationsCommand::Decide(operation.id, Choice::SendAgain));
                }
                if ui.add(Button::quiet("Give up")).clicked() {
                    context.ask(OperationsCommand::Decide(operation.id, Choice::Discard));
                }
            }
            _ => {}
        });
    });
}

/// A state in a word.
pub(in crate::ui) fn state(state: OperationState) -> (Tone, &'static str) {
    match state {
        OperationState::Ready => (Tone::Accent, "about to be sent"),
        OperationState::Sending => (Tone::Accent, "on its way"),
        OperationState::Done => (Tone::Ok, "done"),
        OperationState::Rejected => (Tone::Bad, "refused"),
        OperationState::Unknown => (Tone::Unknown, "not known yet"),
        OperationState::Absent => (Tone::Warning, "did not happen"),
        OperationState::Conflict => (Tone::Warning, "needs a person"),
        OperationState::Ask => (Tone::Unknown, "needs a look"),
        OperationState::Discarded => (Tone::Neutral, "given up"),
    }
}

/// A kind in a word.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Create => "Consignment",
        Kind::Edit => "Change",
        Kind::Delete => "Deletion",
        Kind::Manifest => "Booking",
        Kind::Status => "Status",
        Kind::PendingCreate => "Pending consignment",
        Kind::PendingDelete => "Deletion of a pending consignment",
        Kind::ServicePrint => "Labels at the service",
    }
}
