//! Web addresses from settings, and the rule for where a secret may be sent: to `https`, or to `http` on this machine.

use url::{Host, Url};

/// The reasons why an address can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    /// The text is not an `http` or `https` address with a host.
    NotAnAddress,
    /// The address contains a user name or a password, which would be a secret among the settings.
    HasCredentials,
    /// The address is neither encrypted nor on this machine.
    NotEncrypted,
}

/// Parses an address without user name and password.
pub fn parse_web_address(text: &str) -> Result<Url, AddressError> {
    let url = Url::parse(text.trim()).map_err(|_unreadable| AddressError::NotAnAddress)?;
    if !url.has_host() || !matches!(url.scheme(), "https" | "http") {
        Err(AddressError::NotAnAddress)
    } else if !url.username().is_empty() || url.password().is_some() {
        Err(AddressError::HasCredentials)
    } else {
        Ok(url)
    }
}

/// Parses an address that a secret may be sent to.
pub fn parse_secure_address(text: &str) -> Result<Url, AddressError> {
    let url = parse_web_address(text)?;
    if url.scheme() == "https" || is_loopback(&url) {
        Ok(url)
    } else {
        Err(AddressError::NotEncrypted)
    }
}

/// Returns whether the host is this machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
