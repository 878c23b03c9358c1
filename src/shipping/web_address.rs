//! Web addresses from settings, and the rule for where a secret may be sent: to `https`, or to `http` on this
//! machine. Also the public tracking page of a consignment: a base address, followed by a token.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
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

/// The base addresses of a deployment's tracking pages. All are settings; the program contains no defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct TrackingBases {
    pub v1: Option<String>,
    /// The traditional design's short address, which redirects to the long one.
    pub v1_short: Option<String>,
    pub v2: Option<String>,
    /// The modern design's short address, which redirects to the long one.
    pub v2_short: Option<String>,
}

/// The design of a tracking page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TrackingDesign {
    Traditional,
    #[default]
    Modern,
}

impl TrackingBases {
    /// Returns the token in a page's long or short address, for example from a scanned code; `None` if the
    /// address matches no base.
    pub fn token_from_url<'a>(&self, address: &'a str) -> Option<&'a str> {
        let bases = [&self.v1, &self.v1_short, &self.v2, &self.v2_short];
        let bases = bases.into_iter().flatten();
        let path = without_scheme(address.trim());
        { bases }.find_map(|base| {
            let base = without_scheme(base.trim()).trim_end_matches('/');
            let (head, rest) = path.split_at_checked(base.len())?;
            let token = rest.strip_prefix('/')?;
            let end = token.find(['/', '?', '#']).unwrap_or(token.len());
            let token = &token[..end];
            let is_it = !base.is_empty() && head.eq_ignore_ascii_case(base) && is_token(token);
            is_it.then_some(token)
        })
    }

    /// Returns the design to show by default: the traditional design if only that has an address,
    /// otherwise the modern.
    pub fn default_design(&self) -> TrackingDesign {
        if self.has_page(TrackingDesign::Traditional) && !self.has_page(TrackingDesign::Modern) {
            TrackingDesign::Traditional
        } else {
            TrackingDesign::Modern
        }
    }

    /// Returns whether the deployment has an address for pages of this design.
    pub fn has_page(&self, design: TrackingDesign) -> bool {
        self.base(design).is_some()
    }

    /// Returns the base address of a design: the first of the long and the short address that is not blank.
    fn base(&self, design: TrackingDesign) -> Option<&str> {
        let bases = match design {
            TrackingDesign::Traditional => [&self.v1, &self.v1_short],
            TrackingDesign::Modern => [&self.v2, &self.v2_short],
        };
        let bases = bases.into_iter().flatten();
        bases.map(|base| base.trim()).find(|base| !base.is_empty())
    }

    /// Returns the page's address for a browser: `https`, or `http` on this machine. The short address is
    /// used if there is no long one.
    pub fn browser_url(
        &self,
        design: TrackingDesign,
        token: &str,
    ) -> Result<String, TrackingPageError> {
        let base = self.base(design).ok_or(TrackingPageError::NotSet)?;
        if !is_token(token) {
            return Err(TrackingPageError::NoToken);
        }
        let address = format!("{}/{token}", base.trim_end_matches('/'));
        if is_safe(&address) {
            Ok(address)
        } else {
            Err(TrackingPageError::NotSafe)
        }
    }
}

/// The reasons why a tracking page cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TrackingPageError {
    /// The connection has no address for the page.
    #[error("No address for tracking pages is set")]
    NotSet,
    /// The service gave the consignment no token, or a token with unsafe characters.
    #[error("The service has no tracking page for this consignment")]
    NoToken,
    /// The address is not `https`, contains a user name, or is not an address, so no browser may open it.
    #[error("The address for tracking pages isn't safe to open. It must start with https://")]
    NotSafe,
}

impl TrackingDesign {
    /// Both designs, the default first.
    pub const ALL: [Self; 2] = [Self::Modern, Self::Traditional];

    /// Returns the name on the button.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Traditional => "Traditional",
            Self::Modern => "Modern",
        }
    }
}

/// Returns whether the address may be opened: encrypted or on this machine, and without user name, password,
/// query or fragment.
fn is_safe(address: &str) -> bool {
    parse_secure_address(address).is_ok_and(|url| url.query().is_none() && url.fragment().is_none())
}

/// Removes the scheme: `https://track.example/a1` becomes `track.example/a1`. Scanned codes may have either scheme.
fn without_scheme(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, rest)| rest)
}

/// Returns whether the text consists of letters, digits, `-` and `_`, and is not empty.
fn is_token(token: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !token.is_empty() && token.chars().all(plain)
}
