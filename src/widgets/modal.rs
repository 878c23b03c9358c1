//! Modal dialogs.
//!
//! A dialog moves the focus to its first widget when it opens, and back to the former widget when it closes. egui
//! does not move the focus automatically, so a dialog must be called in every frame, open or not. Escape closes the
//! dialog.

use egui::{Align, FocusDirection, Id, Layout, Margin, Ui, UiBuilder, vec2};

use super::button::Button;
use super::tokens::{INK, palette, size};
use super::{icons, paint, text};

#[derive(Debug)]
#[must_use = "call show"]
pub struct Modal<'a> {
    id: Id,
    title: &'a str,
    width: f32,
    top: bool,
    step: usize,
}

/// The focus from before the dialog opened, and the attempts left to move it into the dialog.
#[derive(Debug, Clone, Copy, Default)]
struct SavedFocus {
    focus: Option<Id>,
    /// Number of frames left in which to move the focus into the dialog. egui measures a new dialog for one
    /// frame, in which no widget can take the focus.
    frames_left: u8,
    step: usize,
}

impl<'a> Modal<'a> {
    /// Creates a dialog. An empty `title` omits the title bar.
    pub fn new(id: impl std::hash::Hash + std::fmt::Debug, title: &'a str) -> Self {
        Self {
            id: Id::unique(("modal", id)),
            title,
            width: 460.0,
            top: false,
            step: 0,
        }
    }

    setters! {
        /// Sets the step that is shown, for a dialog of several steps. A new step moves the focus to its first widget.
        pub fn step(self, step: usize) { self.step = step }
        /// Sets the width in points. The dialog is narrower if the window has less room.
        pub fn width(self, points: f32) { self.width = points }
        /// Places the dialog near the top of the window, so that it does not move when its list grows.
        pub(super) fn at_top(self) { self.top = true }
    }

    /// Draws the dialog while `open`, and closes it on Escape. Returns the value of `content`, which may set
    /// `open` to false.
    pub fn show<R>(
        self,
        ui: &Ui,
        open: &mut bool,
        content: impl FnOnce(&mut Ui, &mut bool) -> R,
    ) -> Option<R> {
        let ctx = ui.ctx();
        let before: Option<SavedFocus> = ctx.data(|data| data.get_temp(self.id));
        if !*open {
            if let Some(before) = before {
                ctx.data_mut(|data| data.remove::<SavedFocus>(self.id));
                restore_focus(ui, before.focus);
            }
            return None;
        }
        move_focus_inside(ui, (self.id, self.step), before);
        let p = palette(ui);
        let room = ctx.content_rect();
        let width = self.width.min(room.width() - 32.0);
        let mut area = egui::Modal::default_area(self.id);
        if self.top {
            area = area.anchor(egui::Align2::CENTER_TOP, vec2(0.0, 72.0));
        }
        let frame = paint::frame(p.surface, p.strong_border, size::CARD_RADIUS);
        let shown = egui::Modal::new(self.id)
            .area(area)
            .frame(frame.inner_margin(Margin::same(16)))
            .backdrop_color(INK.gamma_multiply(0.45))
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
        // A dialog is centred by its size in the frame before.
        let size = shown.response.rect.size();
        let size_id = self.id.with("size");
        if ctx.data(|data| data.get_temp(size_id)) != Some(size) {
            ctx.data_mut(|data| data.insert_temp(size_id, size));
            ctx.request_repaint();
        }
        if shown.should_close() {
            *open = false;
            ctx.request_repaint();
        }
        Some(shown.inner)
    }
}

/// Returns whether Escape was pressed while no dialog or menu is open, and consumes the key. An open dialog or menu
/// handles Escape itself.
pub fn consume_escape(ui: &Ui) -> bool {
    let covered = ui.memory(egui::Memory::top_modal_layer).is_some();
    !covered
        && !egui::Popup::is_any_open(ui.ctx())
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
}

/// Remembers the focus in the dialog's first frame, and moves the focus to the first widget inside the dialog in the
/// next frames, and again in the frames after each new step.
fn move_focus_inside(ui: &Ui, (id, step): (Id, usize), before: Option<SavedFocus>) {
    let ctx = ui.ctx();
    let focused = ctx.memory(egui::Memory::focused);
    // The key that opened the dialog is still in this frame's input, but no widget inside may react to that key.
    let opens_now = before.is_none_or(|before| before.step != step);
    let focus = before.map_or(focused, |before| before.focus);
    let before = before.filter(|before| before.step == step);
    let mut before = before.unwrap_or_else(|| {
        if let Some(focused) = focused {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
        SavedFocus {
            focus,
            frames_left: 4,
            step,
        }
    });
    if before.frames_left == 0 {
        return;
    }
    before.frames_left -= 1;
    if opens_now {
        ctx.request_repaint();
    } else if ctx.memory(egui::Memory::focused).is_some() {
        before.frames_left = 0;
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
    // The close button is added last, so that it comes last in the Tab order.
    let head = ui.allocate_space(vec2(ui.available_width(), 28.0)).1;
    let answer = content(ui, open);
    let layout = Layout::right_to_left(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(head).layout(layout));
    let close = Button::icon_only(icons::ICON_CLOSE, "Close").small();
    if row.add(close).clicked() {
        *open = false;
    }
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(egui::Label::new(text::title(title)).truncate())
    });
    answer
}

fn restore_focus(ui: &Ui, focus: Option<Id>) {
    ui.memory_mut(|memory| match focus {
        Some(id) => memory.request_focus(id),
        None => {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        }
    });
}

/// Draws the buttons at the bottom of a dialog: the main button, and Cancel, which closes the dialog. Returns whether
/// the main button was pressed.
pub fn confirm_or_cancel(
    ui: &mut Ui,
    open: &mut bool,
    button: Button<'_>,
    is_enabled: bool,
) -> bool {
    ui.add_space(6.0);
    let pressed = ui.horizontal(|ui| {
        let pressed = ui.add_enabled(is_enabled, button).clicked();
        if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
            *open = false;
        }
        pressed
    });
    pressed.inner
}
