//! Never lost, never doubled: what is on disk when, and what becomes of a write whose answer does not come.

mod alive;
mod backups;
mod breaker;
mod damage;
mod disk;
mod drafts;
mod errands;
mod fuzz;
mod health;
mod hostile;
mod idle_close;
mod kinds;
mod lost_answers;
mod model;
mod offline;
mod power_cut;
mod print_jobs;
mod retention;
mod retry;
mod secrets;
mod services;
mod sleep;
mod zones;
