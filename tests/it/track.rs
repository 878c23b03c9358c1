//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod figures;
mod files;
mod hostile;
mod page;
mod proofs;
mod samples;
mod search;
mod store;
