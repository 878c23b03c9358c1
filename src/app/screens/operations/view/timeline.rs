//! The history of an action item, oldest step first, with times to the second.

use egui::{Align2, Label, Stroke, Ui, pos2, vec2};
use jiff::Timestamp;

use super::operation_text::{StateLabel, job_state, operation_state};
use crate::state::{ActionItem, Notice, Shared};
use crate::ui::format::{clock_seconds, day, zone_name};
use shipping::LocalTime;
use widgets::tokens::{palette, size};
use widgets::{paint, text};

/// Width of a time with seconds, in points.
const TIME: f32 = 64.0;

/// Width of the icon, in points.
const MARK: f32 = 22.0;

/// A step of the history.
struct Step<'a> {
    look: StateLabel,
    words: &'a str,
    at: Timestamp,
}

pub(super) fn show(ui: &mut Ui, shared: &Shared, matter: ActionItem) {
    let view = &shared.operations.action_item;
    let problem = view.history.problem().or(view.job_history.problem());
    if let Some(problem) = problem {
        let notice = Notice::failed("Couldn't read the history", problem);
        crate::ui::frame::notices::bar(&notice).show(ui);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut before = LocalTime::at(shared.now, &shared.session.zone).0.date();
    let steps = steps(shared, matter);
    let last = steps.len().saturating_sub(1);
    for (at, step) in steps.iter().enumerate() {
        let local = LocalTime::at(step.at, &shared.session.zone);
        // The day is only shown if it differs from the previous line, or from today in the first line.
        let day = (local.0.date() != before).then(|| day(local));
        before = local.0.date();
        row(ui, shared, step, day.as_deref(), at == last);
    }
}

/// Returns the time zone of the shown times: "Sydney time, AEDT".
pub(super) fn clocks(shared: &Shared) -> String {
    let zone = zone_name(shared.now, &shared.session.zone);
    if shared.session.place.is_empty() {
        zone
    } else {
        format!("{} time, {zone}", shared.session.place)
    }
}

fn steps(shared: &Shared, matter: ActionItem) -> Vec<Step<'_>> {
    let view = &shared.operations.action_item;
    let step = |look, words, at| Step { look, words, at };
    match matter {
        ActionItem::Operation(_) => { view.history.value().into_iter().flatten() }
            .map(|event| step(operation_state(event.state), &event.words, event.at))
            .collect(),
        ActionItem::Job(_) => { view.job_history.value().into_iter().flatten() }
            .map(|event| step(job_state(event.state), &event.words, event.at))
            .collect(),
    }
}

fn row(ui: &mut Ui, shared: &Shared, step: &Step<'_>, day: Option<&str>, last: bool) {
    let p = palette(ui);
    let ink = step.look.tone.ink(p);
    let shown = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(size::GRID, 0.0);
        ui.allocate_ui(vec2(TIME, size::LINE), |ui| {
            ui.set_width(TIME);
            ui.vertical(|ui| {
                let time = clock_seconds(step.at, &shared.session.zone);
                ui.label(text::body(time).size(size::CELL).color(p.muted));
                if let Some(day) = day {
                    text::small_note(ui, day);
                }
            });
        });
        let (mark, _) = ui.allocate_exact_size(vec2(MARK, size::LINE), egui::Sense::hover());
        let icon = paint::icon(ui, step.look.icon, size::ICON, ink);
        paint::text_at(ui.painter(), Align2::CENTER_CENTER, mark.center(), icon);
        ui.vertical(|ui| {
            let word = capitalised(step.look.word);
            ui.label(text::strong(word).color(ink));
            if !step.words.is_empty() {
                let said = text::body(step.words).size(size::CELL).color(p.text);
                ui.add(Label::new(said).wrap());
            }
            ui.add_space(10.0);
        });
        mark
    });
    if !last {
        let x = shown.inner.center().x;
        let line = Stroke::new(1.0, p.strong_border);
        let (top, bottom) = (
            pos2(x, shown.inner.bottom() + 2.0),
            pos2(x, shown.response.rect.bottom() - 1.0),
        );
        ui.painter().line_segment([top, bottom], line);
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
