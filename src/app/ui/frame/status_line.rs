//! The status line at the bottom of the window: printer, waiting labels, service, clock.

use egui::{Align, Layout, Ui};
use jiff::Timestamp;

use super::super::Context;
use super::super::actions::Action;
use super::super::format::{clock, clock_seconds, counted, day_and_time, grouped, zone_name};
use super::{alert, deletion};
use crate::state::{
    LabelPart, ListProgress, PrinterState, PrinterView, Screen, Shared, WindowCommand,
};
use shipping::LocalTime;
use widgets::button::Button;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, text};

/// Draws the status line. Returns whether the clerk asked for all messages.
pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) -> bool {
    ui.spacing_mut().item_spacing.x = 6.0;
    match &context.shared.deleting {
        Some(deleting) => deletion::show(ui, context, deleting, narrow),
        None => devices(ui, context),
    }
    let right = Layout::right_to_left(Align::Center);
    ui.with_layout(right, |ui| {
        let asked = messages(ui, context.shared);
        clocks(ui, context);
        asked
    })
    .inner
}

/// Draws the button for earlier messages. Returns whether it was clicked.
fn messages(ui: &mut Ui, shared: &Shared) -> bool {
    if shared.past_notices.is_empty() {
        return false;
    }
    let entry = Action::Messages.entry();
    let button = ui.add(Button::icon_only(entry.icon, entry.name).small());
    button.on_hover_text(entry.tooltip).clicked()
}

/// Draws the states of the printer, the labels and the service.
fn devices(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let chosen = shared
        .printers
        .value()
        .and_then(|printers| printers.iter().find(|printer| printer.chosen));
    let (words, tone) = chosen.map_or(("No printer chosen".to_owned(), Tone::Neutral), printer);
    part(ui, Some(icons::ICON_PRINT), &words, tone);
    let waiting = shared.labels.part(LabelPart::Waiting).len();
    if waiting > 0 {
        part(
            ui,
            None,
            &format!("{} waiting", counted(waiting, "label", "labels")),
            Tone::Neutral,
        );
    }
    if let Some(batch) = shared.batch.as_ref().filter(|batch| batch.is_running()) {
        part(
            ui,
            None,
            &format!("printing {} of {}", batch.done, batch.total),
            Tone::Accent,
        );
    }
    let (icon, words, tone) = service(context);
    part(ui, Some(icon), &words, tone);
    if shared.health.away_since.is_some() {
        let again = Action::Reconnect;
        let key = again.key();
        let button = ui.add(Button::quiet("Reconnect").key(&key).small());
        if button.on_hover_text(again.entry().tooltip).clicked() {
            context.push(WindowCommand::Reconnect);
        }
    }
}

/// Draws, from right to left: the time, the number of new exceptions, and the age of the list.
fn clocks(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let (now, zone) = (shared.now, shared.zone.as_str());
    let time = format!(
        "{} {} {}",
        shared.place,
        clock(now, zone),
        zone_name(now, zone)
    );
    part(ui, None, time.trim(), Tone::Neutral);
    alert::line(ui, context);
    let listed = matches!(shared.screen, Screen::Dispatch | Screen::Labels);
    if !listed {
        part(ui, None, "Ctrl K: all actions", Tone::Neutral);
        return;
    }
    if let Some(at) = shared.unmanifested_at {
        let words = format!("list as of {}", moment(at, now, zone));
        part(ui, None, &words, Tone::Neutral);
    }
    if let Some(words) = shared.list_progress.and_then(reading) {
        part(ui, None, &words, Tone::Accent);
    }
}

/// Returns how much of a long list was fetched so far; `None` for up to 400 records.
fn reading(progress: ListProgress) -> Option<String> {
    let whole = |of: usize| {
        format!(
            "loading the list: {} of {}",
            grouped(progress.came),
            grouped(of)
        )
    };
    match (progress.came, progress.of) {
        (0..=400, _) => None,
        (_, Some(of)) => Some(whole(of)),
        (came, None) => Some(format!("loading the list: {} so far", grouped(came))),
    }
}

/// Formats a time of today as `14:05:02`, and of any other day as `Fri 20 Nov 14:05`.
fn moment(at: Timestamp, now: Timestamp, zone: &str) -> String {
    let (there, here) = (LocalTime::at(at, zone), LocalTime::at(now, zone));
    if there.0.date() == here.0.date() {
        clock_seconds(at, zone)
    } else {
        day_and_time(there)
    }
}

fn part(ui: &mut Ui, icon: Option<Icon>, words: &str, tone: Tone) {
    let ink = tone.ink(palette(ui));
    let label = |ui: &mut Ui| drop(ui.label(text::small(words).color(ink)));
    let mark = |ui: &mut Ui| {
        if let Some(icon) = icon {
            text::decorative_icon(ui, icon, 15.0, ink);
        }
    };
    if ui.layout().main_dir() == egui::Direction::RightToLeft {
        label(ui);
        mark(ui);
    } else {
        mark(ui);
        label(ui);
    }
    ui.add_space(14.0);
}

fn printer(printer: &PrinterView) -> (String, Tone) {
    let (word, tone) = match printer.state {
        PrinterState::Ready => ("ready", Tone::Neutral),
        PrinterState::Printing => ("printing", Tone::Accent),
        PrinterState::Stopped => ("stopped", Tone::Bad),
        PrinterState::Rejecting => ("doesn't accept jobs", Tone::Bad),
        PrinterState::OutOfReach => ("is not reachable", Tone::Bad),
        PrinterState::NeedsAttention => ("needs attention", Tone::Warning),
        PrinterState::Unknown => ("", Tone::Neutral),
        PrinterState::Missing => ("is missing", Tone::Bad),
    };
    (
        format!("{} {word}", printer.name).trim_end().to_owned(),
        tone,
    )
}

fn service(context: &Context<'_>) -> (Icon, String, Tone) {
    let health = context.shared.health;
    match (health.away_since, health.latency_ms) {
        (Some(since), _) => {
            let since = clock(since, &context.shared.zone);
            (
                icons::ICON_CLOUD_OFF,
                format!("service unreachable since {since}"),
                Tone::Bad,
            )
        }
        (None, Some(_)) if health.fault.is_some() => {
            let status = health.fault.unwrap_or_default();
            (
                icons::ICON_CLOUD_OFF,
                format!("service error (HTTP {status})"),
                Tone::Bad,
            )
        }
        (None, Some(ms)) => (
            icons::ICON_CLOUD_DONE,
            format!("service {ms} ms"),
            Tone::Neutral,
        ),
        (None, None) => (
            icons::ICON_CLOUD,
            "service not checked yet".to_owned(),
            Tone::Neutral,
        ),
    }
}
