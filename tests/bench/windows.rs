//! Measures the program for Windows under Wine, compared with an empty eframe window of the same build, and the sizes of
//! the packages.
//!
//! Run with `cargo bench -- windows`. It first builds both programs for Windows, which takes a quarter of an hour when
//! nothing is built yet. The packages are measured if `sh assets/packages/build.sh` has built them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use app::config::{ChosenService, DataFolder, Settings};

use crate::support::display::Display;
use crate::support::report::{alternate, times_at_most, verdict};
use crate::support::wait::{SOON, until};
use crate::support::wine::Windows;

const TARGET: &str = "x86_64-pc-windows-gnu";

const ROUNDS: usize = 7;
const FIRST_FRAME_AIM: f64 = 1.5;

/// The most megabytes of a package. The others have no aim.
const SIZE_AIM: f64 = 25.0;

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    sizes(&mut out)?;
    let installed = Command::new("x86_64-w64-mingw32-gcc")
        .arg("--version")
        .output();
    if installed.is_err() {
        return writeln!(
            out,
            "aim windows_first_frame not measured: sh assets/setup-debian.sh --tests installs mingw and Wine"
        );
    }
    let built = build()?;
    let windows =
        Windows::with_programs(&["packbench.exe", "empty_window.exe"].map(|name| built.join(name)));
    let display = Display::start();
    let places = DataFolder::open(Some(windows.usual_data())).map_err(io::Error::other)?;
    let settings = Settings {
        chosen: Some(ChosenService::Practice),
        ..Settings::default()
    };
    settings.write(&places)?;
    let start = |name: &str| first_frame(&windows, &display, name);
    // The first starts also start Wine itself, and make the folders.
    start("packbench.exe");
    start("empty_window.exe");
    let figures = alternate(
        ROUNDS,
        || start("packbench.exe"),
        || start("empty_window.exe"),
    );
    let line = times_at_most("windows_first_frame", "ms", figures, FIRST_FRAME_AIM);
    writeln!(out, "{line}")
}

/// Builds Packbench and the empty window for Windows as packages have them. Returns their folder.
fn build() -> io::Result<PathBuf> {
    for package in ["packbench", "empty_window"] {
        let mut cargo = Command::new("cargo");
        // What this cargo has set would make the other one build everything anew.
        let ours = std::env::vars_os().map(|(name, _)| name);
        for name in ours.filter(|name| {
            let name = name.to_string_lossy();
            name.starts_with("CARGO_") && name != "CARGO_HOME"
        }) {
            cargo.env_remove(name);
        }
        let status = cargo
            .args(["build", "--locked", "--profile", "dist", "--target", TARGET])
            .args(["--package", package, "--bin", package])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()?;
        if !status.success() {
            let message = format!("{package} can't be built for Windows");
            return Err(io::Error::other(message));
        }
    }
    Ok(target().join(TARGET).join("dist"))
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target")
}

/// Milliseconds from the start of a program to something on the screen.
fn first_frame(windows: &Windows, display: &Display, name: &str) -> f64 {
    let begun = Instant::now();
    let running = windows.launch(windows.command_of_file(name, &[]), display);
    while !display.shows_something() {
        assert!(
            begun.elapsed() < SOON,
            "{name} shows nothing: {}",
            running.said()
        );
        thread::sleep(Duration::from_millis(1));
    }
    let took = begun.elapsed();
    running.kill();
    until("an empty screen", SOON, || {
        (!display.shows_something()).then_some(())
    });
    took.as_secs_f64() * 1000.0
}

fn sizes(out: &mut impl io::Write) -> io::Result<()> {
    let mut found = false;
    for (folder, ending, name, aim) in [
        ("debian", "deb", "package_size_debian", Some(SIZE_AIM)),
        ("windows", "exe", "package_size_installer", Some(SIZE_AIM)),
        ("windows", "msi", "package_size_msi", None),
        ("windows", "zip", "package_size_portable", None),
    ] {
        let Ok(entries) = fs::read_dir(target().join(folder)) else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|own| own == ending) {
                found = true;
                let size = path.metadata()?.len() as f64 / 1_000_000.0;
                let limit = aim.map_or_else(|| "none".to_owned(), |aim| format!("{aim}MB"));
                let is_met = verdict(aim.is_none_or(|aim| size <= aim));
                writeln!(
                    out,
                    "aim {name} ours={size:.1}MB rival=none ratio=none aim={limit} {is_met}"
                )?;
            }
        }
    }
    if found {
        Ok(())
    } else {
        writeln!(
            out,
            "aim package_size not measured: sh assets/packages/build.sh builds the packages"
        )
    }
}
