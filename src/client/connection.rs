//! The settings of a connection: address, token, timeouts, proxy and certificates, checked before anything is sent.

use std::time::Duration;

use reqwest::{Certificate, Proxy, Url};
use secrecy::SecretString;
use thiserror::Error;

use shipping::{AddressError, Clock, Compatibility, parse_secure_address, parse_web_address};

/// The address of the service, the token, and everything else that calls need.
#[derive(Debug, Clone)]
pub struct Connection {
    pub(super) base_url: Url,
    pub(super) token: SecretString,
    pub timeouts: Timeouts,
    pub availability: AvailabilityPolicy,
    pub(super) clock: Clock,
    pub compatibility: Compatibility,
    pub(super) network: NetworkOptions,
    pub middleware: Option<Middleware>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct NetworkOptions {
    pub(super) authorities: Vec<Certificate>,
    pub(super) proxy: Option<Proxy>,
}

/// The settings of the integration middleware, which returns live prices.
#[derive(Debug, Clone)]
pub struct Middleware {
    pub(super) base_url: Url,
    pub(super) platform: String,
    pub(super) integration_id: SecretString,
    pub(super) token: SecretString,
}

/// Time limits of whole calls. Each call names the member that limits it.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The time for establishing a connection, which is part of the call's time.
    pub connect: Duration,
    pub read: Duration,
    pub write: Duration,
    /// For creating a consignment.
    pub create: Duration,
    /// For downloading a whole file.
    pub file: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(15),
            write: Duration::from_mins(1),
            create: Duration::from_mins(1),
            file: Duration::from_secs(30),
        }
    }
}

/// Rules for calls to a service that does not answer or that asks for a pause.
#[derive(Debug, Clone, Copy)]
pub struct AvailabilityPolicy {
    /// Number of consecutive calls that fail to reach the service, after which no calls are sent for `cooldown`.
    pub failures: u32,
    /// Time without calls before the service is pinged again.
    pub cooldown: Duration,
    /// The longest pause that a read waits for if the service requests a pause (`Retry-After`).
    pub longest_wait: Duration,
    /// The largest accepted difference between the wall clock and the monotonic clock. A larger difference means that
    /// the machine slept or that its time was set.
    pub max_clock_drift: Duration,
}

impl Default for AvailabilityPolicy {
    fn default() -> Self {
        Self {
            failures: 5,
            cooldown: Duration::from_secs(10),
            longest_wait: Duration::from_mins(1),
            max_clock_drift: Duration::from_secs(30),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ConnectionError {
    #[error("the service's address is not a web address")]
    Address,
    /// Plain HTTP to another machine would reveal the token to the network.
    #[error("the service's address must start with https://")]
    NotHttps,
    /// A user name or a password in the address would be a secret stored among the settings.
    #[error("the address must not contain a user name or password")]
    CredentialsInAddress,
    /// The token has characters that cannot be part of an HTTP header.
    #[error("the token has characters that cannot be sent")]
    Token,
    /// The file for the company's own certificate authority contains no PEM certificate.
    #[error("the certificate file contains no PEM certificate")]
    Authority,
    #[error("the proxy's address is not a web address")]
    Proxy,
    /// The platform is part of the middleware's path, so only letters, digits, `-` and `_` are allowed.
    #[error("the middleware's platform may contain only letters, digits, - and _")]
    Platform,
}

impl Connection {
    /// Creates a connection to the service at `base_url`, which must be https, or http on this machine.
    pub fn new(base_url: &str, token: SecretString) -> Result<Self, ConnectionError> {
        Ok(Self {
            base_url: parse_service_address(base_url)?,
            token,
            timeouts: Timeouts::default(),
            availability: AvailabilityPolicy::default(),
            clock: Clock::system(),
            compatibility: Compatibility::default(),
            network: NetworkOptions::default(),
            middleware: None,
        })
    }

    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Also trusts the certificates of the company's own authority; `pem` contains one or more certificates.
    pub fn with_authority(mut self, pem: &[u8]) -> Result<Self, ConnectionError> {
        let authorities =
            Certificate::from_pem_bundle(pem).map_err(|_unreadable| ConnectionError::Authority)?;
        if authorities.is_empty() {
            return Err(ConnectionError::Authority);
        }
        self.network.authorities = authorities;
        Ok(self)
    }

    /// Uses this proxy (`http://host:port`) instead of the system's proxy.
    pub fn with_proxy(mut self, address: &str) -> Result<Self, ConnectionError> {
        let url = parse_web_address(address).map_err(|error| match error {
            AddressError::HasCredentials => ConnectionError::CredentialsInAddress,
            _ => ConnectionError::Proxy,
        })?;
        self.network.proxy = Some(Proxy::all(url).map_err(|_unusable| ConnectionError::Proxy)?);
        Ok(self)
    }

    /// Returns the service's address, without the token.
    pub fn address(&self) -> &str {
        self.base_url.as_str()
    }
}

impl Middleware {
    /// Creates the settings of the middleware at `base_url`. The `platform` becomes part of its paths; the
    /// `integration_id` and `token` are issued for the integration.
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
            base_url: parse_service_address(base_url)?,
            platform: platform.to_owned(),
            integration_id,
            token,
        })
    }
}

/// Parses an address and checks that the token may be sent to it: https, or http on this machine.
fn parse_service_address(address: &str) -> Result<Url, ConnectionError> {
    let address = address.trim().trim_end_matches('/');
    parse_secure_address(address).map_err(|error| match error {
        AddressError::NotAnAddress => ConnectionError::Address,
        AddressError::HasCredentials => ConnectionError::CredentialsInAddress,
        AddressError::NotEncrypted => ConnectionError::NotHttps,
    })
}
