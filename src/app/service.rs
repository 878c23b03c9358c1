//! Which service the program works with: from a connection of the settings and its tokens to a client's connection.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;
use tokio::runtime::Handle;

use crate::client::{Connection, ConnectionError, Limits, Middleware, Patience};
use crate::config::{
    Chosen, ConnectionKind, ConnectionSettings, Keyring, MiddlewareSettings, Settings, TokenError,
    Tokens,
};
use crate::shipping::{Dialect, TrackingBases};
use crate::state::{Environment, PracticeUser};
use crate::work::within;

/// How long the keyring may take; it may ask its user to unlock it.
pub(super) const KEYRING_LIMIT: Duration = Duration::from_secs(10);

/// Certificate files are some kilobytes long.
const LONGEST_AUTHORITY: u64 = 4 * 1024 * 1024;

/// Which service the program works with.
#[derive(Debug, Clone)]
pub struct Service {
    /// The connection's name; `practice` for the practice service.
    pub name: String,
    /// Its address.
    pub address: String,
    /// Who calls.
    pub token: SecretString,
    /// Practice, test or live.
    pub environment: Environment,
    /// How it speaks.
    pub dialect: Dialect,
    /// Where its tracking pages are.
    pub tracking: TrackingBases,
    /// Live pricing beside it.
    pub middleware: Option<Prices>,
    /// Certificates of the company's own authority, in PEM form.
    pub authority: Option<Vec<u8>>,
    /// `http://host:port`
    pub proxy: Option<String>,
    /// How long calls may take.
    pub limits: Limits,
    /// How often and how long it is tried while it does not answer.
    pub patience: Patience,
    /// When a lost answer is looked for, counted from when it was given up.
    pub settle_after: Vec<Duration>,
    /// Of the practice service: the tokens of its viewer and its supervisor.
    pub practice_users: Option<[SecretString; 2]>,
}

/// The middleware for live prices.
#[derive(Debug, Clone)]
pub struct Prices {
    /// Its address.
    pub address: String,
    /// The last part of its path.
    pub platform: String,
    /// Issued for the integration.
    pub integration: SecretString,
    /// Issued for the integration.
    pub token: SecretString,
}

/// Why a connection of the settings is no service to work with.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The settings choose a connection that they don't have.
    #[error("the settings have no connection of that name")]
    NoConnection,
    /// Its token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The file of the company's own certificate authority.
    #[error("the certificate file {0} cannot be read ({1})")]
    Authority(PathBuf, io::ErrorKind),
    /// What is set is no way to a service.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
}

impl Service {
    /// A service with the usual limits, that speaks as the specification does.
    pub fn new(
        name: String,
        address: String,
        token: SecretString,
        environment: Environment,
    ) -> Self {
        let settle_after = [2, 10, 30, 60, 120].map(Duration::from_secs).to_vec();
        Self {
            name,
            address,
            token,
            environment,
            dialect: Dialect::default(),
            tracking: TrackingBases::default(),
            middleware: None,
            authority: None,
            proxy: None,
            limits: Limits::default(),
            patience: Patience::default(),
            settle_after,
            practice_users: None,
        }
    }

    /// A practice service on this machine.
    pub fn practice(address: String, token: &str) -> Self {
        let mut service = Self::new(
            "practice".to_owned(),
            address,
            token.into(),
            Environment::Practice,
        );
        service.dialect.optional.printers = true;
        service
    }

    /// The practice service, which also knows the tokens of its viewer and its supervisor.
    #[must_use]
    pub fn with_practice_users(self, viewer: &str, supervisor: &str) -> Self {
        Self {
            practice_users: Some([viewer.into(), supervisor.into()]),
            ..self
        }
    }

    /// The practice service as this user sees it.
    #[must_use]
    pub fn as_practice_user(mut self, user: PracticeUser) -> Self {
        let [viewer, supervisor] = match &self.practice_users {
            Some([viewer, supervisor]) => [viewer.clone(), supervisor.clone()],
            None => return self,
        };
        match user {
            PracticeUser::Clerk => {}
            PracticeUser::Viewer => self.token = viewer,
            PracticeUser::Supervisor => self.token = supervisor,
        }
        self
    }

    /// The same service, with its tracking pages below these addresses: traditional and modern design, each with its short
    /// form.
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

    /// The service that the settings choose, with the token given or else the one in the keyring, which is given ten
    /// seconds; nothing where that is the practice service.
    pub fn of_settings(
        runtime: &Handle,
        settings: &Settings,
        keyring: Keyring,
        token: Option<SecretString>,
    ) -> Result<Option<Self>, ServiceError> {
        let Some(Chosen::Connection(_)) = settings.chosen else {
            return Ok(None);
        };
        let connection = settings.connection().ok_or(ServiceError::NoConnection)?;
        let given = Tokens {
            service: token,
            ..Tokens::default()
        };
        let found = runtime.block_on(Self::of_connection(connection, given, keyring))?;
        Ok(Some(found))
    }

    /// The service of a connection, with the tokens given; what is missing comes from the keyring. Without the middleware's
    /// own tokens there is no middleware.
    pub(super) async fn of_connection(
        connection: &ConnectionSettings,
        given: Tokens,
        keyring: Keyring,
    ) -> Result<Self, ServiceError> {
        let tokens = all_tokens(connection, given, keyring).await?;
        let token = tokens.service.ok_or(TokenError::NoToken)?;
        let environment = match connection.kind {
            ConnectionKind::Test => Environment::Test,
            ConnectionKind::Live => Environment::Live,
        };
        let authority = match &connection.authority {
            Some(path) => Some(read_authority(path).await?),
            None => None,
        };
        let (name, address) = (connection.name.clone(), connection.address.clone());
        Ok(Self {
            dialect: connection.dialect.clone(),
            tracking: connection.tracking.clone(),
            middleware: connection.middleware.clone().and_then(
                |MiddlewareSettings { address, platform }| {
                    Some(Prices {
                        address,
                        platform,
                        integration: tokens.integration?,
                        token: tokens.middleware?,
                    })
                },
            ),
            authority,
            proxy: connection.proxy.clone(),
            ..Self::new(name, address, token, environment)
        })
    }

    /// The connection to it.
    pub(super) fn connection(&self) -> Result<Connection, ConnectionError> {
        let mut connection = Connection::new(&self.address, self.token.clone())?
            .with_limits(self.limits)
            .with_patience(self.patience)
            .with_dialect(self.dialect.clone());
        if let Some(pem) = &self.authority {
            connection = connection.with_authority(pem)?;
        }
        if let Some(proxy) = &self.proxy {
            connection = connection.with_proxy(proxy)?;
        }
        if let Some(prices) = self.middleware.clone() {
            connection = connection.with_middleware(Middleware::new(
                &prices.address,
                &prices.platform,
                prices.integration,
                prices.token,
            )?);
        }
        Ok(connection)
    }
}

/// The tokens given, and from the keyring what of them is missing and wanted.
async fn all_tokens(
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
    let stored = within(KEYRING_LIMIT, move || keyring.read(&name)).await;
    match stored.unwrap_or(Err(TokenError::NoKeyring)) {
        Ok(stored) => Ok(given.or(stored)),
        // Work can begin all the same, without live prices.
        Err(_) if given.service.is_some() => Ok(given),
        Err(error) => Err(error),
    }
}

/// The certificates of the company's own authority.
async fn read_authority(path: &Path) -> Result<Vec<u8>, ServiceError> {
    let unreadable = |kind| ServiceError::Authority(path.to_owned(), kind);
    let about = tokio::fs::metadata(path).await;
    if about.is_ok_and(|about| about.len() > LONGEST_AUTHORITY) {
        return Err(ConnectionError::Authority.into());
    }
    let read = tokio::fs::read(path).await;
    read.map_err(|error| unreadable(error.kind()))
}
