//! The users of the practice service, and what each may do. A token stands for a user and gives the permissions of
//! the user's role.

use crate::wire::Refusal;

/// Permission to make a change, described as in "You do not have permission to …". Reading needs no permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permission(&'static str);

impl Permission {
    pub(crate) const CREATE: Self = Self("create consignments");
    pub(crate) const EDIT: Self = Self("edit consignments");
    pub(crate) const DELETE: Self = Self("delete consignments");
    pub(crate) const MANIFEST: Self = Self("manifest consignments");
    pub(crate) const PENDING: Self = Self("change pending consignments");
    pub(crate) const STATUSES: Self = Self("update consignment statuses");
    /// Cancel manifested consignments: for brokers and enterprise-level users only.
    pub(crate) const CANCEL: Self = Self("cancel consignments");
    pub(crate) const LABELS: Self = Self("send labels to a printer");
}

#[derive(Clone)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) company_id: i64,
    pub(crate) token: String,
    /// `clerk`, `viewer`, or `supervisor` for a broker or enterprise-level user.
    pub(crate) role: String,
    /// Whether the user is in test mode, in which new consignments are test consignments.
    pub(crate) is_test: bool,
}

impl User {
    /// Checks a permission. The error is the refusal that the service answers with.
    pub(crate) fn check(&self, permission: Permission) -> Result<(), Refusal> {
        let is_permitted = match self.role.as_str() {
            "supervisor" => true,
            "clerk" => permission != Permission::CANCEL,
            _ => false,
        };
        if is_permitted {
            return Ok(());
        }
        let message = format!("You do not have permission to {}", permission.0);
        Err(Refusal::general(message))
    }
}
