//! The Settings screen: connections, the bench and the appearance.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;
