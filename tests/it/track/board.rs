//! The supervisor's board: it shows the true state, each number opens its rows, and each new exception is
//! announced once.

mod alert;
mod counts;
mod keys;
mod looks;
mod support;
