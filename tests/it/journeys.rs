//! What a clerk does, through the real widgets.

mod doctor;
mod kit;
mod main_job;
mod screens;
