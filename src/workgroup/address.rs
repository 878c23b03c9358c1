//! The address of the workgroup's database: `postgresql://user@server:5432/database`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use thiserror::Error;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AddressError {
    #[error("enter the address as postgresql://user@server/database")]
    Invalid,
    #[error("leave the password out of the address: it belongs in the keyring")]
    HasPassword,
    #[error("the address has no user: postgresql://user@server/database")]
    NoUser,
    #[error("the address has no database: postgresql://user@server/database")]
    NoDatabase,
    #[error(
        "a server on another computer needs an encrypted connection: leave sslmode out of the address"
    )]
    NotEncrypted,
}

/// A checked address. It contains no password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseAddress {
    text: String,
    config: Config,
}

impl DatabaseAddress {
    /// Returns the settings of a connection. It is encrypted, unless the server is on this computer and the address
    /// doesn't ask for encryption.
    pub(crate) fn config(&self) -> Config {
        let mut config = self.config.clone();
        config.application_name("packbench");
        if is_local(&config) {
            if config.get_ssl_mode() == SslMode::Prefer {
                config.ssl_mode(SslMode::Disable);
            }
        } else {
            config.ssl_mode(SslMode::Require);
        }
        config
    }
}

impl FromStr for DatabaseAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let is_url = text.starts_with("postgresql://") || text.starts_with("postgres://");
        let config: Config = text.parse().map_err(|_wrong| AddressError::Invalid)?;
        if !is_url || config.get_hosts().is_empty() {
            return Err(AddressError::Invalid);
        }
        if config.get_password().is_some() {
            return Err(AddressError::HasPassword);
        }
        if config.get_user().is_none() {
            return Err(AddressError::NoUser);
        }
        if config.get_dbname().is_none() {
            return Err(AddressError::NoDatabase);
        }
        if config.get_ssl_mode() == SslMode::Disable && !is_local(&config) {
            return Err(AddressError::NotEncrypted);
        }
        Ok(Self {
            text: text.to_owned(),
            config,
        })
    }
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns true if all servers of the address are on this computer.
fn is_local(config: &Config) -> bool {
    let is_loopback = |name: &str| {
        name == "localhost"
            || name
                .parse()
                .is_ok_and(|address: IpAddr| address.is_loopback())
    };
    // `hostaddr` says where to connect to, whatever the host's name is.
    let addresses = config.get_hostaddrs();
    let are_local = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    are_local && addresses.iter().all(IpAddr::is_loopback)
}
