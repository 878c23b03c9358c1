//! The Consign screen: what the clerk types for a consignment, and the drafts, prices, presets and imports around it.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;
