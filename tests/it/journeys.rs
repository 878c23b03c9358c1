//! What a clerk does, through the real widgets.

mod checks;
mod doctor;
mod kit;
mod main_job;
mod screens;
