//! Zooming and panning of a preview by keys, mouse wheel, dragging and a button.
//!
//! Content that fits stays centred; larger content can't be moved out of its window.

use egui::{
    EventFilter, Key, Modifiers, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, vec2,
};

use super::button::Button;
use super::tokens::palette;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoomStep {
    In,
    Out,
    Fit,
}

/// Zoom factors that the keys stop at, in pixels per dot.
const STOPS: [f32; 8] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// Distance that an arrow key moves the content, in points.
const MOVE: f32 = 48.0;

/// Zoom factor and position of a preview.
#[derive(Debug, Default)]
pub struct Zoom {
    /// Pixels per dot; `None` while the whole content is fitted into the window.
    zoom: Option<f32>,
    /// Point of the content that is in the middle of the window, as a share (0 to 1) of the content's size.
    middle: Option<Vec2>,
    /// Pixels per dot in the last frame.
    shown: f32,
}

impl Zoom {
    pub fn take(&mut self, step: ZoomStep) {
        let shown = self.shown.max(0.01);
        match step {
            ZoomStep::In => {
                let next = STOPS.into_iter().find(|stop| *stop > shown * 1.01);
                self.zoom = next.or(self.zoom);
            }
            ZoomStep::Out => {
                let next = STOPS.into_iter().rev().find(|stop| *stop < shown * 0.99);
                self.zoom = next.or(self.zoom);
            }
            ZoomStep::Fit => {
                self.zoom = None;
                self.middle = None;
            }
        }
    }

    /// Consumes the keys +, − and 0. Don't call while a text field has the focus.
    pub fn keys(&mut self, ui: &Ui) {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        // On many keyboards + is typed with Shift, or is on the key of =.
        if pressed(Modifiers::SHIFT, Key::Plus)
            || pressed(Modifiers::NONE, Key::Equals)
            || pressed(Modifiers::NONE, Key::Plus)
        {
            self.take(ZoomStep::In);
        }
        if pressed(Modifiers::NONE, Key::Minus) {
            self.take(ZoomStep::Out);
        }
        if pressed(Modifiers::NONE, Key::Num0) {
            self.take(ZoomStep::Fit);
        }
    }

    /// Draws a button that shows the zoom factor. A click switches between the whole content, 100 % (one
    /// pixel per dot) and 200 %; the keys and the mouse wheel make finer steps.
    pub fn button(&mut self, ui: &mut Ui, all_of_it: &str) {
        let word =
            { self.zoom }.map_or_else(|| "Fit".to_owned(), |zoom| format!("{:.0} %", zoom * 100.0));
        let name = format!("Zoom: {word}");
        let button = Button::new(&word).min_width(66.0).accessible_name(&name);
        let hint = format!("{all_of_it}, 100 %, 200 % (keys +, − and 0, or Ctrl and the wheel)");
        if ui.add(button).on_hover_text(hint).clicked() {
            self.zoom = match self.zoom {
                None => Some(1.0),
                Some(zoom) if zoom < 1.5 => Some(2.0),
                Some(_) => None,
            };
        }
    }

    /// Draws a window of `room` points for content of `dots` size. `paint` gets the rectangles of the window and of the
    /// content, and the pixels per dot. `name` is the content's name for screen readers.
    pub fn window(
        &mut self,
        ui: &mut Ui,
        (room, name): (Vec2, &str),
        dots: Vec2,
        paint: impl FnOnce(&Ui, Rect, Rect, f32),
    ) {
        let (window, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
        let (content, zoom) = self.place(ui, &response, dots);
        paint(ui, window, content, zoom);
        if response.has_focus() {
            let ring = Stroke::new(2.0, palette(ui).accent);
            ui.painter()
                .rect_stroke(window, 4.0, ring, StrokeKind::Outside);
        }
    }

    /// Returns the rectangle in which content of `dots` size is drawn in the window of `response`, and the
    /// pixels per dot.
    fn place(&mut self, ui: &Ui, response: &Response, dots: Vec2) -> (Rect, f32) {
        let window = response.rect;
        let room = window.size();
        let pixels_per_point = ui.ctx().pixels_per_point();
        let fit = (room.x / dots.x).min(room.y / dots.y) * pixels_per_point;
        if response.hovered() {
            let pinch = ui.input(egui::InputState::zoom_delta);
            if (pinch - 1.0).abs() > f32::EPSILON {
                let zoom = self.zoom.unwrap_or(fit) * pinch;
                let least = fit.min(STOPS[0]);
                self.zoom = Some(zoom.clamp(least, STOPS[STOPS.len() - 1]));
            }
        }
        let zoom = self.zoom.unwrap_or(fit);
        self.shown = zoom;
        let shown = dots * zoom / pixels_per_point;
        (self.moved(ui, response, shown), zoom)
    }

    /// Returns the content's rectangle. Content that fits is centred; larger content is moved by dragging, the wheel
    /// or the arrow keys.
    fn moved(&mut self, ui: &Ui, response: &Response, shown: Vec2) -> Rect {
        let window = response.rect;
        let mut by = if response.dragged() {
            response.drag_delta()
        } else {
            Vec2::ZERO
        };
        if response.hovered() {
            by += ui.input(egui::InputState::smooth_scroll_delta);
        }
        if response.has_focus() {
            let filter = EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            for (key, step) in [
                (Key::ArrowLeft, vec2(MOVE, 0.0)),
                (Key::ArrowRight, vec2(-MOVE, 0.0)),
                (Key::ArrowUp, vec2(0.0, MOVE)),
                (Key::ArrowDown, vec2(0.0, -MOVE)),
            ] {
                if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
                    by += step;
                }
            }
        }
        let mut middle = self.middle.unwrap_or(Vec2::splat(0.5)) - by / shown;
        for axis in 0..2 {
            // The middle stays half a window away from each edge. Content that fits is thus always centred.
            let half = (window.size()[axis] / shown[axis] / 2.0).min(0.5);
            middle[axis] = middle[axis].clamp(half, 1.0 - half);
        }
        self.middle = Some(middle);
        Rect::from_min_size(window.center() - middle * shown, shown)
    }
}
