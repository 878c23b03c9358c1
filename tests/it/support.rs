//! Shared by several tests: waiting with a limit, a private display, the program as a clerk starts it, a
//! practice service, test doubles of printers and print services, and documents for them.

#[cfg(target_os = "linux")]
pub(crate) mod cable;
pub(crate) mod carrier_labels;
pub(crate) mod clerk;
pub(crate) mod contract;
pub(crate) mod cupsd;
pub(crate) mod definition;
pub(crate) mod desk;
pub(crate) mod display;
pub(crate) mod front;
pub(crate) mod ipp_printer;
pub(crate) mod keepalive;
pub(crate) mod keyboard;
pub(crate) mod keyring;
pub(crate) mod labels;
pub(crate) mod lanes;
pub(crate) mod lists;
pub(crate) mod postgres;
pub(crate) mod practice;
pub(crate) mod printers;
pub(crate) mod program;
pub(crate) mod readers;
pub(crate) mod recorder;
pub(crate) mod requests;
pub(crate) mod runtime;
pub(crate) mod screen_reader;
pub(crate) mod session_bus;
pub(crate) mod system;
pub(crate) mod text;
pub(crate) mod trouble;
pub(crate) mod wait;
pub(crate) mod window;
pub(crate) mod wine;
pub(crate) mod wire;
