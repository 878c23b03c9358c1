//! Routes: the prices and despatch options of a consignment.

use super::answer::{Cap, answered, json};
use super::ask::Ask;
use super::transport::note_unread;
use super::{Client, Failure};
use crate::shipping::{RouteRequest, Routes, read_routes};

impl Client {
    /// `POST /apiv2/routes/returnRoutes`, or `returnrouteswithcomplexitems` if the items need that. Changes
    /// nothing. Parts of the answer that can't be read are listed separately.
    pub async fn routes(&self, request: &RouteRequest) -> Result<Routes, Failure> {
        let paths = &self.dialect.paths;
        let path = if request.is_complex() {
            &paths.complex_routes
        } else {
            &paths.routes
        };
        let ask = Ask::post(path, request, Cap::List);
        let look = |raw| answered(read_routes(&json(raw)?));
        let routes = self.transport.read_raw(ask, look).await?;
        note_unread(path, &routes.unread);
        Ok(routes)
    }
}
