//! A connection to a service, as typed in the set-up wizard and in Settings.
//!
//! [`ConnectionDraft::check`] reports every problem at its field. Invariants: an address that passes uses
//! https or is on this machine, and secrets are never displayed.

mod check;

use shipping::{CompanyId, Compatibility, TrackingBases};

use super::Secret;
pub use check::{ConnectionContext, ConnectionProblem, journal_file_stem};

/// Whether consignments are tests or real.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Prices for plain items.
    Routes,
    /// Prices for items with dangerous goods or customs contents.
    ComplexRoutes,
    Locations,
    /// UN number lookup.
    UnNumbers,
}

impl ServicePath {
    pub const ALL: [Self; 4] = [
        Self::Routes,
        Self::ComplexRoutes,
        Self::Locations,
        Self::UnNumbers,
    ];
}

/// A field of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConnectionField {
    Name,
    Kind,
    /// The service's address.
    Address,
    Token,
    Company,
    /// The company's own certificate authority.
    Authority,
    Proxy,
    Tracking(TrackingBase),
    MiddlewareAddress,
    /// The last part of the middleware's path.
    Platform,
    MiddlewareToken,
    Integration,
    /// A path below the service's address.
    Path(ServicePath),
}

/// A connection as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConnectionDraft {
    /// The name that the connection is saved under; `None` for a new one. The name of a saved connection
    /// cannot change.
    pub saved_name: Option<String>,
    pub name: String,
    /// `None` until the clerk chooses.
    pub kind: Option<ServiceKind>,
    /// The service's address.
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
        ![&self.token, &self.middleware_token, &self.integration]
            .iter()
            .all(|secret| secret.is_blank())
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

    /// Returns the tracking addresses as a record; blank ones become `None`.
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
        let TrackingBases {
            v1,
            v1_short,
            v2,
            v2_short,
        } = bases;
        self.tracking = [v1, v1_short, v2, v2_short].map(|base| base.clone().unwrap_or_default());
    }

    pub fn path(&self, path: ServicePath) -> &str {
        let paths = &self.compatibility.paths;
        match path {
            ServicePath::Routes => &paths.routes,
            ServicePath::ComplexRoutes => &paths.complex_routes,
            ServicePath::Locations => &paths.company_locations,
            ServicePath::UnNumbers => &paths.un_numbers,
        }
    }

    /// Returns a path for editing.
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

/// Returns the trimmed text; `None` if it is blank.
pub(super) fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
