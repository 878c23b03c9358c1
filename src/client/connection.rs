//! Where a service is, who calls, and how it is reached: checked once, before anything is sent.

use std::net::Ipv4Addr;
use std::time::Duration;

use reqwest::{Certificate, Proxy, Url};
use secrecy::SecretString;
use thiserror::Error;

use crate::shipping::{Clock, Dialect};

/// Where the service is, and who calls.
#[derive(Debug, Clone)]
pub struct Connection {
    pub(super) base_url: Url,
    pub(super) token: SecretString,
    pub(super) limits: Limits,
    pub(super) patience: Patience,
    pub(super) clock: Clock,
    pub(super) dialect: Dialect,
    pub(super) way: Way,
    pub(super) middleware: Option<Middleware>,
}

/// How its machine is reached.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    pub(super) authorities: Vec<Certificate>,
    pub(super) proxy: Option<Proxy>,
}

/// The integration middleware for live pricing ("Integration middleware").
#[derive(Debug, Clone)]
pub struct Middleware {
    pub(super) base_url: Url,
    pub(super) platform: String,
    pub(super) integration_id: SecretString,
    pub(super) token: SecretString,
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

/// How often and how long a service that does not answer is tried.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// After so many calls in a row that did not reach it, calls rest.
    pub failures: u32,
    /// How long they rest until it is asked whether it is back.
    pub rest: Duration,
    /// A pause that the service asks for is waited for by a read, where it is no longer.
    pub longest_wait: Duration,
    /// Clocks that went further apart mean that the machine slept, or that its time was set.
    pub jump: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            failures: 5,
            rest: Duration::from_secs(10),
            longest_wait: Duration::from_mins(1),
            jump: Duration::from_secs(30),
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
    /// A user or a password in it would be a secret among the settings.
    #[error("the address holds a user or a password: settings keep no secrets")]
    Secret,
    /// The token has characters that no token has.
    #[error("the token has characters that cannot be sent")]
    Token,
    /// The company's own certificate authority is no PEM file with a certificate.
    #[error("the certificate file holds no certificate in PEM form")]
    Authority,
    /// The proxy's address is none.
    #[error("the proxy's address is not a web address")]
    Proxy,
    /// The platform is part of the middleware's path.
    #[error("the middleware's platform is a word of letters, digits, - and _")]
    Platform,
}

impl Connection {
    /// A connection to the service at `base_url`: https, or http on this machine only.
    pub fn new(base_url: &str, token: SecretString) -> Result<Self, ConnectionError> {
        Ok(Self {
            base_url: checked(base_url)?,
            token,
            limits: Limits::default(),
            patience: Patience::default(),
            clock: Clock::system(),
            dialect: Dialect::default(),
            way: Way::default(),
            middleware: None,
        })
    }

    /// The same connection with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same connection with other patience.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// The same connection by another clock than the machine's own.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same connection to a deployment that speaks so.
    #[must_use]
    pub fn with_dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// The same connection, trusting the certificates of a company's own authority too (`pem`: one or several).
    pub fn with_authority(mut self, pem: &[u8]) -> Result<Self, ConnectionError> {
        let authorities =
            Certificate::from_pem_bundle(pem).map_err(|_unreadable| ConnectionError::Authority)?;
        if authorities.is_empty() {
            return Err(ConnectionError::Authority);
        }
        self.way.authorities = authorities;
        Ok(self)
    }

    /// The same connection through a proxy (`http://host:port`), instead of the one that the system names.
    pub fn with_proxy(mut self, address: &str) -> Result<Self, ConnectionError> {
        let url: Url = address
            .trim()
            .parse()
            .map_err(|_not_a_url| ConnectionError::Proxy)?;
        if url.host().is_none() {
            return Err(ConnectionError::Proxy);
        }
        without_secret(&url)?;
        self.way.proxy = Some(Proxy::all(url).map_err(|_unusable| ConnectionError::Proxy)?);
        Ok(self)
    }

    /// The same connection with live pricing beside it.
    #[must_use]
    pub fn with_middleware(self, middleware: Middleware) -> Self {
        Self {
            middleware: Some(middleware),
            ..self
        }
    }

    /// The service's address, without the token.
    pub fn address(&self) -> &str {
        self.base_url.as_str()
    }
}

impl Middleware {
    /// The middleware at `base_url`, for one `platform` of its paths; `integration_id` and `token` are issued for the
    /// integration.
    pub fn new(
        base_url: &str,
        platform: &str,
        integration_id: SecretString,
        token: SecretString,
    ) -> Result<Self, ConnectionError> {
        let platform = platform.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if platform.is_empty() || !platform.chars().all(plain) {
            return Err(ConnectionError::Platform);
        }
        Ok(Self {
            base_url: checked(base_url)?,
            platform: platform.to_owned(),
            integration_id,
            token,
        })
    }
}

/// An address that a token may be sent to: https, or http on this machine.
fn checked(address: &str) -> Result<Url, ConnectionError> {
    let url: Url = address
        .trim()
        .trim_end_matches('/')
        .parse()
        .map_err(|_not_a_url| ConnectionError::Address)?;
    if url.host().is_none() {
        return Err(ConnectionError::Address);
    }
    without_secret(&url)?;
    if url.scheme() != "https" && !(url.scheme() == "http" && is_loopback(&url)) {
        return Err(ConnectionError::NotHttps);
    }
    Ok(url)
}

fn without_secret(url: &Url) -> Result<(), ConnectionError> {
    if url.username().is_empty() && url.password().is_none() {
        Ok(())
    } else {
        Err(ConnectionError::Secret)
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}
