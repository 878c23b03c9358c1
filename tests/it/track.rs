//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod files;
mod hostile;
mod journey;
mod page;
mod proofs;
mod statuses;
