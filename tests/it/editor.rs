//! The consignment editor: what can be typed, taken from elsewhere, checked and sent, through the whole program, through its real
//! widgets and through its parts.

mod addresses;
mod clone;
mod drafts;
mod edit;
mod flow_looks;
mod journeys;
mod known;
mod looks;
mod options;
mod orders;
mod pending;
mod routes;
mod send_all;
