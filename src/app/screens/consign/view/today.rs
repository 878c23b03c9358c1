//! The consignments that this bench has created today, below the form.

use std::collections::HashSet;

use egui::{Label, Ui};
use jiff::tz::TimeZone;

use crate::state::{
    Command, DispatchCommand, ListCommand, OperationKind, OperationState, Shared, TrackCommand,
};
use crate::ui::Context;
use crate::ui::format::{counted, price};
use draft::join_parts;
use shipping::ConsignmentId;
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
    if missing != *asked {
        if !missing.is_empty() {
            context.push(ListCommand::NeedRows(listed.to_vec()));
        }
        *asked = missing;
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
    let shown: Command = if context.shared.dispatch.lists(id) {
        DispatchCommand::Reveal(id).into()
    } else {
        TrackCommand::Reveal(id).into()
    };
    ui.horizontal(|ui| {
        for (words, name, command) in [
            (
                "Print",
                format!("Print the label of {number}"),
                DispatchCommand::PrintLabels(vec![id]).into(),
            ),
            ("Open", format!("Open {number}"), shown),
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

/// Returns what this bench has created today for its company and not deleted, the newest first.
fn created_today(shared: &Shared) -> Vec<ConsignmentId> {
    let now = shared.now.in_tz(&shared.session.zone);
    let now = now.unwrap_or_else(|_unknown| shared.now.to_zoned(TimeZone::UTC));
    let midnight = now
        .start_of_day()
        .map_or(shared.now, |start| start.timestamp());
    let operations = shared.operations.list.iter();
    let of_today = operations.take_while(|operation| operation.made >= midnight);
    let done = of_today.filter(|operation| operation.state == OperationState::Done);
    let ids = |kind| {
        let of_kind = done.clone().filter(move |operation| operation.kind == kind);
        of_kind.flat_map(|operation| operation.consignments.iter().copied())
    };
    let deleted: HashSet<_> = ids(OperationKind::Delete).collect();
    let company = shared.session.company;
    let is_ours = |id: &ConsignmentId| {
        let of = shared.row(*id).and_then(|row| row.company);
        of.is_none() || company.is_none() || of == company
    };
    let created = ids(OperationKind::Create).filter(|id| !deleted.contains(id));
    created.filter(is_ours).collect()
}
