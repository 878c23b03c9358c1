//! The services of one's own, as the settings file keeps them: where each is, how it speaks, how it is reached.
//!
//! What always holds: no secret is among them. The token, the middleware's token and the integration id are strings issued
//! for the bench, and live in the keyring under the connection's name.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::shipping::{CompanyId, CompanyLocationId, Dialect, PrinterId, TrackingBases};

/// Which kind of service a connection leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionKind {
    /// A test-mode user: no carrier is called.
    Test,
    /// Carriers come.
    Live,
}

/// Which service the bench works with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chosen {
    /// The practice service on this machine.
    Practice,
    /// The connection of this name.
    Connection(String),
}

/// A service of one's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionSettings {
    /// Its name, under which the keyring has its token, and its journal its file. It never changes.
    pub name: String,
    /// Test or live.
    pub kind: ConnectionKind,
    /// `https://…`
    pub address: String,
    /// The company that the bench works for there.
    #[serde(default)]
    pub company: Option<CompanyId>,
    /// The number of the service's own printer that was typed last.
    #[serde(default)]
    pub service_printer: Option<PrinterId>,
    /// The saved locations that new consignments begin at, one for each company at most.
    #[serde(default)]
    pub senders: Vec<CompanyLocationId>,
    /// How the deployment speaks.
    #[serde(default)]
    pub dialect: Dialect,
    /// Where its tracking pages are.
    #[serde(default)]
    pub tracking: TrackingBases,
    /// Live pricing beside it.
    #[serde(default)]
    pub middleware: Option<MiddlewareSettings>,
    /// The company's own certificate authority: a PEM file.
    #[serde(default)]
    pub authority: Option<PathBuf>,
    /// `http://host:port`, instead of the proxy that the system names.
    #[serde(default)]
    pub proxy: Option<String>,
}

/// The integration middleware ("Integration middleware"); its token and integration id are in the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MiddlewareSettings {
    /// `https://…`
    pub address: String,
    /// The last part of its path.
    pub platform: String,
}
