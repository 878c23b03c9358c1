//! Prices and options.

use reqwest::Method;

use super::transport::{Ask, Cap};
use super::{Client, Failure};
use crate::shipping::{RouteRequest, Routes};

impl Client {
    /// `POST /apiv2/routes/returnRoutes`, or `returnrouteswithcomplexitems` where the items need it. Changes nothing.
    pub async fn routes(&self, request: &RouteRequest) -> Result<Routes, Failure> {
        let path = if request.is_complex() {
            "/apiv2/routes/returnrouteswithcomplexitems"
        } else {
            "/apiv2/routes/returnRoutes"
        };
        self.transport
            .read(Ask {
                method: &Method::POST,
                path,
                query: &[],
                body: Some(request),
                cap: Cap::List,
            })
            .await
    }
}
