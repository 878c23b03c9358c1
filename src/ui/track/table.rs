//! Track's table: all consignments of the period, or those of a drill-down. Only rows near the view
//! are requested and drawn, of up to a million. Ticks are kept by consignment id, so they survive
//! sorting, filtering and refreshing; another drill-down or scope clears them. Filtering and sorting
//! are done by the store.

mod able;
mod asked;
mod chips;
mod chosen;
mod columns;
mod empty;
mod head;
mod menu;
mod places;
mod rows;
mod sight;

use std::collections::HashMap;
use std::sync::Arc;

use egui::Ui;

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::card::Card;
use super::super::kit::{menu as kit_menu, table::Table};
use super::super::lists::{ListColumn as _, Listed, views};
use crate::shipping::ConsignmentId;
use crate::state::{
    Door, TrackColumn, TrackCommand, TrackList, TrackOrder, TrackQuery, TrackScope, Tracked,
};
use columns::Col;
use places::Places;
use rows::List;

/// Loaded rows, by id.
type TrackRows = HashMap<ConsignmentId, Arc<Tracked>>;

#[derive(Default)]
pub(super) struct State {
    list: Listed<Col>,
    /// The list as drawn last. A new list is detected by its address.
    ids: Arc<[ConsignmentId]>,
    places: Places,
    sight: sight::Sight,
    shown_ticks: chosen::Shown,
    /// Number of listed rows that are ticked.
    ticked: usize,
    /// The filter that this table requested last, and the filter of the last query seen.
    words: (String, String),
    /// The order that was requested last.
    order: TrackOrder,
    /// The drill-down and scope to which the ticks belong.
    ticks_of: Option<(Door, TrackScope)>,
    /// The consignment whose page was requested last, and the one whose page was open last.
    opened: Option<ConsignmentId>,
    open: Option<ConsignmentId>,
    /// The query of the list as drawn last.
    asked_by: Option<TrackQuery>,
    /// An action from a menu that the page runs once the menu is closed.
    later: Option<Action>,
    /// An action that the page runs once it has loaded this consignment.
    awaits_page: Option<(Action, ConsignmentId)>,
    /// The rows to copy, while they are loading.
    copies: Option<Vec<ConsignmentId>>,
}

impl State {
    /// True while a dialog or menu is in front.
    pub(super) fn is_open(&self) -> bool {
        self.list.is_open()
    }

    /// Returns the consignments for an action: the ticked ones in list order, then those hidden by the
    /// filter; if none is ticked, the one under the cursor. Scans the whole list, so it must not be called in
    /// each frame.
    pub(in crate::ui::track) fn chosen(&self, list: Option<&TrackList>) -> Vec<ConsignmentId> {
        let ids = list.map_or(&[][..], |list| &*list.ids);
        chosen::chosen(&self.list.table.selection, ids)
    }

    /// Offers the focus to the rows when the screen opens.
    pub(super) fn offer_focus(&mut self) {
        self.list.table.offer_focus();
    }

    /// Gives the focus back to the rows.
    pub(super) fn take_focus(&mut self) {
        self.list.table.ask_focus();
    }

    /// Returns the visible columns: id and name.
    pub(super) fn columns(&self) -> Vec<(&'static str, &'static str)> {
        let entries = self.list.columns.iter().map(|col| col.entry());
        entries.map(|entry| (entry.word, entry.name)).collect()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.follow(context);
        views::keep(ui, context, &mut self.list);
        let companies = context.shared.companies.value().map_or(1, Vec::len);
        self.list
            .fit(columns::fitting(ui.available_width(), companies));
        self.look(context);
        asked::run(ui, context, self);
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
        empty::trouble(ui, context);
        ui.set_min_size(ui.available_size());
        match context.shared.track.list.value() {
            None => empty::none_yet(ui, context),
            Some(list) if list.ids.is_empty() => empty::nothing(ui, context, self),
            Some(_) => self.rows(ui, context),
        }
    }

    /// Takes over a query from elsewhere: a drill-down on the board, or a scan.
    fn follow(&mut self, context: &Context<'_>) {
        let track = &context.shared.track;
        let (asked, followed) = &mut self.words;
        if *followed != track.query.words {
            followed.clone_from(&track.query.words);
            if *asked != track.query.words {
                asked.clone_from(followed);
                self.list.filter.clone_from(followed);
            }
        }
        let of = (track.query.door, track.scope.clone());
        if self.ticks_of.as_ref() != Some(&of) {
            // Ticks of one drill-down make no sense in another.
            self.ticks_of = Some(of);
            self.list.table.selection.clear();
        }
        if track.page.open != self.open {
            self.open = track.page.open;
            self.awaits_page
                .take_if(|(_, id)| track.page.open != Some(*id));
            if let Some(id) = self.open.filter(|id| Some(*id) != self.opened) {
                self.list.table.selection.point_at(Some(key(id)));
                self.list.table.reveal_cursor();
            }
            self.opened = self.open;
        }
    }

    /// Takes over a new list, and counts the ticked rows in it.
    fn look(&mut self, context: &Context<'_>) {
        let Some(list) = context.shared.track.list.value() else {
            return;
        };
        if !Arc::ptr_eq(&self.ids, &list.ids) {
            let order = list.query.order;
            let by_number = order.column == TrackColumn::Number;
            self.ids = Arc::clone(&list.ids);
            self.places.renew(by_number.then_some(order.descending));
            let (ids, places) = (Arc::clone(&self.ids), &self.places);
            let rows = List {
                shared: context.shared,
                ids: &ids,
                places,
                columns: &self.list.columns,
                ticked: self.ticked,
            };
            if self.asked_by.as_ref() == Some(&list.query) {
                self.list.table.keep_in_sight(&rows);
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
        self.ticked = self.shown_ticks.refresh(selection, &self.ids, &self.places);
    }

    fn rows(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let by_hand = self.list.table.by_hand.len();
        let heads = self.list.heads();
        let ids = Arc::clone(&self.ids);
        let mut rows = List {
            shared: context.shared,
            ids: &ids,
            places: &self.places,
            columns: &self.list.columns,
            ticked: self.ticked,
        };
        let shown = Table::new("Followed", &heads)
            .ticks()
            .arranged()
            .sticky(1)
            .show(ui, &mut self.list.table, &mut rows);
        if shown.selection_changed {
            // The count above the rows was drawn before the selection changed.
            ui.ctx().request_repaint();
        }
        self.list.take(ui, &shown, by_hand);
        let under = self.list.table.selection.cursor().map(id_of);
        let opened = shown.opened.and_then(|row| ids.get(row).copied());
        let moved = under.filter(|id| Some(*id) != self.opened && shown.selection_changed);
        if let Some(id) = opened.or(moved) {
            self.opened = Some(id);
            context.ask(TrackCommand::Open(id));
        }
        let now = ui.input(|input| input.time);
        let known = &context.shared.track.rows;
        let of = (&*ids, self.places.version());
        let in_sight = self.list.table.in_sight();
        if let Some(needs) = self.sight.needs(known, of, in_sight, now) {
            context.ask(TrackCommand::NeedRows(needs));
        }
        if shown.response.has_focus() && !context.in_front {
            asked::keys(ui, context, self);
        }
    }

    /// Requests a new list if the filter or the order has changed.
    fn ask(&mut self, context: &mut Context<'_>) {
        if self.words.0 != self.list.filter {
            self.words.0.clone_from(&self.list.filter);
            context.ask(TrackCommand::Words(self.list.filter.clone()));
        }
        let order = columns::asked(self.list.order);
        if self.order != order {
            self.order = order;
            context.ask(TrackCommand::Order(order));
        }
    }

    fn show_menu(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let mut place = self.list.menu;
        let taken = kit_menu::at(ui, "Chosen rows", &mut place, 260.0, |ui| {
            menu::lines(ui, context.shared, self, false)
        });
        if self.list.menu.is_some() && place.is_none() {
            self.list.table.ask_focus();
        }
        self.list.menu = place;
        if let Some(action) = taken {
            asked::take_from_menu(ui, context, self, action);
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
