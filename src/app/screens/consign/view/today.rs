//! The consignments that this bench has created today, below the form. In a wide window, beside the label of one of them.

use std::collections::HashSet;

use egui::{Label, Ui};
use jiff::tz::TimeZone;

use crate::screens::labels::view::preview::{PageTextures, picture_within};
use crate::state::{
    Command, DispatchCommand, JobSubject, LabelsCommand, ListCommand, OperationKind,
    OperationState, Preview, Shared, TrackCommand,
};
use crate::ui::Context;
use crate::ui::format::{counted, price};
use draft::join_parts;
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, text};

/// The most consignments that are listed.
const MOST: usize = 5;

/// Width of the window from which on there is room for a label beside the list, in points.
const WIDE: f32 = 1_600.0;

/// State of the card that is kept between frames.
#[derive(Default)]
pub(super) struct TodayState {
    /// The consignments whose rows were requested last. A row that is not stored is requested once.
    asked: Vec<ConsignmentId>,
    label: PageTextures,
}

/// Draws the newest consignments of today, each with its price and buttons for its label and its page.
pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut TodayState) {
    let shared = context.shared;
    let ids = created_today(shared);
    if ids.is_empty() {
        return;
    }
    let listed = &ids[..ids.len().min(MOST)];
    let missing: Vec<_> = { listed.iter().copied() }
        .filter(|id| shared.row(*id).is_none())
        .collect();
    if missing != state.asked {
        if !missing.is_empty() {
            context.push(ListCommand::NeedRows(listed.to_vec()));
        }
        state.asked = missing;
    }
    let is_wide = ui.ctx().content_rect().width() >= WIDE;
    let count = counted(ids.len(), "consignment", "consignments");
    Card::new("Today").icon(icons::ICON_TODAY).show(
        ui,
        |ui| text::note(ui, &count),
        |ui| {
            if !is_wide {
                return rows(ui, context, listed, false);
            }
            layout::columns(ui, &[3.0, 1.0], size::GUTTER, |column, ui| {
                if column == 0 {
                    rows(ui, context, listed, true);
                } else {
                    label(ui, context, listed, &mut state.label);
                }
            });
        },
    );
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, ids: &[ConsignmentId], has_labels: bool) {
    ui.spacing_mut().item_spacing.y = size::GRID;
    for id in ids {
        ui.push_id(id, |ui| row(ui, context, *id, has_labels));
    }
}

/// Draws the label of the consignment that was chosen last on Labels or here. The newest one is chosen by itself.
fn label(
    ui: &mut Ui,
    context: &mut Context<'_>,
    ids: &[ConsignmentId],
    textures: &mut PageTextures,
) {
    let labels = &context.shared.labels;
    if let (None, Some(newest)) = (labels.selected, ids.first()) {
        context.push(LabelsCommand::Select(*newest));
    }
    let is_of_today = |preview: &&Preview| match preview.subject {
        JobSubject::Label(id) => ids.contains(&id),
        JobSubject::TestLabel | JobSubject::Document => false,
    };
    match labels.preview.value().filter(is_of_today) {
        Some(preview) => {
            let name = format!("Label of {}", preview.number);
            let height = (ui.ctx().content_rect().height() * 0.25).clamp(200.0, 420.0);
            picture_within(ui, height, textures, preview, &name);
            if let Some(problem) = &preview.problem {
                text::warning(ui, &problem.headline);
            }
        }
        None if labels.preview.is_loading() => text::note(ui, "Preparing the label"),
        None => text::note(ui, "Choose Label to see a label here"),
    }
}

fn row(ui: &mut Ui, context: &mut Context<'_>, id: ConsignmentId, has_label: bool) {
    let Some(one) = context.shared.row(id) else {
        return;
    };
    let (number, p) = (&one.number, palette(ui));
    let shown: Command = if context.shared.dispatch.lists(id) {
        DispatchCommand::Reveal(id).into()
    } else {
        TrackCommand::Reveal(id).into()
    };
    let label = has_label.then(|| {
        let name = format!("Show the label of {number}");
        ("Label", name, LabelsCommand::Select(id).into())
    });
    let is_shown = has_label && context.shared.labels.selected == Some(id);
    let print: Command = DispatchCommand::PrintLabels(vec![id]).into();
    let print = ("Print", format!("Print the label of {number}"), print);
    let open = ("Open", format!("Open {number}"), shown);
    ui.horizontal(|ui| {
        for (words, name, command) in label.into_iter().chain([print, open]) {
            let button = Button::new(words).small().accessible_name(&name);
            let button = button.selected(is_shown && words == "Label");
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
