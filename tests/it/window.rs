//! The program in a real window on a private display, driven by keyboard and observed through its journal,
//! its practice service and its pictures, which are saved in `target/window/`.

mod alive;
pub(crate) mod job;
pub(crate) mod journal;
mod pictures;
mod speech;
mod start;
mod typing;
mod workgroup;
