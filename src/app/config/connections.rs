//! Connections to the user's own services, as the settings file stores them.
//!
//! Invariant: no secret is stored here. The token, the middleware's token and the integration id are issued
//! for the bench, and are in the keyring under the connection's name.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use shipping::{CompanyId, CompanyLocationId, Compatibility, PrinterId, TrackingBases};

/// The kind of service that a connection leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionKind {
    /// The token's user is in test mode: no carrier is called.
    Test,
    /// The token's user is in production: carriers are booked.
    Live,
}

/// The service that the bench works with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChosenService {
    /// The practice service on this machine.
    Practice,
    /// The connection with this name.
    Connection(String),
}

/// A connection to one of the user's own services.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionSettings {
    /// Never changes: the keyring entries and the journal file are named after it.
    pub name: String,
    pub kind: ConnectionKind,
    /// `https://…`
    pub address: String,
    /// The company that the bench works for at this service.
    #[serde(default)]
    pub company: Option<CompanyId>,
    /// Id of the service's own printer that the clerk typed last.
    #[serde(default)]
    pub service_printer: Option<PrinterId>,
    /// Saved locations that new consignments start with as sender; at most one for each company.
    #[serde(default)]
    pub senders: Vec<CompanyLocationId>,
    /// Where this deployment departs from the specification.
    #[serde(default)]
    pub dialect: Compatibility,
    /// Base addresses of the tracking pages.
    #[serde(default)]
    pub tracking: TrackingBases,
    /// The middleware that provides live prices, if there is one.
    #[serde(default)]
    pub middleware: Option<MiddlewareSettings>,
    /// Path of a PEM file with the company's own certificate authority.
    #[serde(default)]
    pub authority: Option<PathBuf>,
    /// Proxy to use instead of the system's proxy: `http://host:port`.
    #[serde(default)]
    pub proxy: Option<String>,
}

/// Settings of the integration middleware, which provides live prices. Its token and integration id are in
/// the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MiddlewareSettings {
    /// `https://…`
    pub address: String,
    /// Last segment of the middleware's path: `/live-pricing/<platform>`.
    pub platform: String,
}
