//! Live prices from the integration middleware, which has its own address and headers and no envelope.

use super::answer::{Cap, Raw};
use super::ask::Ask;
use super::connection::Middleware;
use super::transport::Transport;
use super::{Client, Connection, ConnectionError, Failure};
use crate::shipping::{LivePrices, PriceRequest, ServiceError, read_bare};

/// The client of the middleware.
#[derive(Debug)]
pub(super) struct Pricing {
    transport: Transport,
    path: String,
}

impl Pricing {
    pub(super) fn new(
        connection: &Connection,
        middleware: &Middleware,
    ) -> Result<Self, ConnectionError> {
        let headers = [
            ("token", &middleware.token),
            ("integration_id", &middleware.integration_id),
        ];
        Ok(Self {
            transport: Transport::to(&middleware.base_url, &headers, connection)?,
            path: format!("/live-pricing/{}", middleware.platform),
        })
    }
}

impl Client {
    /// `POST {middleware_url}/live-pricing/<platform>`. Changes nothing at the service.
    pub async fn live_prices(&self, request: &PriceRequest) -> Result<LivePrices, Failure> {
        let Some(pricing) = &self.pricing else {
            return Err(Failure::NotSetUp);
        };
        let ask = Ask::post(&pricing.path, request, Cap::List);
        pricing.transport.read_raw(ask, |raw| prices(&raw)).await
    }
}

/// Reads an answer. The middleware reports a failure in the body, whatever the HTTP status is.
fn prices(raw: &Raw) -> Result<LivePrices, Failure> {
    let status = raw.status.as_u16();
    let read = read_bare::<LivePrices>(&raw.bytes);
    if let Ok(prices) = &read
        && let Some(words) = prices.refusal()
    {
        let error = ServiceError {
            validation_type: "1".to_owned(),
            member_names: Vec::new(),
            error_message: words.to_owned(),
        };
        return Err(Failure::Refused(vec![error]));
    }
    if status != 200 {
        return Err(Failure::Status(status));
    }
    if raw.content_type.starts_with("text/html") || raw.bytes.trim_ascii_start().starts_with(b"<") {
        return Err(Failure::WebPage);
    }
    read.map_err(Failure::Unreadable)
}
