//! Prices: the routes of a consignment, and live prices from the integration middleware, which has its own
//! address and headers and no envelope.

use super::connection::Middleware;
use super::response::{RawResponse, SizeLimit, check_json, into_payload, json, log_unread};
use super::transport::{ApiRequest, Transport};
use super::{Client, Connection, ConnectionError, Failure};
use shipping::{
    LivePricingRequest, LivePricingResponse, RouteRequest, Routes, ServiceError, read_routes,
    read_without_envelope,
};

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
    /// `POST /apiv2/routes/returnRoutes`, or `returnrouteswithcomplexitems` if the items are complex. Changes
    /// nothing. Parts of the answer that can't be read are listed separately.
    pub async fn routes(&self, request: &RouteRequest) -> Result<Routes, Failure> {
        let paths = &self.compatibility.paths;
        let path = if request.0.is_complex() {
            &paths.complex_routes
        } else {
            &paths.routes
        };
        let call = ApiRequest::post(path, request, SizeLimit::List, self.limits.read)?;
        let parse = |raw| into_payload(read_routes(&json(raw)?));
        let routes = self.transport.read_as(&call, parse).await?;
        log_unread(path, &routes.unread);
        Ok(routes)
    }

    /// `POST {middleware_url}/live-pricing/<platform>`. Changes nothing at the service.
    pub async fn live_prices(
        &self,
        request: &LivePricingRequest,
    ) -> Result<LivePricingResponse, Failure> {
        let Some(pricing) = &self.pricing else {
            return Err(Failure::NotSetUp);
        };
        let call = ApiRequest::post(&pricing.path, request, SizeLimit::List, self.limits.read)?;
        pricing.transport.read_as(&call, |raw| prices(&raw)).await
    }
}

/// Reads an answer. The middleware puts a failure in the body, whatever the HTTP status is.
fn prices(raw: &RawResponse) -> Result<LivePricingResponse, Failure> {
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
    check_json(raw)?;
    read.map_err(Failure::Unreadable)
}
