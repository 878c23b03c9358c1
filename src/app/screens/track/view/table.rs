//! Track's table: all consignments of the period, or those of a drill-down. Only rows near the view
//! are requested and drawn, of up to a million. Ticks are kept by consignment id, so they survive
//! sorting, filtering and refreshing; another drill-down or scope clears them. Filtering and sorting
//! are done by the store.

mod chips;
mod chosen;
mod columns;
mod empty;
mod enabled;
mod head;
mod menu;
mod prefetch;
mod row_index;
mod rows;
mod run_actions;

use std::collections::HashMap;
use std::sync::Arc;

use egui::Ui;

use crate::state::{
    ConsignmentRow, DrillDown, TrackColumn, TrackCommand, TrackList, TrackOrder, TrackQuery,
    TrackScope,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::lists::{ListColumn as _, ListState, views};
use columns::Col;
use row_index::RowIndex;
use rows::TrackTableRows;
use shipping::ConsignmentId;
use widgets::card::Card;
use widgets::{menu as kit_menu, table::Table};

/// Loaded rows, by id.
type TrackRows = HashMap<ConsignmentId, Arc<ConsignmentRow>>;

#[derive(Default)]
pub(super) struct TrackTableState {
    list: ListState<Col>,
    /// The list as drawn last. A new list is detected by its address.
    ids: Arc<[ConsignmentId]>,
    row_index: RowIndex,
    prefetch: prefetch::RowPrefetch,
    shown_ticks: chosen::ListedTickCount,
    /// Number of listed rows that are ticked.
    ticked: usize,
    /// The filter that this table requested last, and the filter of the last query seen.
    words: (String, String),
    /// The order that was requested last.
    order: TrackOrder,
    /// The drill-down and scope to which the ticks belong.
    ticks_of: Option<(DrillDown, TrackScope)>,
    /// The consignment whose page was requested last, and the one whose page was open last.
    opened: Option<ConsignmentId>,
    open: Option<ConsignmentId>,
    /// The query of the list as drawn last.
    asked_by: Option<TrackQuery>,
    /// An action from a menu that the page runs once the menu is closed.
    deferred_action: Option<Action>,
    /// An action that the page runs once it has loaded this consignment.
    pending_page_action: Option<(Action, ConsignmentId)>,
    /// The rows to copy, while they are loading.
    copies: Option<Vec<ConsignmentId>>,
}

impl TrackTableState {
    /// True while a dialog or menu is in front.
    pub(super) fn is_open(&self) -> bool {
        self.list.is_open()
    }

    /// Returns the consignments for an action: the ticked ones in list order, then those hidden by the
    /// filter; if none is ticked, the one under the cursor. Scans the whole list, so it must not be called in
    /// each frame.
    pub(in crate::screens::track::view) fn chosen(
        &self,
        list: Option<&TrackList>,
    ) -> Vec<ConsignmentId> {
        let ids = list.map_or(&[][..], |list| &*list.ids);
        chosen::chosen(&self.list.table.selection, ids)
    }

    /// Offers the focus to the rows when the screen opens.
    pub(super) fn offer_focus(&mut self) {
        self.list.table.request_focus_if_free();
    }

    /// Gives the focus back to the rows.
    pub(super) fn take_focus(&mut self) {
        self.list.table.request_focus();
    }

    /// Returns the visible columns: id and name.
    pub(super) fn columns(&self) -> Vec<(&'static str, &'static str)> {
        let entries = self.list.columns.iter().map(|col| col.entry());
        entries.map(|entry| (entry.key, entry.name)).collect()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.adopt_query(context);
        views::restore_and_autosave(ui, context, &mut self.list);
        let companies = context.shared.companies.value().map_or(1, Vec::len);
        self.list
            .update_columns(columns::default_columns(ui.available_width(), companies));
        self.adopt_list(context);
        run_actions::run(ui, context, self);
        self.show_menu(ui, context);
        let shown = Card::plain().flush().fill_height();
        shown.show(
            ui,
            |_| {},
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                egui::Frame::new()
                    .inner_margin(egui::Margin::symmetric(12, 8))
                    .show(ui, |ui| head::show(ui, context, self));
                self.content(ui, context);
            },
        );
        views::dialogs(ui, context, &mut self.list);
        self.list.show_columns(ui);
        self.ask(context);
    }

    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        empty::read_error(ui, context);
        ui.set_min_size(ui.available_size());
        match context.shared.track.list.value() {
            None => empty::none_yet(ui, context),
            Some(list) if list.ids.is_empty() => empty::no_rows(ui, context, self),
            Some(_) => self.rows(ui, context),
        }
    }

    /// Takes over a query from elsewhere: a drill-down on the board, or a scan.
    fn adopt_query(&mut self, context: &Context<'_>) {
        let track = &context.shared.track;
        let (asked, followed) = &mut self.words;
        if *followed != track.query.words {
            followed.clone_from(&track.query.words);
            if *asked != track.query.words {
                asked.clone_from(followed);
                self.list.filter.clone_from(followed);
            }
        }
        let of = (track.query.drill_down, track.scope.clone());
        if self.ticks_of.as_ref() != Some(&of) {
            // Ticks of one drill-down make no sense in another.
            self.ticks_of = Some(of);
            self.list.table.selection.clear();
        }
        if track.page.open != self.open {
            self.open = track.page.open;
            self.pending_page_action
                .take_if(|(_, id)| track.page.open != Some(*id));
            if let Some(id) = self.open.filter(|id| Some(*id) != self.opened) {
                self.list.table.selection.set_cursor(Some(key(id)));
                self.list.table.reveal_cursor();
            }
            self.opened = self.open;
        }
    }

    /// Takes over a new list, and counts the ticked rows in it.
    fn adopt_list(&mut self, context: &Context<'_>) {
        let Some(list) = context.shared.track.list.value() else {
            return;
        };
        if !Arc::ptr_eq(&self.ids, &list.ids) {
            let order = list.query.order;
            let by_number = order.column == TrackColumn::Number;
            self.ids = Arc::clone(&list.ids);
            self.row_index.renew(by_number.then_some(order.descending));
            let (ids, places) = (Arc::clone(&self.ids), &self.row_index);
            let rows = TrackTableRows {
                shared: context.shared,
                ids: &ids,
                places,
                columns: &self.list.columns,
                ticked: self.ticked,
            };
            if self.asked_by.as_ref() == Some(&list.query) {
                self.list.table.keep_scroll_position(&rows);
            } else {
                // For another query, show the first row, unless the row under the cursor is in the new list.
                let at = self.list.table.selection.cursor();
                let is_there = at.is_some_and(|key| places.find(&ids, id_of(key)).is_some());
                if is_there {
                    self.list.table.reveal_cursor();
                } else {
                    self.list.table.reveal_first();
                }
                self.asked_by = Some(list.query.clone());
            }
        }
        let selection = &self.list.table.selection;
        self.ticked = self
            .shown_ticks
            .refresh(selection, &self.ids, &self.row_index);
    }

    fn rows(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let by_hand = self.list.table.custom_widths.len();
        let heads = self.list.heads();
        let ids = Arc::clone(&self.ids);
        let mut rows = TrackTableRows {
            shared: context.shared,
            ids: &ids,
            places: &self.row_index,
            columns: &self.list.columns,
            ticked: self.ticked,
        };
        let shown = Table::new("Followed", &heads)
            .ticks()
            .movable_columns()
            .sticky(1)
            .show(ui, &mut self.list.table, &mut rows);
        if shown.selection_changed {
            // The count above the rows was drawn before the selection changed.
            ui.ctx().request_repaint();
        }
        self.list.handle_response(ui, &shown, by_hand);
        let under = self.list.table.selection.cursor().map(id_of);
        let opened = shown.opened.and_then(|row| ids.get(row).copied());
        let moved = under.filter(|id| Some(*id) != self.opened && shown.selection_changed);
        if let Some(id) = opened.or(moved) {
            self.opened = Some(id);
            context.push(TrackCommand::Open(id));
        }
        let now = ui.input(|input| input.time);
        let known = &context.shared.track.rows;
        let of = (&*ids, self.row_index.version());
        let in_sight = self.list.table.visible_rows();
        if let Some(needs) = self.prefetch.needs(known, of, in_sight, now) {
            context.push(TrackCommand::NeedRows(needs));
        }
        if shown.response.has_focus() && !context.is_dialog_open {
            run_actions::keys(ui, context, self);
        }
    }

    /// Requests a new list if the filter or the order has changed.
    fn ask(&mut self, context: &mut Context<'_>) {
        if self.words.0 != self.list.filter {
            self.words.0.clone_from(&self.list.filter);
            context.push(TrackCommand::FilterWords(self.list.filter.clone()));
        }
        let order = columns::store_order(self.list.order);
        if self.order != order {
            self.order = order;
            context.push(TrackCommand::Order(order));
        }
    }

    fn show_menu(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let mut place = self.list.menu;
        let taken = kit_menu::at(ui, "Selected rows", &mut place, 260.0, |ui| {
            menu::lines(ui, context.shared, self, false)
        });
        if self.list.menu.is_some() && place.is_none() {
            self.list.table.request_focus();
        }
        self.list.menu = place;
        if let Some(action) = taken {
            run_actions::run_menu_action(ui, context, self, action);
        }
    }
}

/// Returns the row key of a consignment.
const fn key(id: ConsignmentId) -> u64 {
    id.get().cast_unsigned()
}

/// Returns the consignment of a row key.
const fn id_of(key: u64) -> ConsignmentId {
    ConsignmentId::new(key.cast_signed())
}
