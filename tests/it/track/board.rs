//! The supervisor's board: what it shows is what there is, each number opens its rows, and what is new is said once.

mod alert;
mod counts;
mod keys;
mod looks;
mod support;
