//! The application: runs the clerk's commands, takes the outcomes of background work, and opens services.
//!
//! [`Core`] is everything but the window; `doctor` uses it without one. [`Program`] is what the window runs:
//! a `Core` while a service is open, and the screens for choosing and opening a service otherwise.
//! Invariant: a turn takes bounded time, and never waits for the service, the disk or a printer.

mod astray;
mod away;
mod company;
mod connections;
mod consign;
mod core;
mod dispatch;
mod drafts;
mod edit;
mod entry;
mod find;
mod fonts;
mod frame;
mod groups;
mod hardening;
mod health;
mod jobs;
mod known;
mod labels;
mod listing;
mod manifests;
mod mended;
mod opening;
mod operation_events;
mod operations;
mod orders;
mod outcomes;
mod panics;
mod pending;
mod presets;
mod printers;
mod program;
mod routes;
mod send_all;
mod service;
mod settings;
mod setup;
mod single;
mod start;
mod test_label;
mod timers;
mod track;
mod trouble;
mod unstartable;
mod waiting;
mod window;

pub use self::core::Core;
pub use hardening::keep_memory_private;
pub use health::{look_at_printers, look_at_service};
pub use opening::Practise;
pub use panics::hush_panics;
pub use program::{Beginning, Program};
pub use service::{Prices, Service, ServiceError};
pub use single::{Only, SecondStart};
pub use start::{Bench, Start, StartError, open_core, run};
pub use unstartable::{Unstartable, show_unstartable};
pub use window::Window;

pub use crate::state::Environment;
