//! The program: commands in, outcomes back, which screen is up.
//!
//! [`Core`] is all of it but the window: the window drives it a frame at a time, and `doctor` drives it without one.
//! What always holds: one turn is bounded; nothing here waits for the service, the disk or a printer.

mod consign;
mod core;
mod dispatch;
mod frame;
mod health;
mod labels;
mod outcomes;
mod printers;
mod routes;
mod single;
mod start;
mod window;

pub use self::core::{Core, Parts};
pub use health::{look_at_printers, look_at_service};
pub use single::{Only, SecondStart};
pub use start::{Bench, Service, StartError, open_core, run};
pub use window::Window;

pub use crate::state::Environment;
