//! The consignments that this bench has created today, below the form.

use egui::{Label, Ui};

use crate::state::{DispatchCommand, ListCommand, OperationKind, OperationState, Shared};
use crate::ui::Context;
use crate::ui::format::{counted, price};
use draft::join_parts;
use shipping::{ConsignmentId, LocalTime};
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

/// The most consignments that are listed.
const MOST: usize = 5;

/// Draws the newest consignments of today, each with its price and buttons for its label and its page. `asked` are the
/// consignments whose rows were requested last: a row that is not stored is requested once.
pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, asked: &mut Vec<ConsignmentId>) {
    let shared = context.shared;
    let ids = created_today(shared);
    if ids.is_empty() {
        return;
    }
    let listed = &ids[..ids.len().min(MOST)];
    let missing: Vec<_> = { listed.iter().copied() }
        .filter(|id| shared.row(*id).is_none())
        .collect();
    if !missing.is_empty() && missing != *asked {
        asked.clone_from(&missing);
        context.push(ListCommand::NeedRows(missing));
    }
    let count = counted(ids.len(), "consignment", "consignments");
    Card::new("Today").icon(icons::ICON_TODAY).show(
        ui,
        |ui| text::note(ui, &count),
        |ui| {
            ui.spacing_mut().item_spacing.y = size::GRID;
            for id in listed {
                ui.push_id(id, |ui| row(ui, context, *id));
            }
        },
    );
}

fn row(ui: &mut Ui, context: &mut Context<'_>, id: ConsignmentId) {
    let Some(one) = context.shared.row(id) else {
        return;
    };
    let (number, p) = (&one.number, palette(ui));
    ui.horizontal(|ui| {
        for (words, name, command) in [
            (
                "Print",
                format!("Print the label of {number}"),
                DispatchCommand::PrintLabels(vec![id]),
            ),
            (
                "Open",
                format!("Open {number}"),
                DispatchCommand::Reveal(id),
            ),
        ] {
            let button = Button::new(words).small().accessible_name(&name);
            if ui.add(button).clicked() {
                context.push(command);
            }
        }
        ui.add(Label::new(text::mono(number)));
        let cost = one.price.map(price).unwrap_or_default();
        let carrier = format!("{} {}", one.carrier, one.service);
        let words = join_parts(&[&one.to, carrier.trim(), &cost], " · ");
        ui.add(Label::new(text::body(words).color(p.muted)).truncate());
    });
}

/// Returns what this bench has created today, the newest first.
fn created_today(shared: &Shared) -> Vec<ConsignmentId> {
    let zone = &shared.session.zone;
    let day = |at| LocalTime::at(at, zone).0.date();
    let today = day(shared.now);
    let operations = shared.operations.list.iter();
    let of_today = operations.take_while(|operation| day(operation.made) >= today);
    let created = of_today.filter(|operation| {
        operation.kind == OperationKind::Create && operation.state == OperationState::Done
    });
    created
        .flat_map(|operation| operation.consignments.iter().copied())
        .collect()
}
