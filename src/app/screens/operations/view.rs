//! The Operations screen: the list of operations and print jobs on the left, the selected one on the right.
//!
//! Invariant: an unknown result is drawn neither as a success nor as a failure. Every decision explains its
//! consequence before the clerk makes it.

mod benches;
mod detail;
pub(crate) mod operation_text;

use egui::{Align, Id, Layout, Ui, vec2};
use operation_text::summary;

use crate::state::{ActionItem, Editing, ExportCell, OperationState, OperationsCommand, Shared};
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows};
use crate::ui::format::{grouped, time_or_day};
use crate::ui::lists::focus_rows;
use crate::ui::{Context, ScreenView};
use shipping::LocalTime;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::table::{Cell, Column, Rows, Table};
use widgets::tokens::size;
use widgets::{icons, layout, table, text};

/// State of the screen.
#[derive(Default)]
pub(crate) struct OperationsScreen {
    filter: String,
    /// Lists all action items, not only open items.
    all: bool,
    table: table::TableState,
    index: FilteredItems,
    export: crate::ui::export::ExportDialog,
    unclaimed: detail::UnclaimedForm,
    benches: benches::BenchesPane,
}

impl OperationsScreen {
    /// Draws all benches of the workgroup instead of this bench's operations.
    fn show_benches(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.horizontal(|ui| {
            let key = Action::AllBenches.key();
            if ui.add(Button::new("This bench").key(&key)).clicked() {
                context.push(OperationsCommand::ShowBenches(false));
            }
        });
        self.benches.show(ui, context);
        if context.is_triggered(Action::ExportOperations)
            && let Some(export) = self.benches.export(context.shared)
        {
            self.export.begin(export, context);
        }
        self.export.show(ui, context);
    }
}

impl ScreenView for OperationsScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.export.is_open()
    }

    fn offer_focus(&mut self) {
        self.table.request_focus_if_free();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        if context.is_triggered(Action::AllOperations) {
            self.all = !self.all;
        }
        if context.is_triggered(Action::AllBenches) {
            let is_shown = context.shared.operations.benches.is_shown;
            context.push(OperationsCommand::ShowBenches(!is_shown));
        }
        if context.shared.operations.benches.is_shown {
            self.show_benches(ui, context);
            return;
        }
        self.index.refresh(context.shared, &self.filter, self.all);
        let room = ui.available_width() - size::GUTTER;
        let right = (room * 0.44).clamp(404.0, 660.0);
        layout::panes(ui, &[room - right, right], |pane, ui| {
            if pane == 0 {
                list_card(ui, context, self);
            } else {
                detail::card(ui, context, &mut self.unclaimed);
            }
        });
        export(ui, context, self);
    }
}

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
const fn row_key(item: ActionItem) -> u64 {
    match item {
        ActionItem::Operation(id) => id.0.cast_unsigned() << 1,
        ActionItem::Job(id) => (id.0.cast_unsigned() << 1) | 1,
    }
}

/// The action items that the list shows. They are selected again only when something has changed, not in every frame.
#[derive(Debug, Default)]
struct FilteredItems {
    /// Version of the action items, filter, whether all are listed, and the selected item.
    inputs: (u64, String, bool, Option<ActionItem>),
    rows: Vec<ActionItem>,
}

impl FilteredItems {
    /// Selects the rows again if the action items, the filter or the selected item have changed. The selected
    /// item stays in the list when it is no longer open, so that the clerk sees its result.
    fn refresh(&mut self, shared: &Shared, filter: &str, all: bool) {
        let (items, shown) = (
            &shared.operations.action_items,
            shared.operations.action_item.of,
        );
        let inputs = (items.version(), filter.to_lowercase(), all, shown);
        if self.inputs == inputs {
            return;
        }
        let needles: Vec<&str> = inputs.1.split_whitespace().collect();
        let fits = |item: &ActionItem| {
            let text = { !needles.is_empty() }.then(|| filter_text(shared, *item));
            text.is_none_or(|text| needles.iter().all(|word| text.contains(word)))
        };
        let open = items.open().len();
        self.rows = { items.all().iter().copied().enumerate() }
            .filter(|(at, item)| all || *at < open || Some(*item) == shown)
            .map(|(_, item)| item)
            .filter(fits)
            .collect();
        self.inputs = inputs;
    }
}

/// Returns the text of an action item that the filter searches, in lower case.
fn filter_text(shared: &Shared, item: ActionItem) -> String {
    let Some(summary) = summary(shared, item) else {
        return String::new();
    };
    let more = match item {
        ActionItem::Operation(id) => shared.operations.by_id(id).map(|operation| {
            let ids: Vec<_> = { operation.consignments.iter() }
                .map(|id| format!("ms{id}"))
                .collect();
            format!(
                "{} {} {}",
                operation.reference,
                operation.key,
                ids.join(" ")
            )
        }),
        ActionItem::Job(_) => Some(format!("{} print", summary.title)),
    };
    let (heading, word) = (summary.heading, summary.state.word);
    format!("{heading} {} {word}", more.unwrap_or_default()).to_lowercase()
}

struct ItemRows<'a> {
    shared: &'a Shared,
    rows: &'a [ActionItem],
    columns: &'static [usize],
    today: LocalTime,
}

/// Opens the export dialog for the filtered list if its action was requested, and draws the dialog.
fn export(ui: &Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    if context.is_triggered(Action::ExportOperations) {
        let shared = context.shared;
        let rows: Vec<_> = { state.index.rows.iter() }
            .filter_map(|item| cells(shared, *item))
            .collect();
        let heads = ALL.map(|column| column.title);
        let export = Export::of_cells("Operations", all_rows(rows.len()), heads, rows);
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}

/// Returns a row for the export, with the columns of [`ALL`].
fn cells(shared: &Shared, item: ActionItem) -> Option<Vec<ExportCell>> {
    let row = summary(shared, item)?;
    let text = |text: &str| ExportCell::Text(text.to_owned());
    Some(vec![
        text(row.state.word),
        text(row.kind),
        text(row.title),
        text(row.number),
        ExportCell::Time(LocalTime::at(row.since, &shared.session.zone).0),
        text(&checks(shared, item)),
    ])
}

/// Returns how many checks were made for an operation: `2`. While checks continue, adds the total: `2 of 6`.
fn checks(shared: &Shared, item: ActionItem) -> String {
    let operation = match item {
        ActionItem::Operation(id) => shared.operations.by_id(id),
        ActionItem::Job(_) => None,
    };
    let Some(operation) = operation else {
        return String::new();
    };
    let next = shared.operations.next_checks.get(&operation.id);
    match (operation.checks, next) {
        (checks, Some(next)) if operation.state == OperationState::Unknown => {
            format!("{checks} of {}", next.total)
        }
        (0, _) => String::new(),
        (checks, _) => checks.to_string(),
    }
}

impl Rows for ItemRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.rows.get(index).map_or(u64::MAX, |item| row_key(*item))
    }

    fn name(&self, index: usize) -> String {
        let item = self.rows.get(index);
        let row = item.and_then(|item| summary(self.shared, *item));
        row.map_or_else(String::new, |row| {
            format!(
                "{} {} {}, {}",
                row.kind, row.title, row.number, row.state.word
            )
        })
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(item) = self.rows.get(index).copied() else {
            return;
        };
        let Some(row) = summary(self.shared, item) else {
            return;
        };
        match self.columns[column] {
            0 => cell.badge(&row.state.badge()),
            1 => cell.muted(row.kind),
            2 => cell.text(row.title),
            3 => cell.mono(row.number),
            4 => {
                let at = LocalTime::at(row.since, &self.shared.session.zone);
                cell.muted(&time_or_day(at, self.today.0));
            }
            _ => cell.muted(&checks(self.shared, item)),
        }
    }
}

fn filter_id() -> Id {
    Id::unique("operations filter")
}

fn list_card(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    if context.is_triggered(Action::FilterOperations) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    Card::plain().flush().fill_height().body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::Frame::new()
            .inner_margin(egui::Margin::symmetric(12, 8))
            .show(ui, |ui| head(ui, context, state));
        if state.index.rows.is_empty() {
            nothing(ui, context.shared, state);
        } else {
            list_rows(ui, context, state);
        }
    });
}

fn nothing(ui: &mut Ui, shared: &Shared, state: &OperationsScreen) {
    let done = icons::ICON_CHECK_CIRCLE;
    let (icon, headline, advice) = if !state.filter.trim().is_empty() {
        (icons::ICON_SEARCH, "No results", "Shorten the filter")
    } else if shared.operations.action_items.all().is_empty() {
        let advice = "Everything you send is listed here";
        (done, "Nothing sent yet", advice)
    } else {
        (
            done,
            "No open operations",
            "Everything you sent is finished",
        )
    };
    empty_state(ui, icon, headline, advice, None);
}

fn list_rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    let shared = context.shared;
    let columns: &'static [usize] = if ui.available_width() < NARROW_POINTS {
        &NARROW
    } else {
        &WIDE
    };
    let shown: Vec<Column> = columns.iter().map(|column| ALL[*column]).collect();
    let mut list = ItemRows {
        shared,
        rows: &state.index.rows,
        columns,
        today: LocalTime::at(shared.now, &shared.session.zone),
    };
    // Moves the cursor to the shown item, which may have been selected on another screen.
    let chosen = shared.operations.action_item.of.map(row_key);
    if let Some(chosen) = chosen.filter(|chosen| Some(*chosen) != state.table.selection.cursor()) {
        state.table.selection.tick_only(chosen);
        state.table.reveal_cursor();
    }
    let before = state.table.selection.cursor();
    Table::new("Operations", &shown)
        .column_set(columns.len())
        .show(ui, &mut state.table, &mut list);
    // Only one row can be selected: the shown row.
    let cursor = state.table.selection.cursor();
    if let Some(cursor) = cursor {
        state.table.selection.tick_only(cursor);
    }
    if cursor != before {
        let mut rows = state.index.rows.iter();
        let item = rows.find(|item| Some(row_key(**item)) == cursor);
        context.push_some(item.map(|item| OperationsCommand::Select(*item)));
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    let items = &context.shared.operations.action_items;
    let (open, all) = (items.open().len(), items.all().len());
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::title("Operations"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            if context.shared.workgroup.is_some() {
                let button = ui.add(Button::new("All benches"));
                if button.on_hover_text(Action::AllBenches.tip()).clicked() {
                    context.push(OperationsCommand::ShowBenches(true));
                }
            }
            for (words, for_all) in [
                (format!("All {}", grouped(all)), true),
                (format!("Open {}", grouped(open)), false),
            ] {
                let button = Button::new(&words).selected(state.all == for_all);
                let button = ui.add(button);
                if button.on_hover_text(Action::AllOperations.tip()).clicked() {
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
                focus_rows(ui, &shown, &mut state.filter, &mut state.table);
            });
        });
    });
}
