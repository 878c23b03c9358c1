//! The alarm: a service that makes real consignments where tests were meant, or the other way round.

use super::core::Core;
use crate::shipping::Consignment;
use crate::state::{Environment, Kind, KindEvidence, Notice, Tone};

/// How every alarm begins.
const ALARM: &str = "This connection is set up as ";

/// The values of `isTest` in the answers so far.
#[derive(Debug, Default)]
pub(super) struct SeenModes {
    /// In lists: test consignments, and real ones.
    listed: [bool; 2],
    /// In the last answer to a create of this bench: that is the token's own mode.
    created: Option<bool>,
}

impl Core {
    /// A list of the service held test consignments or real ones.
    pub(super) fn modes_listed(&mut self, test: bool, real: bool) {
        let listed = &mut self.seen_modes.listed;
        *listed = [listed[0] || test, listed[1] || real];
        self.weigh_kind();
    }

    /// Whether what was seen agrees with how the connection is marked. A token takes its user's mode: what this bench created
    /// says more than a list, which may hold consignments of other users.
    fn weigh_kind(&mut self) {
        let listed = match self.seen_modes.listed {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        let is_test = self.seen_modes.created.or(listed);
        let marked = self.shared.environment == Environment::Test;
        self.shared.kind_evidence = match is_test {
            None => KindEvidence::Unconfirmed,
            Some(is_test) if is_test == marked => KindEvidence::Confirmed,
            Some(_) => KindEvidence::Contradicted,
        };
    }

    /// Raises the alarm where a created consignment is not of the kind that its connection is set up for.
    pub(super) fn watch_mode(&mut self, created: &Consignment) {
        if created.is_test.is_some() {
            self.seen_modes.created = created.is_test;
            self.weigh_kind();
        }
        let (made, advice) = match (self.shared.environment, created.is_test) {
            (Environment::Test, Some(false)) => (
                "real",
                "Its carrier will come. Delete it while it is unmanifested, and ask for a test-mode token before you go on",
            ),
            (Environment::Live, Some(true)) => (
                "test",
                "No carrier will come for it. Ask who runs the service to switch the token's user to production",
            ),
            _ => return,
        };
        let number = created.consignment_number.clone();
        if !self.astray.contains(&number) {
            self.astray.push(number.clone());
        }
        // One alarm, however many there are: it must not hide anything else.
        self.shared
            .notices
            .retain(|(_, shown)| !shown.headline.starts_with(ALARM));
        let word = self.shared.environment.word();
        let headline = match self.astray.len() {
            0 | 1 => format!("{ALARM}{word}, and the service made a {made} consignment {number}"),
            count => {
                format!(
                    "{ALARM}{word}, and the service made {count} {made} consignments, {number} last"
                )
            }
        };
        let mut notice = Notice::new(Tone::Bad, headline, advice);
        notice.detail = self.astray.join(", ");
        self.notify(notice);
    }

    /// The same for consignments that were read back, as far as this bench made them.
    pub(super) fn watch_modes(&mut self, seen: &[Consignment]) {
        for consignment in seen {
            let ours = self.shared.operations.iter().any(|operation| {
                operation.kind == Kind::Create && operation.consignments.contains(&consignment.id)
            });
            if ours {
                self.watch_mode(consignment);
            }
        }
    }
}
