//! The practice service against the interface: literal requests and literal expectations over a real socket.

mod authentication;
mod companies;
mod create;
mod dangerous_goods;
mod fetch;
mod international;
mod labels;
mod manifest;
mod routes;
