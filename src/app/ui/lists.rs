//! The common parts of the lists on Dispatch and Track: choosing, moving and resizing columns, saved views,
//! and copying rows. The lists bring their own rows and columns.
//!
//! Invariant: the word that identifies a column never changes, because saved views of
//! older versions contain it.

mod column_dialog;
mod columns;
pub(crate) mod copy;
pub(crate) mod filter;
pub(crate) mod views;

use egui::{Pos2, Ui};

pub(crate) use columns::Order;
pub(crate) use columns::columns;
pub use columns::{ColumnEntry, ListColumn};
use widgets::table::{self, TableResponse};

/// Time in seconds for which a message about the last action is shown.
const SAID_SECONDS: f64 = 4.0;

/// State of a list: filter, columns, order, ticked rows and views.
pub(crate) struct ListState<C: ListColumn> {
    pub(crate) filter: String,
    pub(crate) table: table::TableState,
    pub(crate) order: Option<Order<C>>,
    /// The columns that the clerk chose. `None` shows as many columns as there is room for.
    pub(crate) chosen_columns: Option<Vec<C>>,
    /// The columns that are shown.
    pub(crate) columns: Vec<C>,
    choosing: column_dialog::ColumnDialog<C>,
    pub(crate) views: views::ViewsState,
    /// Position of the menu of the ticked rows, while it is open.
    pub(crate) menu: Option<Pos2>,
    /// Message about the last action, and the time in seconds when it appeared.
    message: Option<(String, f64)>,
}

impl<C: ListColumn> Default for ListState<C> {
    fn default() -> Self {
        Self {
            filter: String::new(),
            table: table::TableState::default(),
            order: None,
            chosen_columns: None,
            columns: Vec::new(),
            choosing: column_dialog::ColumnDialog::default(),
            views: views::ViewsState::default(),
            menu: None,
            message: None,
        }
    }
}

impl<C: ListColumn> ListState<C> {
    /// Returns whether a dialog or a menu of the list is open.
    pub(crate) fn is_open(&self) -> bool {
        self.choosing.is_open() || self.views.is_open() || self.menu.is_some()
    }

    /// Updates the shown columns, and the table's sort order to match them. `by_room` is shown if the clerk
    /// has chosen no columns.
    pub(crate) fn update_columns(&mut self, by_room: &[C]) {
        let columns = self.chosen_columns.as_deref().unwrap_or(by_room);
        if self.columns != columns {
            self.columns = columns.to_vec();
        }
        let place = |col: C| self.columns.iter().position(|shown| *shown == col);
        self.table.sort = self.order.and_then(|order| {
            Some(table::Sort {
                column: place(order.col)?,
                descending: order.descending,
            })
        });
    }

    /// Returns the shown columns for the table.
    pub(crate) fn heads(&self) -> Vec<table::Column> {
        self.columns.iter().map(|col| col.column()).collect()
    }

    /// Applies the table's response to the order, the columns and the menu. `by_hand` is the number of custom
    /// widths before this frame.
    pub(crate) fn handle_response(&mut self, ui: &Ui, shown: &TableResponse, by_hand: usize) {
        if shown.sort_changed {
            self.order = self.table.sort.and_then(|sort| {
                Some(Order {
                    col: *self.columns.get(sort.column)?,
                    descending: sort.descending,
                })
            });
        }
        if let Some((from, to)) = shown.moved {
            let mut columns = self.columns.clone();
            let moved = columns.remove(from);
            columns.insert(to, moved);
            self.chosen_columns = Some(columns);
            // Columns keep their widths when they move, so that nothing else jumps.
            ui.ctx().request_repaint();
        }
        if self.table.custom_widths.len() > by_hand {
            // A custom width counts as a choice of the columns shown.
            self.chosen_columns
                .get_or_insert_with(|| self.columns.clone());
        }
        if let Some(place) = shown.menu {
            self.menu = Some(place);
            ui.ctx().request_repaint();
        }
        if shown.header_menu {
            self.choose_columns();
        }
    }

    /// Opens the dialog in which columns are chosen.
    pub(crate) fn choose_columns(&mut self) {
        self.choosing.begin(&self.columns);
    }

    /// Shows the dialog in which columns are chosen, while it is open, and applies its result.
    pub(crate) fn show_columns(&mut self, ui: &Ui) {
        match self.choosing.show(ui) {
            Some(column_dialog::ColumnChoice::Columns(columns)) => {
                self.chosen_columns = Some(columns);
                self.table.refit();
            }
            Some(column_dialog::ColumnChoice::ByRoom) => {
                self.chosen_columns = None;
                self.table.custom_widths.clear();
                self.table.refit();
            }
            None => {}
        }
    }

    /// Shows a message for [`SAID_SECONDS`].
    pub(crate) fn show_message(&mut self, ui: &Ui, words: String) {
        self.message = Some((words, ui.input(|input| input.time)));
    }

    /// Returns the message if its time is not over.
    pub(crate) fn message(&mut self, ui: &Ui) -> Option<String> {
        let (words, since) = self.message.as_ref()?;
        let said = ui.input(|input| input.time) - since;
        if said < SAID_SECONDS {
            let left = std::time::Duration::from_secs_f64(SAID_SECONDS - said);
            ui.ctx().request_repaint_after(left);
            return Some(words.clone());
        }
        self.message = None;
        None
    }

    /// Copies `text` to the clipboard, and shows `words` as a message.
    pub(crate) fn copy(&mut self, ui: &Ui, text: String, words: String) {
        ui.ctx().copy_text(text);
        self.show_message(ui, words);
    }

    /// Returns the marked column, or the first if none is marked.
    pub(crate) fn marked_column(&self) -> Option<C> {
        let marked = self.table.marked_column().unwrap_or_default();
        self.columns.get(marked).or(self.columns.first()).copied()
    }
}
