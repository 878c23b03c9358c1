//! The consignment editor: what can be typed, taken from elsewhere, checked and sent.

mod orders;
mod send_all;
