//! The panic hook. It prints where a panic happened, but not its message, which may contain customers' data.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io;
use std::panic::{PanicHookInfo, set_hook};

/// Installs a panic hook that prints only the location on standard error. If `RUST_BACKTRACE` asks for it, a
/// backtrace follows; it contains only names of functions. The engine handles the failed job.
pub fn install_panic_hook() {
    set_hook(Box::new(|panicked| {
        // An error means that standard error is closed, so nobody could read the text.
        let _unread = write_panic(&mut io::stderr().lock(), panicked);
    }));
}

fn write_panic(out: &mut impl io::Write, panicked: &PanicHookInfo<'_>) -> io::Result<()> {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = panicked
        .location()
        .map(|at| format!("{}:{}", at.file(), at.line()));
    let place = place.as_deref().unwrap_or("an unknown place");
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
