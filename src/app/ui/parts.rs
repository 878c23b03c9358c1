//! Parts that several screens draw: buttons of actions, choices between values, and rows of lists.

use egui::{Id, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::Context;
use super::actions::Action;
use crate::state::{Media, Shared};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::field::{Field, FieldResponse};
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, paint, text};

/// Width of the time of a step in a timeline, in points.
pub(crate) const STEP_TIME: f32 = 64.0;

/// Draws the button of an action, made by [`Button::new`] or [`Button::primary`], with its name and shortcut. Returns
/// true if the action is possible and was triggered by the button, by its shortcut or by name.
pub(crate) fn action_button(
    ui: &mut Ui,
    context: &Context<'_>,
    action: Action,
    can: bool,
    new: fn(&'static str) -> Button<'static>,
) -> bool {
    let (entry, key) = (action.entry(), action.key());
    let button = ui.add_enabled(can, new(entry.name).key(&key));
    let button = button.on_hover_text(entry.tooltip);
    can && (button.clicked() || context.is_triggered(action))
}

/// Draws settings that an administrator may have locked. Then they can't be changed, and a line below them says who set
/// them. `path` is as for `MachineSettings::is_locked`.
pub(crate) fn lockable<R>(
    ui: &mut Ui,
    shared: &Shared,
    path: &[&str],
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let machine = &shared.settings.machine;
    let is_locked = machine.is_locked(path);
    let added = ui.add_enabled_ui(!is_locked, add).inner;
    if is_locked {
        set_by(ui, machine.set_by(), "You can't change it here");
    }
    added
}

/// Marks a form with input that is not saved.
pub(crate) fn unsaved_badge(ui: &mut Ui, is_unsaved: bool) {
    if is_unsaved {
        Badge::new(Tone::Warning, "not saved").show(ui);
    }
}

/// Draws a note if documents are printed smaller on this paper.
pub(crate) fn paper_note(ui: &mut Ui, media: Media) {
    if !media.is_for_documents() {
        let words = "Documents are made for A4 or Letter paper. This printer has other paper, so they are printed smaller";
        text::note(ui, words);
    }
}

/// Draws the line that says who set the locked settings beside it, and what that means for the clerk.
pub(crate) fn set_by(ui: &mut Ui, who: &str, meaning: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let ink = palette(ui).muted;
        text::decorative_icon(ui, icons::ICON_LOCK, 16.0, ink);
        text::small_note(ui, format!("Set by {who}. {meaning}"));
    });
}

/// Draws a drop-down with these options, each a value with its text. Returns true if the clerk has picked a value.
pub(crate) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, impl AsRef<str>)],
) -> bool {
    choice_with_problem(ui, label, chosen, options, None)
}

/// Draws a drop-down as [`choice`] does, with a problem below it.
pub(crate) fn choice_with_problem<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, impl AsRef<str>)],
    problem: Option<&str>,
) -> bool {
    let names: Vec<&str> = options.iter().map(|(_, name)| name.as_ref()).collect();
    let current = options.iter().position(|(value, _)| value == chosen);
    let select = Select::new(label, current, &names).error(problem);
    let picked = select.show(ui).picked;
    if let Some(at) = picked {
        *chosen = options[at].0;
    }
    picked.is_some()
}

/// Draws a field for a reason, with suggested reasons below it. A click, or Alt and a number, picks a suggestion.
/// `error` returns the problem of the reason. Returns the response of the field, and whether a suggestion was picked.
pub(crate) fn reason_field<'a>(
    ui: &mut Ui,
    id: Id,
    reason: &mut String,
    suggestions: &[&str],
    error: impl FnOnce(&str) -> Option<&'a str>,
) -> (FieldResponse, bool) {
    let mut picked = key_cap::pressed_digit(ui, suggestions.len());
    if let Some(at) = picked {
        suggestions[at].clone_into(reason);
    }
    let error = error(reason);
    let field = Field::new("Reason", reason).id(id).limit(500).error(error);
    let field = field.hint("Type a reason, or press Alt and a number");
    let field = field.show(ui);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for (at, words) in suggestions.iter().enumerate() {
            let key = key_cap::digit_shortcut(at).map(key_cap::label);
            let key = key.unwrap_or_default();
            let button = Button::new(words).key(&key).left().small();
            let button = button.selected(reason.as_str() == *words).fill_width(ui);
            if ui.add(button.skip_in_tab_order()).clicked() {
                (*words).clone_into(reason);
                picked = Some(at);
            }
        }
    });
    (field, picked.is_some())
}

/// Returns true if a text has more letters than digits, unlike a number that was typed or scanned.
pub(crate) fn is_reason(text: &str) -> bool {
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    count(char::is_alphabetic) > count(|c| c.is_ascii_digit())
}

/// Adds a row of a list that can be clicked, and draws its background, the line below it and the ring of the focus.
pub(crate) fn list_row(ui: &mut Ui, height: f32, role: Role, name: &str, chosen: bool) -> Response {
    let room = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(room, Sense::click());
    response.widget_info(|| WidgetInfo::selected(role, true, chosen, name));
    paint::row_background(ui, &response, chosen, 0);
    let line = Stroke::new(1.0, palette(ui).border);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
    paint::focus_ring(ui, &response, rect.shrink(1.0), 4);
    response
}

/// Draws a step of a timeline: its time with a small text below it, a mark of this width in points, and the text. A
/// line leads to the next step, if there is one.
pub(crate) fn timeline_step(
    ui: &mut Ui,
    (time, below): (&str, &str),
    is_last: bool,
    mark_width: f32,
    mark: impl FnOnce(&Ui, Rect),
    content: impl FnOnce(&mut Ui),
) {
    let p = palette(ui);
    let shown = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(size::GRID, 0.0);
        ui.allocate_ui(vec2(STEP_TIME, size::LINE), |ui| {
            ui.set_width(STEP_TIME);
            ui.vertical(|ui| {
                ui.label(text::body(time).size(size::CELL).color(p.muted));
                if !below.is_empty() {
                    ui.label(text::small(below).color(p.muted));
                }
            });
        });
        let (rect, _) = ui.allocate_exact_size(vec2(mark_width, size::LINE), Sense::hover());
        mark(ui, rect);
        ui.vertical(|ui| {
            content(ui);
            ui.add_space(10.0);
        });
        rect
    });
    if !is_last {
        let mark = shown.inner;
        let line = mark.bottom()..=shown.response.rect.bottom();
        let stroke = Stroke::new(1.0, p.strong_border);
        ui.painter().vline(mark.center().x, line, stroke);
    }
}
