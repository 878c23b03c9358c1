//! Prices and options.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{RouteRequest, Routes};

impl Client {
    /// `POST /apiv2/routes/returnRoutes`, or `returnrouteswithcomplexitems` where the items need it. Changes nothing.
    pub async fn routes(&self, request: &RouteRequest) -> Result<Routes, Failure> {
        let paths = &self.dialect.paths;
        let path = if request.is_complex() {
            &paths.complex_routes
        } else {
            &paths.routes
        };
        self.transport
            .read(Ask::post(path, request, Cap::List))
            .await
    }
}
