//! What a token may do: the interface has no operation for that, so it is found out without changing anything.
//!
//! A ping proves the token. Calls that change what a list names are made with empty lists: a refusal that speaks of permission
//! says that the user may not; any other answer is no more than no refusal. The user's mode shows on what they made lately.
//! What always holds: nothing is created, changed, booked or deleted.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Failure;
use crate::client::{Client, RecentUpdates, Unreachable};
use crate::shipping::{Company, ServiceError};

/// How far back the mode is looked for: just inside the service's ten days.
const RECENT: SignedDuration = SignedDuration::from_hours(239);

/// Something that the interface's users may or may not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Delete unmanifested consignments.
    Delete,
    /// Book with carriers.
    Manifest,
    /// Set statuses. Whether they may cancel, only a cancellation would tell.
    Statuses,
}

/// Whether the token's user may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The call was not refused for want of permission. It proves no more: the list was empty.
    NotRefused,
    /// Refused, in the service's own words.
    MayNot(String),
    /// It could not be found out; the words say why.
    Unclear(String),
}

/// The mode of the token's user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenMode {
    /// All that the company made lately are test consignments.
    Test,
    /// All that the company made lately are real ones.
    Production,
    /// Nothing recent, or of both kinds: it shows with the first one that this token makes.
    Unseen,
}

/// What a look at a service found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// How long the ping took.
    pub took: Duration,
    /// What the token's user may do.
    pub abilities: Vec<(Ability, Verdict)>,
    /// Test or production.
    pub mode: TokenMode,
    /// The companies that the token may work for; empty where they could not be fetched.
    pub companies: Vec<Company>,
}

impl Findings {
    /// True where all that changes anything is refused: then creating is refused too.
    pub fn is_view_only(&self) -> bool {
        self.abilities
            .iter()
            .all(|(_, verdict)| matches!(verdict, Verdict::MayNot(_)))
    }
}

/// Looks at a service with a token that it may not know.
pub async fn probe(client: &Client, now: Timestamp) -> Result<Findings, Unreachable> {
    let took = client.reach().await?;
    let abilities = vec![
        (Ability::Delete, verdict(client.delete(&[]).await)),
        (
            Ability::Manifest,
            verdict(client.manifest(&[]).await.map(drop)),
        ),
        (
            Ability::Statuses,
            verdict(client.update_statuses(&[]).await),
        ),
    ];
    Ok(Findings {
        took,
        abilities,
        mode: mode(client, now).await,
        companies: client.companies(None).await.unwrap_or_default(),
    })
}

/// What the answer to a call with an empty list says of the caller.
fn verdict(answer: Result<(), Failure>) -> Verdict {
    match answer {
        Ok(()) | Err(Failure::Empty) => Verdict::NotRefused,
        Err(Failure::Refused(errors)) => {
            let words = ServiceError::words(&errors);
            if speaks_of_permission(&words) {
                Verdict::MayNot(words)
            } else {
                Verdict::NotRefused
            }
        }
        Err(Failure::Unauthorised) => Verdict::MayNot("The service answers HTTP 401".to_owned()),
        Err(Failure::Status(403)) => Verdict::MayNot("The service answers HTTP 403".to_owned()),
        Err(Failure::Status(404 | 405)) => {
            Verdict::Unclear("The service does not have the operation".to_owned())
        }
        Err(other) => Verdict::Unclear(other.to_string()),
    }
}

/// Whether a refusal says that the token's user may not. The one place that reads that out of words.
pub(crate) fn speaks_of_permission(words: &str) -> bool {
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
    let recent = RecentUpdates::since(now - RECENT);
    let Ok(page) = client.recent_page(&recent, 1).await else {
        return TokenMode::Unseen;
    };
    let modes: Vec<bool> = page.rows.iter().filter_map(|row| row.is_test).collect();
    match modes.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other == first) => {
            if *first {
                TokenMode::Test
            } else {
                TokenMode::Production
            }
        }
        // None at all, or a company with users of both modes: a token takes the mode of its own user.
        _ => TokenMode::Unseen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(words: &str) -> Result<(), Failure> {
        Err(Failure::Refused(vec![ServiceError {
            validation_type: "1".to_owned(),
            member_names: Vec::new(),
            error_message: words.to_owned(),
        }]))
    }

    #[test]
    fn only_a_refusal_that_speaks_of_permission_says_that_the_user_may_not() {
        let words = "You do not have permission to delete consignments";
        assert_eq!(verdict(refused(words)), Verdict::MayNot(words.to_owned()));
        assert_eq!(
            verdict(refused("ConsignmentIds are required")),
            Verdict::NotRefused
        );
        assert_eq!(verdict(Ok(())), Verdict::NotRefused);
        assert!(matches!(
            verdict(Err(Failure::Status(403))),
            Verdict::MayNot(_)
        ));
        assert!(matches!(
            verdict(Err(Failure::TimedOut)),
            Verdict::Unclear(_)
        ));
    }
}
