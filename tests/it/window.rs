//! The program itself in a real window on a display of its own, worked by keyboard; watched through its journal, its
//! practice service and its pictures, which are left in `target/window/`.

mod alive;
mod job;
mod journal;
mod speech;
mod start;
mod typing;
