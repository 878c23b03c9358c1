//! The consignment editor: typing, importing, checking and sending, through the whole program, through its
//! real widgets and through its parts.

mod addresses;
mod agreement;
mod bad_input;
mod clone;
mod customs_form;
mod dangerous_form;
mod drafts;
mod edit;
mod flow_looks;
mod goods_desk;
pub(crate) mod journeys;
pub(crate) mod keys;
mod known;
mod lines;
mod looks;
mod options;
pub(crate) mod orders;
mod parsing;
mod pending;
mod pickup;
mod presets;
mod repeat;
mod routes;
mod rules;
mod send_all;
mod suburbs;
mod suggestions;
mod today;
