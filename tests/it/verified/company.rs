//! Companies, the kind of a service, refused prices, the service's printers, settings, and defaults of a new
//! draft.

mod clerk;
mod drafts;
mod kind;
mod locations;
mod own;
mod prices;
mod printers;
mod tokens;
