//! The consignment editor, through the whole program and through its parts.

mod clone;
mod drafts;
mod edit;
mod known;
mod pending;
mod routes;
