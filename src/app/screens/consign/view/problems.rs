//! The card "Before you send": all errors and warnings, each a link to its field, and
//! the dangerous goods declaration.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use egui::{Align2, Galley, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::field_table::place_label;
use super::form::take_focus;
use crate::state::{Editing, ProblemList};
use draft::{Field, Problem, Severity};
use widgets::badge::Badge;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, paint, text};

/// Maximum number of new rows whose height is measured in one frame. Further new rows are assumed
/// to have one line.
const MEASURED: usize = 24;
const ONE_LINE: f32 = 24.0;
/// Left edge of the text, after the icon.
const INDENT: f32 = 26.0;
const GAP: f32 = 4.0;
/// Rows within this distance of the visible area are drawn too, in points, because Tab only reaches rows that
/// are drawn.
const NEAR: f32 = 80.0;

/// Cached heights of the rows, by a hash of field and text, for the current width.
#[derive(Debug, Default)]
pub(super) struct RowHeights {
    width: f32,
    heights: HashMap<u64, f32>,
}

/// Draws the card. Returns the field of a problem that was clicked.
pub(super) fn card(
    ui: &mut Ui,
    editing: &mut Editing,
    list: &ProblemList,
    state: &mut RowHeights,
) -> Option<Field> {
    let (errors, show_all) = (list.errors(), editing.show_all);
    let words = match errors {
        0 => "Ready to send".to_owned(),
        errors => format!("{errors} to fix"),
    };
    // Before Send was pressed, a missing value is not shown as an error.
    let tone = match errors {
        0 => Tone::Ok,
        _ if show_all => Tone::Bad,
        _ => Tone::Neutral,
    };
    Card::new("Before you send")
        .icon(icons::ICON_CHECKLIST)
        .show(
            ui,
            |ui| {
                // The different name makes screen readers announce the count again after Send
                // was pressed in vain.
                let spoken = if errors > 0 && show_all {
                    format!("Not sent: {words}")
                } else {
                    words.clone()
                };
                let shown = Badge::new(tone, &words).name(&spoken).show(ui);
                // Screen readers announce the count whenever it changes, after what they are
                // saying at the moment.
                ui.ctx().accesskit_node_builder(shown.id, |node| {
                    node.set_live(egui::accesskit::Live::Polite);
                });
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = GAP;
                if list.all().is_empty() {
                    text::note(ui, "Nothing is missing");
                }
                let go_to = entries(ui, list, show_all, state);
                if editing.draft.has_dangerous_goods() {
                    declaration(ui, editing);
                }
                go_to
            },
        )
        .inner
}

fn declaration(ui: &mut Ui, editing: &mut Editing) {
    let words = "I declare the dangerous goods in this consignment";
    let mut declared = editing.draft.is_declared();
    let response = checkbox(ui, &mut declared, words);
    if response.changed() {
        editing.draft.declare(declared);
    }
    take_focus(ui, Field::Declaration, &response);
}

/// Returns the errors, then the warnings, each in the order of the screen.
fn by_severity(list: &ProblemList) -> impl Iterator<Item = &Problem> {
    let of = |severity| {
        list.iter()
            .filter(move |problem| problem.severity == severity)
    };
    of(Severity::Error).chain(of(Severity::Warning))
}

/// Lays out all problems and draws the visible ones. Returns the field of a problem that was clicked.
fn entries(ui: &mut Ui, list: &ProblemList, shown: bool, state: &mut RowHeights) -> Option<Field> {
    let width = ui.available_width();
    if (state.width - width).abs() > 0.5 || state.heights.len() > 4 * list.all().len() + 64 {
        *state = RowHeights {
            width,
            ..RowHeights::default()
        };
    }
    let mut unmeasured = 0;
    let mut total = 0.0;
    for problem in by_severity(list) {
        total += GAP + state.height(ui, problem, &mut unmeasured);
    }
    if unmeasured > MEASURED {
        ui.ctx().request_repaint();
    }
    let (whole, _) = ui.allocate_exact_size(vec2(width, total), Sense::hover());
    let clip = ui.clip_rect().expand(NEAR);
    let mut top = whole.top();
    let mut go_to = None;
    for (at, problem) in by_severity(list).enumerate() {
        let height = state.heights.get(&key(problem)).copied();
        let size = vec2(width, height.unwrap_or(ONE_LINE));
        let rect = Rect::from_min_size(pos2(whole.left(), top), size);
        top += size.y + GAP;
        if rect.bottom() < clip.top() || rect.top() > clip.bottom() {
            continue;
        }
        if entry(ui, (at, rect), problem, shown) {
            go_to = Some(problem.field);
        }
    }
    go_to
}

fn key(problem: &Problem) -> u64 {
    let mut hasher = DefaultHasher::new();
    (problem.field, &problem.message).hash(&mut hasher);
    hasher.finish()
}

impl RowHeights {
    /// Returns the height of a row, or of one line if this frame has measured enough new rows.
    fn height(&mut self, ui: &Ui, problem: &Problem, unmeasured: &mut usize) -> f32 {
        let key = key(problem);
        if let Some(height) = self.heights.get(&key) {
            return *height;
        }
        *unmeasured += 1;
        if *unmeasured > MEASURED {
            return ONE_LINE;
        }
        let galley = galley(ui, &words(problem), self.width, Tone::Neutral);
        let height = galley.size().y.max(22.0) + 2.0;
        self.heights.insert(key, height);
        height
    }
}

fn words(problem: &Problem) -> String {
    let place = place_label(problem.field);
    if place.is_empty() {
        problem.message.clone()
    } else {
        format!("{place}: {}", problem.message)
    }
}

fn galley(ui: &Ui, words: &str, width: f32, tone: Tone) -> Arc<Galley> {
    let ink = tone.ink(palette(ui));
    egui::WidgetText::from(text::body(words).color(ink)).into_galley(
        ui,
        Some(egui::TextWrapMode::Wrap),
        width - INDENT,
        text::body_font(),
    )
}

/// Draws a problem. Returns true if it was clicked.
fn entry(ui: &Ui, (at, rect): (usize, Rect), problem: &Problem, shown: bool) -> bool {
    let p = palette(ui);
    let (icon, tone): (Icon, Tone) = match problem.severity {
        Severity::Error if shown => (icons::ICON_ERROR, Tone::Bad),
        Severity::Error => (icons::ICON_CIRCLE, Tone::Neutral),
        Severity::Warning => (icons::ICON_WARNING, Tone::Warning),
    };
    let ink = tone.ink(p);
    let words = words(problem);
    let galley = galley(ui, &words, rect.width(), tone);
    let response = ui.interact(rect, Id::unique(("consign problem", at)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &words));
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if response.hovered() || response.has_focus() {
        let fill = if response.has_focus() {
            p.accent_weak
        } else {
            p.raised
        };
        ui.painter()
            .rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, fill);
    }
    let corner = rect.left_top();
    let icon = paint::icon(ui, icon, 16.0, ink);
    paint::text_at(
        ui.painter(),
        Align2::LEFT_TOP,
        corner + vec2(0.0, 3.0),
        icon,
    );
    let corner = corner + vec2(INDENT, 1.0);
    paint::text_at(ui.painter(), Align2::LEFT_TOP, corner, galley);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_blocks_sending_comes_before_what_is_worth_a_look() {
        let own = [
            (Field::Reference1, Severity::Warning),
            (Field::Despatch, Severity::Error),
            (Field::Staff, Severity::Warning),
            (Field::Route, Severity::Error),
        ]
        .map(|(field, severity)| Problem {
            field,
            severity,
            message: String::new(),
        });
        let list = ProblemList::new(&own, &[]);
        let order: Vec<Field> = by_severity(&list).map(|problem| problem.field).collect();
        let wanted = [
            Field::Despatch,
            Field::Route,
            Field::Reference1,
            Field::Staff,
        ];
        assert_eq!(order, wanted);
    }
}
