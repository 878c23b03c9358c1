//! The status line at the bottom of the window: printer, waiting labels, service, clock.

use egui::{Align, Layout, Ui};

use super::super::Context;
use super::super::actions::Action;
use super::super::format::{clock, clock_or_day, counted, grouped, zone_name};
use super::{deletion, new_exceptions};
use crate::state::{
    Command, LabelPart, ListProgress, PrinterState, PrinterView, Screen, Shared, TrackCommand,
    TrackPane, WindowCommand,
};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, text};

/// Draws the status line. Returns whether the clerk asked for all messages.
pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) -> bool {
    ui.spacing_mut().item_spacing.x = 6.0;
    match &context.shared.dispatch.deleting {
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
    if shared.notices.past.is_empty() {
        return false;
    }
    let entry = Action::Messages.entry();
    let button = ui.add(Button::icon_only(entry.icon, entry.name).small());
    button.on_hover_text(entry.tooltip).clicked()
}

/// Draws the states of the printer, the labels and the service.
fn devices(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let mut printers = shared.labels.printers.value().into_iter().flatten();
    let chosen = printers.find(|printer| printer.chosen);
    let (words, tone) = chosen.map_or(("No printer chosen".to_owned(), Tone::Neutral), printer);
    part(ui, Some(icons::ICON_PRINT), &words, tone);
    let waiting = shared.labels.queue.part(LabelPart::Waiting).len();
    if waiting > 0 {
        let words = format!("{} waiting", counted(waiting, "label", "labels"));
        part(ui, None, &words, Tone::Neutral);
    }
    if let Some(batch) = shared
        .labels
        .batch
        .as_ref()
        .filter(|batch| batch.is_running())
    {
        let words = format!("printing {} of {}", batch.done, batch.total);
        part(ui, None, &words, Tone::Accent);
    }
    let (icon, words, tone) = service(context);
    part(ui, Some(icon), &words, tone);
    if shared.session.health.away_since.is_some() {
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
    let (now, zone) = (shared.now, shared.session.zone.as_str());
    let (clock, zone_name) = (clock(now, zone), zone_name(now, zone));
    let time = format!("{} {clock} {zone_name}", shared.session.place);
    part(ui, None, time.trim(), Tone::Neutral);
    news(ui, context);
    let listed = matches!(shared.screen, Screen::Dispatch | Screen::Labels);
    if !listed {
        part(ui, None, "Ctrl K: all actions", Tone::Neutral);
        return;
    }
    if let Some(at) = shared.dispatch.unmanifested_at {
        let words = format!("list as of {}", clock_or_day(at, now, zone, true));
        part(ui, None, &words, Tone::Neutral);
    }
    if let Some(words) = shared.dispatch.list_progress.and_then(reading) {
        part(ui, None, &words, Tone::Accent);
    }
}

/// Draws the number of new exceptions. A click opens the board, which marks them.
fn news(ui: &mut Ui, context: &mut Context<'_>) {
    let news = context.shared.track.new_exceptions.len();
    if news == 0 {
        return;
    }
    let words = new_exceptions(news);
    let badge = Badge::new(Tone::Accent, &words).icon(icons::ICON_NOTIFICATIONS);
    let badge = badge.show_button(ui).on_hover_text("Show them on Track");
    if badge.clicked() {
        context.push(TrackCommand::Show(TrackPane::Board));
        context.push(Command::Show(Screen::Track));
    }
    ui.add_space(14.0);
}

/// Returns how much of a long list was fetched so far; `None` for up to 400 records.
fn reading(progress: ListProgress) -> Option<String> {
    let came = grouped(progress.came);
    match (progress.came, progress.of) {
        (0..=400, _) => None,
        (_, Some(of)) => Some(format!("loading the list: {came} of {}", grouped(of))),
        (_, None) => Some(format!("loading the list: {came} so far")),
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
    let words = format!("{} {word}", printer.name);
    (words.trim_end().to_owned(), tone)
}

fn service(context: &Context<'_>) -> (Icon, String, Tone) {
    let health = context.shared.session.health;
    let (icon, words) = match (health.away_since, health.latency_ms, health.fault) {
        (Some(since), _, _) => {
            let since = clock(since, &context.shared.session.zone);
            let words = format!("service unreachable since {since}");
            return (icons::ICON_CLOUD_OFF, words, Tone::Bad);
        }
        (None, Some(_), Some(status)) => {
            let words = format!("service error (HTTP {status})");
            return (icons::ICON_CLOUD_OFF, words, Tone::Bad);
        }
        (None, Some(ms), None) => (icons::ICON_CLOUD_DONE, format!("service {ms} ms")),
        (None, None, _) => (icons::ICON_CLOUD, "service not checked yet".to_owned()),
    };
    (icon, words, Tone::Neutral)
}
