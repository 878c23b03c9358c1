//! Track's table: everything of the period, or behind a door, row by row.
//!
//! What always holds: rows in sight are all that is asked for and drawn, of a million as of ten; what is ticked is known by its
//! id, so that order, filter and refresh keep it, and another door begins anew. The words and the order are the store's to
//! follow: nothing is filtered or sorted here.

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

/// Rows that are known, by their ids.
type TrackRows = HashMap<ConsignmentId, Arc<Tracked>>;

/// What it keeps for itself.
#[derive(Default)]
pub(super) struct State {
    list: Listed<Col>,
    /// The rows as they were drawn last, told from others by where they are.
    ids: Arc<[ConsignmentId]>,
    places: Places,
    sight: sight::Sight,
    shown_ticks: chosen::Shown,
    /// How many of the rows are ticked.
    ticked: usize,
    /// The words that were asked for last, and those that were followed last.
    words: (String, String),
    /// The order that was asked for last.
    order: TrackOrder,
    /// Of which door and scope the ticks are.
    ticks_of: Option<(Door, TrackScope)>,
    /// The page that was asked for last, and the one that was open last.
    opened: Option<ConsignmentId>,
    open: Option<ConsignmentId>,
    /// What the rows were asked for by.
    asked_by: Option<TrackQuery>,
    /// Taken from a menu, and the page's to do once the menu is gone.
    later: Option<Action>,
    /// What the page of a row is asked for, once it is there.
    awaits_page: Option<(Action, ConsignmentId)>,
    /// Rows that are to be copied, on their way.
    copies: Option<Vec<ConsignmentId>>,
}

impl State {
    /// Is anything in front?
    pub(super) fn is_open(&self) -> bool {
        self.list.is_open()
    }

    /// What actions are about: the ticked ones in the order of the list, then those that the filter hides; where none is
    /// ticked, the one under the cursor. Looks through all of the list: for when something asks, not for each frame.
    pub(in crate::ui::track) fn chosen(&self, list: Option<&TrackList>) -> Vec<ConsignmentId> {
        let ids = list.map_or(&[][..], |list| &*list.ids);
        chosen::chosen(&self.list.table.selection, ids)
    }

    /// The screen opens with the keys in the rows.
    pub(super) fn offer_focus(&mut self) {
        self.list.table.offer_focus();
    }

    /// The rows have the keys again.
    pub(super) fn take_focus(&mut self) {
        self.list.table.ask_focus();
    }

    /// The columns that are shown: their words, and their names.
    pub(super) fn columns(&self) -> Vec<(&'static str, &'static str)> {
        let entries = self.list.columns.iter().map(|col| col.entry());
        entries.map(|entry| (entry.word, entry.name)).collect()
    }

    /// Draws it.
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

    /// What others asked the table to show: a door on the board, a scan.
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
            // What is ticked behind one number is not what is meant behind another.
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

    /// Sees which rows there are, and what of them is ticked.
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
                // Other rows: from the first one on, unless the clerk is at one of them.
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
            // What is counted above the rows was counted before.
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

    /// Asks for the words and the order, where they are others now.
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

/// What a consignment is known by in the table.
const fn key(id: ConsignmentId) -> u64 {
    id.get().cast_unsigned()
}

/// The other way round.
const fn id_of(key: u64) -> ConsignmentId {
    ConsignmentId::new(key.cast_signed())
}
