//! The application: runs the clerk's commands, takes the outcomes of background work, and opens services.
//!
//! [`Core`] is everything but the window; `doctor` uses it without one. [`Program`] is what the window runs:
//! a `Core` while a service is open, and the screens for choosing and opening a service otherwise.
//! Invariant: a turn takes bounded time, and never waits for the service, the disk or a printer.

mod company;
pub mod config;
mod connections;
mod consign;
mod core;
mod dispatch;
pub mod doctor;
mod doctor_checks;
mod drafts;
mod edit;
mod environment_mismatch;
mod fonts;
mod frame;
mod groups;
mod hardening;
mod job_polling;
mod labels;
mod launcher;
mod list_sync;
mod manifests;
mod open_service;
mod operation_events;
mod operations;
mod order_commands;
mod order_import;
mod outcomes;
mod panic_hook;
mod pending;
mod practice_drill;
mod printers;
mod program;
mod reference_data;
mod restored_journal;
mod routes;
mod search;
mod send_all;
mod service;
mod service_health;
mod settings;
mod setup;
mod single_instance;
mod start;
pub mod state;
mod test_label;
mod timers;
mod track;
pub mod ui;
mod unmanifested_changes;
mod unstartable;
mod window;

pub use self::core::Core;
pub use doctor_checks::{list_printers, ping_service};
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
