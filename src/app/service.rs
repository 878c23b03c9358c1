//! The service that the program works with: made from a connection of the settings and its tokens.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;

use crate::config::{ConnectionSettings, Keyring, MiddlewareSettings, TokenError, Tokens};
use crate::state::{Environment, PracticeUser};
use client::{AvailabilityPolicy, Connection, ConnectionError, Middleware, Timeouts};
use engine::within;
use shipping::{Compatibility, TrackingBases};

/// How long the keyring may take. It may ask its user to unlock it.
pub(super) const KEYRING_LIMIT: Duration = Duration::from_secs(10);

/// Largest certificate file that is read, in bytes. Such files usually have some kilobytes.
const LONGEST_AUTHORITY: u64 = 4 * 1024 * 1024;

/// Runs a job on the keyring. A keyring that does not answer in time counts as unusable.
pub(super) async fn ask_keyring<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, TokenError> + Send + 'static,
) -> Result<T, TokenError> {
    let done = within(KEYRING_LIMIT, job).await;
    done.unwrap_or(Err(TokenError::NoKeyring))
}

/// The service that the program works with.
#[derive(Debug, Clone)]
pub struct Service {
    /// The connection's name; `practice` for the practice service.
    pub name: String,
    pub address: String,
    pub token: SecretString,
    pub environment: Environment,
    /// Where this deployment departs from the specification.
    pub compatibility: Compatibility,
    pub tracking: TrackingBases,
    pub middleware: Option<MiddlewareAccess>,
    /// PEM certificates of the company's own certificate authority.
    pub authority: Option<Vec<u8>>,
    /// `http://host:port`
    pub proxy: Option<String>,
    pub limits: Timeouts,
    /// How calls react while the service does not answer.
    pub patience: AvailabilityPolicy,
    /// Delays after which an operation is reconciled, counted from when its answer was lost.
    pub reconcile_after: Vec<Duration>,
    /// Tokens of the practice service's viewer and supervisor; `None` for other services.
    pub practice_users: Option<[SecretString; 2]>,
}

#[derive(Debug, Clone)]
pub struct MiddlewareAccess {
    pub address: String,
    /// The last segment of the middleware's path.
    pub platform: String,
    pub integration: SecretString,
    pub token: SecretString,
}

/// Reasons why the program can't work with a connection of the settings.
#[derive(Debug, Error)]
pub enum ServiceError {
    #[error("there is no connection with this name in Settings")]
    NoConnection,
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("the certificate file {0} can't be read ({1})")]
    Authority(PathBuf, io::ErrorKind),
    #[error(transparent)]
    Connection(#[from] ConnectionError),
}

impl Service {
    /// Creates a service with the default limits, which follows the specification exactly.
    pub fn new(
        name: String,
        address: String,
        token: SecretString,
        environment: Environment,
    ) -> Self {
        Self {
            name,
            address,
            token,
            environment,
            compatibility: Compatibility::default(),
            tracking: TrackingBases::default(),
            middleware: None,
            authority: None,
            proxy: None,
            limits: Timeouts::default(),
            patience: AvailabilityPolicy::default(),
            reconcile_after: [2, 10, 30, 60, 120].map(Duration::from_secs).to_vec(),
            practice_users: None,
        }
    }

    pub fn practice(address: String, token: &str) -> Self {
        let (name, token) = ("practice".to_owned(), token.into());
        let mut service = Self::new(name, address, token, Environment::Practice);
        service.compatibility.optional.printers = true;
        service
    }

    /// Replaces the token by that of a practice user. Has no effect on other services.
    #[must_use]
    pub fn as_practice_user(mut self, user: PracticeUser) -> Self {
        if let Some([viewer, supervisor]) = &self.practice_users {
            self.token = match user {
                PracticeUser::Clerk => self.token,
                PracticeUser::Viewer => viewer.clone(),
                PracticeUser::Supervisor => supervisor.clone(),
            };
        }
        self
    }

    /// Sets the base addresses of the tracking pages: `v1` for the traditional design and `v2` for the modern
    /// one, each with its long and its short address.
    #[must_use]
    pub fn with_tracking_pages(self, v1: [String; 2], v2: [String; 2]) -> Self {
        let ([v1, v1_short], [v2, v2_short]) = (v1.map(Some), v2.map(Some));
        let tracking = TrackingBases {
            v1,
            v1_short,
            v2,
            v2_short,
        };
        Self { tracking, ..self }
    }

    /// Returns the service of a connection, and its tokens. Missing tokens are read from the keyring, which may take
    /// up to ten seconds. The service has no middleware if the middleware's own tokens are missing.
    pub(super) async fn from_connection(
        connection: &ConnectionSettings,
        given: Tokens,
        keyring: Keyring,
    ) -> Result<(Self, Tokens), ServiceError> {
        let tokens = complete_tokens(connection, given, keyring).await?;
        let token = tokens.service.clone().ok_or(TokenError::NoToken)?;
        let environment = Environment::of_kind(connection.kind);
        let authority = match &connection.authority {
            Some(path) => Some(read_authority(path).await?),
            None => None,
        };
        let middleware = |MiddlewareSettings { address, platform }| {
            Some(MiddlewareAccess {
                address,
                platform,
                integration: tokens.integration.clone()?,
                token: tokens.middleware.clone()?,
            })
        };
        let (name, address) = (connection.name.clone(), connection.address.clone());
        let service = Self {
            compatibility: connection.dialect.clone(),
            tracking: connection.tracking.clone(),
            middleware: connection.middleware.clone().and_then(middleware),
            authority,
            proxy: connection.proxy.clone(),
            ..Self::new(name, address, token, environment)
        };
        Ok((service, tokens))
    }

    /// Returns the client's connection to the service.
    pub(super) fn connection(&self) -> Result<Connection, ConnectionError> {
        let mut connection = Connection::new(&self.address, self.token.clone())?;
        connection.timeouts = self.limits;
        connection.availability = self.patience;
        connection.compatibility = self.compatibility.clone();
        if let Some(pem) = &self.authority {
            connection = connection.with_authority(pem)?;
        }
        if let Some(proxy) = &self.proxy {
            connection = connection.with_proxy(proxy)?;
        }
        if let Some(prices) = self.middleware.clone() {
            let middleware = Middleware::new(
                &prices.address,
                &prices.platform,
                prices.integration,
                prices.token,
            );
            connection.middleware = Some(middleware?);
        }
        Ok(connection)
    }
}

/// Adds tokens from the keyring to the given tokens, if the connection needs more tokens.
async fn complete_tokens(
    connection: &ConnectionSettings,
    given: Tokens,
    keyring: Keyring,
) -> Result<Tokens, TokenError> {
    let priced = connection.middleware.is_none()
        || (given.middleware.is_some() && given.integration.is_some());
    if given.service.is_some() && priced {
        return Ok(given);
    }
    let name = connection.name.clone();
    match ask_keyring(move || keyring.read(&name)).await {
        Ok(stored) => Ok(given.or(stored)),
        // The bench can work without the middleware's tokens, but has no live prices then.
        Err(_) if given.service.is_some() => Ok(given),
        Err(error) => Err(error),
    }
}

pub(super) async fn read_authority(path: &Path) -> Result<Vec<u8>, ServiceError> {
    let about = tokio::fs::metadata(path).await;
    if about.is_ok_and(|about| about.len() > LONGEST_AUTHORITY) {
        return Err(ConnectionError::Authority.into());
    }
    let read = tokio::fs::read(path).await;
    read.map_err(|error| ServiceError::Authority(path.to_owned(), error.kind()))
}
