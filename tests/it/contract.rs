//! The practice service against the interface: literal requests and literal expectations over a real socket.

mod addresses;
mod authentication;
mod companies;
mod create;
mod dangerous_goods;
mod fetch;
mod international;
mod items;
mod labels;
mod manifest;
mod routes;
