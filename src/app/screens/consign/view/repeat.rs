//! The last orders to the receiver of the form, so that an order that comes again needs no typing.

use std::sync::Arc;

use egui::{Label, Ui};

use crate::state::{ConsignCommand, ConsignmentRow, Editing};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day};
use draft::{GoodsLine, join_parts};
use widgets::button::Button;
use widgets::card::Card;
use widgets::text;
use widgets::tokens::{palette, size};

/// Draws the last orders to the receiver, while no goods are typed yet. The key takes over the newest.
pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing) {
    let shared = context.shared;
    let blank = GoodsLine::default();
    let orders = shared
        .consign
        .last_orders
        .value()
        .map_or(&[][..], Vec::as_slice);
    let is_wanted =
        editing.draft.edits.is_none() && editing.draft.goods.iter().all(|line| *line == blank);
    let receiver = editing.draft.to.title().to_lowercase();
    // The orders of a receiver before may still be there.
    let is_of = |first: &&Arc<ConsignmentRow>| first.to.trim().to_lowercase() == receiver;
    let Some(first) = orders.first().filter(|_| is_wanted).filter(is_of) else {
        return;
    };
    let mut picked = context
        .is_triggered(Action::RepeatOrder)
        .then_some(first.id);
    let (entry, key) = (Action::RepeatOrder.entry(), Action::RepeatOrder.key());
    let title = format!("Last orders to {}", first.to);
    Card::new(&title).icon(entry.icon).body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = size::GRID;
        for (place, order) in orders.iter().enumerate() {
            ui.horizontal(|ui| {
                let name = format!("Repeat {}", order.number);
                let button = Button::new("Repeat")
                    .min_width(104.0)
                    .small()
                    .accessible_name(&name);
                let button = if place == 0 { button.key(&key) } else { button };
                if ui.add(button).on_hover_text(entry.tooltip).clicked() {
                    picked = Some(order.id);
                }
                ui.add(Label::new(text::mono(&order.number)));
                let words = text::body(describe(order)).color(palette(ui).muted);
                ui.add(Label::new(words).truncate());
            });
        }
    });
    if let Some(id) = picked {
        context.push(ConsignCommand::Repeat(id));
    }
}

/// Describes an order: `12 Nov · 3 pieces · 24 kg · Southern Cross Road · SO-77`.
fn describe(order: &ConsignmentRow) -> String {
    let weight = order
        .weight
        .map(|weight| format!("{} kg", weight.0.normalize()));
    let pieces = usize::try_from(order.pieces).unwrap_or_default();
    let parts = [
        order.despatch.map(day).unwrap_or_default(),
        counted(pieces, "piece", "pieces"),
        weight.unwrap_or_default(),
        format!("{} {}", order.carrier, order.service)
            .trim()
            .to_owned(),
        order.reference.clone(),
    ];
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    join_parts(&parts, " · ")
}
