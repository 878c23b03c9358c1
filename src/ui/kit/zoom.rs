//! Zooming and moving what is shown in a window of its own: by keys, by the wheel, by dragging, by a button.
//!
//! What always holds: what fits stays in the middle; what does not is never moved out of its window.

use egui::{EventFilter, Key, Modifiers, Rect, Response, Ui, Vec2, vec2};

use super::button::Button;

/// A step of the zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Larger.
    In,
    /// Smaller.
    Out,
    /// All of it.
    Fit,
}

/// Pixels a dot that the keys stop at.
const STOPS: [f32; 8] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// How far the arrows move it, in points.
const MOVE: f32 = 48.0;

/// How large something is shown, and where.
#[derive(Debug, Default)]
pub struct Zoom {
    /// Pixels a dot; nothing while all of it is to be seen.
    zoom: Option<f32>,
    /// Where the middle of the view is, as a share of it.
    middle: Option<Vec2>,
    /// Pixels a dot in the last frame.
    shown: f32,
}

impl Zoom {
    /// Makes a step.
    pub fn take(&mut self, step: Step) {
        let shown = self.shown.max(0.01);
        match step {
            Step::In => {
                let next = STOPS.into_iter().find(|stop| *stop > shown * 1.01);
                self.zoom = next.or(self.zoom);
            }
            Step::Out => {
                let next = STOPS.into_iter().rev().find(|stop| *stop < shown * 0.99);
                self.zoom = next.or(self.zoom);
            }
            Step::Fit => {
                self.zoom = None;
                self.middle = None;
            }
        }
    }

    /// Takes the keys + − 0. For when nothing is typed.
    pub fn keys(&mut self, ui: &Ui) {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        // On many keyboards + is typed with Shift, or is the key of =.
        if pressed(Modifiers::SHIFT, Key::Plus)
            || pressed(Modifiers::NONE, Key::Equals)
            || pressed(Modifiers::NONE, Key::Plus)
        {
            self.take(Step::In);
        }
        if pressed(Modifiers::NONE, Key::Minus) {
            self.take(Step::Out);
        }
        if pressed(Modifiers::NONE, Key::Num0) {
            self.take(Step::Fit);
        }
    }

    /// Says how large it is, and goes between all of it, one dot a pixel and twice that; finer steps are keys and the wheel.
    pub fn button(&mut self, ui: &mut Ui, all_of_it: &str) {
        let word =
            { self.zoom }.map_or_else(|| "Fit".to_owned(), |zoom| format!("{:.0} %", zoom * 100.0));
        let name = format!("Zoom: {word}");
        let button = Button::new(&word).min_width(66.0).spoken(&name);
        let hint = format!("{all_of_it}, 100 %, 200 % (keys +, − and 0, or Ctrl and the wheel)");
        if ui.add(button).on_hover_text(hint).clicked() {
            self.zoom = match self.zoom {
                None => Some(1.0),
                Some(zoom) if zoom < 1.5 => Some(2.0),
                Some(_) => None,
            };
        }
    }

    /// Where so many dots are drawn in the window of `response`, and how many pixels a dot has.
    pub fn place(&mut self, ui: &Ui, response: &Response, dots: Vec2) -> (Rect, f32) {
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

    /// In the middle where it fits; else as it was dragged, wheeled or moved by arrows.
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
            // Half a window from each edge; what fits stays in the middle.
            let half = (window.size()[axis] / shown[axis] / 2.0).min(0.5);
            middle[axis] = middle[axis].clamp(half, 1.0 - half);
        }
        self.middle = Some(middle);
        Rect::from_min_size(window.center() - middle * shown, shown)
    }
}
