//! The consignment editor: what can be typed, taken from elsewhere, checked and sent, through the whole program and through
//! its parts.

mod known;
mod orders;
mod routes;
mod send_all;
