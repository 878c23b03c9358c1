//! Secrets issued for the bench. They are in the operating system's keyring and in memory, and nowhere else.
//!
//! Every method of [`Keyring`] waits for the keyring, which may ask the user to unlock it. Never call these methods
//! on the main thread, and give every call a time limit.

use std::collections::HashMap;
use std::sync::Arc;

use keyring_core::Entry;
use keyring_core::api::CredentialStoreApi;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;

/// Service name of our entries in the keyring.
const SERVICE: &str = "packbench";

/// Service name of the entries for the databases of workgroups, whose users are the addresses. It differs from that of
/// the tokens, because a connection may have any name.
const WORKGROUP: &str = "packbench workgroup";

/// Attributes of a keyring entry besides its service and user; they depend on the store.
type Modifiers = HashMap<&'static str, &'static str>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenError {
    /// This computer has no keyring, or the keyring is locked.
    #[error("the operating system's keyring cannot be used")]
    NoKeyring,
    #[error("the keyring has no token for this connection")]
    NoToken,
}

/// The secrets of one connection. `Debug` does not reveal them.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    pub service: Option<SecretString>,
    pub middleware: Option<SecretString>,
    /// The middleware's integration id: a secret too, issued for the integration together with its token.
    pub integration: Option<SecretString>,
}

impl Tokens {
    /// Fills in missing secrets from `others`.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            service: self.service.or(others.service),
            middleware: self.middleware.or(others.middleware),
            integration: self.integration.or(others.integration),
        }
    }
}

/// Returns the users of a connection's keyring entries. The service's token is stored under the bare name.
fn entry_users(name: &str) -> [String; 3] {
    [
        name.to_owned(),
        format!("{name} (middleware token)"),
        format!("{name} (middleware integration)"),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyring {
    System,
    /// No keyring is used: Packbench asks for tokens at each start.
    Unused,
}

impl Keyring {
    /// Reads the secrets of the connection `name`.
    pub fn read(self, name: &str) -> Result<Tokens, TokenError> {
        let store = Store::open(self)?;
        let [service, middleware, integration] = entry_users(name).map(|user| store.get(&user));
        Ok(Tokens {
            service: service?,
            middleware: middleware?,
            integration: integration?,
        })
    }

    /// Stores the given secrets. If a secret is missing, its stored value stays unchanged.
    pub fn write(self, name: &str, tokens: &Tokens) -> Result<(), TokenError> {
        let store = Store::open(self)?;
        let given = [&tokens.service, &tokens.middleware, &tokens.integration];
        for (user, secret) in entry_users(name).iter().zip(given) {
            if let Some(secret) = secret {
                store.set(user, secret)?;
            }
        }
        Ok(())
    }

    /// Reads the password of the workgroup's database at this address. Another server never gets it.
    pub fn read_workgroup_password(
        self,
        address: &str,
    ) -> Result<Option<SecretString>, TokenError> {
        Store::open_for(self, WORKGROUP)?.get(address)
    }

    pub fn write_workgroup_password(
        self,
        address: &str,
        password: &SecretString,
    ) -> Result<(), TokenError> {
        Store::open_for(self, WORKGROUP)?.set(address, password)
    }

    pub fn delete(self, name: &str) -> Result<(), TokenError> {
        let store = Store::open(self)?;
        entry_users(name)
            .iter()
            .try_for_each(|user| store.delete(user))
    }
}

/// The platform's credential store. Opened for each access instead of once for the whole run, because a store
/// that failed may work the next time.
struct Store {
    store: Arc<dyn CredentialStoreApi>,
    service: &'static str,
}

impl Store {
    fn open(keyring: Keyring) -> Result<Self, TokenError> {
        Self::open_for(keyring, SERVICE)
    }

    fn open_for(keyring: Keyring, service: &'static str) -> Result<Self, TokenError> {
        match keyring {
            Keyring::System => platform_store()
                .map(|store| Self { store, service })
                .map_err(|_no_service| TokenError::NoKeyring),
            Keyring::Unused => Err(TokenError::NoKeyring),
        }
    }

    fn entry(&self, user: &str) -> Result<Entry, TokenError> {
        // On Windows, store the entry on this computer only, and not in the user's roaming profile.
        let local = Modifiers::from([("persistence", "Local")]);
        let modifiers = cfg!(target_os = "windows").then_some(&local);
        let built = self.store.build(self.service, user, modifiers);
        built.map_err(|_unusable| TokenError::NoKeyring)
    }

    fn get(&self, user: &str) -> Result<Option<SecretString>, TokenError> {
        match self.entry(user)?.get_password() {
            // Copies the text: shrinking the `String` itself could leave a copy that is never wiped.
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
