//! The consignment editor, through the whole program and through its parts.

mod agreement;
mod known;
mod pickup;
mod rules;
