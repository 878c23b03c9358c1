//! The status line at the bottom of the window: printer, waiting labels, service, clock. On every screen, it also
//! shows a deletion that was not sent yet, with the time left.

use std::time::Duration;

use egui::{Align, Event, Key, Layout, Ui};
use jiff::{SignedDuration, Timestamp};

use super::super::Context;
use super::super::actions::{Action, consume_shortcut};
use super::super::format::{clock, clock_or_day, counted, first_and_count, grouped, zone_name};
use super::new_exceptions;
use crate::screens::consign::view::ConsignState;
use crate::state::{
    Command, DispatchCommand, LabelPart, ListProgress, PendingDeletion, PrinterState, PrinterView,
    Screen, Shared, TrackCommand, TrackPane, WindowCommand,
};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::notice::announce;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, text};
use workgroup::WorkgroupState;

/// How long before a carrier closes this is shown, and how long before it is urgent.
const CLOSING_SHOWN: SignedDuration = SignedDuration::from_hours(1);
const CLOSING_SOON: SignedDuration = SignedDuration::from_mins(15);

/// Maximum number of consignment numbers listed in a wide window, in a narrow window, and for screen readers.
const MOST_NAMED: [usize; 3] = [6, 3, 24];

/// Draws the status line. Returns whether the clerk asked for all messages.
pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) -> bool {
    ui.spacing_mut().item_spacing.x = 6.0;
    match &context.shared.dispatch.deleting {
        Some(deleting) => deletion(ui, context, deleting, narrow),
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
    let (words, tone) = match printers.find(|printer| printer.chosen) {
        Some(chosen) => printer(chosen),
        None => ("No printer chosen".to_owned(), Tone::Neutral),
    };
    part(ui, Some(icons::ICON_PRINT), &words, tone);
    let waiting = shared.labels.queue.part(LabelPart::Waiting).len();
    if waiting > 0 {
        let words = format!("{} waiting", counted(waiting, "label", "labels"));
        part(ui, None, &words, Tone::Neutral);
    }
    let orders = shared.folder_orders().count();
    if orders > 0 {
        let words = format!("{} waiting", counted(orders, "order", "orders"));
        part(ui, None, &words, Tone::Neutral);
    }
    if let Some(batch) = &shared.labels.batch
        && batch.is_running()
    {
        let words = format!("printing {} of {}", batch.done, batch.total);
        part(ui, None, &words, Tone::Accent);
    }
    let (icon, words, tone) = service(context);
    part(ui, Some(icon), &words, tone);
    if let Some(workgroup) = &shared.workgroup {
        let (words, tone) = match workgroup.state {
            WorkgroupState::Connected => ("workgroup", Tone::Neutral),
            WorkgroupState::Connecting => ("connecting to the workgroup", Tone::Neutral),
            WorkgroupState::Away(_) => ("workgroup not connected", Tone::Bad),
        };
        part(ui, Some(icons::ICON_GROUPS), words, tone);
    }
    if shared.session.health.away_since.is_some() {
        let again = Action::Reconnect;
        let key = again.key();
        let button = ui.add(Button::quiet("Reconnect").key(&key).small());
        if button.on_hover_text(again.entry().tooltip).clicked() {
            context.push(WindowCommand::Reconnect);
        }
    }
    closing(ui, context);
}

/// Draws when the next carrier closes, with the number of consignments that are not booked with it, and the key that goes
/// to Dispatch.
fn closing(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let closings = shared
        .dispatch
        .closings
        .value()
        .into_iter()
        .flat_map(|all| all.iter());
    let next = closings.clone().find(|closing| closing.at > shared.now);
    let Some(next) = next else { return };
    let left = next.at.duration_since(shared.now);
    if left > CLOSING_SHOWN {
        return;
    }
    // A minute that has begun counts.
    let minutes = (left.as_secs() + 59) / 60;
    let consignments = counted(next.waiting, "consignment", "consignments");
    let same = closings
        .filter(|other| other.carrier == next.carrier)
        .count();
    let place = if same > 1 {
        format!(" at {}", next.place)
    } else {
        String::new()
    };
    let words = format!(
        "{}{place} closes in {minutes} min: {consignments} not booked",
        next.carrier
    );
    let tone = if left > CLOSING_SOON {
        Tone::Warning
    } else {
        Tone::Bad
    };
    part(ui, Some(icons::ICON_SCHEDULE), &words, tone);
    if shared.screen != Screen::Dispatch {
        let (show, key) = (Action::ShowDispatch, Action::ShowDispatch.key());
        let button = Button::quiet("Book").key(&key).small();
        if ui.add(button).on_hover_text(show.tip()).clicked() {
            context.push(Command::Show(Screen::Dispatch));
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

/// Draws the number of new exceptions. A click opens the board, where new exceptions are marked.
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

/// Describes how much of a long list was fetched so far; `None` for up to 400 records.
fn reading(progress: ListProgress) -> Option<String> {
    let came = grouped(progress.came);
    match (progress.came, progress.of) {
        (0..=400, _) => None,
        (_, Some(of)) => Some(format!("Loading the list: {came} of {}", grouped(of))),
        (_, None) => Some(format!("Loading the list: {came} so far")),
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
        Some(PrinterState::Ready) => ("ready", Tone::Neutral),
        Some(PrinterState::Printing) => ("printing", Tone::Accent),
        Some(PrinterState::Stopped) => ("stopped", Tone::Bad),
        Some(PrinterState::Rejecting) => ("doesn't accept jobs", Tone::Bad),
        Some(PrinterState::OutOfReach) => ("is not reachable", Tone::Bad),
        Some(PrinterState::NeedsAttention) => ("needs attention", Tone::Warning),
        Some(PrinterState::Unknown) => ("", Tone::Neutral),
        None => ("is missing", Tone::Bad),
    };
    let words = format!("{} {word}", printer.name);
    (words.trim_end().to_owned(), tone)
}

fn service(context: &Context<'_>) -> (Icon, String, Tone) {
    let health = context.shared.session.health;
    let (icon, words) = match (health.away_since, health.latency, health.fault) {
        (Some(since), _, _) => {
            let since = clock(since, &context.shared.session.zone);
            let words = format!("service unreachable since {since}");
            return (icons::ICON_CLOUD_OFF, words, Tone::Bad);
        }
        (None, Some(_), Some(status)) => {
            let words = format!("service error (HTTP {status})");
            return (icons::ICON_CLOUD_OFF, words, Tone::Bad);
        }
        (None, Some(latency), None) => {
            // Nobody would believe 0 ms.
            let ms = latency.as_millis().max(1);
            (icons::ICON_CLOUD_DONE, format!("service {ms} ms"))
        }
        (None, None, _) => (icons::ICON_CLOUD, "service not checked yet".to_owned()),
    };
    (icon, words, Tone::Neutral)
}

/// Undoes a deletion that was not sent yet.
#[derive(Default)]
pub(crate) struct DeletionUndo {
    /// The deletion during which the clerk typed into a text field, identified by the time of its sending.
    typed_during: Option<Timestamp>,
}

impl DeletionUndo {
    /// Undoes the deletion if the clerk asked for that and the deletion is the newest change.
    pub(crate) fn undo(&mut self, ui: &Ui, context: &mut Context<'_>, consign: &ConsignState) {
        let Some(deleting) = &context.shared.dispatch.deleting else {
            return;
        };
        let typing = ui.ctx().text_edit_focused();
        if typing && ui.input(|input| input.events.iter().any(is_typing)) {
            self.typed_during = Some(deleting.at);
        }
        let on_consign = context.shared.screen == Screen::Consign;
        let in_goods = on_consign && consign.has_focus_in_goods();
        let newer_goods = on_consign && consign.are_goods_newer_than_deletion();
        let newer_text = typing && !in_goods && self.typed_during == Some(deleting.at);
        if newer_goods || newer_text {
            return;
        }
        // egui also accepts Ctrl+Shift+Z (redo) as Ctrl+Z (undo), so Shift is checked here.
        let redoes = ui.input(|input| input.modifiers.shift);
        let by_key = !context.is_dialog_open && !redoes && consume_shortcut(ui, Action::Undo);
        let by_name = context.is_triggered(Action::Undo);
        if by_key || by_name {
            context.triggered.retain(|action| *action != Action::Undo);
            context.push(DispatchCommand::UndoDelete);
        }
    }
}

fn is_typing(event: &Event) -> bool {
    match event {
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) => true,
        Event::Key { key, pressed, .. } => *pressed && matches!(key, Key::Backspace | Key::Delete),
        _ => false,
    }
}

/// Draws the numbers to be deleted, the seconds left, and the button that undoes the deletion.
fn deletion(ui: &mut Ui, context: &mut Context<'_>, deleting: &PendingDeletion, narrow: bool) {
    let [wide, tight, spoken] = MOST_NAMED;
    let ids = deleting.ids.iter();
    let numbers: Vec<String> = ids.map(|id| context.shared.number(*id)).collect();
    let millis = deleting.at.duration_since(context.shared.now).as_millis();
    let millis = u64::try_from(millis).unwrap_or_default();
    let seconds = millis.div_ceil(1_000);
    let ink = Tone::Warning.ink(palette(ui));
    let named = first_and_count(&numbers, if narrow { tight } else { wide });
    let words = format!("Deleting {named} in {seconds} s");
    let shown = ui.label(text::small(words).strong().color(ink));
    let key = Action::Undo.key();
    // The announcement omits the seconds, because a screen reader would read every change of them.
    let spoken = first_and_count(&numbers, spoken);
    announce(ui, &shown, &format!("Deleting {spoken}. {key} to undo"));
    shown.on_hover_text(spoken);
    let undo = Button::new("Undo deletion").key(&key).small();
    if ui.add(undo).clicked() {
        context.push(DispatchCommand::UndoDelete);
    }
    if let Some(before) = seconds.checked_sub(1) {
        let left = millis - before * 1_000;
        ui.ctx().request_repaint_after(Duration::from_millis(left));
    }
}
