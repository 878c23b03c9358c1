//! A connection to a service, as typed in the set-up wizard and in Settings.
//!
//! [`ConnectionDraft::check`] returns every problem with its field. Invariants: an address that passes uses
//! https or is on this machine, and secrets are never displayed.

use std::fmt;

use schemars::JsonSchema;
use secrecy::zeroize::Zeroize as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::text::non_blank;
use shipping::{
    AddressError, CompanyId, Compatibility, TrackingBases, parse_secure_address, parse_web_address,
};

/// Whether consignments are tests or real.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ServiceKind {
    /// The token's user is in test mode: no carrier is called.
    Test,
    /// Carriers are called and collect the goods.
    Live,
}

impl ServiceKind {
    /// Returns the name that the clerk sees everywhere.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Test => "TEST",
            Self::Live => "LIVE",
        }
    }
}

/// A base address of a deployment's tracking pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackingBase {
    V1,
    /// The traditional design's short address.
    V1Short,
    V2,
    /// The modern design's short address.
    V2Short,
}

impl TrackingBase {
    pub const ALL: [Self; 4] = [Self::V1, Self::V1Short, Self::V2, Self::V2Short];
}

/// A path that differs between deployments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServicePath {
    Routes,
    /// Prices for items with dangerous goods or customs contents.
    ComplexRoutes,
    Locations,
    /// UN number lookup.
    UnNumbers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConnectionField {
    Name,
    Kind,
    Address,
    Token,
    Company,
    Authority,
    Proxy,
    Tracking(TrackingBase),
    MiddlewareAddress,
    /// The last part of the middleware's path.
    Platform,
    MiddlewareToken,
    Integration,
    Path(ServicePath),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConnectionDraft {
    /// The name that the connection is saved under; `None` for a new connection. The name of a saved
    /// connection cannot change.
    pub saved_name: Option<String>,
    pub name: String,
    /// `None` until the clerk chooses.
    pub kind: Option<ServiceKind>,
    pub address: String,
    /// A new token to store; empty keeps the stored token.
    pub token: Secret,
    /// The company that the bench works for on this service.
    pub company: Option<CompanyId>,
    /// Where the deployment departs from the specification.
    pub compatibility: Compatibility,
    /// Base addresses of the tracking pages, in the order of [`TrackingBase::ALL`].
    pub tracking: [String; 4],
    /// Empty if there is no middleware.
    pub middleware_address: String,
    /// The last part of the middleware's path.
    pub platform: String,
    /// A new middleware token to store; empty keeps the stored token.
    pub middleware_token: Secret,
    /// A new integration id to store; empty keeps the stored id.
    pub integration: Secret,
    /// The path of a PEM file with the company's own certificate authority; may be empty.
    pub authority: String,
    /// Empty means the system's proxy.
    pub proxy: String,
}

impl ConnectionDraft {
    /// Returns a copy without secrets, as it is saved in the settings.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        Self {
            token: Secret::default(),
            middleware_token: Secret::default(),
            integration: Secret::default(),
            ..self.clone()
        }
    }

    /// Returns whether a token or another secret is typed.
    pub fn has_secrets(&self) -> bool {
        self.has_other_secrets(&Self::default())
    }

    /// Returns whether a typed secret differs from `other`'s.
    pub fn has_other_secrets(&self, other: &Self) -> bool {
        let pairs = [
            (&self.token, &other.token),
            (&self.middleware_token, &other.middleware_token),
            (&self.integration, &other.integration),
        ];
        let differ = |(own, others): &(&Secret, &Secret)| !own.is_blank() && own != others;
        pairs.iter().any(differ)
    }

    pub fn tracking_mut(&mut self, base: TrackingBase) -> &mut String {
        &mut self.tracking[base as usize]
    }

    /// Returns the tracking addresses as a record; blank addresses become `None`.
    pub fn tracking_bases(&self) -> TrackingBases {
        let [v1, v1_short, v2, v2_short] = self.tracking.each_ref().map(|base| non_blank(base));
        TrackingBases {
            v1,
            v1_short,
            v2,
            v2_short,
        }
    }

    pub fn set_tracking(&mut self, bases: &TrackingBases) {
        self.tracking = [&bases.v1, &bases.v1_short, &bases.v2, &bases.v2_short]
            .map(|base| base.clone().unwrap_or_default());
    }

    pub fn path_mut(&mut self, path: ServicePath) -> &mut String {
        let paths = &mut self.compatibility.paths;
        match path {
            ServicePath::Routes => &mut paths.routes,
            ServicePath::ComplexRoutes => &mut paths.complex_routes,
            ServicePath::Locations => &mut paths.company_locations,
            ServicePath::UnNumbers => &mut paths.un_numbers,
        }
    }
}

/// The longest name in characters; the name becomes part of a file name.
const LONGEST_NAME: usize = 40;

/// A problem at a field, worded for the person who sets up the bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionProblem {
    pub field: ConnectionField,
    pub message: String,
}

impl ConnectionProblem {
    pub fn at(field: ConnectionField, words: impl Into<String>) -> Self {
        let message = words.into();
        Self { field, message }
    }
}

/// Facts about saved connections that a check needs in addition to the typed values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectionContext<'a> {
    pub names: &'a [&'a str],
    pub token: bool,
    pub middleware_token: bool,
    pub integration: bool,
}

type Problems = Vec<ConnectionProblem>;

impl ConnectionDraft {
    /// Returns every problem, in the order of the form.
    pub fn check(&self, known: ConnectionContext<'_>) -> Problems {
        use ConnectionField as At;
        let mut problems = Problems::new();
        let mut say = |field, words: Option<&str>| {
            problems.extend(words.map(|words| ConnectionProblem::at(field, words)));
        };
        say(At::Name, self.name_problem(known.names));
        let kind = self.kind.is_none().then_some("Choose TEST or LIVE");
        say(At::Kind, kind);
        let address = match self.address.trim() {
            "" => Some("Enter the service's address: https://…"),
            address => address_problem(address),
        };
        say(At::Address, address);
        let secret = |secret: &Secret, known: bool, missing| {
            if secret.is_blank() {
                (!known).then_some(missing)
            } else {
                (!secret.can_be_sent())
                    .then_some("Some characters can't be part of a token. Paste it again")
            }
        };
        let token = secret(&self.token, known.token, "Paste the token here");
        say(At::Token, token);
        let proxy = non_blank(&self.proxy).and_then(|proxy| proxy_problem(&proxy));
        say(At::Proxy, proxy);
        for base in TrackingBase::ALL {
            let words = non_blank(&self.tracking[base as usize])
                .and_then(|address| address_problem(&address));
            say(At::Tracking(base), words);
        }
        if let Some(address) = non_blank(&self.middleware_address) {
            say(At::MiddlewareAddress, address_problem(&address));
            say(At::Platform, self.platform_problem());
            let missing = "Paste the middleware's token here";
            let token = secret(&self.middleware_token, known.middleware_token, missing);
            say(At::MiddlewareToken, token);
            let missing = "Paste the integration id here";
            let integration = secret(&self.integration, known.integration, missing);
            say(At::Integration, integration);
        }
        let paths = &self.compatibility.paths;
        for (path, typed) in [
            (ServicePath::Routes, &paths.routes),
            (ServicePath::ComplexRoutes, &paths.complex_routes),
            (ServicePath::Locations, &paths.company_locations),
            (ServicePath::UnNumbers, &paths.un_numbers),
        ] {
            say(At::Path(path), path_problem(typed.trim()));
        }
        problems
    }

    fn name_problem(&self, others: &[&str]) -> Option<&'static str> {
        if self.saved_name.is_some() {
            return None;
        }
        let name = self.name.trim();
        let plain = journal_file_stem(name);
        if name.is_empty() {
            Some("Give the connection a name")
        } else if name.chars().count() > LONGEST_NAME {
            Some("Use at most 40 characters")
        } else if plain == "practice" {
            Some("This name is reserved for the practice service")
        } else if others.iter().any(|other| journal_file_stem(other) == plain) {
            Some("Another connection has this name")
        } else {
            None
        }
    }

    fn platform_problem(&self) -> Option<&'static str> {
        let platform = self.platform.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let fits = !platform.is_empty() && platform.chars().all(plain);
        (!fits).then_some("Enter the platform: letters, digits, - and _")
    }
}

/// Returns the name as it appears in its journal's file name. Names that give equal results count as equal.
pub fn journal_file_stem(name: &str) -> String {
    let lower = name.trim().to_ascii_lowercase();
    lower.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// Checks an address that a token will be sent to: https, or http on this machine.
fn address_problem(address: &str) -> Option<&'static str> {
    match parse_secure_address(address) {
        Err(AddressError::NotAnAddress) => Some("Enter a web address that starts with https://"),
        Err(AddressError::HasCredentials) => {
            Some("Remove the user name and password from the address: only the token is needed")
        }
        Err(AddressError::NotEncrypted) => {
            Some("Use https://, so that nobody can read the token on the way")
        }
        Ok(url) if url.query().is_some() || url.fragment().is_some() => {
            Some("Remove ? or # and everything after it")
        }
        Ok(_) => None,
    }
}

fn proxy_problem(proxy: &str) -> Option<&'static str> {
    match parse_web_address(proxy) {
        Err(AddressError::HasCredentials) => {
            Some("Remove the user name and password: settings can't store secrets")
        }
        Err(_) => Some("Enter the proxy as http://host:port"),
        Ok(_) => None,
    }
}

fn path_problem(path: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    // An empty path means the specification's path.
    let fits =
        path.is_empty() || (path.len() > 1 && path.starts_with('/') && path.chars().all(plain));
    (!fits).then_some("Start the path with /. Use only letters, digits and the characters / . - _")
}

/// The capacity that is reserved for a secret, in bytes; no token is longer.
const LONGEST: usize = 4096;

/// A token or another secret string, as typed. Its memory is wiped on drop.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Returns the text for the input field.
    pub fn text_mut(&mut self) -> &mut String {
        // Reserves the capacity first: a string that grows would leave an unwiped copy behind.
        if self.0.capacity() < LONGEST {
            let mut roomy = String::with_capacity(LONGEST);
            roomy.push_str(&self.0);
            self.0.zeroize();
            self.0 = roomy;
        }
        &mut self.0
    }

    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Returns whether the secret can go into an HTTP header: visible ASCII only.
    pub fn can_be_sent(&self) -> bool {
        self.0.trim().bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Returns the trimmed secret; `None` if nothing is typed.
    pub fn to_secret_string(&self) -> Option<SecretString> {
        (!self.is_blank()).then(|| self.0.trim().into())
    }
}

impl From<&SecretString> for Secret {
    fn from(secret: &SecretString) -> Self {
        Self(secret.expose_secret().to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_empty() { "" } else { "…" })
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
