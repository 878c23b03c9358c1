//! Raises an alarm if a service creates real consignments where tests are meant, or the other way round.

use super::core::Core;
use crate::state::{Environment, KindEvidence, Notice, OperationKind, Tone};
use shipping::Consignment;

/// Start of each alarm's headline, by which an older alarm is found and replaced.
const ALARM: &str = "This connection is set up as ";

/// The values of `isTest` in the service's answers so far.
#[derive(Debug, Default)]
pub(super) struct SeenModes {
    /// Whether lists contained test consignments, and whether they contained real consignments.
    listed: [bool; 2],
    /// The value in the last answer to a create from this bench. This is the token's own mode.
    created: Option<bool>,
    /// Numbers of consignments whose mode contradicts how the connection is marked.
    mismatched_numbers: Vec<String>,
}

impl Core {
    /// Records whether a list from the service contained test consignments and real consignments.
    pub(super) fn modes_listed(&mut self, test: bool, real: bool) {
        let listed = &mut self.session.modes.listed;
        *listed = [listed[0] || test, listed[1] || real];
        self.update_kind_evidence();
    }

    /// Compares the modes seen so far with how the connection is marked. A token has the mode of its user, so
    /// a consignment created here counts more than a list, which may contain consignments of other users.
    fn update_kind_evidence(&mut self) {
        let listed = match self.session.modes.listed {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        let is_test = self.session.modes.created.or(listed);
        let marked = self.shared.session.environment == Environment::Test;
        self.shared.session.kind_evidence = match is_test {
            None => KindEvidence::Unconfirmed,
            Some(is_test) if is_test == marked => KindEvidence::Confirmed,
            Some(_) => KindEvidence::Contradicted,
        };
    }

    /// Raises the alarm if a created consignment is not of the kind that the connection is set up for.
    pub(super) fn check_mode(&mut self, created: &Consignment) {
        if created.is_test.is_some() {
            self.session.modes.created = created.is_test;
            self.update_kind_evidence();
        }
        let (made, advice) = match (self.shared.session.environment, created.is_test) {
            (Environment::Test, Some(false)) => (
                "real",
                "The carrier will collect it. Delete it while it is unmanifested, and get a test-mode token before you continue",
            ),
            (Environment::Live, Some(true)) => (
                "test",
                "The carrier won't collect it. Ask the service's administrator to switch the token's user to production",
            ),
            _ => return,
        };
        let number = created.consignment_number.clone();
        if !self.session.modes.mismatched_numbers.contains(&number) {
            self.session.modes.mismatched_numbers.push(number.clone());
        }
        // One alarm covers all such consignments, so that alarms do not hide other notices.
        self.shared
            .notices
            .remove_where(|shown| shown.headline.starts_with(ALARM));
        let word = self.shared.session.environment.label();
        let headline = match self.session.modes.mismatched_numbers.len() {
            0 | 1 => {
                format!("{ALARM}{word}, but the service created a {made} consignment: {number}")
            }
            count => {
                format!(
                    "{ALARM}{word}, but the service created {count} {made} consignments, most recently {number}"
                )
            }
        };
        let mut notice = Notice::new(Tone::Bad, headline, advice);
        notice.detail = self.session.modes.mismatched_numbers.join(", ");
        self.notify(notice);
    }

    /// Checks the mode of consignments that were read back, if this bench created them.
    pub(super) fn watch_modes(&mut self, seen: &[Consignment]) {
        for consignment in seen {
            let ours = self.shared.operations.list.iter().any(|operation| {
                operation.kind == OperationKind::Create
                    && operation.consignments.contains(&consignment.id)
            });
            if ours {
                self.check_mode(consignment);
            }
        }
    }
}
