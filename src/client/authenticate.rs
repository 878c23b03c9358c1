//! The ping, which checks the token.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};

pub(super) const PING: &str = "/apiv2/authenticate/ping";

impl Client {
    /// `POST /apiv2/authenticate/ping`. Returns true if the token is accepted.
    pub async fn ping(&self) -> Result<bool, Failure> {
        self.transport
            .read(ApiRequest::post_nothing(PING, SizeLimit::Single))
            .await
    }
}
