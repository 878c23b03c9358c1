//! The list of action items. Those that need a person come first.

use egui::{Align, Id, Layout, Ui, vec2};

use super::{OperationsScreen, operation_text};
use crate::state::{ActionItem, ExportCell, OperationState, OperationsCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock, day, grouped};
use crate::ui::lists::filter;
use shipping::LocalTime;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::table::{Cell, Column, Rows, Table};
use widgets::tokens::size;
use widgets::{icons, text};

const ALL: [Column; 6] = [
    Column::new("State", 144.0).unsorted(),
    Column::new("Type", 104.0).unsorted(),
    Column::new("Title", 120.0).grow(1.0).unsorted(),
    Column::new("Number", 134.0).unsorted(),
    Column::new("Since", 58.0).unsorted(),
    Column::new("Checks", 62.0).right().unsorted(),
];
/// Columns in a narrow window. The number and the checks are shown beside the list.
const NARROW: [usize; 4] = [0, 1, 2, 4];
const WIDE: [usize; 6] = [0, 1, 2, 3, 4, 5];
const NARROW_POINTS: f32 = 640.0;

/// Returns the row key of an action item: even for operations, odd for print jobs.
pub(super) const fn row_key(matter: ActionItem) -> u64 {
    match matter {
        ActionItem::Operation(id) => id.0.cast_unsigned() << 1,
        ActionItem::Job(id) => (id.0.cast_unsigned() << 1) | 1,
    }
}

struct ItemRows<'a> {
    shared: &'a Shared,
    rows: &'a [ActionItem],
    columns: &'static [usize],
    today: LocalTime,
}

/// The contents of a row.
struct Row<'a> {
    what: &'static str,
    title: &'a str,
    number: &'a str,
    since: jiff::Timestamp,
    checks: String,
}

impl ItemRows<'_> {
    fn row(&self, matter: ActionItem) -> Option<Row<'_>> {
        match matter {
            ActionItem::Operation(id) => {
                let operation = self.shared.operation(id)?;
                let number = if operation.reference.is_empty() {
                    &operation.key
                } else {
                    &operation.reference
                };
                Some(Row {
                    what: operation_text::kind_name(operation.kind),
                    title: &operation.title,
                    number,
                    since: operation.made,
                    checks: checks(self.shared, operation),
                })
            }
            ActionItem::Job(id) => {
                let job = self.shared.job(id)?;
                Some(Row {
                    what: "Label",
                    title: &job.printer,
                    number: &job.number,
                    since: job.made,
                    checks: String::new(),
                })
            }
        }
    }
}

/// Returns a row for the export.
pub(super) fn cells(shared: &Shared, matter: ActionItem) -> Option<Vec<ExportCell>> {
    let list = ItemRows {
        shared,
        rows: &[],
        columns: &WIDE,
        today: LocalTime::at(shared.now, &shared.zone),
    };
    let row = list.row(matter)?;
    let state = operation_text::item_state(shared, matter).map_or("", |look| look.word);
    let text = |text: &str| ExportCell::Text(text.to_owned());
    Some(vec![
        text(state),
        text(row.what),
        text(row.title),
        text(row.number),
        ExportCell::Time(LocalTime::at(row.since, &shared.zone).0),
        text(&row.checks),
    ])
}

/// Returns how often the service was checked for an operation, and while checks go on, how often it will be:
/// `2 of 6`.
fn checks(shared: &Shared, operation: &crate::state::Operation) -> String {
    let of = shared.next_checks.get(&operation.id);
    match (operation.state, of) {
        (OperationState::Unknown, Some(look)) => format!("{} of {}", operation.checks, look.total),
        _ if operation.checks > 0 => operation.checks.to_string(),
        _ => String::new(),
    }
}

impl Rows for ItemRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.rows
            .get(index)
            .map_or(u64::MAX, |matter| row_key(*matter))
    }

    fn name(&self, index: usize) -> String {
        let matter = self.rows.get(index).copied();
        let row = matter
            .and_then(|matter| Some((operation_text::item_state(self.shared, matter)?, matter)));
        let Some((look, matter)) = row else {
            return String::new();
        };
        self.row(matter).map_or_else(String::new, |row| {
            format!("{} {} {}, {}", row.what, row.title, row.number, look.word)
        })
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(matter) = self.rows.get(index).copied() else {
            return;
        };
        let Some(row) = self.row(matter) else { return };
        match self.columns[column] {
            0 => {
                if let Some(look) = operation_text::item_state(self.shared, matter) {
                    cell.badge(&look.badge());
                }
            }
            1 => cell.muted(row.what),
            2 => cell.text(row.title),
            3 => cell.mono(row.number),
            4 => {
                let at = LocalTime::at(row.since, &self.shared.zone);
                if at.0.date() == self.today.0.date() {
                    cell.muted(&clock(row.since, &self.shared.zone));
                } else {
                    cell.muted(&day(at));
                }
            }
            _ => cell.muted(&row.checks),
        }
    }
}

fn filter_id() -> Id {
    Id::unique("operations filter")
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    if context.is_triggered(Action::FilterOperations) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    Card::plain().flush().fill_height().show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| head(ui, context, state));
            if state.index.rows().is_empty() {
                nothing(ui, context.shared, state);
            } else {
                rows(ui, context, state);
            }
        },
    );
}

fn nothing(ui: &mut Ui, shared: &Shared, state: &OperationsScreen) {
    let (icon, headline, advice) = if !state.filter.trim().is_empty() {
        (icons::ICON_SEARCH, "No results", "Shorten the filter")
    } else if shared.action_items.all().is_empty() {
        (
            icons::ICON_CHECK_CIRCLE,
            "Nothing sent yet",
            "Everything you send is listed here",
        )
    } else {
        (
            icons::ICON_CHECK_CIRCLE,
            "No open operations",
            "Everything you sent is finished",
        )
    };
    empty_state(ui, icon, headline, advice, None);
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    let shared = context.shared;
    let columns: &'static [usize] = if ui.available_width() < NARROW_POINTS {
        &NARROW
    } else {
        &WIDE
    };
    let shown: Vec<Column> = columns.iter().map(|column| ALL[*column]).collect();
    let mut list = ItemRows {
        shared,
        rows: state.index.rows(),
        columns,
        today: LocalTime::at(shared.now, &shared.zone),
    };
    // The cursor follows the shown item, which may have been selected elsewhere.
    let chosen = shared.action_item.of.map(row_key);
    if let Some(chosen) = chosen.filter(|chosen| Some(*chosen) != state.table.selection.cursor()) {
        state.table.selection.tick_only(chosen);
        state.table.reveal_cursor();
    }
    let before = state.table.selection.cursor();
    Table::new("Operations", &shown)
        .column_set(columns.len())
        .show(ui, &mut state.table, &mut list);
    // Only one row can be selected: the shown one.
    let cursor = state.table.selection.cursor();
    if let Some(cursor) = cursor {
        state.table.selection.tick_only(cursor);
    }
    if cursor != before
        && let Some(matter) = state
            .index
            .rows()
            .iter()
            .find(|matter| Some(row_key(**matter)) == cursor)
    {
        context.push(OperationsCommand::Select(*matter));
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    let matters = &context.shared.action_items;
    let (open, all) = (matters.open().len(), matters.all().len());
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::title("Operations"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let toggle = Action::AllOperations.entry();
            for (words, for_all) in [
                (format!("All {}", grouped(all)), true),
                (format!("Open {}", grouped(open)), false),
            ] {
                let button = Button::new(&words).selected(state.all == for_all);
                let tip = format!("{} ({})", toggle.tooltip, Action::AllOperations.key());
                if ui.add(button).on_hover_text(tip).clicked() {
                    state.all = for_all;
                }
            }
            let width = ui.available_width().clamp(90.0, 200.0);
            ui.allocate_ui(vec2(width, size::FIELD), |ui| {
                let key = Action::FilterOperations.key();
                let shown = Field::new("Filter", &mut state.filter)
                    .id(filter_id())
                    .icon(icons::ICON_SEARCH)
                    .hint("Filter")
                    .key(&key)
                    .on_enter(OnEnter::Stay)
                    .hide_label()
                    .show(ui);
                filter::focus_rows(ui, &shown, &mut state.filter, &mut state.table);
            });
        });
    });
}
