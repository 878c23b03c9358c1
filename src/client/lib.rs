//! The HTTP client of the shipping service: one method for each operation of its API, one file for each area.
//!
//! Invariants: each call sends a write at most once. The token goes to the configured host only and is never
//! logged. No answer is read past its size limit. An answer counts as a success only when its envelope has
//! no errors.

mod connection;
mod connection_test;
mod consignments;
mod documents;
mod failure;
mod fault;
mod health;
mod http_clients;
mod manifests;
mod pages;
mod prices;
mod reference_data;
mod response;
mod transport;

use std::sync::Arc;
use std::time::Duration;

pub use connection::{AvailabilityPolicy, Connection, ConnectionError, Middleware, Timeouts};
pub use connection_test::ConnectionTestError;
pub use consignments::RecentUpdates;
pub use failure::{Failure, pause_text};
pub use fault::{Fault, FaultReport, InjectedFault, RetryAfter};
pub use health::Health;
pub use pages::ListPages;
use prices::PricingClient;
use response::SizeLimit;
use serde::Serialize;
use serde::de::DeserializeOwned;
use transport::{ApiRequest, Transport};

use shipping::Compatibility;

/// Defines operations that consist of a path and the method of [`Client`] that sends their only argument there.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($argument:ident: $type:ty) -> $result:ty = $method:ident $path:literal;)+) => {
        impl Client {
            $(
                #[doc = concat!("Calls `", $path, "`.")]
                $(#[$doc])*
                pub async fn $name(&self, $argument: $type) -> Result<$result, Failure> {
                    self.$method($path, $argument).await
                }
            )+
        }
    };
}
use calls;

/// A client of the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Arc<Transport>,
    pricing: Option<Arc<PricingClient>>,
    compatibility: Arc<Compatibility>,
}

impl Client {
    /// Makes the HTTP clients: one for reads, one for writes, and two more for the middleware if one
    /// is configured.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let pricing = connection.middleware.as_ref();
        let pricing = pricing.map(|middleware| PricingClient::new(connection, middleware));
        Ok(Self {
            transport: Arc::new(Transport::new(connection)?),
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

    /// Returns how long no calls are sent once the service is away.
    pub fn cooldown(&self) -> Duration {
        self.transport.availability.cooldown
    }

    /// Sends the next calls even if the service counts as away, because the user asked for a new attempt.
    pub fn reconnect(&self) {
        self.transport.health.allow_calls();
    }

    /// Reads the answer to `GET path?query`.
    async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: Vec<(&'static str, String)>,
        limit: SizeLimit,
    ) -> Result<T, Failure> {
        let ask = ApiRequest::get(path, query, limit);
        self.transport.read(ask).await
    }

    /// Reads a list from the answer to `POST path`, which changes nothing.
    async fn post_for_list<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
    ) -> Result<T, Failure> {
        let ask = ApiRequest::post(path, body, SizeLimit::List);
        self.transport.read(ask).await
    }

    /// Sends `POST path`, which changes data and is therefore never retried. The answer has no payload.
    async fn command(&self, path: &str, body: &(impl Serialize + ?Sized)) -> Result<(), Failure> {
        let ask = ApiRequest::post(path, body, SizeLimit::Single);
        self.transport.write_without_payload(ask).await
    }
}
