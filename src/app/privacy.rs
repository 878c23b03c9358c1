//! Keeps tokens and people's addresses inside this process: out of panic messages, crash reports, core dumps and other
//! processes.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::panic::{PanicHookInfo, set_hook};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use shipping::Clock;

use crate::config::{private_folder, write_private};
use crate::log_file::sorted_files;

/// Number of commands that a crash report names.
const COMMANDS: usize = 100;
/// Number of crash reports that are kept.
const REPORTS: usize = 10;

/// The folder of crash reports, and the version of the program.
static REPORTING: OnceLock<(PathBuf, &str)> = OnceLock::new();
/// The names of the last commands, the newest last.
static RECENT_COMMANDS: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// Installs a panic hook that prints only the location of a panic, because its message may contain customers' data.
/// With `RUST_BACKTRACE`, prints a backtrace, too, which contains only names of functions. The engine handles the
/// failed job.
pub fn install_panic_hook() {
    set_hook(Box::new(|panicked| {
        // An error means that standard error is closed, so nobody could read the text.
        let _unread = write_panic(&mut io::stderr().lock(), panicked);
        if let Some((folder, version)) = REPORTING.get() {
            // An error means that the disk refuses the report; standard error has the most important part.
            let _unwritten = write_report(folder, version, panicked);
        }
    }));
}

/// From now on writes a report of each crash in `folder`.
pub fn report_crashes(folder: PathBuf, version: &'static str) {
    // An error means that this was called before.
    let _known = REPORTING.set((folder, version));
}

/// Remembers the name of a command for crash reports.
pub(crate) fn remember_command(name: String) {
    let mut recent = RECENT_COMMANDS
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if recent.len() == COMMANDS {
        recent.pop_front();
    }
    recent.push_back(name);
}

/// Writes what support needs: version, time, place, backtrace and the last commands. Removes the oldest reports.
fn write_report(folder: &Path, version: &str, panicked: &PanicHookInfo<'_>) -> io::Result<()> {
    private_folder(folder)?;
    let now = Clock::system().now();
    let recent = match RECENT_COMMANDS.try_lock() {
        Ok(recent) => recent.iter().cloned().collect::<Vec<_>>().join("\n"),
        Err(_) => "unknown".to_owned(),
    };
    let report = format!(
        "Packbench {version}\n{now}\n{}\n\nLast commands, the newest last:\n{recent}\n\nBacktrace:\n{}\n",
        place_of(panicked),
        Backtrace::force_capture()
    );
    let name = now.strftime("%Y-%m-%dT%H-%M-%S%.3f.txt").to_string();
    write_private(&folder.join(name), report.as_bytes())?;
    for old in sorted_files(folder)?.into_iter().rev().skip(REPORTS) {
        fs::remove_file(old)?;
    }
    Ok(())
}

/// Returns place and thread of a panic, without its message.
fn place_of(panicked: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = panicked.location().map_or_else(
        || "an unknown place".to_owned(),
        |at| format!("{}:{}", at.file(), at.line()),
    );
    format!("internal error at {place} in thread {name}")
}

fn write_panic(out: &mut impl io::Write, panicked: &PanicHookInfo<'_>) -> io::Result<()> {
    writeln!(
        out,
        "packbench: {}; its message is not shown because it may contain customer data",
        place_of(panicked)
    )?;
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        writeln!(out, "{trace}")?;
    }
    Ok(())
}

/// Switches core dumps off, and keeps other processes of the same user from reading this process's memory. A refusal
/// by the system is only logged.
pub fn keep_memory_private() {
    #[cfg(unix)]
    if rlimit::Resource::CORE.set(0, 0).is_err() {
        tracing::warn!("core dumps could not be switched off");
    }
    #[cfg(target_os = "linux")]
    {
        // A crash handler that the kernel pipes dumps to ignores the limit set above.
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
            tracing::warn!("the process could not be made undumpable");
        }
    }
}
