//! Packbench: warehouse dispatch at the packing bench, over a carrier-aggregating shipping service.
//!
//! # The map
//! - [`config`]: connections, bench name and places on disk; the only reader of the environment.
//! - [`shipping`]: the records of the interface, exact on the wire.
//! - [`client`]: calling the service.
//! - [`draft`]: what the clerk has typed, always representable.
//! - [`journal`]: the bench's own SQLite file.
//! - [`printing`]: page to dots, dots to the printer's language, queues and sockets.
//! - [`work`]: what runs in the background.
//! - [`state`]: commands, what every screen may read, notices.
//! - [`ui`]: the screens and their kit.
//! - [`app`]: commands in, outcomes back.
//! - [`practice`]: a whole shipping service to practise on; it meets the client on the wire only.
//! - [`doctor`]: the bench's health and its main job, without a window.
//!
//! # What always holds
//! - No write leaves the machine before its intent is committed to the journal.
//! - A damaged journal is set aside whole, restored from a verified backup, and rebuilt from the service; nothing is sent on
//!   one that was not checked.
//! - The main thread never waits: not for the service, the disk, a printer or a lock.
//! - Nothing typed is lost: a draft is on disk within a second of the last key.
//! - Who may import whom is held by `tests/it/structure.rs`.

pub mod app;
pub mod client;
pub mod config;
pub mod doctor;
pub mod draft;
pub mod journal;
pub mod practice;
pub mod printing;
pub mod shipping;
pub mod state;
pub mod ui;
pub mod work;
