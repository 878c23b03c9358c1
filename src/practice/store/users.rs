//! Who may call: a token is made for each user at the first start and stays.

use super::{Store, StoreError};

/// A user of the service; the token inherits what the user may do.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) company_id: i64,
    pub(crate) token: String,
    /// False for a view-only user.
    pub(crate) may_create: bool,
}

impl Store {
    /// All users, the practice clerk first.
    pub(crate) fn users(&self) -> Result<Vec<User>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT id, name, company_id, token, may_create FROM user ORDER BY id")?;
        let users = statement.query_map([], |row| {
            Ok(User {
                id: row.get(0)?,
                name: row.get(1)?,
                company_id: row.get(2)?,
                token: row.get(3)?,
                may_create: row.get(4)?,
            })
        })?;
        Ok(users.collect::<Result<_, _>>()?)
    }
}
