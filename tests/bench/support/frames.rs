//! Frames of something that egui draws, laid out and tessellated without a window.

use egui::epaint::ClippedShape;
use egui::{Context, Event, FullOutput, RawInput, Rect, Ui, pos2, vec2};

use super::cpu;

/// The frames of one context, 60 a second.
#[derive(Default)]
pub(crate) struct Frames {
    pub(crate) context: Context,
    count: u32,
}

impl Frames {
    /// How many frames there were.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// Draws and tessellates a frame with these events. Returns its shapes and everything else that it put out.
    pub(crate) fn step(
        &mut self,
        events: Vec<Event>,
        draw: impl FnMut(&mut Ui),
    ) -> (Vec<ClippedShape>, FullOutput) {
        self.count += 1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1440.0, 900.0))),
            time: Some(f64::from(self.count) / 60.0),
            focused: true,
            events,
            ..RawInput::default()
        };
        let mut output = self.context.run_ui(input, draw);
        // Nobody draws here: there is no texture to change.
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        let drawn = shapes.clone();
        drop(self.context.tessellate(drawn, output.pixels_per_point));
        (shapes, output)
    }
}

/// Milliseconds of CPU that one of so many frames takes.
pub(crate) fn cpu_a_frame(frames: u32, mut step: impl FnMut(u32)) -> f64 {
    let before = cpu::own();
    for frame in 0..frames {
        step(frame);
    }
    let used = cpu::own().saturating_sub(before);
    used.as_secs_f64() * 1000.0 / f64::from(frames)
}
