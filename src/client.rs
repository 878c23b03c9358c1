//! Calling the service: one function for each operation of the interface, in one file for each of its areas.
//!
//! What always holds: a write is sent at most once for each call; the token goes to the configured host only and is never
//! logged; no answer is read past its limit; an answer is believed only when its envelope has no errors.
//! What it must not know: drafts, the journal, the window.

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

    /// How the service is, by every call made so far.
    pub fn health(&self) -> Health {
        self.transport.health()
    }

    /// To be called now and then, every [`Self::rest`] at the most: drops idle connections after the machine slept, and asks
    /// a service that is away whether it is back. True where its health changed.
    pub fn look_after(&self) -> impl Future<Output = bool> + Send {
        self.transport.look_after()
    }

    /// How long calls rest once the service is away.
    pub fn rest(&self) -> Duration {
        self.transport.rest()
    }

    /// The next calls go out, even where calls rest: somebody asked for it.
    pub fn reconnect(&self) {
        self.transport.reconnect();
    }
}
