//! Tables of any length, which draw only the rows in view. The caller sorts rows and moves columns when
//! [`TableResponse`] requests it.
//!
//! Invariant: rows are identified by their keys, so that sorting and filtering keep the ticked
//! rows and the cursor.
//!
//! By keyboard: Up, Down, Page Up, Page Down, Home and End move the cursor, and tick a range with Shift. Space ticks
//! a row, Ctrl+A ticks all rows that can be ticked, Enter opens a row, and Shift+F10 opens the row menu. Left and
//! Right mark a column. Alt+Up and Alt+Down sort by the marked column, Alt+Left and Alt+Right move it, and
//! Alt+Shift+Left and Alt+Shift+Right change its width.

mod delegate;
mod keyboard;
mod selection;
mod widths;

use std::collections::BTreeMap;

use egui::style::ScrollAnimation;
use egui::{EventFilter, Id, Pos2, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use egui_table::HeaderRow;

pub use delegate::Cell;
pub use selection::Selection;

use super::paint;
use super::tokens::{palette, size};
use delegate::{Delegate, Row};
use keyboard::Keyboard;
use widths::{RANGE, TICKS, Widths, column_id};

/// The rows behind a table.
pub trait Rows {
    fn count(&self) -> usize;
    /// Returns the key of row `index`. The key must not depend on the order of the rows.
    fn key(&self, index: usize) -> u64;
    /// Returns the index of the row with this key.
    fn find(&self, key: u64) -> Option<usize> {
        (0..self.count()).find(|index| self.key(*index) == key)
    }
    /// Returns the name of row `index` for screen readers.
    fn name(&self, index: usize) -> String;
    /// Returns why row `index` can't be ticked, or `None` if it can.
    fn tick_block_reason(&self, _index: usize) -> Option<String> {
        None
    }
    /// Returns whether row `index` can't be ticked. Override this if there is a cheaper way than finding the reason.
    fn is_tick_blocked(&self, index: usize) -> bool {
        self.tick_block_reason(index).is_some()
    }
    /// Returns how many of these rows are ticked. Override this if the number is known, because the default checks
    /// each row.
    fn ticked(&self, selection: &Selection) -> usize {
        if selection.is_empty() {
            return 0;
        }
        let is_ticked = |index: &usize| selection.contains(self.key(*index));
        (0..self.count()).filter(is_ticked).count()
    }
    /// Returns whether row `index` is drawn in the muted colour.
    fn is_muted(&self, _index: usize) -> bool {
        false
    }
    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize);
}

/// Title, width and alignment of a column.
#[derive(Debug, Clone, Copy)]
#[must_use = "pass it to a table"]
pub struct Column {
    /// Text of the header; empty for a column of icons.
    pub title: &'static str,
    /// Key under which the width is stored; the title by default.
    pub key: &'static str,
    /// Starting width in points.
    pub width: f32,
    /// Weight with which the column shares the remaining width; 0 for a fixed width.
    pub grow: f32,
    /// Aligns the column to the right, for figures.
    pub right: bool,
    pub sortable: bool,
}

impl Column {
    /// Creates a sortable column of text with a fixed width.
    pub const fn new(title: &'static str, width: f32) -> Self {
        Self {
            title,
            key: title,
            width,
            grow: 0.0,
            right: false,
            sortable: true,
        }
    }

    setters! {
        /// Sets the key under which the width is stored.
        pub fn key(self, key: &'static str) { self.key = key }
        /// Sets the weight with which the column shares the remaining width.
        pub fn grow(self, share: f32) { self.grow = share }
        /// Aligns the column to the right, for figures.
        pub fn right(self) { self.right = true }
        /// Makes the column unsortable.
        pub fn unsorted(self) { self.sortable = false }
    }
}

/// Sort order of a table: column and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// Index into the columns.
    pub column: usize,
    pub descending: bool,
}

/// State of a table between frames, owned by the caller.
#[derive(Debug, Clone, Default)]
pub struct TableState {
    pub selection: Selection,
    /// The order that the clerk chose.
    pub sort: Option<Sort>,
    /// Widths in points of the columns that the clerk resized, by column key.
    pub custom_widths: BTreeMap<String, f32>,
    widths: Widths,
    marked_column: Option<usize>,
    scroll_to_cursor: bool,
    scroll_to_column: bool,
    scroll_to_first: bool,
    /// Number of rows added above the visible rows; negative if rows were removed.
    rows_added_above: isize,
    wants_focus: bool,
    offers_focus: bool,
    begins_rows: bool,
    /// Time of the last text input while the table had the focus, in seconds.
    typed_at: Option<f64>,
    /// Index and key of the first visible row.
    first_row: Option<(usize, u64)>,
    visible_rows: std::ops::Range<usize>,
}

impl TableState {
    pub fn reveal_cursor(&mut self) {
        self.scroll_to_cursor = true;
    }

    pub fn reveal_first(&mut self) {
        self.scroll_to_first = true;
    }

    pub fn request_focus(&mut self) {
        self.wants_focus = true;
    }

    /// Puts the cursor on the first row in the next frame, if it is on no row.
    pub fn start_at_first_row(&mut self) {
        self.begins_rows = true;
    }

    /// Gives the table the focus when it is drawn next, unless another widget has the focus by then, and puts
    /// the cursor on the first row if it is on no row. For a screen that opens.
    pub fn request_focus_if_free(&mut self) {
        self.offers_focus = true;
    }

    /// Recalculates the widths. Call after a change of [`TableState::custom_widths`] or of all columns.
    pub fn refit(&mut self) {
        self.widths.invalidate();
    }

    /// Returns the indices of the rows that were visible in the last frame.
    pub fn visible_rows(&self) -> std::ops::Range<usize> {
        self.visible_rows.clone()
    }

    /// Returns the index of the column marked by keyboard.
    pub fn marked_column(&self) -> Option<usize> {
        self.marked_column
    }

    /// Keeps the visible rows in place after rows were added or removed above them.
    pub fn keep_scroll_position(&mut self, find: impl FnOnce(u64) -> Option<usize>) {
        let Some((index, key)) = self.first_row.filter(|(index, _)| *index > 0) else {
            return;
        };
        if let Some(now) = find(key) {
            self.rows_added_above = now.cast_signed() - index.cast_signed();
        }
    }
}

/// Result of drawing a table in this frame.
#[derive(Debug)]
pub struct TableResponse {
    /// Response of the whole table, which takes the focus.
    pub response: Response,
    /// True if [`TableState::sort`] changed. The caller must sort the rows.
    pub sort_changed: bool,
    /// True if rows were ticked or unticked, or the cursor moved.
    pub selection_changed: bool,
    /// Index of the row that was opened, by Enter or a double click.
    pub opened: Option<usize>,
    /// The column that the caller must move: index before and after the move.
    pub moved: Option<(usize, usize)>,
    /// Position for the menu of the ticked rows, if the clerk asked for it.
    pub menu: Option<Pos2>,
    /// True if a header was right-clicked. The caller shows the choice of columns.
    pub header_menu: bool,
}

/// Requests of the clerk in this frame, by the keyboard or the pointer.
#[derive(Debug, Default)]
struct Requests {
    /// Index of the row to open.
    opened: Option<usize>,
    /// Column to move: index before and after the move.
    moved: Option<(usize, usize)>,
    /// Column to resize, and the change of its width in points.
    widened: Option<(usize, f32)>,
    /// True to open the menu of the row under the cursor.
    menu_of_cursor: bool,
    /// Pointer position at which the row menu was asked for.
    menu: Option<Pos2>,
    header_menu: bool,
}

/// A table with sticky columns, ticked rows and a cursor.
#[derive(Debug, Default)]
#[must_use = "call show"]
pub struct Table<'a> {
    name: &'a str,
    columns: &'a [Column],
    ticks: bool,
    movable_columns: bool,
    sticky: usize,
    column_set: usize,
}

impl<'a> Table<'a> {
    /// Creates a table. `name` is its name for screen readers, and also the id of its column widths.
    pub fn new(name: &'a str, columns: &'a [Column]) -> Self {
        Self {
            name,
            columns,
            ..Self::default()
        }
    }

    setters! {
        /// Adds a box to tick at the start of each row and of the header.
        pub fn ticks(self) { self.ticks = true }
        /// Lets the clerk move columns, and resize them by keyboard.
        pub fn movable_columns(self) { self.movable_columns = true }
        /// Keeps the first `columns` in view while the other columns scroll sideways.
        pub fn sticky(self, columns: usize) { self.sticky = columns }
        /// Sets the number of the set of columns, for tables with several sets. Each set keeps its own widths.
        pub fn column_set(self, number: usize) { self.column_set = number }
    }

    /// Draws the table in the available space.
    pub fn show(self, ui: &mut Ui, state: &mut TableState, rows: &mut dyn Rows) -> TableResponse {
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
        let is_free = ui.memory(|memory| memory.focused().is_none_or(|other| other == id));
        if std::mem::take(&mut state.offers_focus) && is_free {
            state.wants_focus = true;
            state.begins_rows = true;
        }
        let begins = std::mem::take(&mut state.begins_rows) && rows.count() > 0;
        if begins && state.selection.cursor_in(rows).is_none() {
            state.selection.move_and_reset_range(rows, 0);
        }
        if std::mem::take(&mut state.wants_focus) {
            response.request_focus();
        }
        let before = (state.selection.version(), state.selection.cursor());
        let sort_before = state.sort;
        let focused = response.has_focus();
        let mut requests = Requests::default();
        if focused {
            let mut keyboard = Keyboard {
                table: &self,
                state,
                rows,
                page: rows_in(outer.height() - size::ROW),
                requests: &mut requests,
            };
            keyboard.handle(ui);
        }
        let moved_by_key = requests.moved;
        self.grid(ui, id, state, rows, focused, &mut requests);
        if focused {
            let ring = palette(ui).accent;
            paint::border(ui.painter(), outer.shrink(1.0), 4, 2.0, ring);
        }
        if let Some((_, to)) = moved_by_key {
            state.marked_column = Some(to);
            state.scroll_to_column = true;
        }
        TableResponse {
            response,
            sort_changed: state.sort != sort_before,
            selection_changed: (state.selection.version(), state.selection.cursor()) != before,
            opened: requests.opened,
            moved: requests.moved,
            menu: requests.menu,
            header_menu: requests.header_menu,
        }
    }

    fn grid(
        &self,
        ui: &mut Ui,
        id: Id,
        state: &mut TableState,
        rows: &mut dyn Rows,
        focused: bool,
        requests: &mut Requests,
    ) {
        let first = usize::from(self.ticks);
        // Rows of two tables on one screen must not get the same ids.
        ui.push_id(("grid", self.name), |ui| {
            // The lines between columns are resize handles and stay invisible.
            ui.visuals_mut().widgets.noninteractive.bg_stroke = Stroke::NONE;
            let sticky = if self.sticky == 0 {
                0
            } else {
                self.sticky + first
            };
            let mut grid = egui_table::Table::new()
                .id_salt((self.name, self.column_set))
                .num_rows(rows.count() as u64)
                .headers([HeaderRow::new(size::ROW + 1.0)])
                .num_sticky_cols(sticky)
                .columns(self.egui_columns());
            let table_id = grid.get_id(ui);
            let ticks = if self.ticks { TICKS } else { 0.0 };
            let mut widths = std::mem::take(&mut state.widths);
            widths.fit(ui, table_id, self.columns, ticks, &state.custom_widths);
            if let Some((column, points)) = requests.widened {
                widths.change(ui, table_id, column, points, &mut state.custom_widths);
            }
            grid = scrolled(ui, grid, state, rows, first, sticky);
            let left = ui.cursor().left();
            let mut delegate = Delegate {
                id,
                table: self,
                state,
                rows,
                focused,
                left,
                requests,
                cursor_rect: None,
                row: Row::default(),
            };
            let shown = grid.show(ui, &mut delegate);
            name_handles(ui, table_id, self.columns);
            delegate.end_drag(ui);
            let below = delegate.cursor_rect.map(|rect| rect.left_bottom());
            if requests.menu_of_cursor && requests.menu.is_none() {
                requests.menu = Some(below.unwrap_or_else(|| shown.rect.center_top()));
            }
            widths.record_dragged(ui, table_id, &mut state.custom_widths);
            state.widths = widths;
        });
    }

    fn egui_columns(&self) -> Vec<egui_table::Column> {
        let ticks = self.ticks.then(|| {
            egui_table::Column::new(TICKS)
                .id(Id::unique("ticks"))
                .resizable(false)
        });
        let columns = self.columns.iter().map(|column| {
            egui_table::Column::new(column.width)
                .range(RANGE)
                .id(column_id(column.key))
        });
        ticks.into_iter().chain(columns).collect()
    }
}

/// Names the resize handles of columns for screen readers, because `egui_table` does not.
fn name_handles(ui: &Ui, table: Id, columns: &[Column]) {
    for column in columns {
        let handle = table.with(column_id(column.key)).with("resize");
        if let Some(handle) = ui.ctx().read_response(handle) {
            let name = format!("Width of {}", column.title);
            handle.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, &name));
        }
    }
}

/// Scrolls to the cursor or the marked column, or keeps the visible rows in place.
fn scrolled(
    ui: &Ui,
    mut table: egui_table::Table,
    state: &mut TableState,
    rows: &dyn Rows,
    first: usize,
    sticky: usize,
) -> egui_table::Table {
    let arrived = std::mem::take(&mut state.rows_added_above);
    if arrived != 0 {
        // The visible rows must not seem to move, not even for one frame.
        let points = vec2(0.0, -(arrived as f32) * size::ROW);
        ui.scroll_with_delta_animation(points, ScrollAnimation::none());
        ui.ctx().request_discard("rows arrived above");
    }
    if std::mem::take(&mut state.scroll_to_first) && rows.count() > 0 {
        table = table.scroll_to_row(0, None);
    }
    if std::mem::take(&mut state.scroll_to_cursor)
        && let Some(row) = state.selection.cursor_in(rows)
    {
        table = table.scroll_to_row(row as u64, None);
    }
    if std::mem::take(&mut state.scroll_to_column)
        && let Some(column) = state.marked_column.map(|at| at + first)
        && column >= sticky
    {
        table = table.scroll_to_column(column, None);
    }
    table
}

/// Returns how many rows fit into a height in points.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rows on a screen"
)]
fn rows_in(points: f32) -> usize {
    (points / size::ROW).max(1.0) as usize
}
