//! Measures a frame of the consignment editor with 200 goods lines, 50 of them with dangerous goods, and 100
//! problems, compared with a plain egui form with as many text fields. Also counts the frames until a key
//! press is visible.
//!
//! Run with `cargo bench -- editor`. The two sides alternate, so that a disturbance affects both. A frame is
//! the work of the main thread: handling input, checking the draft, layout and tessellation, but not the
//! GPU's work. In every frame a key is typed into a field, the pointer moves, and the draft changes.

mod desk;
mod plain;

use std::io::{self, Write as _};

use egui::epaint::ClippedShape;
use egui::{Event, FullOutput, Key, Modifiers, Shape, pos2};

use crate::support::frames::{Frames, cpu_a_frame};
use crate::support::report::{Target, alternate, frame_target, verdict};
use desk::Desk;
use plain::Plain;

/// Lines of goods, those with dangerous goods, and those that something is wrong with.
const LINES: usize = 200;
const DANGEROUS: usize = 50;
const WRONG: usize = 100;

const ROUNDS: usize = 9;
const FRAMES_A_ROUND: u32 = 120;

/// Milliseconds of CPU a frame.
const AIM_MS: f64 = 4.0;
/// How many times the plain form's.
const AIM_RATIO: f64 = 1.5;

/// Something that a clerk types into.
trait Form {
    /// Its frame.
    fn draw(&mut self, ui: &mut egui::Ui);
    /// Keys that lead into the field that is typed into.
    fn way_in(&self) -> Vec<Event>;
    /// How many text fields it has, in sight or not.
    fn fields(&self) -> usize;
}

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let desk = Desk::new();
    let plain = Plain::new(desk.fields());
    writeln!(
        out,
        "{LINES} lines, {DANGEROUS} with dangerous goods, {} problems, {} text fields",
        desk.problems(),
        desk.fields()
    )?;
    let (mut ours, mut rival) = (Bench::new(desk), Bench::new(plain));
    let keys = (ours.frames_to_show("Zq"), rival.frames_to_show("Zq"));
    let times = alternate(ROUNDS, || ours.round(), || rival.round());
    frame_target(
        &mut out,
        "editor_frame",
        times,
        Target::Milliseconds(AIM_MS),
    )?;
    frame_target(
        &mut out,
        "editor_against_plain_form",
        times,
        Target::Ratio(AIM_RATIO),
    )?;
    writeln!(
        out,
        "aim editor_key_shows ours={}frames rival={}frames ratio={:.2} aim=1 {}",
        keys.0,
        keys.1,
        f64::from(keys.0) / f64::from(keys.1),
        verdict(keys.0 == 1)
    )?;
    spoken(&mut out)
}

/// The same while a screen reader listens, and beside only as many plain fields as ours has in sight, since it draws no
/// others: told, no aim.
fn spoken(out: &mut impl io::Write) -> io::Result<()> {
    let desk = Desk::new();
    let plain = Plain::new(desk.fields());
    let (mut ours, mut rival) = (Bench::new(desk), Bench::new(plain));
    ours.frames.context.enable_accesskit();
    rival.frames.context.enable_accesskit();
    writeln!(
        out,
        "with a screen reader: {:.2} ms, the plain form {:.2} ms",
        ours.round(),
        rival.round()
    )?;
    let in_sight = ours.fields_in_sight();
    let mut few = Bench::new(Plain::new(in_sight));
    writeln!(
        out,
        "ours has {in_sight} fields in sight; a plain form of so few takes {:.2} ms",
        few.round()
    )
}

struct Bench<F> {
    frames: Frames,
    form: F,
}

impl<F: Form> Bench<F> {
    fn new(form: F) -> Self {
        let frames = Frames::default();
        let mut bench = Self { frames, form };
        for _ in 0..4 {
            bench.step(Vec::new());
        }
        let way_in = bench.form.way_in();
        bench.step(way_in);
        for _ in 0..8 {
            bench.step(Vec::new());
        }
        bench
    }

    fn step(&mut self, events: Vec<Event>) -> (Vec<ClippedShape>, FullOutput) {
        let form = &mut self.form;
        self.frames.step(events, |ui| form.draw(ui))
    }

    /// The text fields that a screen reader is told of.
    fn fields_in_sight(&mut self) -> usize {
        let (_, output) = self.step(Vec::new());
        let update = output.platform_output.accesskit_update;
        let nodes = update.map(|update| update.nodes).unwrap_or_default();
        let is_field =
            |node: &egui::accesskit::Node| node.role() == egui::accesskit::Role::TextInput;
        nodes.iter().filter(|(_, node)| is_field(node)).count()
    }

    /// Milliseconds of CPU a frame.
    fn round(&mut self) -> f64 {
        cpu_a_frame(FRAMES_A_ROUND, |frame| {
            let across = f32::from(u16::try_from(frame % 400).unwrap_or_default());
            let typed = if frame % 2 == 0 {
                Event::Text("7".to_owned())
            } else {
                key(Key::Backspace, Modifiers::NONE)
            };
            self.step(vec![
                Event::PointerMoved(pos2(300.0 + across, 500.0)),
                typed,
            ]);
        })
    }

    /// How many frames after a key its text is on the screen.
    fn frames_to_show(&mut self, text: &str) -> u32 {
        let mut events = vec![Event::Text(text.to_owned())];
        for frame in 1..=20 {
            let (shapes, _) = self.step(std::mem::take(&mut events));
            if shapes.iter().any(|shape| holds(&shape.shape, text)) {
                for _ in text.chars() {
                    self.step(vec![key(Key::Backspace, Modifiers::NONE)]);
                }
                return frame;
            }
        }
        u32::MAX
    }
}

fn holds(shape: &Shape, text: &str) -> bool {
    match shape {
        Shape::Text(shown) => shown.galley.text().contains(text),
        Shape::Vec(shapes) => shapes.iter().any(|shape| holds(shape, text)),
        _ => false,
    }
}

fn key(key: Key, modifiers: Modifiers) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    }
}
