//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod find;
mod list;
mod looks;
mod page;
mod table;
