//! What every lane works with.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Notify, mpsc};

use super::lanes::Repaint;
use super::writer::Writer;
use super::{Outcome, WorkError};
use crate::client::Client;
use crate::draft::DraftId;
use crate::journal::{Operation, OperationId, OperationState};
use crate::printing::renderer::Renderer;
use crate::printing::service::PrintService;
use crate::shipping::Clock;

/// The operations that are watched, each with what wakes its watch.
pub(super) type Watches = Arc<Mutex<Vec<(OperationId, Arc<Notify>)>>>;

/// Shared by the lanes; cheap to clone.
#[derive(Clone)]
pub(super) struct Bench {
    pub(super) client: Client,
    pub(super) writer: Writer,
    pub(super) renderer: Arc<Renderer>,
    pub(super) print_service: PrintService,
    pub(super) spool: PathBuf,
    pub(super) clock: Clock,
    /// The bench's name as it goes into keys.
    pub(super) name: String,
    /// When a lost answer is looked for, counted from when it was given up.
    pub(super) settle_after: Arc<[Duration]>,
    /// Wakes the watch over an operation with a lost answer.
    pub(super) watches: Watches,
    pub(super) outcomes: mpsc::Sender<Outcome>,
    pub(super) repaint: Repaint,
}

impl Bench {
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Sends an outcome, then asks for a repaint. Nobody listens once the window is closed.
    pub(super) async fn tell(&self, outcome: Outcome) {
        if self.outcomes.send(outcome).await.is_ok() {
            (self.repaint)();
        }
    }

    pub(super) async fn tell_failed(&self, what: &'static str, error: WorkError) {
        tracing::error!(what, %error, "a job failed");
        self.tell(Outcome::Failed { what, error }).await;
    }

    /// Moves an operation from `from` to the state that `change` gives it, in the journal first and then to the clerk.
    pub(super) async fn change(
        &self,
        operation: &Operation,
        from: OperationState,
        change: impl FnOnce(&mut Operation),
    ) -> Result<Operation, WorkError> {
        let mut changed = operation.clone();
        change(&mut changed);
        let now = self.now();
        let changed = self
            .writer
            .run(move |journal| {
                journal.change(&mut changed, from, now)?;
                Ok(changed)
            })
            .await?;
        self.tell(Outcome::Operation(Box::new(changed.clone())))
            .await;
        Ok(changed)
    }

    /// A key of this bench's own making: nobody else gives it to a consignment.
    pub(super) fn new_key(&self) -> String {
        format!("{}-{}", self.name, DraftId::random())
    }

    /// The operation as the journal has it.
    pub(super) async fn operation(&self, id: OperationId) -> Result<Operation, WorkError> {
        let found = self
            .writer
            .run(move |journal| journal.operation(id))
            .await?;
        found.ok_or(WorkError::Internal)
    }
}

/// True for a key of a bench's own making, whatever the bench was called then.
pub(super) fn is_bench_key(key: &str) -> bool {
    let random = key.rsplit_once('-').map(|(_, random)| random);
    random.is_some_and(|random| {
        random.len() == 8
            && random
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
    })
}
