//! All benchmarks in one binary, which is linked once. `cargo bench` runs all of them;
//! `cargo bench -- label list` runs the named ones. Each runs in its own process, so that memory and CPU time
//! are measured separately.

mod batch;
mod document;
mod editor;
mod folder;
mod journal;
mod label;
mod list;
mod read;
mod start;
mod suburb;
mod support;
mod sync;
mod track;
mod window;
mod windows;
mod workgroup;

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

/// The first argument of a process that takes one measurement.
const MEASURE: &str = "measure";

type Run = fn() -> io::Result<()>;

const ALL: [(&str, Run); 15] = [
    ("batch", batch::run),
    ("document", document::run),
    ("editor", editor::run),
    ("folder", folder::run),
    ("journal", journal::run),
    ("label", label::run),
    ("list", list::run),
    ("read", read::run),
    ("start", start::run),
    ("suburb", suburb::run),
    ("sync", sync::run),
    ("track", track::run),
    ("window", window::run),
    ("windows", windows::run),
    ("workgroup", workgroup::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [first, name] if first == MEASURE => named(name).and_then(|run| run()),
        _ => child(&arguments).unwrap_or_else(|| each(&arguments)),
    };
    if let Err(error) = done {
        let _unread = writeln!(io::stderr(), "{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Runs what a measurement starts this executable for, if the arguments ask for one of these.
fn child(arguments: &[String]) -> Option<io::Result<()>> {
    read::as_child(arguments)
        .or_else(|| sync::as_child(arguments))
        .or_else(|| list::as_child(arguments))
        .or_else(|| window::as_child(arguments))
}

/// Runs the named measurements, or all, one after the other.
fn each(arguments: &[String]) -> io::Result<()> {
    // Cargo adds options such as `--bench`.
    let names: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|name| !name.starts_with('-'))
        .collect();
    for name in &names {
        named(name)?;
    }
    let mut failed = Vec::new();
    for (name, _) in ALL {
        if names.is_empty() || names.contains(&name) {
            writeln!(io::stdout(), "\n{name}")?;
            let status = Command::new(env::current_exe()?)
                .args([MEASURE, name])
                .status()?;
            if !status.success() {
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(io::Error::other(format!("failed: {}", failed.join(", "))))
    }
}

fn named(name: &str) -> io::Result<Run> {
    let found = ALL.iter().find(|(own, _)| *own == name);
    found.map(|(_, run)| *run).ok_or_else(|| {
        let all: Vec<&str> = ALL.iter().map(|(own, _)| *own).collect();
        io::Error::other(format!(
            "no measurement {name}: there are {}",
            all.join(", ")
        ))
    })
}
