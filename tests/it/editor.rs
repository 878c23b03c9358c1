//! The consignment editor, through the whole program and through its parts.

mod known;
mod routes;
