//! What several tests share: waiting with a limit, a display of one's own, the program itself as a clerk starts it.

pub(crate) mod display;
pub(crate) mod program;
pub(crate) mod wait;
