//! Never lost, never doubled: what is on disk when, and what becomes of a write whose answer does not come.

mod breaker;
mod clerk;
mod drafts;
mod errands;
mod health;
mod idle_close;
mod kills;
mod kinds;
mod lists;
mod lost_answers;
mod matrix;
mod print_jobs;
mod retry;
mod services;
mod sleep;
mod two_benches;
