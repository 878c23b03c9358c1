//! The HTTP client of the shipping service: one method for each operation of its API.
//!
//! Invariants: each call sends a write at most once. The token goes to the configured host only and is never logged.
//! No answer is read past its size limit. An answer counts as a success only when its envelope has no errors.

mod calls;
mod connection;
mod connection_test;
mod documents;
mod failure;
mod fault;
mod health;
mod pages;
mod prices;
mod release;
mod response;
mod transport;

use std::sync::Arc;
use std::time::Duration;

pub use calls::RecentUpdates;
pub use connection::{AvailabilityPolicy, Connection, ConnectionError, Middleware, Timeouts};
pub use connection_test::ConnectionTestError;
pub use failure::{Failure, pause_text};
pub use fault::{Fault, FaultReport, InjectedFault, RetryAfter};
pub use health::Health;
pub use pages::ListPages;
use prices::PricingClient;
pub use release::{Release, newest_release};
use transport::Transport;

use shipping::Compatibility;

/// A client of the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Arc<Transport>,
    /// The time limits, of which each call uses one.
    limits: Timeouts,
    pricing: Option<Arc<PricingClient>>,
    compatibility: Arc<Compatibility>,
}

impl Client {
    /// Makes the HTTP clients: one for reads, one for writes, and two more for the middleware if one is configured.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let pricing = connection.middleware.as_ref();
        let pricing = pricing.map(|middleware| PricingClient::new(connection, middleware));
        Ok(Self {
            transport: Arc::new(Transport::new(connection)?),
            limits: connection.timeouts,
            pricing: pricing.transpose()?.map(Arc::new),
            compatibility: Arc::new(connection.compatibility.clone()),
        })
    }

    pub fn compatibility(&self) -> &Compatibility {
        &self.compatibility
    }

    /// Returns the health of the service, as observed by every call so far.
    pub fn health(&self) -> Health {
        self.transport.health.health()
    }

    /// Drops idle connections after the machine slept, and pings a service that is away. Returns true if the
    /// health changed. Call this regularly, at least once every [`Self::cooldown`].
    pub fn check_health(&self) -> impl Future<Output = bool> + Send {
        self.transport.check_health()
    }

    /// Returns how long no calls are sent after the service was found to be away.
    pub fn cooldown(&self) -> Duration {
        self.transport.availability.cooldown
    }

    /// Allows calls again even if the service counts as away. Called when the user asks for a new attempt.
    pub fn reconnect(&self) {
        self.transport.health.allow_calls();
    }
}
