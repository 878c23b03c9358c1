//! The Labels screen: labels and printers.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;
