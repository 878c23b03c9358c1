//! Measures the Dispatch list with 100,000 consignments: a frame while scrolling, compared with a bare
//! `egui_table` of the same columns and data; filtering while a clerk types, compared with
//! `to_lowercase().contains` over each column; and memory use.
//!
//! Run with `cargo bench -- list`. A frame is the work of the main thread while a screen reader is active:
//! the whole window with frame, list and groups is laid out and tessellated, while the baseline is the table
//! alone. The two sides alternate.

mod bare;
mod data;
mod filter;
mod memory;
mod screen;
mod track;
mod warehouse;

use std::io::{self, Write as _};

use egui::{
    Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, RawInput, Rect, TouchPhase, pos2,
    vec2,
};

use crate::support::cpu;
use crate::support::report::{median, verdict};
use bare::Bare;
use screen::Dispatch;

pub(crate) use memory::as_child;

const ROWS: usize = 100_000;
const ROUNDS: usize = 7;
const FRAMES_A_ROUND: u32 = 200;

/// How many times the bare table's.
const AIM_RATIO: f64 = 1.2;
/// Milliseconds of CPU a frame.
const AIM_MS: f64 = 2.0;

/// Something with a list that scrolls.
trait Screen {
    fn draw(&mut self, ui: &mut egui::Ui);
}

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let list = data::list(ROWS);
    let (mut ours, mut rival) = (
        Bench::new(Dispatch::new(list.clone())),
        Bench::new(Bare::new(list.clone())),
    );
    let (mut of_ours, mut of_rival) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_ours.push(ours.round());
        of_rival.push(rival.round());
    }
    let (mine, its) = (median(of_ours), median(of_rival));
    let ratio = mine / its;
    writeln!(
        out,
        "aim list_frame ours={mine:.2}ms rival={its:.2}ms ratio={ratio:.2} aim={AIM_RATIO} {}",
        verdict(ratio <= AIM_RATIO)
    )?;
    writeln!(
        out,
        "aim list_frame_time ours={mine:.2}ms rival={its:.2}ms ratio={ratio:.2} aim={AIM_MS}ms {}",
        verdict(mine < AIM_MS)
    )?;
    writeln!(
        out,
        "nodes told to a screen reader: {} and {}",
        ours.nodes(),
        rival.nodes()
    )?;
    filter::run(&mut out, &list)?;
    drop((ours, rival, list));
    track::run(&mut out)?;
    memory::run()
}

struct Bench<S> {
    context: Context,
    screen: S,
    frame: u32,
}

impl<S: Screen> Bench<S> {
    fn new(screen: S) -> Self {
        let mut bench = Self {
            context: Context::default(),
            screen,
            frame: 0,
        };
        bench.context.enable_accesskit();
        // Until everything is read, laid out and in the atlas.
        for _ in 0..120 {
            bench.step();
        }
        bench
    }

    /// Milliseconds of CPU a frame.
    fn round(&mut self) -> f64 {
        let before = cpu::own();
        for _ in 0..FRAMES_A_ROUND {
            self.step();
        }
        let used = cpu::own().saturating_sub(before);
        used.as_secs_f64() * 1000.0 / f64::from(FRAMES_A_ROUND)
    }

    fn step(&mut self) -> usize {
        self.frame += 1;
        let across = f32::from(u16::try_from(self.frame % 200).unwrap_or_default());
        let scroll = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -90.0),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1440.0, 900.0))),
            time: Some(f64::from(self.frame) / 60.0),
            focused: true,
            events: vec![Event::PointerMoved(pos2(400.0 + across, 500.0)), scroll],
            ..RawInput::default()
        };
        let screen = &mut self.screen;
        let mut output = self.context.run_ui(input, |ui| screen.draw(ui));
        // Nobody draws here: there is no texture to change.
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        drop(self.context.tessellate(shapes, output.pixels_per_point));
        let update = output.platform_output.accesskit_update;
        update.map_or(0, |update| update.nodes.len())
    }

    fn nodes(&mut self) -> usize {
        self.step()
    }
}
