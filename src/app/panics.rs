//! What a panic says: where it was, and nothing of what was in hand, for a panic's own words may quote a customer's data.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io;
use std::panic::{PanicHookInfo, set_hook};

/// From now on a panic is told by its place alone, on standard error; with a backtrace, which has names of functions only,
/// where `RUST_BACKTRACE` asks for one. What becomes of the job is the lanes' business.
pub fn hush_panics() {
    set_hook(Box::new(|panicked| {
        // Nobody reads where standard error is closed.
        let _unread = say(&mut io::stderr().lock(), panicked);
    }));
}

fn say(out: &mut impl io::Write, panicked: &PanicHookInfo<'_>) -> io::Result<()> {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = panicked
        .location()
        .map(|at| format!("{}:{}", at.file(), at.line()));
    let place = place.as_deref().unwrap_or("an unknown place");
    writeln!(
        out,
        "packbench: a fault at {place} in thread {name}; its message is left out, it may hold customers' data"
    )?;
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        writeln!(out, "{trace}")?;
    }
    Ok(())
}
