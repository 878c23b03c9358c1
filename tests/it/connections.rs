//! Connections to services: which hosts get the token, where it is stored, and how a bench is set up.

mod ears;
mod keyring;
mod old_settings;
mod proxies;
mod redirects;
mod roll_out;
pub(crate) mod settings_journey;
pub(crate) mod switching;
mod tls;
mod token_canary;
pub(crate) mod wizard;

use client::{Client, Connection};
use secrecy::SecretString;

/// A token that nobody else's text looks like.
const TOKEN: &str = "canary-3f1c9a7e-5b2d";

/// A client of the service at `address`, as its connection is changed by `with`.
fn client(address: &str, with: impl FnOnce(Connection) -> Connection) -> Client {
    let token = SecretString::from(TOKEN);
    let connection = Connection::new(address, token).expect("an address that may be called");
    Client::new(&with(connection)).expect("a client")
}
