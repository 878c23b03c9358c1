//! Dispatch: what is unmanifested on the left; groups, pickups and bookings on the right.

mod bookings;
mod deletion;
mod groups;
mod index;
mod list;
mod manifests;

use egui::{ScrollArea, Ui};

use super::Context;
use super::actions::Action;
use super::kit::tokens::size;
use super::kit::{layout, table, text};
use crate::shipping::ConsignmentId;
use crate::state::{Command, ConsignCommand, DispatchCommand, LabelsCommand, Screen};
use index::Index;

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    filter: String,
    table: table::State,
    index: Index,
    /// The columns that there is room for.
    columns: &'static [usize],
    groups: groups::State,
    manifests: manifests::State,
    deletion: deletion::State,
    /// What a scan found last.
    found: Option<ConsignmentId>,
}

impl State {
    /// Is anything in front of the screen?
    pub(super) fn is_open(&self) -> bool {
        self.deletion.is_open()
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if self.manifests.is_open() {
            return self.manifests.show(ui, context);
        }
        if context.asked(Action::Manifests) {
            self.manifests.open(context, None);
        }
        let right = (ui.available_width() * 0.28).clamp(272.0, 350.0);
        let left = ui.available_width() - right - size::GUTTER;
        self.arrange(list::columns(left));
        self.reveal(context);
        let locked = &context.shared.locked;
        let is_locked = |key: u64| locked.contains_key(&id_of(key));
        self.table.selection.untick(is_locked);
        let sort = self.table.sort.map(|sort| table::Sort {
            column: self.columns[sort.column],
            ..sort
        });
        self.index.refresh(context.shared, &self.filter, sort);
        self.actions(context);
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                return list::card(ui, context, self);
            }
            let ticked = self.table.selection.len();
            if groups::head(ui, context, ticked, &mut self.manifests) {
                self.group(context);
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
        let selection = &mut self.table.selection;
        selection.untick(|key| taken_out.contains(&id_of(key)));
        self.deletion.show(ui, context);
    }

    /// Other columns have other numbers: the order asked for is forgotten with them.
    fn arrange(&mut self, columns: &'static [usize]) {
        if self.columns != columns {
            self.columns = columns;
            self.table.sort = None;
        }
    }

    /// Puts what a scan found in sight, under the cursor and ticked alone.
    fn reveal(&mut self, context: &Context<'_>) {
        if self.found == context.shared.found {
            return;
        }
        self.found = context.shared.found;
        if let Some(id) = self.found {
            self.filter.clear();
            self.table.selection.choose(key(id));
            self.table.reveal_cursor();
        }
    }

    /// The ticked consignments in the order that they are listed in; where none is ticked, the one under the cursor.
    fn chosen(&self, context: &Context<'_>) -> Vec<ConsignmentId> {
        let selection = &self.table.selection;
        let under_cursor = |key: u64| selection.is_empty() && selection.cursor() == Some(key);
        let is_chosen = |key: u64| selection.contains(key) || under_cursor(key);
        let Some(list) = context.shared.unmanifested.value() else {
            return Vec::new();
        };
        let shown = self
            .index
            .rows()
            .iter()
            .filter_map(|row| list.rows().get(*row as usize));
        let mut chosen: Vec<_> = shown
            .map(|one| one.id)
            .filter(|id| is_chosen(key(*id)))
            .collect();
        if chosen.len() < selection.len() {
            // Ticked, and hidden by the filter since.
            let hidden: Vec<_> = list
                .iter()
                .map(|one| one.id)
                .filter(|id| selection.contains(key(*id)))
                .collect();
            chosen = hidden;
        }
        chosen
    }

    fn actions(&mut self, context: &mut Context<'_>) {
        if context.asked(Action::Group) {
            self.group(context);
        }
        if context.asked(Action::PrintChosen) {
            self.print(context);
        }
        if context.asked(Action::Delete) {
            self.delete(context);
        }
        if context.asked(Action::Change) {
            self.change(context);
        }
        if context.asked(Action::CloneChosen) {
            self.like(context);
        }
        if context.asked(Action::ShowLabel)
            && let Some(first) = self.chosen(context).first()
        {
            show_label(context, *first);
        }
    }

    /// Groups the ticked ones, or all: the cursor alone chooses nothing to be booked.
    fn group(&self, context: &mut Context<'_>) {
        if self.table.selection.is_empty() {
            context.ask(DispatchCommand::GroupAll);
        } else {
            let chosen = self.chosen(context);
            context.ask(DispatchCommand::Group(chosen));
        }
    }

    /// Asks before anything is deleted.
    fn delete(&mut self, context: &Context<'_>) {
        let chosen = self.chosen(context);
        self.deletion.begin(context.shared, &chosen);
    }

    /// The only one that is chosen.
    fn only(&self, context: &Context<'_>) -> Option<ConsignmentId> {
        match self.chosen(context).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn change(&self, context: &mut Context<'_>) {
        if let Some(id) = self.only(context) {
            context.ask(ConsignCommand::Edit(id));
        }
    }

    fn like(&self, context: &mut Context<'_>) {
        if let Some(id) = self.only(context) {
            context.ask(ConsignCommand::Clone(id));
        }
    }

    fn print(&self, context: &mut Context<'_>) {
        let chosen = self.chosen(context);
        if !chosen.is_empty() {
            context.ask(DispatchCommand::PrintLabels(chosen));
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

fn show_label(context: &mut Context<'_>, id: ConsignmentId) {
    context.ask(LabelsCommand::Select(id));
    context.ask(Command::Show(Screen::Labels));
}

/// Small words in the second colour.
fn note(ui: &mut Ui, words: &str) {
    let muted = super::kit::tokens::palette(ui).muted;
    ui.add(egui::Label::new(text::small(words).color(muted)).wrap());
}
