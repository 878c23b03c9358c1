//! The alarm: a service that makes real consignments where tests were meant, or the other way round.

use super::core::Core;
use crate::shipping::Consignment;
use crate::state::{Environment, Kind, Notice, Tone};

/// How every alarm begins.
const ALARM: &str = "This connection is set up as ";

impl Core {
    /// Raises the alarm where a created consignment is not of the kind that its connection is set up for.
    pub(super) fn watch_mode(&mut self, created: &Consignment) {
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
