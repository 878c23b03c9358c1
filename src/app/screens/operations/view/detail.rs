//! The details of an action item: state, next step, decisions, locked consignments and history.

use egui::{Align2, Label, Rect, ScrollArea, Ui};
use jiff::Timestamp;

use super::operation_text::{ItemSummary, StateLabel, job_state, operation_state, summary};
use super::{comparison, decisions};
use crate::launcher::capitalised;
use crate::state::{
    ActionItem, JobState, Notice, Operation, OperationKind, OperationState, PrintJob, Shared,
    WindowCommand,
};
use crate::ui::Context;
use crate::ui::format::{clock_seconds, counted, day, zone_name};
use crate::ui::frame::notices;
use crate::ui::parts::timeline_step;
use engine::Payload;
use shipping::{ConsignmentId, LocalTime};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::empty_state::empty_state;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, paint, text};

/// Maximum number of consignments that are listed.
const NAMED: usize = 12;

/// Width of the icon of a step, in points.
const MARK: f32 = 22.0;

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let chosen = shared.operations.action_item.of;
    let chosen = chosen.and_then(|matter| Some((matter, summary(shared, matter)?)));
    let Some((matter, summary)) = chosen else {
        Card::plain().fill_height().body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let headline = "Everything you sent is finished";
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
            let scroll = ScrollArea::vertical().id_salt(super::list::row_key(matter));
            scroll.auto_shrink(false).show(ui, |ui| {
                let frame = egui::Frame::new().inner_margin(size::CARD_PADDING);
                frame.show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.spacing_mut().item_spacing.y = size::GRID;
                    body(ui, context, matter, &summary);
                });
            });
        },
    );
}

fn body(ui: &mut Ui, context: &mut Context<'_>, item: ActionItem, summary: &ItemSummary<'_>) {
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
    decisions::show(ui, context, item);
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

/// Returns what the bench does about an operation automatically.
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
            None => "Checked again automatically".to_owned(),
        },
        OperationState::Absent if operation.kind == OperationKind::Create => {
            "Nothing is sent automatically. You are told if it turns up after all".to_owned()
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

/// Draws the consignments that the service has, if the operation is in conflict.
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
        comparison::show(ui, found, sent);
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

/// Draws the locked consignments. Each number is a button that leads to its consignment.
fn locked_consignments(ui: &mut Ui, context: &mut Context<'_>, ids: &[ConsignmentId]) {
    let count = counted(ids.len(), "consignment", "consignments");
    let words =
        format!("{count} locked: can't be grouped, edited or deleted until this is resolved");
    line(ui, icons::ICON_LOCK, Tone::Unknown, &words);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
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
