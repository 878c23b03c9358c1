//! The application: runs the clerk's commands, handles the outcomes of background work, and opens services.
//!
//! [`Core`] is everything except the window; `doctor` uses it without a window. The window runs [`Program`]: a `Core`
//! while a service is open, and the screens for choosing and opening a service otherwise. Invariant: a turn takes
//! bounded time, and never waits for the service, the disk or a printer.

mod catalogue;
pub mod config;
mod core;
pub mod doctor;
mod dropped_files;
mod help;
mod launcher;
mod log_file;
pub mod membership;
mod outcomes;
mod practice_drill;
mod privacy;
mod program;
pub mod provision;
mod row_cache;
mod saving;
mod scale;
mod scanner;
pub mod screens;
mod search;
mod service;
mod session;
mod single_instance;
pub mod sounds;
pub mod state;
mod support_bundle;
pub mod ui;
mod window;
#[cfg(windows)]
mod windows;

pub use self::core::Core;
pub use launcher::PracticeStarter;
pub use log_file::LogFile;
pub use privacy::{install_panic_hook, keep_memory_private, report_crashes};
pub use program::{Program, ProgramOptions, StartError, open_core};
pub use service::{MiddlewareAccess, Service, ServiceError};
pub use single_instance::{SecondStart, SingleInstance};
pub use support_bundle::SupportBundle;
pub use window::{Window, run, show_unstartable};
#[cfg(windows)]
pub use windows::attach_to_console;

pub use crate::state::Environment;
