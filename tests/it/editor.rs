//! The consignment editor, through the whole program, through its real widgets and through its parts.

mod addresses;
mod known;
mod looks;
mod options;
