//! Calling the service: one function for each operation of the interface, in one file for each of its areas.
//!
//! What always holds: a write is sent at most once for each call; the token goes to the configured host only and is never
//! logged; no answer is read past its limit; an answer is believed only when its envelope has no errors.
//! What it must not know: drafts, the journal, the window.

mod answer;
mod attachments;
mod authenticate;
mod companies;
mod connection;
mod consignments;
mod dangerous_goods;
mod failure;
mod labels;
mod live_pricing;
mod manifests;
mod pending;
mod reach;
mod routes;
mod transport;
mod trouble;
mod unmanifested;

use std::sync::Arc;
use std::time::Duration;

pub use connection::{Connection, ConnectionError, Limits, Middleware};
pub use consignments::RecentUpdates;
pub use failure::Failure;
use live_pricing::Pricing;
pub use reach::Unreachable;
use transport::Transport;
pub use trouble::{Fault, RetryAfter, Trouble, TroubleReport};

use crate::shipping::Dialect;

/// A caller of the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Arc<Transport>,
    pricing: Option<Arc<Pricing>>,
    dialect: Arc<Dialect>,
}

impl Client {
    /// Makes the two HTTP clients: one for reads, one for writes; and one for the middleware, where there is one.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let pricing = connection.middleware.as_ref();
        let pricing = pricing.map(|middleware| Pricing::new(connection, middleware));
        Ok(Self {
            transport: Arc::new(Transport::new(connection)?),
            pricing: pricing.transpose()?.map(Arc::new),
            dialect: Arc::new(connection.dialect.clone()),
        })
    }

    /// How this deployment speaks.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// How long the last answered read took.
    pub fn latency(&self) -> Option<Duration> {
        self.transport.latency()
    }
}
