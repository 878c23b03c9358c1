//! Roles of the practice users and what each role may do.
//!
//! A token stands for a user and gives the permissions of the user's role. The list of operations in
//! `http/endpoint.rs` names the permission that each operation needs.

use super::wire::Refusal;

/// Permission to make a change. Reading needs no permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    Create,
    Edit,
    Delete,
    Manifest,
    Pending,
    Statuses,
    /// Cancel manifested consignments: for brokers and enterprise-level users only.
    Cancel,
    Labels,
}

impl Permission {
    /// Returns the refusal for a user without this permission.
    pub(crate) fn refusal(self) -> Refusal {
        let what = match self {
            Self::Create => "create consignments",
            Self::Edit => "edit consignments",
            Self::Delete => "delete consignments",
            Self::Manifest => "manifest consignments",
            Self::Pending => "change pending consignments",
            Self::Statuses => "update consignment statuses",
            Self::Cancel => "cancel consignments",
            Self::Labels => "send labels to a printer",
        };
        Refusal::general(format!("You do not have permission to {what}"))
    }
}

/// Role of a practice user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Clerk,
    Viewer,
    /// A broker or enterprise-level user.
    Supervisor,
}

impl Role {
    /// Parses the name under which the database stores the role.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "clerk" => Some(Self::Clerk),
            "viewer" => Some(Self::Viewer),
            "supervisor" => Some(Self::Supervisor),
            _ => None,
        }
    }

    pub(crate) fn has_permission(self, permission: Permission) -> bool {
        match self {
            Self::Viewer => false,
            Self::Clerk => permission != Permission::Cancel,
            Self::Supervisor => true,
        }
    }
}
