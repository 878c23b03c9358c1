//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod figures;
mod page;
mod samples;
mod search;
mod store;
