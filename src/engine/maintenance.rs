//! Maintains the journal in the background: checks a large journal for damage, makes backups at start and hourly,
//! removes expired records daily, and empties the journal's log before each backup and when idle.
//!
//! A writer never waits for a check or a backup, and waits for a step of the removal no longer than for a commit. A
//! failure here is reported and stops nothing, except that damage stops sending.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::writer::JournalHealth;
use super::{EngineContext, EngineError, Outcome, blocking};
use storage::{Backups, Journal, JournalError};

/// The times between backups and between removals of expired records, by wall clock, which continues while the
/// computer sleeps.
const BACKUP_AFTER: SignedDuration = SignedDuration::from_hours(1);
const TIDY_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// How often the due times are checked.
const LOOK: Duration = Duration::from_secs(1);

/// The log is emptied after this many idle checks in a row.
const IDLE_LOOKS: u32 = 5;

/// The wait before a failed check is repeated.
const CHECK_AGAIN: Duration = Duration::from_secs(5);

/// The pause between two steps of the removal, so that waiting drafts are saved first.
const BREATH: Duration = Duration::from_millis(20);

impl EngineContext {
    /// Starts the maintenance tasks, which end when the window is closed.
    pub(super) fn start_maintenance(&self) {
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(bench.keep()).await });
        let bench = self.clone();
        tokio::spawn(async move { bench.until_closed(bench.tell_of_damage()).await });
    }

    async fn keep(&self) {
        self.finish_check().await;
        let (mut backed_up, mut tidied) = (None, None);
        let (mut jobs, mut idle_looks) = (0, 0);
        loop {
            if self.is_due(backed_up, BACKUP_AFTER) {
                backed_up = Some(self.now());
                self.empty_log().await;
                self.back_up().await;
            }
            if self.is_due(tidied, TIDY_AFTER) {
                tidied = Some(self.now());
                self.tidy().await;
            }
            let given = self.writer.jobs_given();
            if given == jobs {
                idle_looks += 1;
            } else {
                (jobs, idle_looks) = (given, 0);
            }
            if idle_looks == IDLE_LOOKS {
                self.empty_log().await;
                jobs = self.writer.jobs_given();
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Moves the log's data into the journal's file, where it survives the loss of the log.
    async fn empty_log(&self) {
        let done = self.journal(|journal| journal.checkpoint()).await;
        if let Err(error) = done {
            tracing::warn!(%error, "the journal's log could not be emptied");
        }
    }

    /// Returns true if the task was never done, or was last done at least `after` ago, or if the clock was set back
    /// that far.
    fn is_due(&self, last: Option<Timestamp>, after: SignedDuration) -> bool {
        last.is_none_or(|last| self.now().duration_since(last).abs() >= after)
    }

    /// Checks a large journal in the background; see [`super::writer::JournalWriter::until_intact`].
    async fn finish_check(&self) {
        while matches!(
            *self.writer.health().borrow(),
            JournalHealth::Checking | JournalHealth::Unchecked
        ) {
            let path = self.writer.path();
            let error = match blocking(move || Journal::check(&path)).await {
                Ok(()) => return self.writer.set_health(JournalHealth::Intact),
                Err(EngineError::Journal(JournalError::Damaged)) => {
                    return self.writer.set_health(JournalHealth::Damaged);
                }
                Err(error) => error,
            };
            self.writer.set_health(JournalHealth::Unchecked);
            self.tell_failed("Couldn't check this bench's records", error)
                .await;
            tokio::time::sleep(CHECK_AGAIN).await;
        }
    }

    async fn back_up(&self) {
        let (path, now) = (self.writer.path(), self.now());
        let made = blocking(move || {
            let made = Backups::of(&path).make(now).map(drop);
            made.map_err(|error| match error {
                JournalError::File(kind) => EngineError::Save(kind),
                error => error.into(),
            })
        });
        match made.await {
            Err(EngineError::Journal(JournalError::Damaged)) => {
                self.writer.set_health(JournalHealth::Damaged);
            }
            made => {
                let what = "Couldn't back up this bench's records. You can keep working";
                self.report(what, made).await;
            }
        }
    }

    async fn tidy(&self) {
        let now = self.now();
        // Without the unmanifested consignments, the program can't tell which labels are still needed.
        let unmanifested = match self.track.unmanifested_ids().await {
            Ok(unmanifested) => Arc::new(unmanifested),
            Err(error) => {
                return tracing::warn!(%error, "the journal was not tidied: the consignments could not be read");
            }
        };
        loop {
            let unmanifested = Arc::clone(&unmanifested);
            let is_unmanifested =
                move |id| { unmanifested.as_ref().as_ref() }.is_none_or(|ids| ids.contains(&id));
            let removed = self.journal(move |journal| journal.remove_expired(now, is_unmanifested));
            match removed.await {
                Ok(tidied) if tidied.may_have_more() => tokio::time::sleep(BREATH).await,
                Ok(_) => return,
                Err(error) => {
                    // A full disk is reported by the operations that matter: saving drafts and sending.
                    tracing::warn!(%error, "the journal could not be tidied");
                    return;
                }
            }
        }
    }

    /// Waits until the journal is found to be damaged, marks it so that the next start sets it aside, and tells the
    /// window. Nothing is sent between the damage and the next start.
    async fn tell_of_damage(&self) {
        let mut soundness = self.writer.health();
        let damaged = soundness.wait_for(|sound| *sound == JournalHealth::Damaged);
        if damaged.await.is_err() {
            return;
        }
        let path = self.writer.path();
        let marked = blocking(move || Journal::mark_damaged(&path)).await;
        if let Err(error) = marked {
            tracing::warn!(%error, "the damaged journal could not be marked; the next start finds it again");
        }
        self.tell(Outcome::JournalDamaged).await;
    }
}
