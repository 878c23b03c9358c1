//! The state of Consign: the open draft, drafts that were sent, problems, prices and imports.

pub(crate) mod command;
pub(crate) mod draft_state;
pub(crate) mod editing;
pub(crate) mod orders;
pub(crate) mod problem_list;
pub(crate) mod routes;
pub(crate) mod sent;
