//! The program in a real window on a private display, driven by keyboard and observed through its journal,
//! its practice service and its pictures, which are saved in `target/window/`.

mod alive;
mod job;
mod journal;
mod speech;
mod start;
mod typing;
