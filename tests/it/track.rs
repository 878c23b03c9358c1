//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod day_sheet;
mod files;
mod hostile;
mod out;
mod page;
mod proofs;
