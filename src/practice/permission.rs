//! Who may do what: the one place that knows the practice users' roles and what each may do.
//!
//! A token stands for a user and inherits what the user's role allows (interface, Authentication). The list of operations
//! names the permission that each needs; a refusal is in the words that are given here.

use super::wire::Refusal;

/// What a user may do beyond looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    Create,
    Edit,
    Delete,
    Manifest,
    Pending,
    Statuses,
    /// Cancelling what was manifested: for brokers and enterprise-level users only.
    Cancel,
    Labels,
}

impl Permission {
    /// What a user without it is told.
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
        Refusal::whole(format!("You do not have permission to {what}"))
    }
}

/// The kinds of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Clerk,
    Viewer,
    /// A broker or enterprise-level user.
    Supervisor,
}

impl Role {
    /// By the name that it is stored under.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "clerk" => Some(Self::Clerk),
            "viewer" => Some(Self::Viewer),
            "supervisor" => Some(Self::Supervisor),
            _ => None,
        }
    }

    pub(crate) fn may(self, permission: Permission) -> bool {
        match self {
            Self::Viewer => false,
            Self::Clerk => permission != Permission::Cancel,
            Self::Supervisor => true,
        }
    }
}
