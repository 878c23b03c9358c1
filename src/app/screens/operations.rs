//! The Operations screen: operations and print jobs, and the decisions that they need.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;
