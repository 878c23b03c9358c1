//! Keeps tokens and people's addresses inside this process: out of panic messages, core dumps and other processes.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io;
use std::panic::{PanicHookInfo, set_hook};

/// Installs a panic hook that prints only the location of a panic, because its message may contain customers' data.
/// With `RUST_BACKTRACE`, prints a backtrace, too, which contains only names of functions. The engine handles the
/// failed job.
pub fn install_panic_hook() {
    set_hook(Box::new(|panicked| {
        // An error means that standard error is closed, so nobody could read the text.
        let _unread = write_panic(&mut io::stderr().lock(), panicked);
    }));
}

fn write_panic(out: &mut impl io::Write, panicked: &PanicHookInfo<'_>) -> io::Result<()> {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = panicked.location().map_or_else(
        || "an unknown place".to_owned(),
        |at| format!("{}:{}", at.file(), at.line()),
    );
    writeln!(
        out,
        "packbench: internal error at {place} in thread {name}; its message is not shown because it may contain customer data"
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
