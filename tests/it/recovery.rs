//! No data is lost and nothing is done twice: what is on disk at which time, and what happens to a write
//! without an answer.

mod alive;
mod backups;
mod breaker;
mod clerk;
mod damage;
mod disk;
mod drafts;
pub(crate) mod errands;
mod fuzz;
mod health;
mod hostile;
mod idle_close;
mod keys;
mod kills;
mod kinds;
mod lists;
mod log;
mod lost_answers;
mod matrix;
mod model;
mod offline;
mod power_cut;
mod previous_versions;
mod print_jobs;
mod refused_requests;
mod retention;
mod retry;
mod secrets;
mod services;
mod sleep;
mod status_evidence;
mod two_benches;
mod zones;
