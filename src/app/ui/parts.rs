//! Parts that several screens draw: buttons of actions, choices between values, and rows of lists.

use egui::{Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::Context;
use super::actions::Action;
use widgets::button::Button;
use widgets::paint;
use widgets::select::Select;
use widgets::tokens::palette;

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

/// Draws a drop-down for one of these values, each with its text.
pub(crate) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, &str)],
) -> bool {
    let names: Vec<&str> = options.iter().map(|(_, name)| *name).collect();
    let current = options.iter().position(|(value, _)| value == chosen);
    let picked = Select::new(label, current, &names).show(ui).picked;
    if let Some(at) = picked {
        *chosen = options[at].0;
    }
    picked.is_some()
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
