//! The booked manifests: a list with a filter, and the page of the selected manifest, to be printed or saved.

mod filtered_manifests;
mod list_export;
mod page;
mod row;

use std::sync::Arc;

use egui::{Align, Key, Layout, Modifiers, ScrollArea, Ui};

use crate::state::{GroupsCommand, ManifestRow, Notice, OperationId};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export;
use crate::ui::format::counted;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::modal;
use widgets::tokens::size;
use widgets::{layout, text};

/// State of the booked manifests between frames.
#[derive(Default)]
pub(super) struct ManifestsState {
    open: bool,
    filter: String,
    filtered: filtered_manifests::FilteredManifests,
    export: export::ExportDialog,
    /// The path that the clerk types where there is no file dialog.
    path: String,
}

impl ManifestsState {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Returns whether a dialog is open in front of the list.
    pub(super) const fn has_dialog(&self) -> bool {
        self.export.is_open()
    }

    /// Opens the list, with the page of the manifest `shown` if there is one.
    pub(super) fn open(&mut self, context: &mut Context<'_>, shown: Option<OperationId>) {
        self.open = true;
        context.push(GroupsCommand::ListManifests);
        if let Some(shown) = shown {
            self.filter.clear();
            context.push(GroupsCommand::OpenManifest(shown));
        }
    }

    /// Draws the booked manifests in place of the unmanifested consignments.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::Manifests)
            || (!context.is_dialog_open && modal::consume_escape(ui))
        {
            self.open = false;
            return;
        }
        let left = (ui.available_width() * 0.34).clamp(280.0, 420.0);
        let right = ui.available_width() - left - size::GUTTER;
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                self.list(ui, context);
            } else {
                page::show(ui, context, &mut self.path);
            }
        });
    }

    fn list(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.horizontal(|ui| {
            ui.set_height(size::PRIMARY);
            ui.label(text::title("Booked manifests"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let back = Button::new("Back").key("Esc");
                if ui.add(back).clicked() {
                    self.open = false;
                }
            });
        });
        ui.add_space(size::GRID);
        let key = Action::Filter.key();
        let field = Field::new("Filter the booked manifests", &mut self.filter).hide_label();
        let field = field.hint("Number, carrier, receiver or date").key(&key);
        let shown = field.on_enter(OnEnter::Stay).show(ui);
        if context.is_triggered(Action::Filter) {
            shown.response.request_focus();
        }
        ui.add_space(size::GRID);
        let shared = context.shared;
        let none = Arc::default();
        let all = shared.groups_view.manifests.value().unwrap_or(&none);
        let rows = self.filtered.rows(all, &shared.zone, &self.filter);
        Self::handle_arrow_keys(ui, context, &rows);
        list_export::show(ui, context, &mut self.export, &rows);
        Card::plain().flush().fill_height().show(
            ui,
            |_| {},
            |ui| rows_of(ui, context, (&rows, all.is_empty())),
        );
    }

    /// Moves through the list with the arrow keys, unless something is open in front of it.
    fn handle_arrow_keys(ui: &Ui, context: &mut Context<'_>, rows: &[&ManifestRow]) {
        if context.is_dialog_open || rows.is_empty() {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let step: isize = match (pressed(Key::ArrowDown), pressed(Key::ArrowUp)) {
            (true, _) => 1,
            (_, true) => -1,
            _ => return,
        };
        let shown = context.shared.groups_view.shown;
        let at = rows.iter().position(|row| Some(row.operation) == shown);
        let next = at.map_or(0, |at| at.saturating_add_signed(step).min(rows.len() - 1));
        context.push(GroupsCommand::OpenManifest(rows[next].operation));
    }
}

fn rows_of(ui: &mut Ui, context: &mut Context<'_>, (rows, none): (&[&ManifestRow], bool)) {
    let manifests = &context.shared.groups_view.manifests;
    if rows.is_empty() {
        let why = manifests.problem().map(|problem| {
            let why = Notice::failed("", problem).advice;
            format!("{why}. Then go back and open it again")
        });
        let (headline, words) = if manifests.is_loading() {
            ("Loading", "Manifests booked from this bench")
        } else if let Some(why) = &why {
            ("Couldn't load the list", why.as_str())
        } else if none {
            ("Nothing booked yet", "Group consignments and book them")
        } else {
            (
                "No results",
                "No booked manifest matches all of these words",
            )
        };
        empty_state(ui, Action::Manifests.entry().icon, headline, words, None);
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let list = ScrollArea::vertical().auto_shrink(false);
    list.show_rows(ui, row::HEIGHT, rows.len(), |ui, range| {
        for row in &rows[range] {
            if row::show(ui, context, row).clicked() {
                context.push(GroupsCommand::OpenManifest(row.operation));
            }
        }
    });
    let words = counted(rows.len(), "manifest", "manifests");
    ui.ctx()
        .accesskit_node_builder(ui.unique_id(), |node| node.set_description(words.as_str()));
}
