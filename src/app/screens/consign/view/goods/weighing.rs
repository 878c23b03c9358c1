//! The scale in the goods: the reading below the current line, the key that takes it, and the mark of weighed weights.

use egui::{
    Align, Align2, Id, Label, Layout, Rect, Response, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};

use super::super::form::Form;
use super::super::id;
use super::GoodsState;
use super::row::{ColumnLayout, ROW};
use crate::scale::with_kilograms;
use crate::state::{ConsignCommand, ScaleState, Shared, Tone};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::clock_or_day;
use devices::taking::NotTaken;
use devices::weight::WeightUnit;
use draft::{Draft, Field, GoodsField, GoodsLine, join_parts};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::tokens::{palette, size};
use widgets::{field, icons, paint, text};

/// Height in points of the reading with a message where the window is narrow, so that the message has three lines.
const TALL_ROW: f32 = 54.0;
/// Width in points for the state and the button at the right.
const ROOM_FOR_BUTTON: f32 = 240.0;
/// Size of the mark of a weighed weight, in points.
const MARK: f32 = 12.0;

/// State of the scale in the goods.
#[derive(Debug, Default)]
pub(super) struct WeighingState {
    /// The number of stable loads that was handled; `None` until the first frame.
    seen_loads: Option<u64>,
    /// True if the button was clicked.
    is_clicked: bool,
    /// Height of the reading in the last frame, in points.
    height: f32,
    /// The line whose weight was asked for in the last frame.
    asked: Option<usize>,
}

impl GoodsState {
    /// Takes the weight for the current line: by its key or button, or by itself if the line's weight has the focus and
    /// is empty when the weight on the scale becomes stable.
    pub(super) fn take_weight(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &Draft) {
        let state = &mut self.weighing;
        let line = self.line;
        let weight = id(Field::Goods(line, GoodsField::Weight));
        let in_weight = ui.memory(|memory| memory.has_focus(weight));
        if let Some(asked) = state.asked.take()
            && in_weight
            && asked == line
            && { draft.goods.get(line) }.is_some_and(|goods| goods.weighing().is_some())
        {
            // What is typed next replaces the weight.
            field::select_all(ui.ctx(), weight);
        }
        let loads = context.shared.scale.stable_loads;
        let is_new = { state.seen_loads.replace(loads) }.is_some_and(|seen| seen != loads);
        let is_empty =
            { draft.goods.get(line) }.is_some_and(|goods| goods.weight.trim().is_empty());
        let is_pressed =
            std::mem::take(&mut state.is_clicked) || context.is_triggered(Action::TakeWeight);
        let by_itself = !is_pressed && is_new && in_weight && is_empty && !context.is_dialog_open;
        if is_pressed || by_itself {
            state.asked = Some(line);
            context.push(ConsignCommand::TakeWeight { line, by_itself });
        }
    }

    /// Draws the reading of the scale below the current line, with its number below the line's weight.
    pub(super) fn reading(&mut self, ui: &mut Ui, form: &Form<'_>, places: &ColumnLayout) {
        let scale = &form.shared.scale;
        let Some(name) = &scale.name else {
            return;
        };
        let line = self.line;
        let refusal = { scale.refusal.as_ref() }
            .filter(|refusal| refusal.line == line && refusal.draft == form.draft.id);
        let message = match (scale.state.problem(), refusal) {
            (Some((problem, advice)), _) => (Tone::Warning, join_parts(&[&problem, &advice], ". ")),
            (None, Some(refusal)) => (Tone::Warning, refusal.reason.to_string()),
            (None, None) => (Tone::Neutral, name_text(name, &scale.state)),
        };
        let height = if places.narrow && message.0 == Tone::Warning {
            TALL_ROW
        } else {
            ROW
        };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        ui.painter().rect_filled(rect, 0.0, palette(ui).raised);
        if height > self.weighing.height && self.row_focused {
            ui.scroll_to_rect(rect, None);
        }
        self.weighing.height = height;
        let mut cells = places.cells(rect);
        let weight = cells.find(|(_, field)| *field == GoodsField::Weight);
        let right = weight.map_or(rect.center().x, |(cell, _)| cell.right() - 9.0);
        let number = reading_text(ui, &scale.state, pos2(right, rect.center().y));
        let left = Rect::from_min_max(
            pos2(rect.left() + 14.0, rect.top()),
            pos2(number.left() - 12.0, rect.bottom()),
        );
        message_text(ui, left, &message);

        let end = (right + 12.0 + ROOM_FOR_BUTTON).min(rect.right());
        let rest = Rect::from_min_max(pos2(right + 12.0, rect.top()), pos2(end, rect.bottom()));
        let mut row = child(ui, rest, "take");
        Badge::new(scale.state.tone(), scale.state.label()).show(&mut row);
        let is_again = refusal.is_some_and(|refusal| refusal.reason == NotTaken::SameLoad);
        let (entry, key) = (Action::TakeWeight.entry(), Action::TakeWeight.key());
        let name = if is_again { "Use it again" } else { entry.name };
        let button = Button::new(name).key(&key).small().skip_in_tab_order();
        let button = row.add(button).on_hover_text(entry.tooltip);
        if button.clicked() {
            self.weighing.is_clicked = true;
            ui.ctx().request_repaint();
        }
    }
}

/// Returns the scale's name, with the weight in kilograms if the scale has another unit.
fn name_text(name: &str, state: &ScaleState) -> String {
    match state {
        ScaleState::Reading(reading) => match reading.weight {
            Some(weight) if weight.unit != WeightUnit::Kilogram => {
                format!("{name}: {}", with_kilograms(weight))
            }
            _ => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

/// Draws the weight on the scale, whose right edge is at this place.
fn reading_text(ui: &mut Ui, state: &ScaleState, right: egui::Pos2) -> Rect {
    let p = palette(ui);
    let ink = if state.tone() == Tone::Ok {
        p.text
    } else {
        p.muted
    };
    let galley = text::plain(ui, &state.weight(), text::strong_font(), ink);
    let rect = paint::text_at(ui.painter(), Align2::RIGHT_CENTER, right, galley);
    let response = ui.interact(rect, Id::unique("reading of the scale"), Sense::hover());
    let spoken = format!("{}, {}", state.weight(), state.label());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    rect
}

fn message_text(ui: &mut Ui, room: Rect, (tone, words): &(Tone, String)) {
    let p = palette(ui);
    let mut row = child(ui, room, "message");
    row.spacing_mut().item_spacing.x = size::GRID;
    let (icon, ink) = match tone {
        Tone::Warning => (icons::ICON_WARNING, p.warning),
        _ => (icons::ICON_SCALE, p.muted),
    };
    text::decorative_icon(&mut row, icon, size::ICON, ink);
    let label = row.add(Label::new(text::small(words).color(ink)).wrap());
    if *tone == Tone::Warning {
        row.ctx().accesskit_node_builder(label.id, |node| {
            node.set_live(egui::accesskit::Live::Polite);
        });
    }
}

fn child(ui: &mut Ui, rect: Rect, name: &str) -> Ui {
    ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .scope_id(Id::unique(("scale in the goods", name)))
            .layout(Layout::left_to_right(Align::Center)),
    )
}

/// Marks a weight that was read from a scale, and says when and on which.
pub(super) fn mark(ui: &Ui, shared: &Shared, goods: &GoodsLine, response: Response) -> Response {
    let Some(weighing) = goods.weighing() else {
        return response;
    };
    let at = weighing.at.timestamp();
    let at = clock_or_day(at, shared.now, &shared.session.zone, false);
    let words = format!("Weighed {at} on {}: {}", weighing.scale, weighing.reading);
    let icon = paint::icon(ui, icons::ICON_SCALE, MARK, palette(ui).accent);
    let corner = response.rect.left_center() + vec2(5.0, 0.0);
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, corner, icon);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(words.as_str());
    });
    response.on_hover_text(words)
}
