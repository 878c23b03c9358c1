//! What long lists have in common: columns that are chosen, moved and widened, views saved under a name, rows copied out.
//!
//! What always holds: a column is known by a word that never changes, so that a saved view outlives the version that saved it.
//! What it must not know: what the rows are.

mod arrange;
mod columns;
pub(super) mod copy;
pub(super) mod filter;
pub(super) mod views;

use egui::{Pos2, Ui};

use super::kit::table::{self, TableResponse};
pub(super) use columns::Order;
pub(super) use columns::columns;
pub use columns::{Entry, ListColumn};

/// How long is said what was done, in seconds.
const SAID_SECONDS: f64 = 4.0;

/// How a list is shown: what its filter holds, which columns it has, what is ticked.
pub(super) struct Listed<C: ListColumn> {
    /// What is typed into the filter.
    pub(super) filter: String,
    pub(super) table: table::State,
    pub(super) order: Option<Order<C>>,
    /// The columns that the clerk chose; as many as there is room for without.
    pub(super) arranged: Option<Vec<C>>,
    /// The columns that are shown.
    pub(super) columns: Vec<C>,
    choosing: arrange::State<C>,
    pub(super) views: views::State,
    /// Where the menu of the chosen rows is.
    pub(super) menu: Option<Pos2>,
    /// What was copied or is to be done, and since when that is said.
    said: Option<(String, f64)>,
}

impl<C: ListColumn> Default for Listed<C> {
    fn default() -> Self {
        Self {
            filter: String::new(),
            table: table::State::default(),
            order: None,
            arranged: None,
            columns: Vec::new(),
            choosing: arrange::State::default(),
            views: views::State::default(),
            menu: None,
            said: None,
        }
    }
}

impl<C: ListColumn> Listed<C> {
    /// Is anything of it in front of the screen?
    pub(super) fn is_open(&self) -> bool {
        self.choosing.is_open() || self.views.is_open() || self.menu.is_some()
    }

    /// Which columns are shown, and by which of them the table says that it is sorted. Where the clerk has chosen none, these.
    pub(super) fn fit(&mut self, by_room: &[C]) {
        let columns = self.arranged.as_deref().unwrap_or(by_room);
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

    /// As the table draws them.
    pub(super) fn heads(&self) -> Vec<table::Column> {
        self.columns.iter().map(|col| col.column()).collect()
    }

    /// Takes what was asked of the columns and of the menu; `by_hand` is how many widths were set before.
    pub(super) fn take(&mut self, ui: &Ui, shown: &TableResponse, by_hand: usize) {
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
            self.arranged = Some(columns);
            // Widths stay with their columns: nothing is to jump.
            ui.ctx().request_repaint();
        }
        if self.table.by_hand.len() > by_hand {
            // Columns with a width of their own are columns that were chosen.
            self.arranged.get_or_insert_with(|| self.columns.clone());
        }
        if let Some(place) = shown.menu {
            self.menu = Some(place);
            ui.ctx().request_repaint();
        }
        if shown.header_menu {
            self.choose_columns();
        }
    }

    /// Begins to choose columns.
    pub(super) fn choose_columns(&mut self) {
        self.choosing.begin(&self.columns);
    }

    /// The dialog in which columns are chosen.
    pub(super) fn show_columns(&mut self, ui: &Ui) {
        match self.choosing.show(ui) {
            Some(arrange::Decided::Columns(columns)) => {
                self.arranged = Some(columns);
                self.table.refit();
            }
            Some(arrange::Decided::ByRoom) => {
                self.arranged = None;
                self.table.by_hand.clear();
                self.table.refit();
            }
            None => {}
        }
    }

    /// Says for some seconds what was done.
    pub(super) fn say(&mut self, ui: &Ui, words: String) {
        self.said = Some((words, ui.input(|input| input.time)));
    }

    /// What is said still.
    pub(super) fn said(&mut self, ui: &Ui) -> Option<String> {
        let (words, since) = self.said.as_ref()?;
        let said = ui.input(|input| input.time) - since;
        if said < SAID_SECONDS {
            let left = std::time::Duration::from_secs_f64(SAID_SECONDS - said);
            ui.ctx().request_repaint_after(left);
            return Some(words.clone());
        }
        self.said = None;
        None
    }

    /// Copies a text, and says so.
    pub(super) fn copy(&mut self, ui: &Ui, text: String, words: String) {
        ui.ctx().copy_text(text);
        self.say(ui, words);
    }

    /// The column that is marked, else the first.
    pub(super) fn marked(&self) -> Option<C> {
        let marked = self.table.marked_column().unwrap_or_default();
        self.columns.get(marked).or(self.columns.first()).copied()
    }
}
