//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod journey;
mod page;
mod statuses;
