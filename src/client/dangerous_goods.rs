//! The dangerous goods lookup, the only operation that belongs to the older API.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{UnEntry, UnNumber};

impl Client {
    /// `GET /api/DangerousGoods/GetUnNumberInformation`. Returns an entry for each packing group of
    /// each number.
    pub async fn un_numbers(&self, numbers: &[UnNumber]) -> Result<Vec<UnEntry>, Failure> {
        let path = &self.dialect.paths.un_numbers;
        let query = numbers
            .iter()
            .map(|number| ("unNumbers", number.to_string()));
        let ask = Ask::get(path, query.collect(), Cap::List);
        self.transport.read(ask).await
    }
}
