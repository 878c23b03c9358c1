//! The practice service's own rules and data, each tested over a real socket with literal JSON.
//!
//! The answers that the specification asks of every service are tested in `contract`.

mod addresses;
mod authentication;
mod carriage;
mod create;
mod dangerous_goods;
mod database;
mod definition;
mod deleting;
mod editing;
mod errors;
mod fetch;
mod finding;
mod hostile;
mod international;
mod items;
mod labels;
mod live_pricing;
mod lookup;
mod manifest;
mod pending;
mod permissions;
mod printing;
mod proofs;
mod references;
mod routes;
mod sample_data;
mod statuses;
mod tracking;
mod trouble;
