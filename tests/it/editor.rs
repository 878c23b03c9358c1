//! The consignment editor, through the whole program and through its parts.

mod known;
mod orders;
mod presets;
mod routes;
mod send_all;
mod window;
