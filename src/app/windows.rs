//! The console that Packbench was started from, on Windows only.

#![expect(
    unsafe_code,
    reason = "one call of the system, which no crate that is alive wraps"
)]

use windows_sys::Win32::System::Console::{ATTACH_PARENT_PROCESS, AttachConsole};

/// Shows the output of a command in the console that it was started from. Windows connects only console programs with
/// that console, and Packbench is a window program, so that no empty console opens beside its window. Output that is
/// redirected to a file or to another program stays redirected. Does nothing if there is no such console.
pub fn attach_to_console() {
    // SAFETY: the call has no pointer arguments, and may be made at any time.
    unsafe { AttachConsole(ATTACH_PARENT_PROCESS) };
}
