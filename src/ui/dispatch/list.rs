//! The unmanifested consignments.

use egui::{Align, Id, Layout, Ui, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::super::frame::notices;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::empty::empty;
use super::super::kit::field::{Field, OnEnter};
use super::super::kit::table::{Cell, Column, Rows, Table};
use super::super::kit::tokens::{Tone, palette, size};
use super::super::kit::{icons, text};
use super::super::operations::words::lock;
use super::super::words::{grouped, kilograms, near};
use super::index::Index;
use super::{State, key, show_label};
use crate::shipping::LocalTime;
use crate::state::{DispatchCommand, LabelState, Notice, Shared, Waiting, WaitingList};

/// All columns there are; [`columns`] says which of them there is room for.
const ALL: [Column; 10] = [
    Column::new("Number", 80.0),
    Column::new("Reference", 84.0),
    Column::new("To", 156.0).grow(3.0),
    Column::new("Suburb", 120.0).grow(2.0),
    Column::new("Carrier", 140.0).grow(2.0),
    Column::new("Pcs", 42.0).right(),
    Column::new("kg", 58.0).right(),
    Column::new("Despatch", 84.0),
    Column::new("", 32.0).unsorted(),
    Column::new("Label", 76.0).unsorted(),
];
/// Where the window is narrow: neither suburb nor despatch.
const NARROW: [usize; 8] = [0, 1, 2, 4, 5, 6, 8, 9];
const WIDE: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const NARROW_POINTS: f32 = 760.0;

/// The columns that fit into so many points, by their numbers.
pub(super) fn columns(points: f32) -> &'static [usize] {
    if points < NARROW_POINTS {
        &NARROW
    } else {
        &WIDE
    }
}

struct List<'a> {
    shared: &'a Shared,
    list: &'a WaitingList,
    index: &'a Index,
    columns: &'static [usize],
    now: LocalTime,
}

impl<'a> List<'a> {
    fn one(&self, index: usize) -> Option<&'a Waiting> {
        let row = *self.index.rows().get(index)?;
        self.list.rows().get(row as usize).map(|one| &**one)
    }
}

impl Rows for List<'_> {
    fn count(&self) -> usize {
        self.index.rows().len()
    }

    fn key(&self, index: usize) -> u64 {
        self.one(index).map_or(u64::MAX, |one| key(one.id))
    }

    fn name(&self, index: usize) -> String {
        self.one(index)
            .map_or_else(String::new, |one| format!("{} {}", one.number, one.to))
    }

    fn held(&self, index: usize) -> Option<String> {
        lock(self.shared, self.one(index)?.id).map(|held| held.why)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(one) = self.one(index) else { return };
        match self.columns[column] {
            0 => cell.mono(&one.number),
            1 => cell.mono(&one.reference),
            2 => cell.text(&one.to),
            3 => {
                let to = &one.to_spot;
                cell.muted(format!("{} {}", to.suburb, to.state).trim());
            }
            4 => {
                if let Some(held) = lock(self.shared, one.id) {
                    // Why it can't be touched is more than who carries it.
                    cell.toned(held.state, Tone::Unknown);
                    cell.muted(held.what);
                } else {
                    cell.text(&one.carrier);
                    cell.muted(&one.service);
                }
            }
            5 => cell.text(&one.pieces.to_string()),
            6 => cell.text(&one.weight.map(kilograms).unwrap_or_default()),
            7 => cell.text(
                &one.despatch
                    .map(|at| near(at, self.now.0))
                    .unwrap_or_default(),
            ),
            8 => {
                if one.dangerous {
                    cell.dangerous();
                }
            }
            _ => label(cell, self.shared.label_states.get(&one.id)),
        }
    }
}

fn label(cell: &mut Cell<'_>, state: Option<&LabelState>) {
    match state {
        None => {}
        Some(LabelState::Sent(_)) => cell.muted("sent"),
        Some(LabelState::Printed(_)) => cell.muted("printed"),
        Some(LabelState::Waiting) => cell.badge(&Badge::new(Tone::Warning, "waiting")),
        Some(LabelState::Stale) => cell.badge(&Badge::new(Tone::Warning, "changed")),
        Some(LabelState::Printing) => cell.badge(&Badge::new(Tone::Accent, "printing")),
        Some(LabelState::AtService(_)) => cell.muted("by service"),
        Some(LabelState::Check(_)) => cell.badge(&Badge::new(Tone::Warning, "check")),
        Some(LabelState::Failed(_)) => cell.badge(&Badge::new(Tone::Bad, "not sent")),
        Some(LabelState::Ask(_)) => cell.badge(&Badge::new(Tone::Unknown, "look")),
    }
}

fn filter_id() -> Id {
    Id::unique("dispatch filter")
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    if context.asked(Action::Filter) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    Card::plain().flush().fill_height().show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| head(ui, context, state));
            trouble(ui, context);
            let known = context.shared.unmanifested.value().map(WaitingList::len);
            match known {
                None if context.shared.unmanifested.problem().is_none() => {
                    empty(
                        ui,
                        icons::ICON_LOCAL_SHIPPING,
                        "Fetching the list",
                        "What is unmanifested comes from the service",
                        None,
                    );
                }
                None => {}
                Some(0) => {
                    let words = "Each consignment that is sent waits here for its pickup";
                    empty(
                        ui,
                        icons::ICON_LOCAL_SHIPPING,
                        "Nothing is unmanifested",
                        words,
                        None,
                    );
                }
                Some(_) if state.index.rows().is_empty() => {
                    empty(
                        ui,
                        icons::ICON_SEARCH,
                        "Nothing holds all of these words",
                        "Shorten the filter",
                        None,
                    );
                }
                Some(_) => rows(ui, context, state),
            }
        },
    );
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let shared = context.shared;
    let Some(list) = shared.unmanifested.value() else {
        return;
    };
    let now = LocalTime::at(shared.now, &shared.zone);
    let columns = state.columns;
    let mut rows = List {
        shared,
        list,
        index: &state.index,
        columns,
        now,
    };
    let shown: Vec<Column> = columns.iter().map(|column| ALL[*column]).collect();
    let shown = Table::new("Unmanifested", &shown)
        .arrangement(columns.len())
        .ticks()
        .sticky(1)
        .show(ui, &mut state.table, &mut rows);
    if let Some(opened) = shown.opened.and_then(|row| rows.one(row)) {
        show_label(context, opened.id);
    }
    let by_key = !context.in_front
        && shown.response.has_focus()
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Delete));
    if by_key {
        state.delete(context);
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::title("Unmanifested"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, context, state);
            // The count beside the title stays in sight.
            let width = (ui.available_width() - 190.0).clamp(110.0, 190.0);
            ui.allocate_ui(vec2(width, size::FIELD), |ui| {
                let key = Action::Filter.key();
                Field::new("Filter", &mut state.filter)
                    .id(filter_id())
                    .icon(icons::ICON_SEARCH)
                    .hint("Filter")
                    .key(&key)
                    .on_enter(OnEnter::Next)
                    .bare()
                    .show(ui);
            });
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = counts(context.shared, state);
                ui.add(egui::Label::new(text::body(words).color(p.muted)).truncate());
            });
        });
    });
}

fn counts(shared: &Shared, state: &State) -> String {
    let all = shared.unmanifested.value().map_or(0, WaitingList::len);
    let shown = state.index.rows().len();
    let ticked = state.table.selection.len();
    if let Some(id) = shared.opening {
        return format!("Fetching MS{id}…");
    }
    let mut words = if shown == all {
        grouped(all)
    } else {
        format!("{} of {}", grouped(shown), grouped(all))
    };
    if ticked > 0 {
        words = format!("{words}, {} ticked", grouped(ticked));
    }
    words
}

fn buttons(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let count = state.chosen(context).len();
    let print = Action::PrintChosen.entry();
    let words = if count == 0 {
        print.name.to_owned()
    } else {
        format!("{} {}", print.name, grouped(count))
    };
    let key = Action::PrintChosen.key();
    if ui
        .add_enabled(count > 0, Button::new(&words).icon(print.icon).key(&key))
        .on_hover_text(print.tooltip)
        .clicked()
    {
        state.print(context);
    }
    let one = state.only(context).is_some();
    for (action, ask) in [
        (
            Action::CloneChosen,
            State::like as fn(&State, &mut Context<'_>),
        ),
        (Action::Change, State::change),
    ] {
        let entry = action.entry();
        let name = format!("{} ({})", entry.name, action.key());
        let button = ui.add_enabled(one, Button::icon_only(entry.icon, &name));
        if button.on_hover_text(entry.tooltip).clicked() {
            ask(state, context);
        }
    }
    let delete = Action::Delete.entry();
    let name = format!("{} ({})", delete.name, Action::Delete.key());
    let button = Button::icon_only(delete.icon, &name);
    if ui.add_enabled(count > 0, button).clicked() {
        state.delete(context);
    }
    let refresh = Action::Refresh.entry();
    let name = format!("{} ({})", refresh.name, Action::Refresh.key());
    if ui.add(Button::icon_only(refresh.icon, &name)).clicked() {
        context.ask(DispatchCommand::Refresh);
    }
}

fn trouble(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(problem) = context.shared.unmanifested.problem() else {
        return;
    };
    let kept = context.shared.unmanifested.value().is_some();
    let headline = if kept {
        "The list could not be fetched again: this is the one from before"
    } else {
        "The list could not be fetched"
    };
    let notice = Notice::failed(headline, problem);
    let acted = egui::Frame::new()
        .inner_margin(8)
        .show(ui, |ui| {
            notices::bar(&notice).action("Try again").show(ui).acted
        })
        .inner;
    if acted {
        context.ask(DispatchCommand::Refresh);
    }
}
