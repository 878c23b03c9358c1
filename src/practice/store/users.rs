//! Users. Each user's token is created at the first start and never changes.

use super::{Store, StoreError};
use crate::permission::{Permission, Role};
use crate::wire::Refusal;

/// A user of the service. The token has the user's permissions and mode.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) company_id: i64,
    pub(crate) token: String,
    pub(crate) role: Role,
    /// Whether the user is in test mode, in which new consignments are test consignments.
    pub(crate) is_test: bool,
}

impl User {
    /// Checks a permission. The error is the refusal that the service answers with.
    pub(crate) fn check(&self, permission: Permission) -> Result<(), Refusal> {
        if self.role.has_permission(permission) {
            Ok(())
        } else {
            Err(permission.refusal())
        }
    }
}

impl Store {
    /// Returns all users in this order: the practice clerk, the viewer, the supervisor, the tester in
    /// test mode.
    pub(crate) fn users(&self) -> Result<Vec<User>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT role, id, name, company_id, token, is_test FROM user ORDER BY id")?;
        let users = statement.query_map([], |row| {
            let role: String = row.get(0)?;
            let user = User {
                id: row.get(1)?,
                name: row.get(2)?,
                company_id: row.get(3)?,
                token: row.get(4)?,
                role: Role::Viewer,
                is_test: row.get(5)?,
            };
            Ok((role, user))
        })?;
        users
            .map(|user| {
                let (name, user) = user?;
                let role = Role::named(&name);
                let role = role.ok_or_else(|| StoreError::Value(format!("role {name}")))?;
                Ok(User { role, ..user })
            })
            .collect()
    }
}
