//! Track: tracked consignments are synced, counted, found, shown and exported.

mod board;
mod day_sheet;
mod figures;
mod files;
mod filters;
mod find;
mod follows;
mod hostile;
mod journey;
mod kept;
pub(crate) mod list;
mod looks;
mod model;
mod out;
mod page;
mod proofs;
mod reach;
mod refused;
mod samples;
mod search;
mod shapes;
pub(crate) mod statuses;
mod store;
mod sync;
mod table;
