//! Packbench is a desktop program for warehouse dispatch over a carrier-aggregating shipping service.
//!
//! # Modules
//! - [`config`]: settings, connections and files on disk; the only module that reads environment variables.
//! - [`shipping`]: the records of the shipping interface, exactly as on the wire.
//! - [`client`]: HTTP calls to the service.
//! - [`draft`]: the consignment that the clerk is typing; any input can be represented, valid or not.
//! - [`journal`]: the bench's own SQLite file for each service.
//! - [`printing`]: rendering pages to dots, printer languages, print queues and sockets.
//! - [`work`]: background work.
//! - [`state`]: commands, the state that every screen may read, and notices.
//! - [`ui`]: the screens and the widgets that they are built from.
//! - [`app`]: runs commands and applies the outcomes of background work.
//! - [`practice`]: a complete shipping service for practice; talks to the client over HTTP only.
//! - [`doctor`]: checks of the installation and the main job, without a window.
//!
//! # Invariants
//! - Every write is committed to the journal as an intent before it is sent.
//! - A damaged journal is set aside whole, restored from a verified backup, and rebuilt from the service.
//!   Nothing is sent with a journal that was not checked.
//! - The main thread never waits: not for the service, the disk, a printer or a lock.
//! - Nothing typed is lost: a draft is on disk within a second of the last key press.
//! - `tests/it/structure.rs` checks which modules may import which.

pub mod app;
pub mod client;
pub mod config;
pub mod doctor;
pub mod draft;
pub mod engine;
pub mod journal;
pub mod practice;
pub mod printing;
pub mod shipping;
pub mod state;
pub mod ui;
