//! Companies, the kind of a service, refusals of prices, the service's printers, settings, and what a new draft begins with.

mod clerk;
mod drafts;
mod kind;
mod locations;
mod own;
mod prices;
mod printers;
mod tokens;
