//! What a clerk does, through the real widgets.

mod kit;
mod screens;
