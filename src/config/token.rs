//! The service's token: in the operating system's keyring, in memory, and nowhere else.

use keyring_core::Entry;
use secrecy::SecretString;
use thiserror::Error;

/// The keyring's word for us.
const SERVICE: &str = "packbench";

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

/// The token of the connection `name`. Waits for the keyring, which may ask the user to unlock it: never call it on the
/// main thread, and give it a limit.
pub fn read_token(name: &str) -> Result<SecretString, TokenError> {
    use_platform_store()?;
    let entry = Entry::new(SERVICE, name).map_err(|_unusable| TokenError::NoKeyring)?;
    match entry.get_password() {
        Ok(token) => Ok(token.into()),
        Err(keyring_core::Error::NoEntry) => Err(TokenError::NoToken),
        Err(_) => Err(TokenError::NoKeyring),
    }
}

#[cfg(target_os = "linux")]
fn use_platform_store() -> Result<(), TokenError> {
    let store = zbus_secret_service_keyring_store::Store::new()
        .map_err(|_no_service| TokenError::NoKeyring)?;
    keyring_core::set_default_store(store);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn use_platform_store() -> Result<(), TokenError> {
    Err(TokenError::NoKeyring)
}
