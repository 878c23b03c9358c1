//! Measures the memory that 100,000 consignments use: the program's window on Dispatch after reading them all
//! from a service and again after a restart, compared with an empty eframe window and with the same window
//! without data.
//!
//! Memory is read from `/proc`, including all child processes. The measured programs are this executable,
//! started again.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use app::config::{DataFolder, Settings, SystemInfo};
use app::state::{Command, Screen};
use app::{PracticeStarter, Program, ProgramOptions, Service, Window};
use shipping::Clock;

use crate::list::warehouse::Warehouse;
use crate::support::display::Display;
use crate::support::memory::resident_kib;
use crate::support::program::Home;
use crate::support::report::verdict;
use crate::support::runtime::runtime;
use crate::window::rival;

const ROWS: usize = 100_000;

/// The first argument that makes this executable the program; the service's address follows.
const ARGUMENT: &str = "dispatch-window";

/// MiB more than an empty window.
const AIM_MIB: f64 = 60.0;

/// Memory that changes by less than this for so long is at rest.
const STILL_KIB: u64 = 1_024;
const STILL_FOR: Duration = Duration::from_secs(4);

/// A program takes no longer until it is at rest.
const LIMIT: Duration = Duration::from_mins(4);

/// Shows the program's window until it is killed, where the arguments ask for it.
pub(crate) fn as_child(arguments: &[String]) -> Option<io::Result<()>> {
    match arguments {
        [first, address] if first == ARGUMENT => {
            show(address);
            Some(Ok(()))
        }
        _ => None,
    }
}

pub(crate) fn run() -> io::Result<()> {
    let display = Display::start();
    let (full, none) = (Warehouse::of(ROWS), Warehouse::of(0));
    let (home, empty) = (Home::new(), Home::new());
    let nothing = resident(&display, &home, &[rival::ARGUMENT, "1440", "900"], || true);
    let of_none = resident(&display, &empty, &[ARGUMENT, &none.address], || {
        none.looked() > 0
    });
    let first = resident(&display, &home, &[ARGUMENT, &full.address], || {
        full.looked() > 0
    });
    let before = full.looked();
    let again = resident(&display, &home, &[ARGUMENT, &full.address], || {
        full.looked() > before
    });
    let mut out = io::stdout();
    writeln!(
        out,
        "{ROWS} rows: {first:.0} MiB once all are read, {again:.0} MiB at the next start once they are read again; \
         the same window without any: {of_none:.0} MiB"
    )?;
    let ours = first.max(again);
    let more = ours - nothing;
    writeln!(
        out,
        "aim list_memory ours={ours:.1}MiB rival={nothing:.1}MiB ratio={:.2} aim=+{AIM_MIB}MiB difference={more:+.1}MiB {}",
        ours / nothing,
        verdict(more <= AIM_MIB)
    )
}

/// MiB of a program and everything that it has started, once it has `done` what it had to and is at rest.
fn resident(display: &Display, home: &Home, arguments: &[&str], done: impl Fn() -> bool) -> f64 {
    let ourselves = std::env::current_exe().expect("this executable's own path");
    let mut command = home.command_of(&ourselves);
    command.args(arguments);
    let mut running = home.launch(command, display);
    let begun = Instant::now();
    let (mut at_rest, mut since) = (0, Instant::now());
    loop {
        running.must_run();
        let now: u64 = running
            .processes()
            .iter()
            .filter_map(|process| resident_kib(process))
            .sum();
        if now.abs_diff(at_rest) > STILL_KIB || !done() || !display.shows_something() {
            (at_rest, since) = (now, Instant::now());
        }
        if since.elapsed() > STILL_FOR {
            break;
        }
        assert!(begun.elapsed() < LIMIT, "never at rest: {}", running.said());
        thread::sleep(Duration::from_millis(100));
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred thousand KiB")]
    let mib = at_rest as f64 / 1024.0;
    mib
}

/// The program on Dispatch, until it is killed.
fn show(address: &str) {
    let runtime = runtime(2);
    let places = DataFolder::open(None).expect("a data folder");
    let settings = Settings::read(&places).expect("settings");
    let address = address.to_owned();
    let practise: PracticeStarter = Arc::new(move || {
        let service = Service::practice(address.clone(), "any");
        Box::pin(async move { Ok(service) })
    });
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1440.0, 900.0]),
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    let handle = runtime.handle().clone();
    let opened = eframe::run_native(
        "Packbench",
        options,
        Box::new(move |context| {
            let ctx = context.egui_ctx.clone();
            let system_info = SystemInfo {
                program: env!("CARGO_BIN_EXE_packbench").into(),
                ..SystemInfo::detect("")
            };
            let options = ProgramOptions {
                clock: Clock::fixed("2026-11-20T03:05:00Z".parse()?),
                repaint: Arc::new(move || ctx.request_repaint()),
                ..ProgramOptions::new(handle, places, settings, system_info)
            };
            let program = Program::begin(options, practise);
            let window = Window::new(program, None);
            window.install(&context.egui_ctx);
            Ok(Box::new(Shown {
                window,
                asked: false,
            }))
        }),
    );
    opened.expect("a window");
}

/// The window, which goes to Dispatch as soon as it can.
struct Shown {
    window: Window,
    asked: bool,
}

impl eframe::App for Shown {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        if !self.asked && self.window.core().is_some() {
            self.asked = true;
            self.window.push(Command::Show(Screen::Dispatch));
        }
        self.window.logic(ctx, frame);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.window.ui(ui, frame);
    }
}
