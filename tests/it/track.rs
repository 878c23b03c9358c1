//! Track: what is followed, its store, its figures and its screens.

mod figures;
mod samples;
mod search;
mod store;
