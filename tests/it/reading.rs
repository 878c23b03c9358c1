//! Reading what live services really send, and sending only what they know: each field note by its literal
//! answer, and the types under arbitrary input.

mod notes;
pub(crate) mod pages;
mod properties;
mod records;
mod shapes;
