//! The application: runs the clerk's commands, takes the outcomes of background work, and opens services.
//!
//! [`Core`] is everything but the window; `doctor` uses it without one. The window runs [`Program`]: a `Core`
//! while a service is open, and the screens for choosing and opening a service otherwise. Invariant: a turn
//! takes bounded time, and never waits for the service, the disk or a printer.

mod company;
pub mod config;
mod core;
pub mod doctor;
mod environment_mismatch;
mod event;
mod fonts;
mod hardening;
mod launcher;
mod open_service;
mod outcomes;
mod panic_hook;
mod practice_drill;
mod program;
mod reference_data;
mod restored_journal;
mod row_cache;
pub mod screens;
mod search;
mod service;
mod service_health;
mod single_instance;
mod start;
pub mod state;
pub mod ui;
mod unstartable;
mod window;

pub use self::core::Core;
pub use hardening::keep_memory_private;
pub use open_service::PracticeStarter;
pub use panic_hook::install_panic_hook;
pub use program::{Program, ProgramOptions};
pub use service::{MiddlewareAccess, Service, ServiceError};
pub use single_instance::{SecondStart, SingleInstance};
pub use start::{CoreOptions, RunOptions, StartError, open_core, run};
pub use unstartable::{Unstartable, show_unstartable};
pub use window::Window;

pub use crate::state::Environment;
