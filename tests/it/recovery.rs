//! Never lost, never doubled: what is on disk when, and what becomes of a write whose answer does not come.

mod clerk;
mod drafts;
mod errands;
mod kills;
mod kinds;
mod lost_answers;
mod matrix;
mod print_jobs;
mod services;
mod two_benches;
