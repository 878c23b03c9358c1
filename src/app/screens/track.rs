//! The Track screen: statuses, proofs of delivery and the board.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;
