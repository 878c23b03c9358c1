//! A connection to a service as it is typed in the wizard and in Settings.
//!
//! [`ConnectionDraft::check`] says every problem at its field. What always holds: an address that passes is https, or on
//! this machine; secrets show nowhere.

mod check;

use crate::shipping::{CompanyId, Dialect, TrackingBases};

use super::Secret;
pub use check::{ConnectionProblem, Known, plain_name};

/// Whether carriers come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServiceKind {
    /// A test-mode user: no carrier is called.
    Test,
    /// Carriers come.
    Live,
}

impl ServiceKind {
    /// The word that the clerk sees everywhere.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Test => "TEST",
            Self::Live => "LIVE",
        }
    }
}

/// One of the four addresses of a deployment's tracking pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackingBase {
    /// Traditional design.
    V1,
    /// Its short form.
    V1Short,
    /// Modern design.
    V2,
    /// Its short form.
    V2Short,
}

impl TrackingBase {
    /// All four.
    pub const ALL: [Self; 4] = [Self::V1, Self::V1Short, Self::V2, Self::V2Short];
}

/// One of the paths that deployments publish differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServicePath {
    /// Prices for plain items.
    Routes,
    /// Prices for dangerous goods and customs contents.
    ComplexRoutes,
    /// Saved locations.
    Locations,
    /// UN numbers.
    UnNumbers,
}

impl ServicePath {
    /// All four.
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
    /// Its name.
    Name,
    /// Test or live.
    Kind,
    /// Where the service is.
    Address,
    /// The service's token.
    Token,
    /// The company that the bench works for.
    Company,
    /// The company's own certificate authority.
    Authority,
    /// The proxy.
    Proxy,
    /// A tracking page's address.
    Tracking(TrackingBase),
    /// Where the middleware is.
    MiddlewareAddress,
    /// The last part of its path.
    Platform,
    /// The middleware's token.
    MiddlewareToken,
    /// The middleware's integration id.
    Integration,
    /// A path below the service's address.
    Path(ServicePath),
}

/// A connection as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConnectionDraft {
    /// The name that it is saved under; nothing for a new one. A saved one keeps its name.
    pub was: Option<String>,
    /// Its name.
    pub name: String,
    /// Test or live; nothing before it is said.
    pub kind: Option<ServiceKind>,
    /// Where the service is.
    pub address: String,
    /// A token to be stored; empty where the stored one stays.
    pub token: Secret,
    /// The company that the bench works for there.
    pub company: Option<CompanyId>,
    /// How the deployment speaks.
    pub dialect: Dialect,
    /// Where its tracking pages are, in the order of [`TrackingBase::ALL`].
    pub tracking: [String; 4],
    /// Where the middleware is; empty without one.
    pub middleware_address: String,
    /// The last part of its path.
    pub platform: String,
    /// A middleware token to be stored.
    pub middleware_token: Secret,
    /// An integration id to be stored.
    pub integration: Secret,
    /// The company's own certificate authority: the path of a PEM file; empty without one.
    pub authority: String,
    /// The proxy; empty for the one that the system names.
    pub proxy: String,
}

impl ConnectionDraft {
    /// The same without what is secret: as it is saved.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        Self {
            token: Secret::default(),
            middleware_token: Secret::default(),
            integration: Secret::default(),
            ..self.clone()
        }
    }

    /// True where a token or another secret is typed.
    pub fn has_secrets(&self) -> bool {
        ![&self.token, &self.middleware_token, &self.integration]
            .iter()
            .all(|secret| secret.is_blank())
    }

    /// True where a secret is typed that is not `other`'s.
    pub fn has_other_secrets(&self, other: &Self) -> bool {
        let pairs = [
            (&self.token, &other.token),
            (&self.middleware_token, &other.middleware_token),
            (&self.integration, &other.integration),
        ];
        let differ = |(own, others): &(&Secret, &Secret)| !own.is_blank() && own != others;
        pairs.iter().any(differ)
    }

    /// One of the tracking addresses.
    pub fn tracking_mut(&mut self, base: TrackingBase) -> &mut String {
        &mut self.tracking[base as usize]
    }

    /// The tracking addresses as a record.
    pub fn tracking_bases(&self) -> TrackingBases {
        let [v1, v1_short, v2, v2_short] = self.tracking.each_ref().map(|base| filled(base));
        TrackingBases {
            v1,
            v1_short,
            v2,
            v2_short,
        }
    }

    /// Puts tracking addresses in.
    pub fn set_tracking(&mut self, bases: &TrackingBases) {
        let TrackingBases {
            v1,
            v1_short,
            v2,
            v2_short,
        } = bases;
        self.tracking = [v1, v1_short, v2, v2_short].map(|base| base.clone().unwrap_or_default());
    }

    /// One of the paths.
    pub fn path(&self, path: ServicePath) -> &str {
        let paths = &self.dialect.paths;
        match path {
            ServicePath::Routes => &paths.routes,
            ServicePath::ComplexRoutes => &paths.complex_routes,
            ServicePath::Locations => &paths.company_locations,
            ServicePath::UnNumbers => &paths.un_numbers,
        }
    }

    /// One of the paths, to be typed into.
    pub fn path_mut(&mut self, path: ServicePath) -> &mut String {
        let paths = &mut self.dialect.paths;
        match path {
            ServicePath::Routes => &mut paths.routes,
            ServicePath::ComplexRoutes => &mut paths.complex_routes,
            ServicePath::Locations => &mut paths.company_locations,
            ServicePath::UnNumbers => &mut paths.un_numbers,
        }
    }
}

/// The text without blanks around it; nothing where there is none.
pub(super) fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
