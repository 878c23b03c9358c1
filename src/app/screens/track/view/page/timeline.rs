//! The history as a timeline: newest first, grouped by day, in the time zone of each step's place.

use egui::{Label, Sense, Stroke, Ui, pos2, vec2};

use super::ShownConsignment;
use super::page_widgets::line;
use super::steps::{RouteZones, StepTime, TimelineLine, lines};
use crate::screens::track::view::late::span;
use crate::screens::track::view::status_style;
use crate::ui::format::{counted, weekday};
use shipping::{LocalTime, Status, StatusChange, StatusId};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::text;
use widgets::tokens::{Tone, palette, size};

/// Width of a time and its zone, in points.
const TIME: f32 = 62.0;

/// Width of the mark, in points.
const MARK: f32 = 14.0;

/// Number of steps that are shown at first.
const AT_FIRST: usize = 8;

pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>, whole: &mut bool) {
    let history = &one.followed.history;
    if history.is_empty() {
        return line(ui, "No history from the service yet");
    }
    let shared = one.shared;
    let ends = RouteZones {
        from: one.sender_zone(),
        to: one.to_zone(),
        bench: &shared.session.zone,
    };
    let open_at = (!one.status().is_final()).then_some(shared.now);
    let all = lines(history, ends, open_at);
    let steps = |lines: &[TimelineLine]| { lines.iter() }.filter(|line| is_step(line)).count();
    let count = steps(&all);
    // When only one step is left over, show it instead of a button that hides it.
    let shown = if *whole || count <= AT_FIRST + 1 {
        all.as_slice()
    } else {
        let last = { all.iter().enumerate() }
            .filter(|(_, line)| is_step(line))
            .nth(AT_FIRST - 1);
        &all[..=last.map_or(all.len() - 1, |(at, _)| at)]
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = size::LINE;
    let last = shown.iter().rposition(is_step);
    for (at, one_line) in shown.iter().enumerate() {
        match one_line {
            TimelineLine::Day(day) => {
                let words = text::small(weekday(LocalTime(day.at(0, 0, 0, 0))));
                ui.label(words.font(text::label_font()).color(palette(ui).muted));
                ui.add_space(3.0);
            }
            TimelineLine::Gap(gap) => silence(ui, &format!("No scan for {}", span(*gap))),
            TimelineLine::Step(step, when) => {
                row(ui, one, &history[*step], when, Some(at) == last);
            }
        }
    }
    let rest = count - steps(shown);
    if rest > 0 {
        let words = counted(rest, "earlier step", "earlier steps");
        if ui.add(Button::quiet(&words).small().opens()).clicked() {
            *whole = true;
        }
    }
    ui.spacing_mut().item_spacing.y = 6.0;
}

const fn is_step(line: &TimelineLine) -> bool {
    matches!(line, TimelineLine::Step(..))
}

/// Draws a dotted part of the line, with the length of the gap.
fn silence(ui: &mut Ui, words: &str) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        ui.add_space(TIME + size::GRID);
        let (mark, _) = ui.allocate_exact_size(vec2(MARK, 28.0), Sense::hover());
        for at in 0..4 {
            let dot = pos2(mark.center().x, mark.top() + 5.0 + 6.0 * at as f32);
            ui.painter().circle_filled(dot, 1.2, p.warning);
        }
        ui.label(text::small(words).color(p.warning));
    });
}

fn row(ui: &mut Ui, one: &ShownConsignment<'_>, step: &StatusChange, when: &StepTime, last: bool) {
    let p = palette(ui);
    let status = step.consignment_tracking_status.as_ref();
    let tone = status.map_or(Tone::Neutral, |status| status_style::tone(status.id));
    let shown = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(size::GRID, 0.0);
        ui.allocate_ui(vec2(TIME, size::LINE), |ui| {
            ui.set_width(TIME);
            ui.vertical(|ui| {
                let time = when.local.map(|at| at.strftime("%H:%M").to_string());
                let time = time.unwrap_or_else(|| "no time".to_owned());
                ui.label(text::body(time).size(size::CELL).color(p.muted));
                if !when.zone.is_empty() {
                    ui.label(text::small(&when.zone).color(p.muted));
                }
            });
        });
        let (mark, _) = ui.allocate_exact_size(vec2(MARK, size::LINE), Sense::hover());
        if step.status_is_partial {
            let ring = Stroke::new(2.0, tone.ink(p));
            ui.painter().circle_stroke(mark.center(), 3.8, ring);
        } else {
            ui.painter().circle_filled(mark.center(), 4.6, tone.ink(p));
        }
        ui.vertical(|ui| words(ui, one, step, tone));
        mark
    });
    if !last {
        let x = shown.inner.center().x;
        let top = pos2(x, shown.inner.bottom() - 1.0);
        let bottom = pos2(x, shown.response.rect.bottom() + 1.0);
        let stroke = Stroke::new(1.0, p.strong_border);
        ui.painter().line_segment([top, bottom], stroke);
    }
}

fn words(ui: &mut Ui, one: &ShownConsignment<'_>, step: &StatusChange, tone: Tone) {
    let p = palette(ui);
    let status = step.consignment_tracking_status.as_ref();
    let label = status.map_or_else(|| "No status".to_owned(), Status::label);
    let ink = match tone {
        Tone::Bad | Tone::Warning => tone.ink(p),
        _ => p.text,
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(text::strong(label).color(ink));
        if step.status_is_partial {
            Badge::new(Tone::Warning, "part of it").show(ui);
        }
    });
    let piece = { step.item_reference.as_ref() }.map(|reference| format!("Piece {reference}"));
    let scan = match (&step.carrier_status_description, &step.carrier_status) {
        (Some(words), Some(code)) => Some(format!("“{words}” ({code})")),
        (Some(words), None) | (None, Some(words)) => Some(format!("“{words}”")),
        (None, None) => None,
    };
    let author = Some(author_text(one, step)).filter(|author| !author.is_empty());
    let lines = [piece, scan, step.status_information.clone(), author];
    for words in lines.into_iter().flatten() {
        let words = text::small(words).color(p.muted);
        ui.add(Label::new(words).wrap().selectable(true));
    }
    ui.add_space(10.0);
}

/// Returns who set the status; for the step Manifested, with its manifest.
fn author_text(one: &ShownConsignment<'_>, step: &StatusChange) -> String {
    let mut parts = Vec::new();
    if !step.created_by_name.is_empty() {
        parts.push(format!("by {}", step.created_by_name));
    }
    let status = step.consignment_tracking_status.as_ref();
    if status.is_some_and(|status| status.id == StatusId::MANIFESTED) {
        parts.extend(manifest_text(one));
    }
    parts.join(", ")
}

/// Returns the consignment's manifest: by the carrier's reference if it was booked on this bench, else
/// by its number.
pub(super) fn manifest_text(one: &ShownConsignment<'_>) -> Option<String> {
    let id = one.row().manifest?;
    let mine = one.shared.dispatch.groups_view.manifests.value();
    let mut mine = mine.into_iter().flat_map(|all| all.iter());
    let found = mine.find(|row| row.manifest == Some(id) && !row.reference.is_empty());
    Some(found.map_or_else(|| format!("manifest {id}"), |row| row.reference.clone()))
}
