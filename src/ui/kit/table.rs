//! Tables of any length: only the rows in view are drawn.
//!
//! What always holds: a row is known by its key, so that sorting and filtering keep what is chosen; everything works by
//! keyboard while the table has the focus. Which order the rows and columns are in is the caller's business: the table only
//! says what is asked for.
//!
//! By keyboard: Up, Down, Page Up, Page Down, Home and End move, with Shift they choose a range, Space ticks, Ctrl+A ticks
//! all that can be ticked, Enter opens, Shift+F10 asks for a row's menu; Left and Right mark a column, Alt+Up and Alt+Down
//! sort by it, Alt+Left and Alt+Right move it, with Shift they make it narrower and wider.

mod cell;
mod column;
mod delegate;
mod header;
mod keyboard;
mod selection;
mod widths;

use std::collections::BTreeMap;

use egui::style::ScrollAnimation;
use egui::{
    CornerRadius, EventFilter, Id, Pos2, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    vec2,
};
use egui_table::HeaderRow;

pub use cell::Cell;
pub use column::{Column, Sort};
pub use selection::Selection;

use super::tokens::{palette, size};
use delegate::{Delegate, Row};
use keyboard::{Known, Pressed};
use widths::{RANGE, TICKS, Widths, column_id};

/// The rows behind a table.
pub trait Rows {
    /// How many there are.
    fn count(&self) -> usize;
    /// What row `index` is known by, whatever the order.
    fn key(&self, index: usize) -> u64;
    /// Which row is known by this.
    fn find(&self, key: u64) -> Option<usize> {
        (0..self.count()).find(|index| self.key(*index) == key)
    }
    /// What a screen reader calls row `index`.
    fn name(&self, index: usize) -> String;
    /// Why row `index` can't be ticked; nothing where it can.
    fn held(&self, _index: usize) -> Option<String> {
        None
    }
    /// Is there such a reason?
    fn is_held(&self, index: usize) -> bool {
        self.held(index).is_some()
    }
    /// How many of these rows are ticked. A caller who knows that spares a look at each.
    fn ticked(&self, selection: &Selection) -> usize {
        if selection.is_empty() {
            return 0;
        }
        let is_ticked = |index: &usize| selection.contains(self.key(*index));
        (0..self.count()).filter(is_ticked).count()
    }
    /// Is row `index` read second?
    fn is_quiet(&self, _index: usize) -> bool {
        false
    }
    /// Draws one cell: use [`Cell`]'s methods, or any widget that fits.
    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize);
}

/// What is kept between frames: the caller owns it.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// What is chosen, and where the cursor is.
    pub selection: Selection,
    /// The order asked for.
    pub sort: Option<Sort>,
    /// Columns that the clerk made another width, by their keys, in points.
    pub by_hand: BTreeMap<String, f32>,
    widths: Widths,
    marked_column: Option<usize>,
    scroll_to_cursor: bool,
    scroll_to_column: bool,
    scroll_to_first: bool,
    /// So many rows more are above what is in sight.
    arrived_above: isize,
    wants_focus: bool,
    offers_focus: bool,
    begins_rows: bool,
    /// When text was typed into the table last, in seconds.
    typed_at: Option<f64>,
    /// The first row in sight: its index and key.
    first_row: Option<(usize, u64)>,
    in_sight: std::ops::Range<usize>,
}

impl State {
    /// Scrolls to where the cursor is, in the next frame.
    pub fn reveal_cursor(&mut self) {
        self.scroll_to_cursor = true;
    }

    /// Scrolls to the first row, in the next frame.
    pub fn reveal_first(&mut self) {
        self.scroll_to_first = true;
    }

    /// Gives the table the focus, in the next frame.
    pub fn ask_focus(&mut self) {
        self.wants_focus = true;
    }

    /// Puts the cursor on the first row in the next frame, where it is on none.
    pub fn begin_rows(&mut self) {
        self.begins_rows = true;
    }

    /// Gives the table the focus in the next frame that draws it, unless something else has the focus by then, and puts the
    /// cursor on the first row where it is on none: for when its screen opens.
    pub fn offer_focus(&mut self) {
        self.offers_focus = true;
    }

    /// Works the widths out again, after [`State::by_hand`] or all columns were changed.
    pub fn refit(&mut self) {
        self.widths.forget();
    }

    /// The rows that were in sight in the last frame, by their indices.
    pub fn in_sight(&self) -> std::ops::Range<usize> {
        self.in_sight.clone()
    }

    /// The column that is marked, by its index.
    pub fn marked_column(&self) -> Option<usize> {
        self.marked_column
    }

    /// Keeps what is in sight where it is, after rows were added or taken away above it.
    pub fn keep_in_sight(&mut self, rows: &dyn Rows) {
        let Some((index, key)) = self.first_row.filter(|(index, _)| *index > 0) else {
            return;
        };
        if let Some(now) = rows.find(key) {
            self.arrived_above = now.cast_signed() - index.cast_signed();
        }
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
    /// A column, by its index, is to go to the place of another.
    pub moved: Option<(usize, usize)>,
    /// The menu of what is chosen is asked for, there.
    pub menu: Option<Pos2>,
    /// Columns are to be chosen.
    pub header_menu: bool,
}

/// A table.
#[derive(Debug)]
#[must_use = "call show"]
pub struct Table<'a> {
    name: &'a str,
    columns: &'a [Column],
    ticks: bool,
    arranged: bool,
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
            arranged: false,
            sticky: 0,
            arrangement: 0,
        }
    }

    /// With a box to tick at the start of each row and in the header.
    pub fn ticks(mut self) -> Self {
        self.ticks = true;
        self
    }

    /// Its columns can be moved.
    pub fn arranged(mut self) -> Self {
        self.arranged = true;
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
        let is_free = ui.memory(|memory| memory.focused().is_none_or(|other| other == id));
        if std::mem::take(&mut state.offers_focus) && is_free {
            state.wants_focus = true;
            state.begins_rows = true;
        }
        let begins = std::mem::take(&mut state.begins_rows) && rows.count() > 0;
        if begins && state.selection.cursor_in(rows).is_none() {
            state.selection.walk_to(rows, 0);
        }
        if std::mem::take(&mut state.wants_focus) {
            response.request_focus();
        }
        let before = (state.selection.version(), state.selection.cursor());
        let sort_before = state.sort;
        let focused = response.has_focus();
        let pressed = if focused {
            let known = Known {
                columns: self.columns,
                arranged: self.arranged,
                page: rows_in(outer.height() - size::ROW),
            };
            keyboard::handle(ui, state, rows, &known)
        } else {
            Pressed::default()
        };
        let mut shown = self.grid(ui, id, state, rows, focused, &pressed);
        if focused {
            let ring = Stroke::new(2.0, palette(ui).accent);
            let edge = outer.shrink(1.0);
            ui.painter()
                .rect_stroke(edge, CornerRadius::same(4), ring, StrokeKind::Inside);
        }
        shown.response = response;
        if let Some((_, to)) = pressed.moved {
            state.marked_column = Some(to);
            state.scroll_to_column = true;
        }
        shown.moved = pressed.moved.or(shown.moved);
        shown.opened = pressed.opened.or(shown.opened);
        shown.sort_changed = state.sort != sort_before;
        shown.selection_changed = (state.selection.version(), state.selection.cursor()) != before;
        shown
    }

    fn grid(
        &self,
        ui: &mut Ui,
        id: Id,
        state: &mut State,
        rows: &mut dyn Rows,
        focused: bool,
        pressed: &Pressed,
    ) -> TableResponse {
        let first = usize::from(self.ticks);
        // Two tables on one screen have rows with the same numbers.
        ui.push_id(("grid", self.name), |ui| {
            // The lines between columns are for their edges to be gripped, not to be seen.
            ui.visuals_mut().widgets.noninteractive.bg_stroke = Stroke::NONE;
            let sticky = if self.sticky == 0 {
                0
            } else {
                self.sticky + first
            };
            let mut table = egui_table::Table::new()
                .id_salt((self.name, self.arrangement))
                .num_rows(rows.count() as u64)
                .headers([HeaderRow::new(size::ROW + 1.0)])
                .num_sticky_cols(sticky)
                .columns(self.egui_columns());
            let table_id = table.get_id(ui);
            let ticks = if self.ticks { TICKS } else { 0.0 };
            let mut widths = std::mem::take(&mut state.widths);
            widths.fit(ui, table_id, self.columns, ticks, &state.by_hand);
            if let Some((at, points)) = pressed.widened
                && let Some(width) = widths.get(at)
            {
                let width = (width + points).clamp(*RANGE.start(), *RANGE.end());
                widths.set(ui, table_id, at, width);
                state.by_hand.insert(self.columns[at].key.to_owned(), width);
            }
            table = scrolled(ui, table, state, rows, first, sticky);
            let left = ui.cursor().left();
            let mut delegate = Delegate {
                id,
                columns: self.columns,
                ticks: self.ticks,
                arranged: self.arranged,
                state,
                rows,
                focused,
                left,
                opened: None,
                moved: None,
                menu: None,
                header_menu: false,
                cursor_rect: None,
                row: Row::default(),
            };
            let response = table.show(ui, &mut delegate);
            name_handles(ui, table_id, self.columns);
            delegate.end_drag(ui);
            let below = delegate.cursor_rect.map(|rect| rect.left_bottom());
            let by_key = below.unwrap_or_else(|| response.rect.center_top());
            let shown = TableResponse {
                response,
                sort_changed: false,
                selection_changed: false,
                opened: delegate.opened,
                moved: delegate.moved,
                menu: delegate.menu.or_else(|| pressed.menu.then_some(by_key)),
                header_menu: delegate.header_menu,
            };
            widths.notice(ui, table_id, &mut state.by_hand);
            state.widths = widths;
            shown
        })
        .inner
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

/// Names the handles by which columns are made wider: egui's table leaves them without a name.
fn name_handles(ui: &Ui, table: Id, columns: &[Column]) {
    for column in columns {
        let handle = table.with(column_id(column.key)).with("resize");
        if let Some(handle) = ui.ctx().read_response(handle) {
            let name = format!("Width of {}", column.title);
            handle.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, &name));
        }
    }
}

/// Brings the cursor or the marked column into sight, or keeps in sight what was.
fn scrolled(
    ui: &Ui,
    mut table: egui_table::Table,
    state: &mut State,
    rows: &dyn Rows,
    first: usize,
    sticky: usize,
) -> egui_table::Table {
    let arrived = std::mem::take(&mut state.arrived_above);
    if arrived != 0 {
        // Nothing moved: it must not look as if, not even for a frame.
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

/// How many rows fit into so many points.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rows on a screen"
)]
fn rows_in(points: f32) -> usize {
    (points / size::ROW).max(1.0) as usize
}
