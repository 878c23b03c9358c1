//! What a clerk does, through the real widgets.

mod kit;
mod main_job;
mod screens;
