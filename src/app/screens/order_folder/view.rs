//! The Orders screen: the orders that wait on the left, the files that came on the right.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Align, Layout, ScrollArea, Ui};

use crate::screens::consign::view::batch::send_progress;
use crate::state::{
    ConsignCommand, Editing, OrderFolderCommand, OrderFolderView, OrderStage, Screen, Shared, Tone,
    WindowCommand,
};
use crate::ui::actions::Action;
use crate::ui::format::{clock_seconds, counted, grouped, time_or_day};
use crate::ui::parts::action_button;
use crate::ui::{Context, ScreenView};
use draft::Draft;
use engine::{FolderFile, without_time};
use shipping::LocalTime;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::empty_state::empty_state;
use widgets::notice::NoticeBar;
use widgets::table::{Cell, Column, Rows, Table};
use widgets::tokens::{palette, size};
use widgets::{icons, layout, table, text};

/// Height of the details below the files, in points.
const DETAILS: f32 = 200.0;

const ORDER_COLUMNS: [Column; 5] = [
    Column::new("State", 138.0).unsorted(),
    Column::new("Reference", 120.0).unsorted(),
    Column::new("Receiver", 150.0).grow(1.0).unsorted(),
    Column::new("Carrier", 120.0).unsorted(),
    Column::new("What to do", 160.0).grow(2.0).unsorted(),
];

const FILE_COLUMNS: [Column; 4] = [
    Column::new("State", 112.0).unsorted(),
    Column::new("File", 140.0).grow(1.0).unsorted(),
    Column::new("Orders", 58.0).right().unsorted(),
    Column::new("Time", 60.0).unsorted(),
];

/// State of the screen.
#[derive(Default)]
pub(crate) struct OrderFolderScreen {
    orders: table::TableState,
    files: table::TableState,
}

impl ScreenView for OrderFolderScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        false
    }

    fn offer_focus(&mut self) {
        self.orders.request_focus_if_free();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        let shared = context.shared;
        let view = &shared.order_folder;
        if view.settings.is_none() {
            return not_set_up(ui, context);
        }
        head(ui, context, view);
        ui.add_space(size::GRID);
        for problem in [&view.problem, &view.results_problem].into_iter().flatten() {
            NoticeBar::new(problem.tone, &problem.headline)
                .what_to_do(&problem.advice)
                .show(ui);
        }
        send_progress(ui, context);
        let room = ui.available_width() - size::GUTTER;
        let right = (room * 0.4).clamp(380.0, 620.0);
        layout::panes(ui, &[room - right, right], |pane, ui| {
            if pane == 0 {
                orders_card(ui, context, &mut self.orders);
            } else {
                files_card(ui, context, view, &mut self.files);
            }
        });
    }
}

fn not_set_up(ui: &mut Ui, context: &mut Context<'_>) {
    let button = Button::new("Set up a folder…");
    let advice = "Packbench can take orders from a folder, and write their consignments to another";
    Card::plain().fill_height().body(ui, |ui| {
        let button = empty_state(
            ui,
            icons::ICON_INBOX,
            "No folder is watched",
            advice,
            Some(button),
        );
        if button.is_some_and(|button| button.clicked()) {
            context.push(crate::state::Command::Show(Screen::Settings));
        }
    });
}

/// Draws the folder with the rule for sending, and the buttons.
fn head(ui: &mut Ui, context: &mut Context<'_>, view: &OrderFolderView) {
    let shared = context.shared;
    let ready = { shared.folder_orders() }
        .filter(|draft| shared.is_ready_order(draft))
        .count();
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::title("Orders"));
        ui.label(text::small(rule_text(view)).color(palette(ui).muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let can = ready > 0 && shared.consign.run.is_none();
            if action_button(ui, context, Action::SendReadyOrders, can, Button::primary) {
                context.push(OrderFolderCommand::SendReady);
            }
            if action_button(ui, context, Action::LookIntoFolder, true, Button::new) {
                context.push(OrderFolderCommand::LookNow);
            }
            if ui.add(Button::new("Open folder")).clicked()
                && let Some(folder) = view.folder()
            {
                context.push(WindowCommand::OpenFolder(folder.clone()));
            }
            if view.is_paused && ui.add(Button::new("Resume sending")).clicked() {
                context.push(OrderFolderCommand::ResumeSending);
            }
        });
    });
    let mut told = vec![match (view.folder(), view.looked) {
        (Some(folder), Some(at)) => {
            let time = clock_seconds(at, &shared.session.zone);
            format!("{}, last checked {time}", folder.display())
        }
        (Some(folder), None) => folder.display().to_string(),
        (None, _) => String::new(),
    }];
    if let Some(outbox) = view
        .settings
        .as_ref()
        .and_then(|settings| settings.outbox.as_ref())
    {
        let (written, due) = (view.results.written as usize, view.results.due as usize);
        let due = if due > 0 {
            format!(", {} to write", grouped(due))
        } else {
            String::new()
        };
        let results = counted(written, "result", "results");
        told.push(format!("{results} written to {}{due}", outbox.display()));
    }
    text::small_note(ui, told.join(" · "));
}

fn rule_text(view: &OrderFolderView) -> String {
    if view.is_paused {
        return "Sending by itself is paused".to_owned();
    }
    match view.send_rule() {
        None => "Orders wait until you send them".to_owned(),
        Some(rule) => match rule.price_limit {
            None => "Orders without problems are sent by themselves".to_owned(),
            Some(limit) => format!("Orders up to ${:.2} are sent by themselves", limit.0),
        },
    }
}

fn orders_card(ui: &mut Ui, context: &mut Context<'_>, state: &mut table::TableState) {
    let shared = context.shared;
    let orders: Vec<_> = shared.folder_orders().collect();
    let count = counted(orders.len(), "order waiting", "orders waiting");
    Card::new(&count)
        .icon(icons::ICON_INBOX)
        .flush()
        .fill_height()
        .body(ui, |ui| {
            if orders.is_empty() {
                let advice = "Orders from the folder are listed here until they are sent";
                empty_state(
                    ui,
                    icons::ICON_CHECK_CIRCLE,
                    "No orders are waiting",
                    advice,
                    None,
                );
                return;
            }
            let mut rows = OrderRows { shared, orders };
            let shown = Table::new("Orders waiting", &ORDER_COLUMNS).show(ui, state, &mut rows);
            if let Some(draft) = shown.opened.and_then(|at| rows.orders.get(at)) {
                context.push(ConsignCommand::OpenDraft(draft.id.clone()));
                context.push(crate::state::Command::Show(Screen::Consign));
            }
        });
}

struct OrderRows<'a> {
    shared: &'a Shared,
    orders: Vec<&'a Draft>,
}

fn stage_badge(stage: &OrderStage) -> Badge<'static> {
    match stage {
        OrderStage::Ready => Badge::new(Tone::Ok, "ready").icon(icons::ICON_CHECK),
        OrderStage::InRun => Badge::new(Tone::Accent, "sending").icon(icons::ICON_SEND),
        OrderStage::NeedsAttention(_) => {
            Badge::new(Tone::Warning, "needs attention").icon(icons::ICON_WARNING)
        }
        OrderStage::NotCheckedYet => Badge::new(Tone::Neutral, "checking"),
    }
}

impl Rows for OrderRows<'_> {
    fn count(&self) -> usize {
        self.orders.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.orders
            .get(index)
            .map_or(u64::MAX, |draft| key_of(draft.id.as_str()))
    }

    fn name(&self, index: usize) -> String {
        let Some(draft) = self.orders.get(index) else {
            return String::new();
        };
        let stage = self.shared.order_stage(draft);
        let state = match &stage {
            OrderStage::Ready => "ready",
            OrderStage::InRun => "sending",
            OrderStage::NeedsAttention(reason) => reason,
            OrderStage::NotCheckedYet => "checking",
        };
        format!("{} to {}, {state}", draft.title(), draft.to.title())
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(draft) = self.orders.get(index) else {
            return;
        };
        match column {
            0 => cell.badge(&stage_badge(&self.shared.order_stage(draft))),
            1 => cell.mono(draft.reference1.trim()),
            2 => cell.text(draft.to.title()),
            3 => cell.muted(&draft.routing.label()),
            _ => match self.shared.order_stage(draft) {
                OrderStage::NeedsAttention(reason) => cell.text(&reason),
                OrderStage::Ready if draft.was_opened => {
                    cell.muted("Opened by you: send it yourself");
                }
                _ => {}
            },
        }
    }
}

fn key_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

struct FileRows<'a> {
    shared: &'a Shared,
    view: &'a OrderFolderView,
    today: LocalTime,
}

fn files_card(
    ui: &mut Ui,
    context: &mut Context<'_>,
    view: &OrderFolderView,
    state: &mut table::TableState,
) {
    let shared = context.shared;
    Card::new("Files")
        .icon(icons::ICON_DESCRIPTION)
        .flush()
        .fill_height()
        .body(ui, |ui| {
            let mut rows = FileRows {
                shared,
                view,
                today: LocalTime::at(shared.now, &shared.session.zone),
            };
            if rows.count() == 0 {
                let advice = "Put CSV or JSON files of orders into the folder";
                empty_state(ui, icons::ICON_INBOX, "No files yet", advice, None);
                return;
            }
            let height = (ui.available_height() - DETAILS).max(100.0);
            ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
                Table::new("Files", &FILE_COLUMNS).show(ui, state, &mut rows);
            });
            card::rule(ui);
            let cursor = state.selection.cursor();
            let cursor = cursor.and_then(|key| rows.find(key)).unwrap_or(0);
            egui::Frame::new()
                .inner_margin(12)
                .show(ui, |ui| details(ui, context, view, cursor));
        });
}

/// Draws what happened to the file at this row of the list.
fn details(ui: &mut Ui, context: &mut Context<'_>, view: &OrderFolderView, row: usize) {
    let words = match (view.waiting.get(row), view.taken(row)) {
        (Some(waiting), _) => {
            ui.label(text::mono_strong(&waiting.name));
            match waiting.reason.as_str() {
                "" => "Packbench takes the file once it has not changed for 2 seconds".to_owned(),
                reason => format!("{reason}. Packbench tries again by itself"),
            }
        }
        (None, Some(file)) => {
            ui.horizontal(|ui| {
                ui.label(text::mono_strong(&file.name));
                if file.orders == 0
                    && ui
                        .add(Button::new("Try again").small())
                        .on_hover_text("Move the file back into the watched folder")
                        .clicked()
                {
                    context.push(OrderFolderCommand::Retry(file.name.clone()));
                }
            });
            match file.reasons.as_str() {
                "" => format!("{} taken", counted(file.orders as usize, "order", "orders")),
                reasons => reasons.to_owned(),
            }
        }
        (None, None) => return,
    };
    ScrollArea::vertical()
        .id_salt("reasons")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.label(text::body(words));
        });
}

fn file_badge(file: &FolderFile) -> Badge<'static> {
    match (file.orders, file.rejected) {
        (0, _) => Badge::new(Tone::Bad, "failed").icon(icons::ICON_ERROR),
        (_, 0) => Badge::new(Tone::Ok, "taken").icon(icons::ICON_CHECK),
        _ => Badge::new(Tone::Warning, "partly taken").icon(icons::ICON_WARNING),
    }
}

impl OrderFolderView {
    /// Returns the taken file at this row. The files that wait are listed before it.
    fn taken(&self, row: usize) -> Option<&FolderFile> {
        self.files.get(row.checked_sub(self.waiting.len())?)
    }
}

impl Rows for FileRows<'_> {
    fn count(&self) -> usize {
        self.view.waiting.len() + self.view.files.len()
    }

    fn key(&self, index: usize) -> u64 {
        let waiting = self.view.waiting.get(index).map(|file| file.name.as_str());
        let name = waiting.or_else(|| Some(self.view.taken(index)?.name.as_str()));
        name.map_or(u64::MAX, key_of)
    }

    fn name(&self, index: usize) -> String {
        match (self.view.waiting.get(index), self.view.taken(index)) {
            (Some(waiting), _) => format!("{}, waiting", waiting.name),
            (None, Some(file)) => format!(
                "{}, {} taken, {} rejected",
                without_time(&file.name),
                file.orders,
                file.rejected
            ),
            (None, None) => String::new(),
        }
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        if let Some(waiting) = self.view.waiting.get(index) {
            match column {
                0 => cell.badge(&Badge::new(Tone::Neutral, "waiting").icon(icons::ICON_SCHEDULE)),
                1 => cell.text(&waiting.name),
                _ => {}
            }
            return;
        }
        let Some(file) = self.view.taken(index) else {
            return;
        };
        match column {
            0 => cell.badge(&file_badge(file)),
            1 => cell.text(without_time(&file.name)),
            2 => cell.text(&grouped(file.orders as usize)),
            _ => {
                let at = LocalTime::at(file.at, &self.shared.session.zone);
                cell.muted(&time_or_day(at, self.today.0));
            }
        }
    }
}
