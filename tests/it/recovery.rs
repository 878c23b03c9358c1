//! Never lost, never doubled: what is on disk when, and what becomes of a write whose answer does not come.

mod breaker;
mod drafts;
mod errands;
mod health;
mod idle_close;
mod kinds;
mod lost_answers;
mod print_jobs;
mod retry;
mod services;
mod sleep;
