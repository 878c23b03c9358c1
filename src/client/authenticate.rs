//! "Authentication": the ping that proves a token.

use super::answer::Cap;
use super::transport::Ask;
use super::{Client, Failure};

impl Client {
    /// `POST /apiv2/authenticate/ping`: true where the token is accepted.
    pub async fn ping(&self) -> Result<bool, Failure> {
        let path = "/apiv2/authenticate/ping";
        self.transport
            .read(Ask::post_nothing(path, Cap::Single))
            .await
    }
}
