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
mod track;
mod warehouse;

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::Arc;

use app::state::{Command, ConsignmentRow, Editing, ListCommand, Remote, Screen, Shared};
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, Ui, pos2, vec2};

use crate::support::frames::{Frames, cpu_a_frame};
use crate::support::report::{Target, alternate, frame_target};
use crate::support::screens::{Shown, working};

pub(crate) use memory::as_child;

const ROWS: usize = 100_000;
const ROUNDS: usize = 7;
const FRAMES_A_ROUND: u32 = 200;

/// How many times the bare table's.
const AIM_RATIO: f64 = 1.2;
/// Milliseconds of CPU a frame.
const AIM_MS: f64 = 2.0;

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let list: Rows = data::rows(ROWS).map(Arc::new).rev().collect();
    let (mut ours, mut rival) = (
        Bench::new(dispatch(&list)),
        Bench::new(bare::dispatch(Arc::clone(&list))),
    );
    let times = alternate(ROUNDS, || ours.round(), || rival.round());
    frame_target(&mut out, "list_frame", times, Target::Ratio(AIM_RATIO))?;
    frame_target(
        &mut out,
        "list_frame_time",
        times,
        Target::Milliseconds(AIM_MS),
    )?;
    writeln!(
        out,
        "nodes told to a screen reader: {} and {}",
        ours.step(),
        rival.step()
    )?;
    filter::run(&mut out, &list)?;
    drop((ours, rival, list));
    track::run(&mut out)?;
    memory::run()
}

/// The rows of a list, newest first.
type Rows = Arc<[Arc<ConsignmentRow>]>;

/// What the screens see of a list.
fn at_dispatch(list: &[Arc<ConsignmentRow>]) -> Shared {
    let mut shared = working();
    "Australia/Sydney".clone_into(&mut shared.session.zone);
    shared.screen = Screen::Dispatch;
    shared.dispatch.unmanifested = Remote::ready(list.iter().map(|row| row.id).collect());
    shared
}

/// The Dispatch screen as the program draws it. Visible rows are requested as they appear and arrive in the next
/// frame, as in use.
fn dispatch(list: &[Arc<ConsignmentRow>]) -> impl FnMut(&mut Ui) + use<> {
    let mut shown = Shown::new(at_dispatch(list), Editing::default());
    let rows: HashMap<_, _> = list.iter().map(|row| (row.id, Arc::clone(row))).collect();
    move |ui| {
        for command in shown.draw(ui) {
            if let Command::List(ListCommand::NeedRows(ids)) = command {
                let rows = ids.into_iter().map(|id| (id, Arc::clone(&rows[&id])));
                shown.shared.rows = Arc::new(rows.collect());
            }
        }
    }
}

/// Something with a list that scrolls, which this closure draws.
struct Bench<D> {
    frames: Frames,
    draw: D,
}

impl<D: FnMut(&mut Ui)> Bench<D> {
    fn new(draw: D) -> Self {
        let frames = Frames::default();
        frames.context.enable_accesskit();
        let mut bench = Self { frames, draw };
        // Until everything is read, laid out and in the atlas.
        for _ in 0..120 {
            bench.step();
        }
        bench
    }

    /// Milliseconds of CPU a frame.
    fn round(&mut self) -> f64 {
        cpu_a_frame(FRAMES_A_ROUND, |_| {
            self.step();
        })
    }

    /// Scrolls by a notch. Returns how many nodes a screen reader is told of.
    fn step(&mut self) -> usize {
        let across = f32::from(u16::try_from(self.frames.count() % 200).unwrap_or_default());
        let scroll = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -90.0),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        };
        let events = vec![Event::PointerMoved(pos2(400.0 + across, 500.0)), scroll];
        let (_, output) = self.frames.step(events, &mut self.draw);
        let update = output.platform_output.accesskit_update;
        update.map_or(0, |update| update.nodes.len())
    }
}
