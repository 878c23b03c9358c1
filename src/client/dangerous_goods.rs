//! The dangerous goods lookup, the only operation that belongs to the older API.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{UnLookupEntry, UnNumber};

impl Client {
    /// `GET /api/DangerousGoods/GetUnNumberInformation`. Returns an entry for each packing group of
    /// each number.
    pub async fn un_numbers(&self, numbers: &[UnNumber]) -> Result<Vec<UnLookupEntry>, Failure> {
        let path = &self.compatibility.paths.un_numbers;
        let query = numbers
            .iter()
            .map(|number| ("unNumbers", number.to_string()));
        let ask = ApiRequest::get(path, query.collect(), SizeLimit::List);
        self.transport.read(ask).await
    }
}
