//! The screens. Each has a folder: `state` holds the data that it shows, `update` carries out its commands
//! and takes results, and `view` draws it.

pub(crate) mod consign;
pub mod dispatch;
pub(crate) mod labels;
pub(crate) mod operations;
pub(crate) mod settings;
pub(crate) mod track;
