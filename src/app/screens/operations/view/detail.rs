//! The details of an action item: state, next step, decisions, locked consignments and history.

use egui::{
    Align, Align2, CornerRadius, Id, Label, Layout, Rect, RichText, Role, ScrollArea, Sense,
    TextWrapMode, Ui, UiBuilder, WidgetInfo, WidgetText, vec2,
};
use jiff::Timestamp;

use super::operation_text::{ItemSummary, StateLabel, job_state, operation_state, summary};
use crate::launcher::capitalised;
use crate::state::{
    ActionItem, Command, JobState, LabelsCommand, Notice, Operation, OperationDecision,
    OperationId, OperationKind, OperationState, OperationsCommand, PrintJob, Shared, WindowCommand,
};
use crate::ui::actions::Action;
use crate::ui::format::{clock_seconds, counted, day, zone_name};
use crate::ui::frame::notices;
use crate::ui::parts::{reason_field, timeline_step};
use crate::ui::{Context, environment};
use engine::{COMPARED_VALUES, Payload};
use shipping::{Consignment, ConsignmentId, ConsignmentRequest, LocalTime};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::empty_state::empty_state;
use widgets::hold_button::HoldButton;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, key_cap, paint, text};
use workgroup::WorkgroupState;

/// Maximum number of consignments that are listed.
const NAMED: usize = 12;

/// Width of the icon of a step, in points.
const MARK: f32 = 22.0;

/// The form in which the clerk gives a reason to send an operation while the workgroup's database is away.
#[derive(Debug, Default)]
pub(super) struct UnclaimedForm {
    of: Option<OperationId>,
    reason: String,
}

const UNCLAIMED_REASONS: [&str; 3] = [
    "The courier is waiting",
    "No other bench works today",
    "The other benches were asked",
];

impl UnclaimedForm {
    /// Draws the form if the operation waits for the database.
    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, operation: &Operation) {
        let workgroup = context.shared.workgroup.as_ref();
        let is_away = workgroup.is_some_and(|one| one.state != WorkgroupState::Connected);
        if operation.state != OperationState::Absent || !is_away {
            return;
        }
        if self.of != Some(operation.id) {
            *self = Self {
                of: Some(operation.id),
                reason: String::new(),
            };
        }
        rule(ui);
        ui.label(text::strong("Send without the workgroup"));
        let words = "Packbench can't tell whether another bench works on the same. Ask there first. Your reason is kept \
                     with the operation";
        text::note(ui, words);
        let id = Id::unique("send without the workgroup");
        reason_field(ui, id, &mut self.reason, &UNCLAIMED_REASONS, |_| None);
        let reason = self.reason.trim().to_owned();
        let hold = HoldButton::new("Hold to send without the workgroup").secondary();
        let held = ui.add_enabled_ui(!reason.is_empty(), |ui| hold.show(ui));
        if held.inner.completed {
            let decision = OperationDecision::SendUnclaimed(reason);
            context.push(OperationsCommand::Decide(operation.id, decision));
            *self = Self::default();
        }
    }
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, unclaimed: &mut UnclaimedForm) {
    let shared = context.shared;
    let chosen = shared.operations.action_item.of;
    let chosen = chosen.and_then(|item| Some((item, summary(shared, item)?)));
    let Some((item, summary)) = chosen else {
        Card::plain().fill_height().body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let headline = "No operation selected";
            let advice = "Select an operation to see its history";
            empty_state(ui, icons::ICON_TASK_ALT, headline, advice, None);
        });
        return;
    };
    let look = summary.state;
    let mut card = Card::new(&summary.heading).fill_height().flush();
    if matches!(look.tone, Tone::Warning | Tone::Unknown | Tone::Bad) {
        card = card.tone(look.tone);
    }
    card.show(
        ui,
        |ui| drop(look.badge().show(ui)),
        |ui| {
            let scroll = ScrollArea::vertical().id_salt(super::row_key(item));
            scroll.auto_shrink(false).show(ui, |ui| {
                let frame = egui::Frame::new().inner_margin(size::CARD_PADDING);
                frame.show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.spacing_mut().item_spacing.y = size::GRID;
                    body(ui, context, (item, &summary), unclaimed);
                });
            });
        },
    );
}

fn body(
    ui: &mut Ui,
    context: &mut Context<'_>,
    (item, summary): (ActionItem, &ItemSummary<'_>),
    unclaimed: &mut UnclaimedForm,
) {
    let shared = context.shared;
    if !summary.message.is_empty() {
        line(ui, summary.state.icon, summary.state.tone, summary.message);
    }
    let (operation, next_step) = match item {
        ActionItem::Operation(id) => {
            let operation = shared.operations.by_id(id);
            (
                operation,
                operation.map(|operation| of_operation(shared, operation)),
            )
        }
        ActionItem::Job(id) => (None, shared.labels.job(id).map(of_job)),
    };
    line(
        ui,
        icons::ICON_MANAGE_SEARCH,
        Tone::Neutral,
        &next_step.unwrap_or_default(),
    );
    if let Some(operation) = operation {
        found(ui, context, operation);
    }
    decisions(ui, context, item);
    if let Some(operation) = operation {
        unclaimed.show(ui, context, operation);
    }
    let ids = operation.filter(|operation| operation.state.is_open());
    let ids = ids.map_or(&[][..], |operation| &operation.consignments);
    if !ids.is_empty() {
        rule(ui);
        locked_consignments(ui, context, ids);
    }
    rule(ui);
    history(ui, shared, item);
    if let Some(operation) = operation {
        facts(ui, operation);
    }
}

/// Draws a line of text with an icon.
fn line(ui: &mut Ui, icon: Icon, tone: Tone, words: &str) {
    let p = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        text::decorative_icon(ui, icon, size::ICON, tone.ink(p));
        let ink = if tone == Tone::Neutral {
            p.muted
        } else {
            p.text
        };
        ui.add(Label::new(text::body(words).color(ink)).wrap());
    });
}

/// Describes the next automatic step for an operation.
fn of_operation(shared: &Shared, operation: &Operation) -> String {
    match operation.state {
        OperationState::Ready => "Sent automatically once earlier operations are sent".to_owned(),
        OperationState::Sending => {
            let since = clock_seconds(operation.changed, &shared.session.zone);
            format!("Waiting for an answer since {since}")
        }
        OperationState::Unknown => match shared.operations.next_checks.get(&operation.id) {
            Some(next) => {
                let at = clock_seconds(next.at, &shared.session.zone);
                let number = (operation.checks + 1).min(next.total);
                format!("Next check at {at} ({number} of {})", next.total)
            }
            None => "Packbench will check again automatically".to_owned(),
        },
        OperationState::Absent if operation.kind == OperationKind::Create => {
            "Nothing is sent automatically. You will get a message if the service has it after all"
                .to_owned()
        }
        OperationState::Absent => "Nothing is sent automatically".to_owned(),
        OperationState::Conflict => "Waiting for your decision".to_owned(),
        OperationState::Ask => {
            "This can't be checked automatically. Please check it yourself".to_owned()
        }
        OperationState::Done => "Nothing left to do".to_owned(),
        OperationState::Rejected => {
            "Nothing was changed, and nothing is sent automatically".to_owned()
        }
        OperationState::Discarded => "No longer checked".to_owned(),
    }
}

fn of_job(job: &PrintJob) -> String {
    let printer = &job.printer;
    match job.state {
        JobState::Spooling => format!("On its way to {printer}"),
        JobState::Sent => format!("Sent to {printer}; Packbench can't tell whether it printed"),
        JobState::Failed => "Nothing is reprinted automatically".to_owned(),
        JobState::Ask => format!("Packbench can't tell whether {printer} printed it"),
        JobState::Printed => "Nothing left to do".to_owned(),
    }
}

/// Draws the consignments found at the service, if the operation is in conflict.
fn found(ui: &mut Ui, context: &Context<'_>, operation: &Operation) {
    let shared = context.shared;
    let view = &shared.operations.action_item;
    if operation.state != OperationState::Conflict {
        return;
    }
    if let Some(problem) = view.found.problem() {
        let notice = Notice::failed("Couldn't fetch the consignments from the service", problem);
        notices::bar(&notice).show(ui);
    }
    let Some(found) = view.found.value() else {
        if view.found.is_loading() {
            let words = "Fetching the consignments from the service";
            line(ui, icons::ICON_CLOUD_SYNC, Tone::Neutral, words);
        }
        return;
    };
    rule(ui);
    if operation.kind == OperationKind::Create {
        let sent = match operation.payload() {
            Some(Payload::Create(sent)) => Some(&**sent),
            _ => None,
        };
        comparison(ui, found, sent);
        return;
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    let p = palette(ui);
    for one in found.iter().take(NAMED) {
        ui.horizontal(|ui| {
            ui.label(text::mono(&one.consignment_number));
            let status = one.status().map_or("", |status| status.name.as_str());
            let tone = if one.is_unmanifested() {
                Tone::Neutral
            } else {
                Tone::Accent
            };
            Badge::new(tone, status).show(ui);
            let to = one.to_name.as_deref().unwrap_or_default();
            ui.add(Label::new(text::body(to).size(size::CELL).color(p.muted)).truncate());
        });
    }
    more(ui, found.len());
    ui.spacing_mut().item_spacing.y = size::GRID;
}

fn more(ui: &mut Ui, count: usize) {
    if count > NAMED {
        text::small_note(ui, format!("and {} more", count - NAMED));
    }
}

/// Draws the locked consignments. Each number is a button that opens the consignment.
fn locked_consignments(ui: &mut Ui, context: &mut Context<'_>, ids: &[ConsignmentId]) {
    let count = counted(ids.len(), "consignment", "consignments");
    let words =
        format!("{count} locked: can't be grouped, edited or deleted until this is resolved");
    line(ui, icons::ICON_LOCK, Tone::Unknown, &words);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for id in ids.iter().take(NAMED) {
            let number = context.shared.number(*id);
            let button = ui.add(Button::new(&number).small());
            if button.on_hover_text("Show it on Dispatch").clicked() {
                context.push(WindowCommand::Find(number));
            }
        }
    });
    more(ui, ids.len());
}

/// Draws facts for troubleshooting: the operation's key, and how often it was sent.
fn facts(ui: &mut Ui, operation: &Operation) {
    let times = match operation.attempt {
        0 => "Never sent".to_owned(),
        1 => "Sent once".to_owned(),
        2 => "Sent twice".to_owned(),
        times => format!("Sent {times} times"),
    };
    let key = match operation.key.as_str() {
        "" => String::new(),
        key => format!(" · key {key}"),
    };
    let ink = palette(ui).muted;
    let words = text::small(format!("{times}{key}")).color(ink);
    ui.add(Label::new(words).selectable(true).wrap());
}

/// Draws the history, oldest step first, with times to the second.
fn history(ui: &mut Ui, shared: &Shared, item: ActionItem) {
    ui.horizontal(|ui| {
        ui.label(text::strong("History"));
        let zone = zone_name(shared.now, &shared.session.zone);
        let clocks = match shared.session.place.as_str() {
            "" => zone,
            place => format!("{place} time, {zone}"),
        };
        text::small_note(ui, clocks);
    });
    let view = &shared.operations.action_item;
    let problem = view.history.problem().or(view.job_history.problem());
    if let Some(problem) = problem {
        let notice = Notice::failed("Couldn't read the history", problem);
        notices::bar(&notice).show(ui);
    }
    let steps: Vec<(StateLabel, &str, Timestamp)> = match item {
        ActionItem::Operation(_) => { view.history.value().into_iter().flatten() }
            .map(|step| (operation_state(step.state), step.words.as_str(), step.at))
            .collect(),
        ActionItem::Job(_) => { view.job_history.value().into_iter().flatten() }
            .map(|step| (job_state(step.state), step.words.as_str(), step.at))
            .collect(),
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut before = LocalTime::at(shared.now, &shared.session.zone).0.date();
    for (at, (state, words, time)) in steps.iter().enumerate() {
        let local = LocalTime::at(*time, &shared.session.zone);
        let date = local.0.date();
        // The day is only shown if it differs from the previous line, or from today in the first line.
        let day = if date == before {
            String::new()
        } else {
            day(local)
        };
        before = date;
        let ink = state.tone.ink(palette(ui));
        let mark = |ui: &Ui, rect: Rect| {
            let icon = paint::icon(ui, state.icon, size::ICON, ink);
            paint::text_at(ui.painter(), Align2::CENTER_CENTER, rect.center(), icon);
        };
        let (time, is_last) = (
            clock_seconds(*time, &shared.session.zone),
            at + 1 == steps.len(),
        );
        timeline_step(ui, (&time, &day), is_last, MARK, mark, |ui| {
            ui.label(text::strong(capitalised(state.word)).color(ink));
            if !words.is_empty() {
                let words = text::body(*words).size(size::CELL).color(palette(ui).text);
                ui.add(Label::new(words).wrap());
            }
        });
    }
}

const LABEL: f32 = 84.0;
const NARROWEST: f32 = 118.0;
const COMPARED_ROW: f32 = 24.0;

/// A column of the comparison: a consignment found at the service, or the consignment that was sent.
struct ComparisonColumn {
    head: String,
    /// The compared values, then the status; `None` if unknown.
    cells: Vec<Option<String>>,
    /// Text for unknown values.
    silence: &'static str,
}

/// Draws a comparison of the consignments found at the service. If only one was found, compares it with `sent`.
fn comparison(ui: &mut Ui, found: &[Consignment], sent: Option<&ConsignmentRequest>) {
    let sent = sent.filter(|_| found.len() == 1).map(of_request);
    let found = found.iter().map(of_consignment);
    let sides: Vec<_> = sent.into_iter().chain(found).collect();
    if sides.is_empty() {
        return;
    }
    let count = sides.len() as f32;
    let room = ui.available_width() - LABEL - size::GRID * count;
    let width = (room / count).max(NARROWEST);
    let scroll = ScrollArea::horizontal().id_salt("twins");
    scroll.auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(size::GRID, 2.0);
        ui.spacing_mut().interact_size.y = COMPARED_ROW;
        let heads = sides.iter().map(|side| text::mono_strong(&side.head));
        compared_line(ui, "", false, width, heads);
        let labels = COMPARED_VALUES.iter().map(|value| value.label);
        for (at, field) in labels.chain(["Status"]).enumerate() {
            let mut known = sides.iter().filter_map(|side| side.cells[at].as_deref());
            let first = known.next();
            let differs = known.any(|cell| Some(cell) != first);
            let cells = sides.iter().map(|side| {
                let words = side.cells[at].as_deref().unwrap_or(side.silence);
                let words = if differs {
                    text::strong(words)
                } else {
                    text::body(words)
                };
                words.size(size::CELL)
            });
            compared_line(ui, field, differs, width, cells);
        }
    });
}

fn compared_line(
    ui: &mut Ui,
    field: &str,
    differs: bool,
    width: f32,
    cells: impl Iterator<Item = RichText>,
) {
    let p = palette(ui);
    let layout = Layout::left_to_right(Align::Center);
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(LABEL, COMPARED_ROW), layout, |ui| {
            ui.set_width(LABEL);
            ui.spacing_mut().item_spacing.x = 4.0;
            text::small_note(ui, field);
            if differs {
                let mark = text::decorative_icon(ui, icons::ICON_DIFFERENCE, 15.0, p.warning);
                mark.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Different"));
                mark.on_hover_text("Different");
            }
        });
        for words in cells {
            let (rect, _) = ui.allocate_exact_size(vec2(width, COMPARED_ROW), Sense::hover());
            if differs {
                let radius = CornerRadius::same(size::PILL_RADIUS);
                ui.painter().rect_filled(rect, radius, p.warning_weak);
            }
            let inner = UiBuilder::new().max_rect(rect.shrink2(vec2(6.0, 0.0)));
            let mut cell = ui.new_child(inner.layout(layout));
            cell.add(Label::new(words.color(p.text)).truncate());
        }
    });
}

fn of_consignment(one: &Consignment) -> ComparisonColumn {
    let status = one.status().map(|status| status.name.clone());
    let values = COMPARED_VALUES.iter().map(|value| value.of_found(one));
    ComparisonColumn {
        head: one.consignment_number.clone(),
        cells: values.chain([status]).collect(),
        silence: "unknown",
    }
}

fn of_request(sent: &ConsignmentRequest) -> ComparisonColumn {
    let values = COMPARED_VALUES.iter().map(|value| value.of_sent(sent));
    ComparisonColumn {
        head: "As sent".to_owned(),
        cells: values.chain([None]).collect(),
        silence: "",
    }
}

/// Width of the buttons, in points.
const DECISION: f32 = 206.0;

/// How a decision is triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    /// A click or the action's shortcut, on a primary button: the decision that is wanted most often.
    Primary(Action),
    Press(Action),
    /// A click, or Alt and a digit: position 0 is Alt+1.
    Digit(usize),
    /// The button must be held, because the decision can't be undone.
    Hold(Option<Action>),
}

/// A decision that the clerk can make.
struct DecisionOption {
    command: Command,
    words: String,
    meaning: String,
    trigger: Trigger,
    /// Whether the decision sends something to the service.
    changes_service: bool,
}

fn decisions(ui: &mut Ui, context: &mut Context<'_>, item: ActionItem) {
    let shared = context.shared;
    let options = match item {
        ActionItem::Operation(id) => {
            { shared.operations.by_id(id) }.map(|operation| options_of_operation(shared, operation))
        }
        ActionItem::Job(id) => shared.labels.job(id).map(options_of_job),
    };
    let Some(options) = options.filter(|options| !options.is_empty()) else {
        return;
    };
    rule(ui);
    ui.add_space(2.0);
    if options.iter().any(|option| option.changes_service) {
        environment::line(ui, shared);
    }
    for option in options {
        if is_made(ui, context, &option) {
            context.push(option.command);
        }
    }
}

/// Draws a decision. Returns whether the clerk made it.
fn is_made(ui: &mut Ui, context: &Context<'_>, option: &DecisionOption) -> bool {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::FIELD_GAP;
        let room = vec2(DECISION, size::BUTTON);
        let layout = Layout::top_down(Align::Min);
        let made = ui.allocate_ui_with_layout(room, layout, |ui| {
            ui.set_width(DECISION);
            decision_button(ui, context, option)
        });
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let meaning = text::small(&option.meaning).color(palette(ui).muted);
            let (words, wrap) = (WidgetText::from(meaning.clone()), Some(TextWrapMode::Wrap));
            let lines = words.into_galley(ui, wrap, ui.available_width(), text::small_font());
            // Centre the text beside its button, unless the text is higher than the button.
            ui.add_space(((size::BUTTON - lines.size().y) / 2.0).max(0.0));
            ui.add(Label::new(meaning).wrap());
        });
        made.inner
    })
    .inner
}

fn decision_button(ui: &mut Ui, context: &Context<'_>, option: &DecisionOption) -> bool {
    let words = option.words.as_str();
    let (button, action) = match option.trigger {
        Trigger::Primary(action) => (Button::primary(words), action),
        Trigger::Press(action) => (Button::new(words), action),
        Trigger::Digit(at) => {
            let shortcut = key_cap::digit_shortcut(at);
            let key = shortcut.map(key_cap::label).unwrap_or_default();
            let button = Button::new(words).key(&key).fill_width(ui);
            let by_key = !context.is_dialog_open
                && shortcut.is_some_and(|keys| ui.input_mut(|input| input.consume_shortcut(&keys)));
            return ui.add(button).clicked() || by_key;
        }
        Trigger::Hold(action) => {
            let mut button = HoldButton::new(words).secondary();
            if let Some(shortcut) = action.and_then(|action| action.entry().shortcut) {
                button = button.shortcut(shortcut);
            }
            let held = button.show(ui);
            if action.is_some_and(|action| context.is_triggered(action)) {
                // Picking the action by name is not enough: the button still has to be held.
                held.response.request_focus();
            }
            return held.completed;
        }
    };
    let button = ui.add(button.key(&action.key()).fill_width(ui));
    button.clicked() || context.is_triggered(action)
}

/// A decision with its name, its meaning and its trigger.
type Offer = (OperationDecision, String, String, Trigger);

fn offer(decision: OperationDecision, words: &str, meaning: &str, trigger: Trigger) -> Offer {
    (decision, words.to_owned(), meaning.to_owned(), trigger)
}

/// Returns the decisions that are possible about an operation.
fn options_of_operation(shared: &Shared, operation: &Operation) -> Vec<DecisionOption> {
    let check_now = offer(
        OperationDecision::CheckNow,
        "Check now",
        "Checks with the service now",
        Trigger::Press(Action::CheckNow),
    );
    let mut offers = match operation.state {
        OperationState::Unknown => vec![check_now],
        OperationState::Absent => send_or_wait(operation.kind),
        OperationState::Conflict => {
            let twins = twins(shared, operation).into_iter();
            twins.chain([check_now]).collect()
        }
        OperationState::Ask => happened(),
        _ => Vec::new(),
    };
    let meaning = match (operation.state, operation.draft.is_some()) {
        (OperationState::Absent, true) => "Not done; it becomes a draft again",
        (OperationState::Absent, false) => "Not done; cancelled",
        (OperationState::Conflict, _) => {
            "Only if you have already resolved this with the carrier or the service"
        }
        _ => "Only if you know what happened: Packbench stops checking",
    };
    let trigger = Trigger::Hold(Some(Action::GiveUp));
    offers.push(offer(
        OperationDecision::Discard,
        "Hold to give up",
        meaning,
        trigger,
    ));
    offers.retain(|(decision, ..)| decision.is_possible(operation.kind, operation.state));
    let option = |(decision, words, meaning, trigger): Offer| DecisionOption {
        changes_service: matches!(
            decision,
            OperationDecision::SendAgain | OperationDecision::DeleteDuplicate(_)
        ),
        command: OperationsCommand::Decide(operation.id, decision).into(),
        words,
        meaning,
        trigger,
    };
    offers.into_iter().map(option).collect()
}

fn send_or_wait(kind: OperationKind) -> Vec<Offer> {
    let meaning = match kind {
        OperationKind::Create => "Checks once more, then sends it with the same reference",
        OperationKind::Manifest => "Checks the consignments once more, then sends the same booking",
        kind if kind.can_be_reconciled() => "Checks once more, then sends the same change",
        _ => "Sends the same change again without a check",
    };
    vec![
        offer(
            OperationDecision::SendAgain,
            "Send again",
            meaning,
            Trigger::Primary(Action::SendAgain),
        ),
        offer(
            OperationDecision::KeepChecking,
            "Wait longer",
            "Search the service again for a while before you decide",
            Trigger::Press(Action::RestartChecks),
        ),
    ]
}

fn happened() -> Vec<Offer> {
    vec![
        offer(
            OperationDecision::Happened(true),
            "It went through",
            "You checked, and it went through",
            Trigger::Press(Action::ConfirmDone),
        ),
        offer(
            OperationDecision::Happened(false),
            "It didn't go through",
            "You checked, and it didn't go through. You can send it again",
            Trigger::Press(Action::ConfirmNotDone),
        ),
    ]
}

/// Returns the decisions about several matches: which consignment was sent, and whether to delete the others.
fn twins(shared: &Shared, operation: &Operation) -> Vec<Offer> {
    let found = shared.operations.action_item.found.value();
    let found = found.map_or(&[][..], Vec::as_slice);
    let number = |id: &ConsignmentId| {
        let known = found.iter().find(|one| one.id == *id);
        known.map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone())
    };
    let ids = &operation.consignments;
    let (meaning, none) = if ids.len() > 1 {
        let meaning = "This is the one that was sent; the other stays at the service";
        (meaning, "None of these")
    } else {
        ("This is the one that was sent", "It's a different one")
    };
    let adopt = ids.iter().enumerate().map(|(at, id)| {
        let words = format!("It is {}", number(id));
        offer(
            OperationDecision::Adopt(*id),
            &words,
            meaning,
            Trigger::Digit(at),
        )
    });
    let can_go = |id: &&ConsignmentId| {
        let mut found = found.iter();
        found.any(|one| one.id == **id && one.is_unmanifested())
    };
    // Newest first, because the older consignment is usually the one to keep.
    let doubles = ids.iter().rev().filter(can_go).filter(|_| found.len() > 1);
    let delete = doubles.map(|id| {
        let kept: Vec<_> = { ids.iter() }
            .filter(|other| *other != id)
            .map(number)
            .collect();
        let words = format!("Hold to delete {}", number(id));
        let meaning = format!("Deletes it at the service and keeps {}", kept.join(", "));
        let decision = OperationDecision::DeleteDuplicate(*id);
        offer(decision, &words, &meaning, Trigger::Hold(None))
    });
    let none = offer(
        OperationDecision::RejectAll,
        none,
        "Your consignment was not created. You can send it again",
        Trigger::Press(Action::ConfirmNotDone),
    );
    adopt.chain(delete).chain([none]).collect()
}

fn options_of_job(job: &PrintJob) -> Vec<DecisionOption> {
    let option = |command: LabelsCommand, words: &str, meaning: &str, trigger| DecisionOption {
        command: command.into(),
        words: words.to_owned(),
        meaning: meaning.to_owned(),
        trigger,
        changes_service: false,
    };
    let printed = |meaning| {
        let trigger = Trigger::Press(Action::ConfirmDone);
        let command = LabelsCommand::SetJobPrinted(job.id, true);
        option(command, "It printed", meaning, trigger)
    };
    match job.state {
        JobState::Ask => vec![
            printed("You checked the printer, and the label is there"),
            option(
                LabelsCommand::SetJobPrinted(job.id, false),
                "It didn't print",
                "You checked the printer, and there is no label. You can print it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
        ],
        JobState::Failed => {
            let again = job.subject.consignment().map(|consignment| {
                let reason = "not printed the first time".to_owned();
                let command = LabelsCommand::Reprint(vec![consignment], reason);
                let meaning = "Prints on the current label printer";
                let trigger = Trigger::Primary(Action::SendAgain);
                option(command, "Print again", meaning, trigger)
            });
            let printed = printed("The label was printed after all");
            again.into_iter().chain([printed]).collect()
        }
        JobState::Spooling | JobState::Sent | JobState::Printed => Vec::new(),
    }
}
