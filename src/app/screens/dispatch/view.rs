//! The Dispatch screen: unmanifested consignments on the left; pickup groups and bookings on the right.

mod bookings;
mod deletion;
mod groups;
mod list;
mod manifests;

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use crate::state::{Command, DispatchCommand, Editing, LabelsCommand, ListOrder, Screen, Shared};
use crate::ui::actions::Action;
use crate::ui::lists::{ListState, id_of, key, row_menu, views};
use crate::ui::{Context, ScreenView};
use shipping::ConsignmentId;
use widgets::layout;
use widgets::tokens::size;

/// State of the Dispatch screen between frames.
pub(crate) struct DispatchState {
    list: ListState,
    /// The list with which ticks were last compared, to remove ticks of rows that are no longer listed.
    ticks_of: Option<Arc<[ConsignmentId]>>,
    /// The filter and the order that were requested last.
    requested: (String, ListOrder),
    groups: groups::GroupsState,
    manifests: manifests::ManifestsState,
    deletion: deletion::DeletionState,
    export: crate::ui::export::ExportDialog,
    /// The last scan or search result that was revealed: its sequence number and the consignment.
    last_revealed: Option<(u64, ConsignmentId)>,
}

impl Default for DispatchState {
    fn default() -> Self {
        Self {
            list: ListState::new(&list::UNMANIFESTED),
            ticks_of: None,
            requested: Default::default(),
            groups: groups::GroupsState::default(),
            manifests: manifests::ManifestsState::default(),
            deletion: deletion::DeletionState::default(),
            export: crate::ui::export::ExportDialog::default(),
            last_revealed: None,
        }
    }
}

impl ScreenView for DispatchState {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.deletion.is_open()
            || self.list.is_open()
            || self.export.is_open()
            || self.manifests.has_dialog()
    }

    fn offer_focus(&mut self) {
        self.list.table.request_focus_if_free();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        if self.manifests.is_open() {
            return self.manifests.show(ui, context);
        }
        if context.is_triggered(Action::Manifests) {
            self.manifests.open(context, None);
        }
        let right = (ui.available_width() * 0.28).clamp(272.0, 350.0);
        let left = ui.available_width() - right - size::GUTTER;
        views::restore_and_autosave(ui, context, &mut self.list);
        self.list.update_columns(&list::fitting_columns(left));
        self.reveal(context);
        self.refresh(context);
        list::run_actions(ui, context, self);
        row_menu(ui, context, self);
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                return list::card(ui, context, self);
            }
            let ticked = self.list.table.selection.len();
            if groups::head(ui, context, ticked, &mut self.manifests) {
                list::group(context, self);
            }
            let booking = groups::book_height(context);
            let room = (ui.available_height() - booking).max(120.0);
            ScrollArea::vertical()
                .max_height(room)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    groups::cards(ui, context, &mut self.groups);
                    bookings::cards(ui, context, &mut self.manifests);
                });
            groups::book_all(ui, context, &mut self.groups);
        });
        let taken_out = self.groups.take_unticked();
        let selection = &mut self.list.table.selection;
        selection.untick(taken_out.into_iter().map(key));
        self.dialogs(ui, context);
    }
}

impl DispatchState {
    fn dialogs(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.deletion.show(ui, context);
        list::export(ui, context, self);
        self.list.show_dialogs(ui, context);
    }

    /// Scrolls to a consignment that a scan or search found, puts the cursor on it and ticks only that row.
    /// Clears the filter, which could hide the row.
    fn reveal(&mut self, context: &Context<'_>) {
        if self.last_revealed == context.shared.search.found {
            return;
        }
        self.last_revealed = context.shared.search.found;
        if let Some((_, id)) = self.last_revealed {
            self.list.filter.clear();
            self.list.table.selection.tick_scanned(key(id));
            self.list.table.reveal_cursor();
        }
    }

    /// Requests the rows if the filter or the order changed, shows the present rows, and removes ticks that
    /// no longer apply.
    fn refresh(&mut self, context: &mut Context<'_>) {
        let shared = context.shared;
        let order = self.list.order.unwrap_or_default();
        if self.requested.0 != self.list.filter || self.requested.1 != order {
            self.requested = (self.list.filter.clone(), order);
            context.push(DispatchCommand::Query(self.list.filter.clone(), order));
        }
        let list = shared.dispatch.unmanifested.value();
        let is_same = match (&self.ticks_of, list) {
            (Some(before), Some(list)) => Arc::ptr_eq(before, list),
            (before, list) => before.is_none() && list.is_none(),
        };
        let selection = &mut self.list.table.selection;
        if !is_same {
            self.ticks_of = list.cloned();
            selection.retain(|key| shared.dispatch.lists(id_of(key)));
        }
        self.untick_locked(shared);
        self.list.adopt(&shared.dispatch.shown());
    }

    /// Unticks locked consignments, which can't be ticked. Iterates over the smaller of the two collections.
    fn untick_locked(&mut self, shared: &Shared) {
        let (selection, locked) = (&mut self.list.table.selection, &shared.operations.locked);
        if locked.len() <= selection.len() {
            return selection.untick(locked.keys().map(|id| key(*id)));
        }
        let is_locked = |ticked: &u64| locked.contains_key(&id_of(*ticked));
        let held: Vec<_> = selection.keys().filter(is_locked).collect();
        selection.untick(held);
    }
}

fn show_label(context: &mut Context<'_>, id: ConsignmentId) {
    context.push(LabelsCommand::Select(id));
    context.push(Command::Show(Screen::Labels));
}
