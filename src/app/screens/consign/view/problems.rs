//! The card "Before you send": all errors and warnings, each a link to its field, and the dangerous goods declaration.

use egui::{Align2, Id, Role, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, vec2};

use super::form::{place_label, take_focus};
use crate::state::{Editing, ProblemList};
use draft::{Field, Severity};
use widgets::badge::Badge;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, paint, text};

/// Left edge of the text, after the icon.
const INDENT: f32 = 26.0;
const GAP: f32 = 4.0;
/// Rows within this distance of the visible area are drawn too, in points, because Tab only reaches rows that
/// are drawn.
const NEAR: f32 = 80.0;

/// Draws the card. Returns the field of a problem that was clicked.
pub(super) fn card(ui: &mut Ui, editing: &mut Editing, list: &ProblemList) -> Option<Field> {
    let (errors, show_all) = (list.errors().count(), editing.show_all);
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
                // The different name makes screen readers announce the count again after errors have stopped Send.
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
                if list.is_empty() {
                    text::note(ui, "Nothing is missing");
                }
                let go_to = entries(ui, list, show_all);
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

/// Draws the visible problems. Returns the field of a problem that was clicked.
fn entries(ui: &mut Ui, list: &ProblemList, show_all: bool) -> Option<Field> {
    let p = palette(ui);
    let width = ui.available_width();
    let clip = ui.clip_rect().expand(NEAR);
    let mut go_to = None;
    for (at, problem) in list.by_severity().enumerate() {
        let (icon, tone): (Icon, Tone) = match problem.severity {
            Severity::Error if show_all => (icons::ICON_ERROR, Tone::Bad),
            Severity::Error => (icons::ICON_CIRCLE, Tone::Neutral),
            Severity::Warning => (icons::ICON_WARNING, Tone::Warning),
        };
        let ink = tone.ink(p);
        let words = match place_label(problem.field).as_str() {
            "" => problem.message.clone(),
            place => format!("{place}: {}", problem.message),
        };
        let text = WidgetText::from(text::body(&words).color(ink));
        let wrap = Some(TextWrapMode::Wrap);
        let galley = text.into_galley(ui, wrap, width - INDENT, text::body_font());
        let size = vec2(width, galley.size().y.max(22.0) + 2.0);
        let (_, rect) = ui.allocate_space(size);
        if rect.bottom() < clip.top() || rect.top() > clip.bottom() {
            continue;
        }
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
        let (icon, anchor) = (paint::icon(ui, icon, 16.0, ink), Align2::LEFT_TOP);
        paint::text_at(ui.painter(), anchor, corner + vec2(0.0, 3.0), icon);
        paint::text_at(ui.painter(), anchor, corner + vec2(INDENT, 1.0), galley);
        if response.clicked() {
            go_to = Some(problem.field);
        }
    }
    go_to
}
