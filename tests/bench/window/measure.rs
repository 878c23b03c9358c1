//! Measures a program with a window from outside.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use shipping::Clock;

use super::damage::Damage;
use super::rival;
use crate::support::display::Display;
use crate::support::program::{Home, Program};
use crate::support::report::median;
use crate::support::wait::{SOON, until};

/// How long the screen must be still before a program counts as idle.
const CALM: Duration = Duration::from_secs(1);
/// How long an idle program is watched.
const IDLE: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(1);

/// What the rounds of one contestant have shown.
#[derive(Default)]
pub(crate) struct Figures {
    first_frame_ms: Vec<f64>,
    resident_mib: Vec<f64>,
}

impl Figures {
    /// From the start of the process to something on the screen, median.
    pub(crate) fn first_frame_ms(&self) -> f64 {
        median(self.first_frame_ms.clone())
    }

    /// Resident memory of the program and everything that it has started, once it is idle, median.
    pub(crate) fn resident_mib(&self) -> f64 {
        median(self.resident_mib.clone())
    }
}

/// A program that opens one window.
pub(crate) struct Contestant<'a> {
    display: &'a Display,
    home: Home,
    damage: RefCell<Damage>,
    title: &'static str,
    /// For the rival, the size of its window.
    size: Option<[u32; 2]>,
}

impl<'a> Contestant<'a> {
    /// Packbench as it starts on any day but the first.
    pub(crate) fn packbench(display: &'a Display) -> Self {
        let contestant = Self::new(display, "Packbench", None);
        let first_day = contestant.start_and_settle();
        drop(first_day);
        contestant.wait_for_an_empty_screen();
        contestant
    }

    pub(crate) fn empty_window(display: &'a Display, size: [u32; 2]) -> Self {
        Self::new(display, rival::TITLE, Some(size))
    }

    fn new(display: &'a Display, title: &'static str, size: Option<[u32; 2]>) -> Self {
        let damage =
            RefCell::new(Damage::watch(&display.name()).expect("an X server that reports damage"));
        Self {
            display,
            home: Home::new(),
            damage,
            title,
            size,
        }
    }

    /// Its window's width and height.
    pub(crate) fn size(&self) -> [u32; 2] {
        let running = self.start_and_settle();
        let size = self.display.window(self.title).size();
        drop(running);
        self.wait_for_an_empty_screen();
        size
    }

    /// Starts it once and adds what that shows.
    pub(crate) fn round(&self, figures: &mut Figures) {
        let start = Instant::now();
        let running = self.start();
        while !self.display.shows_something() {
            assert!(
                start.elapsed() < SOON,
                "{} shows nothing and says:\n{}",
                self.title,
                running.said()
            );
            thread::sleep(GLANCE);
        }
        figures
            .first_frame_ms
            .push(start.elapsed().as_secs_f64() * 1000.0);
        self.settle();
        figures
            .resident_mib
            .push(resident_kib(&running) as f64 / 1024.0);
        drop(running);
        self.wait_for_an_empty_screen();
    }

    /// How often it draws in [`IDLE`], once it has come to rest. The clock in the status bar moves on each minute, which is
    /// something happening: the watch begins where it does not fall into it.
    pub(crate) fn frames_while_idle(&self) -> usize {
        let running = self.start_and_settle();
        let clock = Clock::system();
        until(
            "a minute that has just begun",
            Duration::from_mins(2),
            || {
                (1..45)
                    .contains(&(clock.now().as_second() % 60))
                    .then_some(())
            },
        );
        self.settle_again();
        let frames = self
            .damage
            .borrow_mut()
            .count(IDLE)
            .expect("the X server stays");
        drop(running);
        self.wait_for_an_empty_screen();
        frames
    }

    fn start(&self) -> Program {
        let command = match self.size {
            None => self.home.command(&[]),
            Some([width, height]) => self.rival(width, height),
        };
        self.home.launch(command, self.display)
    }

    fn rival(&self, width: u32, height: u32) -> Command {
        let ourselves = env::current_exe().expect("this executable's own path");
        let mut command = self.home.command_of(&ourselves);
        command.args([rival::ARGUMENT, &width.to_string(), &height.to_string()]);
        command
    }

    fn start_and_settle(&self) -> Program {
        let running = self.start();
        until("something to see", SOON, || {
            self.display.shows_something().then_some(())
        });
        self.settle();
        running
    }

    /// One that never comes to rest will show it in its idle frames.
    fn settle(&self) {
        let drawn = self
            .damage
            .borrow_mut()
            .settle(CALM, SOON)
            .expect("the X server stays");
        assert!(
            drawn > 0,
            "the watcher missed the first frame, so it would miss idle ones too"
        );
    }

    fn settle_again(&self) {
        self.damage
            .borrow_mut()
            .settle(CALM, SOON)
            .expect("the X server stays");
    }

    fn wait_for_an_empty_screen(&self) {
        until("an empty screen", SOON, || {
            (!self.display.shows_something()).then_some(())
        });
    }
}

/// Memory of a program and everything that it has started.
fn resident_kib(running: &Program) -> u64 {
    let processes = running.processes();
    processes
        .iter()
        .filter_map(|process| {
            let status = fs::read_to_string(process.join("status")).ok()?;
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        })
        .sum()
}
