//! Routes: the prices and despatch options of a consignment.

use super::api_request::ApiRequest;
use super::response::{SizeLimit, into_payload, json};
use super::transport::log_unread;
use super::{Client, Failure};
use shipping::{RouteRequest, Routes, read_routes};

impl Client {
    /// `POST /apiv2/routes/returnRoutes`, or `returnrouteswithcomplexitems` if the items need that. Changes
    /// nothing. Parts of the answer that can't be read are listed separately.
    pub async fn routes(&self, request: &RouteRequest) -> Result<Routes, Failure> {
        let paths = &self.compatibility.paths;
        let path = if request.is_complex() {
            &paths.complex_routes
        } else {
            &paths.routes
        };
        let ask = ApiRequest::post(path, request, SizeLimit::List);
        let look = |raw| into_payload(read_routes(&json(raw)?));
        let routes = self.transport.read_raw(ask, look).await?;
        log_unread(path, &routes.unread);
        Ok(routes)
    }
}
