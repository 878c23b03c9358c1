//! The tracking scope: whose consignments the bench tracks, and whether it syncs them automatically.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use shipping::{CarrierId, CompanyId};

/// Tracking settings of the bench.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackingScopes {
    /// Syncs with the service regularly, without a request by the clerk.
    pub by_itself: bool,
    /// Tracking scopes by connection name. The key of the practice service is the empty string.
    pub at: BTreeMap<String, TrackingScope>,
}

impl Default for TrackingScopes {
    fn default() -> Self {
        Self {
            by_itself: true,
            at: BTreeMap::new(),
        }
    }
}

/// The tracking scope at one service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackingScope {
    /// The company whose consignments are tracked.
    pub whose: CompanyScope,
    /// Also tracks the companies below that company.
    pub children: bool,
    /// Tracks only this carrier; `None` tracks all carriers.
    pub carrier: Option<CarrierId>,
}

impl Default for TrackingScope {
    fn default() -> Self {
        Self {
            whose: CompanyScope::default(),
            children: true,
            carrier: None,
        }
    }
}

/// The company of a tracking scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompanyScope {
    /// The company that the bench currently works for.
    #[default]
    Bench,
    /// The token's own company.
    Token,
    /// The company with this id.
    Company(CompanyId),
}

impl TrackingScope {
    /// Returns the company to ask the service for; `None` stands for the token's own company. `bench` is the
    /// company that the bench works for.
    pub const fn company(&self, bench: Option<CompanyId>) -> Option<CompanyId> {
        match self.whose {
            CompanyScope::Bench => bench,
            CompanyScope::Token => None,
            CompanyScope::Company(company) => Some(company),
        }
    }
}
