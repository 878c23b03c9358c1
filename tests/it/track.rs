//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod figures;
mod files;
mod find;
mod hostile;
mod journey;
mod kept;
mod list;
mod looks;
mod model;
mod page;
mod proofs;
mod samples;
mod search;
mod shapes;
mod statuses;
mod store;
mod sync;
mod table;
