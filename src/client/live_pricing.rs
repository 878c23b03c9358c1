//! Live prices from the integration middleware, which has its own address and headers and no envelope.

use super::api_request::ApiRequest;
use super::connection::Middleware;
use super::response::{RawResponse, SizeLimit};
use super::transport::Transport;
use super::{Client, Connection, ConnectionError, Failure};
use shipping::{LivePricingRequest, LivePricingResponse, ServiceError, read_without_envelope};

/// The client of the middleware.
#[derive(Debug)]
pub(super) struct PricingClient {
    transport: Transport,
    path: String,
}

impl PricingClient {
    pub(super) fn new(
        connection: &Connection,
        middleware: &Middleware,
    ) -> Result<Self, ConnectionError> {
        let headers = [
            ("token", &middleware.token),
            ("integration_id", &middleware.integration_id),
        ];
        Ok(Self {
            transport: Transport::for_address(&middleware.base_url, &headers, connection)?,
            path: format!("/live-pricing/{}", middleware.platform),
        })
    }
}

impl Client {
    /// `POST {middleware_url}/live-pricing/<platform>`. Changes nothing at the service.
    pub async fn live_prices(
        &self,
        request: &LivePricingRequest,
    ) -> Result<LivePricingResponse, Failure> {
        let Some(pricing) = &self.pricing else {
            return Err(Failure::NotSetUp);
        };
        let ask = ApiRequest::post(&pricing.path, request, SizeLimit::List);
        pricing.transport.read_raw(ask, |raw| prices(&raw)).await
    }
}

/// Reads an answer. The middleware reports a failure in the body, whatever the HTTP status is.
fn prices(raw: &RawResponse) -> Result<LivePricingResponse, Failure> {
    let status = raw.status.as_u16();
    let read = read_without_envelope::<LivePricingResponse>(&raw.bytes);
    if let Ok(prices) = &read
        && let Some(words) = prices.error_text()
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
