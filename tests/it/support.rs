//! What the tests share: doubles of printers and print services, documents to feed them, a practice service, a display of
//! one's own and the program itself as a clerk starts it, and waiting with a limit.

pub(crate) mod cupsd;
pub(crate) mod display;
pub(crate) mod labels;
pub(crate) mod practice;
pub(crate) mod program;
pub(crate) mod recorder;
pub(crate) mod wait;
