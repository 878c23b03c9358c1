//! Finds out the permissions of a token without creating, changing, booking or deleting anything. The service has no
//! operation that lists permissions. Calls that change data are made with empty lists: a refusal that mentions
//! permissions means that the user lacks the permission; any other answer proves only that the call was not refused
//! for that reason. The mode (test or live) is read from recent consignments of the user's company.

use std::time::Duration;

use jiff::Timestamp;

use super::{Failure, LISTED_BACK};
use client::{Client, ConnectionTestError, RecentUpdates};
use shipping::{Company, ServiceError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    Delete,
    Manifest,
    /// Set statuses. A permission to cancel could only be proven by a cancellation.
    Statuses,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionAnswer {
    /// The call was not refused for lack of permission. More is not proven, because the list was empty.
    NotRefused,
    /// Refused, with the service's message.
    Denied(String),
    Unclear(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenMode {
    /// All recent consignments of the company are tests.
    Test,
    /// All recent consignments of the company are real.
    Production,
    /// Not known: there are no recent consignments, or there are both kinds. The first consignment made with this
    /// token will show the mode.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeResult {
    pub took: Duration,
    pub abilities: Vec<(Permission, PermissionAnswer)>,
    pub mode: TokenMode,
    /// The companies that the token may work for; empty if they could not be fetched.
    pub companies: Vec<Company>,
}

impl ProbeResult {
    /// Returns true if all tested changes are refused, which means that creating is refused too.
    pub fn is_view_only(&self) -> bool {
        self.abilities
            .iter()
            .all(|(_, verdict)| matches!(verdict, PermissionAnswer::Denied(_)))
    }
}

/// Finds out the permissions of a token. Fails if the service does not accept the token.
pub async fn probe(client: &Client, now: Timestamp) -> Result<ProbeResult, ConnectionTestError> {
    let took = client.test_connection().await?;
    let abilities = [
        (Permission::Delete, client.delete(&[]).await),
        (Permission::Manifest, client.manifest(&[]).await.map(drop)),
        (Permission::Statuses, client.update_statuses(&[]).await),
    ];
    let abilities = abilities.map(|(action, answer)| (action, PermissionAnswer::of(answer)));
    Ok(ProbeResult {
        took,
        abilities: abilities.into(),
        mode: mode(client, now).await,
        companies: client.companies(None).await.unwrap_or_default(),
    })
}

impl PermissionAnswer {
    /// Derives a permission from the answer to a call with an empty list.
    pub fn of(answer: Result<(), Failure>) -> Self {
        match answer {
            Ok(()) | Err(Failure::Empty) => Self::NotRefused,
            Err(Failure::Refused(errors)) => {
                let message = ServiceError::joined_messages(&errors);
                if mentions_permission(&message) {
                    Self::Denied(message)
                } else {
                    Self::NotRefused
                }
            }
            Err(Failure::Unauthorised) => Self::Denied("The service answers HTTP 401".to_owned()),
            Err(Failure::Status(403)) => Self::Denied("The service answers HTTP 403".to_owned()),
            Err(Failure::Status(404 | 405)) => {
                Self::Unclear("The service doesn't offer this operation".to_owned())
            }
            Err(other) => Self::Unclear(other.to_string()),
        }
    }
}

/// Returns true if a refusal mentions missing permissions. This is the only function that looks for permissions in
/// the service's English texts.
pub fn mentions_permission(words: &str) -> bool {
    let words = words.to_lowercase();
    [
        "permission",
        "not authorised",
        "not authorized",
        "unauthorised",
        "unauthorized",
        "not allowed",
        "access denied",
        "forbidden",
        "view-only",
        "view only",
        "read-only",
        "read only",
    ]
    .iter()
    .any(|sign| words.contains(sign))
}

async fn mode(client: &Client, now: Timestamp) -> TokenMode {
    let recent = RecentUpdates::since(now - LISTED_BACK);
    let Ok(page) = client.recent_page(&recent, 1).await else {
        return TokenMode::Unknown;
    };
    let mut modes = page.rows.iter().filter_map(|row| row.is_test);
    match modes.next() {
        Some(true) if modes.all(|is_test| is_test) => TokenMode::Test,
        Some(false) if !modes.any(|is_test| is_test) => TokenMode::Production,
        // No consignments, or a company with users of both modes: a token has the mode of its own user.
        _ => TokenMode::Unknown,
    }
}
