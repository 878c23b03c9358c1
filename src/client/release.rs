//! The check for a newer version of this program, at an address that an administrator sets.

use semver::Version;
use serde::Deserialize;

use super::response::{SizeLimit, json};
use super::transport::{ApiRequest, Query, Transport};
use super::{Connection, Failure};
use shipping::{parse_secure_address, read_without_envelope};

/// The newest version of the program, as the administrator announces it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Release {
    pub version: Version,
    /// Where people get this version: an address, or any other words.
    #[serde(default)]
    pub download: String,
}

/// Fetches the newest version from `address`, with the proxy and the certificates of `connection`. Its token is never
/// sent there.
pub async fn newest_release(connection: &Connection, address: &str) -> Result<Release, Failure> {
    let address = parse_secure_address(address).map_err(|_invalid| Failure::NeverSent)?;
    let transport = Transport::for_address(&address, &[], connection);
    let transport = transport.map_err(|_invalid| Failure::NeverSent)?;
    let call = ApiRequest::get(
        "",
        Query::new(),
        SizeLimit::Single,
        connection.timeouts.read,
    );
    let parse = |raw| read_without_envelope(&json(raw)?).map_err(Failure::Unreadable);
    transport.read_as(&call, parse).await
}
