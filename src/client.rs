//! The HTTP client of the shipping service: one method for each operation of its API, one file for each area.
//!
//! Invariants: each call sends a write at most once. The token goes to the configured host only and is never
//! logged. No answer is read past its size limit. An answer counts as a success only when its envelope has
//! no errors.

mod answer;
mod ask;
mod attachments;
mod authenticate;
mod breaker;
mod companies;
mod connection;
mod consignments;
mod dangerous_goods;
mod failure;
mod labels;
mod live_pricing;
mod manifests;
mod pages;
mod pair;
mod pending;
mod pulse;
mod reach;
mod routes;
mod transport;
mod trouble;
mod unmanifested;

use std::sync::Arc;
use std::time::Duration;

pub use connection::{Connection, ConnectionError, Limits, Middleware, Patience};
pub use consignments::RecentUpdates;
pub use failure::{Failure, pause_text};
use live_pricing::Pricing;
pub use pages::ListPages;
pub use pulse::Health;
pub use reach::Unreachable;
use transport::Transport;
pub use trouble::{Fault, RetryAfter, Trouble, TroubleReport};

use crate::shipping::Dialect;

/// A client of the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Arc<Transport>,
    pricing: Option<Arc<Pricing>>,
    dialect: Arc<Dialect>,
}

impl Client {
    /// Makes the HTTP clients: one for reads, one for writes, and two more for the middleware if one
    /// is configured.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let pricing = connection.middleware.as_ref();
        let pricing = pricing.map(|middleware| Pricing::new(connection, middleware));
        Ok(Self {
            transport: Arc::new(Transport::new(connection)?),
            pricing: pricing.transpose()?.map(Arc::new),
            dialect: Arc::new(connection.dialect.clone()),
        })
    }

    /// Returns the compatibility settings of this deployment.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns the health of the service, as observed by every call so far.
    pub fn health(&self) -> Health {
        self.transport.health()
    }

    /// Drops idle connections after the machine slept, and pings a service that is away. Returns true if the
    /// health changed. Call this regularly, at least once every [`Self::rest`].
    pub fn look_after(&self) -> impl Future<Output = bool> + Send {
        self.transport.look_after()
    }

    /// Returns how long no calls are sent once the service is away.
    pub fn rest(&self) -> Duration {
        self.transport.rest()
    }

    /// Sends the next calls even if the service counts as away, because the user asked for a new attempt.
    pub fn reconnect(&self) {
        self.transport.reconnect();
    }
}
