//! The life of an operation: written down, checked, sent once, and believed only when it is confirmed.
//!
//! What always holds: the intent is on disk before anything leaves; a write is sent again by itself only where it provably never
//! left; an answer that cannot be believed makes it unknown, and unknown is looked for, never guessed. One file for each
//! kind says what is particular to it.

mod before;
mod booking;
mod choices;
mod conversion;
mod create;
mod delete;
mod edit;
mod ends;
mod intent;
mod late;
mod pending;
mod settle;
mod status;

use std::time::Duration;

use jiff::Timestamp;

use super::bench::{Bench, Milestone};
use super::{Failure, Outcome};
use crate::draft::Draft;
use crate::journal::{Kind, Operation, OperationState};
use crate::shipping::{Consignment, ManifestResult, PendingConsignment};
use before::Stop;
pub use choices::Choice;
pub(crate) use conversion::made_of;
use intent::{Edit, Intent};
pub(in crate::work) use settle::LookedUp;

/// Sends of a request that provably never left the machine.
const TRIES: u32 = 3;

/// Between those.
const PAUSE: Duration = Duration::from_millis(400);

/// Why an operation is sent now.
#[derive(Debug)]
enum Occasion {
    /// The clerk just asked for it; the draft, where they wait at one.
    First(Option<Box<Draft>>),
    /// It was found not to have happened, and the clerk sends it again.
    Again,
}

/// What the service said to a write.
enum Answer {
    Created(Box<Consignment>),
    Edited(Box<Consignment>),
    Booked(Vec<ManifestResult>),
    Pending(PendingConsignment),
    /// `{errors: [], success: true}`
    Nothing,
}

impl Bench {
    /// Writes one intent down with the draft that it came from, then sends it.
    pub(super) async fn perform_draft(&self, draft: Draft, intent: Intent) {
        let title = { draft.edits.as_ref() }.map_or_else(|| draft.title(), |edited| &edited.number);
        let row = intent.row(Some(title.to_owned()), Some(draft.id.clone()));
        let (now, kept) = (self.now(), draft.clone());
        let written = match row {
            Ok(row) => {
                // What is sent is on disk as typed, too: a refusal gives it back.
                self.writer
                    .run(move |journal| journal.begin_from_draft(&kept, &row, now))
                    .await
            }
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(operation) => {
                self.reached(Milestone::Written);
                let first = Occasion::First(Some(Box::new(draft)));
                Box::pin(self.check_then_send(operation, intent, first, now)).await;
            }
            Err(error) => self.tell_not_created(Some(Box::new(draft)), error).await,
        }
    }

    /// Writes intents down, all in one transaction, then sends them one after the other: none is lost, and no consignment of
    /// theirs is free meanwhile. `prepared` is when the clerk was shown what they decided on.
    pub(super) async fn perform(&self, intents: Vec<Intent>, prepared: Timestamp) {
        self.perform_until(intents, prepared, || false).await;
    }

    /// The same; what is not sent yet when `stopped` says so ends without being sent.
    async fn perform_until(
        &self,
        intents: Vec<Intent>,
        prepared: Timestamp,
        stopped: impl Fn() -> bool + Send + Sync,
    ) {
        let rows = intents.iter().map(|intent| intent.row(None, None));
        let rows = rows.collect::<Result<Vec<_>, _>>();
        let now = self.now();
        let written = match rows {
            Ok(rows) => {
                self.writer
                    .run(move |journal| journal.begin(&rows, now))
                    .await
            }
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(operations) => {
                self.reached(Milestone::Written);
                for operation in &operations {
                    self.tell(Outcome::Operation(Box::new(operation.clone())))
                        .await;
                }
                for (operation, intent) in operations.into_iter().zip(intents) {
                    if stopped() {
                        let words = "Not sent: stopped before it".to_owned();
                        self.end(&operation, OperationState::Discarded, words).await;
                        continue;
                    }
                    self.check_then_send(operation, intent, Occasion::First(None), prepared)
                        .await;
                }
            }
            Err(error) => self.tell(Outcome::NotWritten(error)).await,
        }
    }

    /// Looks first whether what the clerk decided on still holds: the carrier hears of nothing that is out of date.
    async fn check_then_send(
        &self,
        operation: Operation,
        intent: Intent,
        occasion: Occasion,
        prepared: Timestamp,
    ) {
        match self.may_be_sent(&operation, &intent, prepared).await {
            Ok(()) => {
                self.reached(Milestone::Checked);
                self.send(operation, intent, occasion).await;
            }
            Err(Stop {
                converted: Some(found),
                ..
            }) => self.converted_elsewhere(&operation, *found).await,
            Err(Stop { words, error, .. }) => match occasion {
                Occasion::First(Some(draft)) => {
                    self.end(&operation, OperationState::Discarded, words).await;
                    self.tell_not_created(Some(draft), error).await;
                }
                Occasion::First(None) => {
                    self.end(&operation, OperationState::Rejected, words).await;
                }
                Occasion::Again => {
                    self.end(&operation, OperationState::Absent, words).await;
                }
            },
        }
    }

    /// Sends a frozen operation, again only where it provably never left.
    async fn send(&self, mut operation: Operation, intent: Intent, occasion: Occasion) {
        let mut tries = 0;
        loop {
            let from = operation.state;
            let sending = self.change(&operation, from, |operation| {
                operation.state = OperationState::Sending;
                operation.words.clear();
            });
            operation = match sending.await {
                Ok(operation) => operation,
                Err(error) => return self.tell_unwritten_before(occasion, error).await,
            };
            self.reached(Milestone::Sending);
            tries += 1;
            let answer = self.call(&intent).await;
            self.reached(Milestone::Answered);
            let failure = match answer {
                Ok(answer) => return self.answered(operation, intent, answer).await,
                Err(failure) => failure,
            };
            if !failure.sent_nothing() || tries == TRIES {
                return self.failed(operation, failure, occasion).await;
            }
            let again = self.change(&operation, OperationState::Sending, |operation| {
                operation.state = OperationState::Ready;
                "Not sent, trying again".clone_into(&mut operation.words);
            });
            operation = match again.await {
                Ok(ready) => ready,
                Err(error) => return self.tell_unwritten_before(occasion, error).await,
            };
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn call(&self, intent: &Intent) -> Result<Answer, Failure> {
        let client = &self.client;
        Ok(match intent {
            Intent::Create(request) => Answer::Created(Box::new(client.create(request).await?)),
            Intent::Edit(edit) => Answer::Edited(Box::new(client.edit(&edit.form).await?)),
            Intent::Delete(ids) => client.delete(ids).await.map(|()| Answer::Nothing)?,
            Intent::Manifest(group) => {
                Answer::Booked(client.manifest(std::slice::from_ref(&**group)).await?)
            }
            Intent::Status(updates) => client
                .update_statuses(updates)
                .await
                .map(|()| Answer::Nothing)?,
            Intent::PendingCreate(request) => {
                Answer::Pending(client.create_pending(request).await?)
            }
            Intent::PendingDelete(ids) => {
                client.delete_pending(ids).await.map(|()| Answer::Nothing)?
            }
            Intent::ServicePrint(order, _) => client
                .send_labels(std::slice::from_ref(order))
                .await
                .map(|()| Answer::Nothing)?,
        })
    }

    /// The service answered: what it says is kept, and where it says too little, read back.
    async fn answered(&self, operation: Operation, intent: Intent, answer: Answer) {
        match answer {
            Answer::Created(consignment) => self.created(operation, &intent, *consignment).await,
            Answer::Edited(consignment) => self.edited(operation, *consignment).await,
            Answer::Booked(results) => self.booked(operation, results).await,
            Answer::Pending(pending) => self.pended(operation, &pending).await,
            Answer::Nothing => match operation.kind {
                Kind::ServicePrint => self.handed_to_service(operation).await,
                Kind::PendingDelete => self.unpended(operation).await,
                _ => self.confirm(operation).await,
            },
        }
    }
}
