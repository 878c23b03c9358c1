//! What was issued for the bench: in the operating system's keyring, in memory, and nowhere else.
//!
//! Every function waits for the keyring, which may ask the user to unlock it: never call one on the main thread, and give
//! it a limit.

use std::collections::HashMap;
use std::sync::Arc;

use keyring_core::Entry;
use keyring_core::api::CredentialStoreApi;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;

/// The keyring's word for us.
const SERVICE: &str = "packbench";

/// What else than the connection's name is said of an entry, by the store.
type Modifiers = HashMap<&'static str, &'static str>;

/// Why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenError {
    /// This machine has no keyring, or it is locked.
    #[error("the operating system's keyring cannot be used")]
    NoKeyring,
    /// The keyring has no token under this name.
    #[error("the keyring has no token for this connection")]
    NoToken,
}

/// What was issued for one connection. Shows nothing of it when it is printed.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// The service's token.
    pub service: Option<SecretString>,
    /// The middleware's token.
    pub middleware: Option<SecretString>,
    /// The middleware's integration id: a string issued for the integration, as its token is.
    pub integration: Option<SecretString>,
}

impl Tokens {
    /// These, and what only `others` have.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            service: self.service.or(others.service),
            middleware: self.middleware.or(others.middleware),
            integration: self.integration.or(others.integration),
        }
    }
}

/// The entries of a connection: the service's token is under its bare name.
fn users(name: &str) -> [String; 3] {
    [
        name.to_owned(),
        format!("{name} (middleware token)"),
        format!("{name} (middleware integration)"),
    ]
}

/// The operating system's keyring, or the wish not to use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyring {
    /// Tokens are kept there.
    System,
    /// Tokens are asked for at each start.
    Unused,
}

impl Keyring {
    /// What it has for the connection `name`.
    pub fn read(self, name: &str) -> Result<Tokens, TokenError> {
        let store = Store::open(self)?;
        let [service, middleware, integration] = users(name).map(|user| store.get(&user));
        Ok(Tokens {
            service: service?,
            middleware: middleware?,
            integration: integration?,
        })
    }

    /// Stores what there is, in place of what was there; leaves the rest alone.
    pub fn write(self, name: &str, tokens: &Tokens) -> Result<(), TokenError> {
        let store = Store::open(self)?;
        let given = [&tokens.service, &tokens.middleware, &tokens.integration];
        for (user, secret) in users(name).iter().zip(given) {
            if let Some(secret) = secret {
                store.set(user, secret)?;
            }
        }
        Ok(())
    }

    /// Takes everything of the connection `name` out of it.
    pub fn delete(self, name: &str) -> Result<(), TokenError> {
        let store = Store::open(self)?;
        users(name).iter().try_for_each(|user| store.delete(user))
    }
}

/// The system's store, without a default for the whole run: one that failed may be there the next time.
struct Store(Arc<dyn CredentialStoreApi>);

impl Store {
    fn open(keyring: Keyring) -> Result<Self, TokenError> {
        match keyring {
            Keyring::System => platform_store()
                .map(Self)
                .map_err(|_no_service| TokenError::NoKeyring),
            Keyring::Unused => Err(TokenError::NoKeyring),
        }
    }

    fn entry(&self, user: &str) -> Result<Entry, TokenError> {
        // On Windows: on this machine only, not with the user's roaming profile.
        let local = Modifiers::from([("persistence", "Local")]);
        let modifiers = cfg!(target_os = "windows").then_some(&local);
        let built = self.0.build(SERVICE, user, modifiers);
        built.map_err(|_unusable| TokenError::NoKeyring)
    }

    fn get(&self, user: &str) -> Result<Option<SecretString>, TokenError> {
        match self.entry(user)?.get_password() {
            // To shrink it to its length would leave a copy behind that nobody wipes.
            Ok(secret) => Ok(Some(Zeroizing::new(secret).as_str().into())),
            Err(keyring_core::Error::NoEntry) => Ok(None),
            Err(_) => Err(TokenError::NoKeyring),
        }
    }

    fn set(&self, user: &str, secret: &SecretString) -> Result<(), TokenError> {
        let stored = self.entry(user)?.set_password(secret.expose_secret());
        stored.map_err(|_refused| TokenError::NoKeyring)
    }

    fn delete(&self, user: &str) -> Result<(), TokenError> {
        match self.entry(user)?.delete_credential() {
            Ok(()) | Err(keyring_core::Error::NoEntry) => Ok(()),
            Err(_) => Err(TokenError::NoKeyring),
        }
    }
}

type Opened = keyring_core::Result<Arc<dyn CredentialStoreApi>>;

#[cfg(target_os = "linux")]
fn platform_store() -> Opened {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "windows")]
fn platform_store() -> Opened {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn platform_store() -> Opened {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(not(any(target_os = "linux", target_os = "windows", target_os = "macos")))]
fn platform_store() -> Opened {
    Err(keyring_core::Error::NoDefaultStore)
}
