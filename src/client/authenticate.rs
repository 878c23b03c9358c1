//! The ping, which checks the token.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};

pub(super) const PING: &str = "/apiv2/authenticate/ping";

impl Client {
    /// `POST /apiv2/authenticate/ping`. Returns true if the token is accepted.
    pub async fn ping(&self) -> Result<bool, Failure> {
        self.transport
            .read(Ask::post_nothing(PING, Cap::Single))
            .await
    }
}
