//! Track: what is followed, found, listed and shown.

mod find;
mod list;
mod looks;
mod table;
