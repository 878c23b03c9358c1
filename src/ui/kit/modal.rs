//! Dialogs: in front of everything until they are answered.
//!
//! What always holds: the focus goes to the first thing in the dialog and back to where it was; Escape closes it. egui does
//! neither by itself, so the dialog has to be called every frame, open or not.

use egui::{Align, CornerRadius, FocusDirection, Frame, Id, Layout, Margin, Stroke, Ui, vec2};

use super::button::Button;
use super::icons;
use super::text;
use super::tokens::{palette, size};

/// A dialog.
#[derive(Debug)]
#[must_use = "call show"]
pub struct Modal<'a> {
    id: Id,
    title: &'a str,
    width: f32,
    top: bool,
}

/// Where the focus was before the dialog opened.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    focus: Option<Id>,
    /// How many more frames the focus may take to arrive: egui measures a new dialog for a frame, in which nothing can have it.
    patience: u8,
}

impl<'a> Modal<'a> {
    /// A dialog with its title; without one for an empty title.
    pub fn new(id: impl std::hash::Hash + std::fmt::Debug, title: &'a str) -> Self {
        Self {
            id: Id::unique(("modal", id)),
            title,
            width: 460.0,
            top: false,
        }
    }

    /// So wide, in points, where there is room.
    pub fn width(mut self, points: f32) -> Self {
        self.width = points;
        self
    }

    /// Near the top of the window, so that a list growing below it does not move it.
    pub(super) fn at_top(mut self) -> Self {
        self.top = true;
        self
    }

    /// Draws it while `open`, and closes it on Escape. Answers what `content` answers; it may set `open` to false.
    pub fn show<R>(
        self,
        ui: &Ui,
        open: &mut bool,
        content: impl FnOnce(&mut Ui, &mut bool) -> R,
    ) -> Option<R> {
        let ctx = ui.ctx();
        let before: Option<Before> = ctx.data(|data| data.get_temp(self.id));
        if !*open {
            if let Some(before) = before {
                ctx.data_mut(|data| data.remove::<Before>(self.id));
                give_back(ui, before.focus);
            }
            return None;
        }
        lead_in(ui, self.id, before);
        let p = palette(ui);
        let room = ctx.content_rect();
        let width = self.width.min(room.width() - 32.0);
        let mut area = egui::Modal::default_area(self.id);
        if self.top {
            area = area.anchor(egui::Align2::CENTER_TOP, vec2(0.0, 72.0));
        }
        let frame = Frame::new()
            .fill(p.surface)
            .stroke(Stroke::new(1.0, p.strong_border))
            .corner_radius(CornerRadius::same(size::CARD_RADIUS))
            .inner_margin(Margin::same(16));
        let shown = egui::Modal::new(self.id)
            .area(area)
            .frame(frame)
            .backdrop_color(backdrop())
            .show(ctx, |ui| {
                ui.set_width(width);
                let answer = content_with_title(ui, self.title, open, content);
                ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                    node.set_role(egui::accesskit::Role::Dialog);
                    node.set_label(self.title);
                    node.set_modal();
                });
                answer
            });
        if shown.should_close() {
            *open = false;
            ctx.request_repaint();
        }
        Some(shown.inner)
    }
}

/// Was Escape pressed for something that is no dialog and no menu? Takes the key. One that is in front has it to itself.
pub fn takes_escape(ui: &Ui) -> bool {
    let covered = ui.memory(egui::Memory::top_modal_layer).is_some();
    !covered
        && !egui::Popup::is_any_open(ui.ctx())
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
}

/// In the first frame remembers the focus; then has the first widget inside take it.
fn lead_in(ui: &Ui, id: Id, before: Option<Before>) {
    let ctx = ui.ctx();
    let focused = ctx.memory(egui::Memory::focused);
    // The key that opened the dialog is still in this frame's input: nothing inside may take it.
    let opens_now = before.is_none();
    let mut before = before.unwrap_or_else(|| {
        if let Some(focused) = focused {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
        Before {
            focus: focused,
            patience: 4,
        }
    });
    if before.patience == 0 {
        return;
    }
    before.patience -= 1;
    if opens_now {
        ctx.request_repaint();
    } else if ctx.memory(egui::Memory::focused).is_some() {
        before.patience = 0;
    } else {
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
        ctx.request_repaint();
    }
    ctx.data_mut(|data| data.insert_temp(id, before));
}

fn content_with_title<R>(
    ui: &mut Ui,
    title: &str,
    open: &mut bool,
    content: impl FnOnce(&mut Ui, &mut bool) -> R,
) -> R {
    if title.is_empty() {
        return content(ui, open);
    }
    // The cross comes last in the order of Tab: the first thing to answer is in the content.
    let head = ui.allocate_space(vec2(ui.available_width(), 28.0)).1;
    let answer = content(ui, open);
    let mut row = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(head)
            .layout(Layout::right_to_left(Align::Center)),
    );
    if row
        .add(Button::icon_only(icons::ICON_CLOSE, "Close").small())
        .clicked()
    {
        *open = false;
    }
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(egui::Label::new(text::title(title)).truncate())
    });
    answer
}

fn give_back(ui: &Ui, focus: Option<Id>) {
    ui.memory_mut(|memory| match focus {
        Some(id) => memory.request_focus(id),
        None => {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        }
    });
}

fn backdrop() -> egui::Color32 {
    super::tokens::INK.gamma_multiply(0.45)
}
