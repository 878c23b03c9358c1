//! What runs in the background: requests in, outcomes out.
//!
//! Two lanes: the dispatch lane, serial, owns the journal's writer and every call that changes the service; reads, at most
//! four at once. What always holds: an intent is in the journal before it is sent; a panic in a job becomes an outcome; an
//! outcome is sent before a repaint is asked for.
//! What it must not know: the window and its screens.

mod error;
mod remote;
mod request;

pub use error::WorkError;
pub use remote::{Fetch, Remote};
pub use request::{Outcome, PrintOrder, Request, Restored};

pub use crate::client::Failure;
