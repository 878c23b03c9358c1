//! Calling the service: one function for each operation of the interface, in one file for each of its areas.
//!
//! What always holds: a write is sent at most once for each call; the token goes to the configured host only and is never
//! logged; no answer is read past its limit; an answer is believed only when its envelope has no errors.
//! What it must not know: drafts, the journal, the window.

mod authenticate;
mod companies;
mod consignments;
mod failure;
mod labels;
mod manifests;
mod routes;
mod transport;

use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;
use thiserror::Error;

pub use failure::Failure;
use transport::Transport;

/// Where the service is, and who calls.
#[derive(Debug, Clone)]
pub struct Connection {
    base_url: Url,
    token: SecretString,
    limits: Limits,
}

/// How long calls may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// A whole read.
    pub read: Duration,
    /// A whole write.
    pub write: Duration,
    /// A whole file.
    pub file: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(15),
            write: Duration::from_mins(1),
            file: Duration::from_secs(30),
        }
    }
}

/// Why a connection cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ConnectionError {
    /// Not an address.
    #[error("the service's address is not a web address")]
    Address,
    /// Plain HTTP to another machine would show the token to the network.
    #[error("the service's address must start with https://")]
    NotHttps,
    /// The token has characters that no token has.
    #[error("the token has characters that cannot be sent")]
    Token,
}

impl Connection {
    /// A connection to the service at `base_url`: https, or http on this machine only.
    pub fn new(base_url: &str, token: SecretString) -> Result<Self, ConnectionError> {
        let base_url: Url = base_url
            .trim_end_matches('/')
            .parse()
            .map_err(|_not_a_url| ConnectionError::Address)?;
        if base_url.host().is_none() {
            return Err(ConnectionError::Address);
        }
        if base_url.scheme() != "https" && !(base_url.scheme() == "http" && is_loopback(&base_url))
        {
            return Err(ConnectionError::NotHttps);
        }
        Ok(Self {
            base_url,
            token,
            limits: Limits::default(),
        })
    }

    /// The same connection with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The service's address, without the token.
    pub fn address(&self) -> &str {
        self.base_url.as_str()
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// A caller of the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    transport: std::sync::Arc<Transport>,
}

impl Client {
    /// Makes the two HTTP clients: one for reads, one for writes.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        Ok(Self {
            transport: std::sync::Arc::new(Transport::new(connection)?),
        })
    }

    /// How long the last answered read took.
    pub fn latency(&self) -> Option<Duration> {
        self.transport.latency()
    }
}
