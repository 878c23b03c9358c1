//! Tables of any length: only the rows in view are drawn.
//!
//! What always holds: a row is known by its key, so that sorting and filtering keep what is chosen; everything works by
//! keyboard while the table has the focus. Which order the rows are in is the caller's business: the table only says what
//! order is asked for.
//!
//! By keyboard: Up, Down, Page Up, Page Down, Home and End move, with Shift they choose a range, Space ticks, Ctrl+A ticks
//! all that can be ticked, Enter opens; Left and Right mark a column, Alt+Up and Alt+Down sort by it.

mod delegate;
mod keyboard;
mod selection;

use std::collections::HashMap;

use egui::{
    CornerRadius, EventFilter, Id, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
};
use egui_table::{HeaderRow, TableState};

pub use selection::Selection;

use super::tokens::{palette, size};
use delegate::Delegate;

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its header; empty for a column of marks.
    pub title: &'static str,
    /// How wide it starts, in points.
    pub width: f32,
    /// The share that it takes of the room left over; 0 for a column that stays as it is.
    pub grow: f32,
    /// Figures sit at the right.
    pub right: bool,
    /// It can be sorted by.
    pub sortable: bool,
}

impl Column {
    /// A column of text that can be sorted by.
    pub const fn new(title: &'static str, width: f32) -> Self {
        Self {
            title,
            width,
            grow: 0.0,
            right: false,
            sortable: true,
        }
    }

    /// Takes a share of the room left over.
    #[must_use]
    pub const fn grow(mut self, share: f32) -> Self {
        self.grow = share;
        self
    }

    /// Figures: at the right.
    #[must_use]
    pub const fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// In no order.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sortable = false;
        self
    }
}

/// By which column, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// Index into the columns.
    pub column: usize,
    /// Largest first.
    pub descending: bool,
}

/// The rows behind a table.
pub trait Rows {
    /// How many there are.
    fn count(&self) -> usize;
    /// What row `index` is known by, whatever the order.
    fn key(&self, index: usize) -> u64;
    /// What a screen reader calls row `index`.
    fn name(&self, index: usize) -> String;
    /// Why row `index` can't be ticked; nothing where it can.
    fn held(&self, _index: usize) -> Option<String> {
        None
    }
    /// Draws one cell: use [`Cell`]'s methods, or any widget that fits.
    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize);
}

pub use delegate::Cell;

/// What is kept between frames: the caller owns it.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// What is chosen, and where the cursor is.
    pub selection: Selection,
    /// The order asked for.
    pub sort: Option<Sort>,
    marked_column: Option<usize>,
    scroll_to_cursor: bool,
}

impl State {
    /// Scrolls to where the cursor is, in the next frame.
    pub fn reveal_cursor(&mut self) {
        self.scroll_to_cursor = true;
    }
}

/// What happened to a table in this frame.
#[derive(Debug)]
pub struct TableResponse {
    /// Of the whole table: it has the focus or not.
    pub response: Response,
    /// Another order is asked for: see [`State::sort`].
    pub sort_changed: bool,
    /// Something was chosen, or the cursor moved.
    pub selection_changed: bool,
    /// A row was opened, by Enter or by two clicks.
    pub opened: Option<usize>,
}

/// A table.
#[derive(Debug)]
#[must_use = "call show"]
pub struct Table<'a> {
    name: &'a str,
    columns: &'a [Column],
    ticks: bool,
    sticky: usize,
    arrangement: usize,
}

impl<'a> Table<'a> {
    /// A table with its name for screen readers, which also keeps its widths apart from other tables'.
    pub fn new(name: &'a str, columns: &'a [Column]) -> Self {
        Self {
            name,
            columns,
            ticks: false,
            sticky: 0,
            arrangement: 0,
        }
    }

    /// With a box to tick at the start of each row and in the header.
    pub fn ticks(mut self) -> Self {
        self.ticks = true;
        self
    }

    /// The first columns stay in view while the others scroll sideways.
    pub fn sticky(mut self, columns: usize) -> Self {
        self.sticky = columns;
        self
    }

    /// Which of several sets of columns this is: each keeps its own widths.
    pub fn arrangement(mut self, number: usize) -> Self {
        self.arrangement = number;
        self
    }

    /// Draws it in what room there is.
    pub fn show(self, ui: &mut Ui, state: &mut State, rows: &mut dyn Rows) -> TableResponse {
        let id = ui.make_persistent_id(("table", self.name));
        let outer = ui.available_rect_before_wrap();
        let response = ui.interact(outer, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::Table, true, self.name));
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_row_count(rows.count()));
        let filter = EventFilter {
            vertical_arrows: true,
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));

        let before = state.selection.clone();
        let sort_before = state.sort;
        let page = ((outer.height() - size::ROW) / size::ROW).max(1.0);
        let mut opened = None;
        if response.has_focus() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "rows on a screen"
            )]
            let page = page as usize;
            opened = keyboard::handle(ui, state, rows, self.columns, page);
        }
        opened = opened.or(self.grid(ui, id, state, rows, response.has_focus()));
        if response.has_focus() {
            let ring = Stroke::new(2.0, palette(ui).accent);
            ui.painter().rect_stroke(
                outer.shrink(1.0),
                CornerRadius::same(4),
                ring,
                StrokeKind::Inside,
            );
        }
        TableResponse {
            response,
            sort_changed: state.sort != sort_before,
            selection_changed: state.selection != before,
            opened,
        }
    }

    fn grid(
        self,
        ui: &mut Ui,
        id: Id,
        state: &mut State,
        rows: &mut dyn Rows,
        focused: bool,
    ) -> Option<usize> {
        let first = usize::from(self.ticks);
        let widths = self.widths();
        let scroll_to = std::mem::take(&mut state.scroll_to_cursor)
            .then(|| state.selection.cursor_in(rows))
            .flatten();
        ui.scope(|ui| {
            // The lines between columns are for their edges to be gripped, not to be seen.
            ui.visuals_mut().widgets.noninteractive.bg_stroke = Stroke::NONE;
            let mut table = egui_table::Table::new()
                .id_salt((self.name, self.arrangement))
                .num_rows(rows.count() as u64)
                .headers([HeaderRow::new(size::ROW + 1.0)])
                .num_sticky_cols(if self.sticky == 0 {
                    0
                } else {
                    self.sticky + first
                })
                .columns(
                    widths
                        .iter()
                        .enumerate()
                        .map(|(at, width)| column(at, *width, at >= first))
                        .collect::<Vec<_>>(),
                );
            fit(ui, &table, &widths, &self.shares());
            if let Some(row) = scroll_to {
                table = table.scroll_to_row(row as u64, None);
            }
            let left = ui.cursor().left();
            let mut delegate = Delegate {
                id,
                columns: self.columns,
                ticks: self.ticks,
                state,
                rows,
                focused,
                left,
                opened: None,
            };
            table.show(ui, &mut delegate);
            delegate.opened
        })
        .inner
    }

    fn widths(&self) -> Vec<f32> {
        let ticks = self.ticks.then_some(34.0);
        ticks
            .into_iter()
            .chain(self.columns.iter().map(|column| column.width))
            .collect()
    }

    fn shares(&self) -> Vec<f32> {
        let ticks = self.ticks.then_some(0.0);
        ticks
            .into_iter()
            .chain(self.columns.iter().map(|column| column.grow))
            .collect()
    }
}

fn column(at: usize, width: f32, resizable: bool) -> egui_table::Column {
    egui_table::Column::new(width)
        .range(28.0..=1_200.0)
        .id(Id::unique(("column", at)))
        .resizable(resizable)
}

/// Gives the room left over to the columns that grow, when the room has changed: widths set by hand stay otherwise.
fn fit(ui: &Ui, table: &egui_table::Table, widths: &[f32], shares: &[f32]) {
    let id = table.get_id(ui);
    let room = ui.available_width();
    let stored = TableState::load(ui.ctx(), id);
    if stored
        .as_ref()
        .is_some_and(|stored| stored.parent_width == Some(room))
    {
        return;
    }
    let mut state = stored.unwrap_or_default();
    let column_id = |at: usize| Id::unique(("column", at));
    let mut current: HashMap<usize, f32> = HashMap::new();
    for (at, width) in widths.iter().enumerate() {
        let kept = state
            .col_widths
            .get(&column_id(at))
            .copied()
            .filter(|_| shares[at] == 0.0);
        current.insert(at, kept.unwrap_or(*width));
    }
    let spare = room - ui.spacing().scroll.allocated_width() - current.values().sum::<f32>();
    let total: f32 = shares.iter().sum();
    for (at, share) in shares.iter().enumerate().filter(|_| total > 0.0) {
        // A column that grows may also give way, but never to less than half of what it starts with.
        let grown = current[&at] + spare * share / total;
        current.insert(at, grown.max(widths[at] * 0.5));
    }
    for (at, width) in current {
        state.col_widths.insert(column_id(at), width.round());
    }
    state.parent_width = Some(room);
    state.store(ui.ctx(), id);
}
