//! A clerk's work, through the real widgets.

mod doctor;
mod format;
pub(crate) mod kit;
pub(crate) mod main_job;
mod operations;
pub(crate) mod screens;
mod trouble;
