//! The list of consignments on Dispatch and Track: its filter, columns, views, menus, and its rows as drawn, copied
//! and exported. Each screen provides its rows, its actions and a [`ListKind`].

mod cells;
mod column_dialog;
mod head;
mod rows;
pub(crate) mod views;

use std::ops::RangeInclusive;
use std::sync::Arc;

use egui::{Id, Pos2, Ui};

use crate::state::{ListCommand, ListField, ListOrder, Shared, TrackList, TrackQuery, ViewedList};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, grouped};
pub(crate) use cells::ListWidth;
pub(crate) use cells::draw as draw_cell;
use cells::{copied_rows, text as cell_text};
pub(crate) use head::{
    copy_key, focus_rows, problem_bar, row_menu, run_triggered, show as show_head,
};
use rows::{ChosenConsignments, ConsignmentRows};
pub(crate) use rows::{RowIndex, RowLook, RowPrefetch, id_of, key};
use shipping::{ConsignmentId, LocalTime};
use widgets::table::{self, Table, TableResponse};

/// Time in seconds for which a message about the last action is shown.
const MESSAGE_SECONDS: f64 = 4.0;

/// Largest number of rows to copy. More should be exported to a file.
const MOST_COPIED: usize = 20_000;

/// The texts, widths and actions of a list.
pub(crate) struct ListKind {
    pub(crate) list: ViewedList,
    /// The names of the table and of its row menu for screen readers.
    pub(crate) table_name: &'static str,
    pub(crate) menu_name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) filter_id: &'static str,
    pub(crate) filter_hint: &'static str,
    /// Whether the filter is restored when the program starts.
    pub(crate) keeps_filter: bool,
    /// Width of the list, in points, below which the filter has a separate line.
    pub(crate) one_line_points: f32,
    /// On one line: width of the counts beside the filter, and smallest and largest width of the filter, in points.
    pub(crate) count_points: f32,
    pub(crate) filter_points: RangeInclusive<f32>,
    pub(crate) filter: Action,
    pub(crate) views: Action,
    pub(crate) save_view: Action,
    pub(crate) columns: Action,
    pub(crate) copy_rows: Action,
    pub(crate) copy_cell: Action,
    pub(crate) row_menu: Action,
    /// Actions for the chosen rows, in both menus.
    pub(crate) row_actions: &'static [Action],
    /// Further actions in the menu of the list.
    pub(crate) list_actions: &'static [Action],
}

/// A screen with a list of consignments.
pub(crate) trait ListScreen {
    fn list(&mut self) -> &mut ListState;
    /// Returns the text that says how many rows there are.
    fn count_text(&self, shared: &Shared) -> String;
    /// Draws further buttons, from right to left.
    fn buttons(&mut self, _ui: &mut Ui, _context: &mut Context<'_>) {}
    /// Handles keys in the filter before the filter itself does.
    fn before_filter(&mut self, _ui: &Ui, _context: &mut Context<'_>, _filter: Id) {}
    /// Handles Enter in the filter. Returns whether Enter was handled; otherwise the rows get the focus.
    fn takes_enter(&mut self, _context: &mut Context<'_>) -> bool {
        false
    }
    fn action_name(&self, action: Action, _shared: &Shared) -> &'static str {
        action.entry().name
    }
    /// Returns whether an action can be run on the chosen rows.
    fn can(&self, action: Action, shared: &Shared) -> bool;
    /// Runs an action on the chosen rows.
    fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action);
    /// Runs an action that was picked from a menu.
    fn run_picked(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        self.run(ui, context, action);
    }
}

/// State of a list between frames: filter, columns, order, ticked rows and views.
pub(crate) struct ListState {
    pub(crate) kind: &'static ListKind,
    pub(crate) filter: String,
    pub(crate) table: table::TableState,
    pub(crate) order: Option<ListOrder>,
    /// The rows as drawn last, and their query.
    pub(crate) rows: RowIndex,
    query: Option<TrackQuery>,
    prefetch: RowPrefetch,
    pub(crate) chosen: ChosenConsignments,
    /// The rows to copy, while they are loading.
    copies: Option<Vec<ConsignmentId>>,
    /// The columns that the clerk chose. `None` shows as many columns as there is room for.
    chosen_columns: Option<Arc<[ListField]>>,
    /// The columns that are shown.
    pub(crate) columns: Arc<[ListField]>,
    column_dialog: column_dialog::ColumnDialog,
    views: views::ViewsState,
    /// Position of the menu of the chosen rows, while it is open.
    menu: Option<Pos2>,
    /// Message about the last action, and the time in seconds when it appeared.
    message: Option<(String, f64)>,
}

impl ListState {
    pub(crate) fn new(kind: &'static ListKind) -> Self {
        Self {
            kind,
            filter: String::new(),
            table: table::TableState::default(),
            order: None,
            rows: RowIndex::default(),
            query: None,
            prefetch: RowPrefetch::default(),
            chosen: ChosenConsignments::default(),
            copies: None,
            chosen_columns: None,
            columns: Arc::default(),
            column_dialog: column_dialog::ColumnDialog::default(),
            views: views::ViewsState::default(),
            menu: None,
            message: None,
        }
    }

    /// Returns whether a dialog or a menu of the list is open.
    pub(crate) fn is_open(&self) -> bool {
        self.column_dialog.is_open() || self.views.is_open() || self.menu.is_some()
    }

    /// Updates the shown columns, and the table's sort order to match them. `by_room` are the columns to show if the
    /// clerk has chosen none.
    pub(crate) fn update_columns(&mut self, by_room: &[ListField]) {
        let columns = self.chosen_columns.as_deref().unwrap_or(by_room);
        if *self.columns != *columns {
            self.columns = columns.into();
        }
        let place = |column| self.columns.iter().position(|shown| *shown == column);
        self.table.sort = self.order.and_then(|order| {
            Some(table::Sort {
                column: place(order.column)?,
                descending: order.descending,
            })
        });
    }

    /// Shows the rows of a query. If the query is unchanged, the rows in view keep their place. For another query,
    /// scrolls to the row under the cursor or, if that row is not listed, to the first row.
    pub(crate) fn adopt(&mut self, list: &TrackList) {
        if self.rows.adopt(list) {
            let cursor = self.table.selection.cursor();
            if self.query.as_ref() == Some(&list.query) {
                let rows = &self.rows;
                self.table
                    .keep_scroll_position(|key| rows.place(id_of(key)));
            } else if cursor.is_some_and(|key| self.rows.place(id_of(key)).is_some()) {
                self.table.reveal_cursor();
            } else {
                self.table.reveal_first();
            }
            self.query = Some(list.query.clone());
        }
        self.refresh_chosen();
    }

    /// Recomputes the chosen consignments if the ticks, the rows or the cursor changed.
    pub(crate) fn refresh_chosen(&mut self) {
        self.chosen.refresh(&self.table.selection, &self.rows);
    }

    /// Draws the rows, and requests the rows near the view.
    pub(crate) fn show_rows(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        look: &dyn RowLook,
    ) -> TableResponse {
        let shared = context.shared;
        let (index, columns) = (std::mem::take(&mut self.rows), Arc::clone(&self.columns));
        let ticked = self.table.selection.len();
        let mut rows = ConsignmentRows {
            shared,
            index: &index,
            columns: &columns,
            look,
            ticked: ticked.saturating_sub(self.chosen.hidden_ids().len()),
            now: LocalTime::at(shared.now, &shared.session.zone).0,
        };
        let shown = self.show_table(ui, &mut rows);
        let (in_sight, now) = (self.table.visible_rows(), ui.input(|input| input.time));
        let of = (index.ids().as_ref(), index.version);
        if let Some(needs) = self.prefetch.needs(shared, of, in_sight, now) {
            context.push(ListCommand::NeedRows(needs));
        }
        self.rows = index;
        shown
    }

    /// Draws the table and applies the clerk's changes to the order, the columns and the menu.
    fn show_table(&mut self, ui: &mut Ui, rows: &mut ConsignmentRows<'_>) -> TableResponse {
        let custom_widths = self.table.custom_widths.len();
        let columns: Vec<_> = self
            .columns
            .iter()
            .map(|field| cells::column(*field))
            .collect();
        let shown = Table::new(self.kind.table_name, &columns)
            .ticks()
            .movable_columns()
            .sticky(1)
            .show(ui, &mut self.table, rows);
        if shown.selection_changed {
            // The counts above the rows were drawn before the selection changed.
            ui.ctx().request_repaint();
        }
        if shown.sort_changed {
            self.order = self.table.sort.and_then(|sort| {
                Some(ListOrder {
                    column: *self.columns.get(sort.column)?,
                    descending: sort.descending,
                })
            });
        }
        if let Some((from, to)) = shown.moved {
            let mut columns = self.columns.to_vec();
            let moved = columns.remove(from);
            columns.insert(to, moved);
            self.chosen_columns = Some(columns.into());
            // The columns are not refitted, so they keep their widths. The next frame draws the new order.
            ui.ctx().request_repaint();
        }
        if self.table.custom_widths.len() > custom_widths {
            // A clerk who sets a width wants to keep the shown columns.
            self.chosen_columns
                .get_or_insert_with(|| Arc::clone(&self.columns));
        }
        if let Some(place) = shown.menu {
            self.menu = Some(place);
            ui.ctx().request_repaint();
        }
        if shown.header_menu {
            self.choose_columns();
        }
        shown
    }

    /// Opens the dialog in which columns are chosen.
    fn choose_columns(&mut self) {
        self.column_dialog.begin(&self.columns, self.kind.list);
    }

    /// Shows the dialogs for columns and views, while they are open, and applies their results.
    pub(crate) fn show_dialogs(&mut self, ui: &Ui, context: &mut Context<'_>) {
        views::dialogs(ui, context, self);
        match self.column_dialog.show(ui) {
            Some(column_dialog::ColumnChoice::Columns(columns)) => {
                self.chosen_columns = Some(columns.into());
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

    /// Adds to the text `count` the number of ticked rows, and how many of these the filter hides.
    pub(crate) fn with_ticks(&self, count: &str) -> String {
        let (ticked, hidden) = (self.table.selection.len(), self.chosen.hidden_ids().len());
        match (ticked, hidden) {
            (0, _) => count.to_owned(),
            (_, 0) => format!("{count}, {} ticked", grouped(ticked)),
            _ if hidden == ticked => format!("{count}, {} ticked, hidden", grouped(ticked)),
            _ => {
                let (ticked, hidden) = (grouped(ticked), grouped(hidden));
                format!("{count}, {ticked} ticked, {hidden} hidden")
            }
        }
    }

    /// Shows a message for [`MESSAGE_SECONDS`].
    pub(crate) fn show_message(&mut self, ui: &Ui, text: String) {
        self.message = Some((text, ui.input(|input| input.time)));
    }

    /// Returns the message until its time is over.
    fn message(&mut self, ui: &Ui) -> Option<String> {
        let (text, since) = self.message.as_ref()?;
        let shown_for = ui.input(|input| input.time) - since;
        if shown_for < MESSAGE_SECONDS {
            let left = std::time::Duration::from_secs_f64(MESSAGE_SECONDS - shown_for);
            ui.ctx().request_repaint_after(left);
            return Some(text.clone());
        }
        self.message = None;
        None
    }

    /// Starts copying the chosen rows. Rows that are not in view are loaded first.
    fn begin_copy(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.refresh_chosen();
        let ids = self.chosen.ids().to_vec();
        if ids.len() > MOST_COPIED {
            let words = "Too many rows to copy. Export them instead";
            self.show_message(ui, words.to_owned());
        } else if !ids.is_empty() {
            self.copies = Some(ids.clone());
            context.push(ListCommand::CopyRows(ids));
        }
    }

    /// Copies the rows to the clipboard once they are loaded, and shows a message with their number.
    pub(crate) fn finish_copy(&mut self, ui: &Ui, shared: &Shared) {
        let Some(rows) = &shared.to_copy else {
            return;
        };
        if self.copies.take_if(|ids| rows.of == *ids).is_some() {
            let table = copied_rows(&rows.rows, &self.columns, shared);
            ui.ctx().copy_text(table);
            let count = counted(rows.rows.len(), "row", "rows");
            self.show_message(ui, format!("{count} copied"));
        }
    }

    /// Copies the marked cell of the row under the cursor, or its first cell if no column is marked.
    fn copy_cell(&mut self, ui: &Ui, shared: &Shared) {
        let cursor = self.table.selection.cursor().map(id_of);
        let id = cursor.or_else(|| self.chosen.ids().first().copied());
        let marked = self.table.marked_column().unwrap_or_default();
        let column = self.columns.get(marked).or(self.columns.first()).copied();
        if let (Some(row), Some(column)) = (id.and_then(|id| shared.row(id)), column) {
            ui.ctx()
                .copy_text(cell_text(row, column, shared).into_owned());
            self.show_message(ui, format!("{} copied", column.name()));
        }
    }
}
