//! The consignment editor through its real widgets: everything that a consignment can hold, by keyboard.

mod addresses;
mod looks;
mod options;
