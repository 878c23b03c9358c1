//! Reading what live services really send, and sending only what they know: each field note by its literal answer, and the
//! records under any input at all.

mod notes;
pub(crate) mod pages;
mod properties;
mod shapes;
