//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod files;
mod find;
mod hostile;
mod list;
mod looks;
mod page;
mod proofs;
mod table;
