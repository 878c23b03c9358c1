//! What the tests share: a practice service, doubles of printers and print services, and documents to feed them.

pub(crate) mod cupsd;
pub(crate) mod display;
pub(crate) mod labels;
pub(crate) mod practice;
pub(crate) mod program;
pub(crate) mod recorder;
pub(crate) mod wait;
