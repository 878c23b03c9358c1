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
mod key;
mod late;
mod pending;
mod settle;
mod status;

use std::time::Duration;

use jiff::Timestamp;

use super::bench::{Bench, Milestone};
use super::{Failure, Outcome, Request, pause_text};
use crate::draft::{Draft, DraftId};
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

/// The longest pause that a service may ask for while an operation waits to be sent again by itself.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// An intent that is in the journal, and not sent yet.
#[derive(Debug, Clone)]
pub struct WrittenIntent {
    operation: Operation,
    intent: Intent,
    draft: Box<Draft>,
}

impl WrittenIntent {
    /// The draft that it came from.
    pub(super) fn into_draft(self) -> Box<Draft> {
        self.draft
    }

    /// The id of that draft.
    pub(super) fn draft_id(&self) -> &DraftId {
        &self.draft.id
    }
}

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
    /// Writes one intent down with the draft that it came from. Nothing where that failed; the clerk then has the draft back.
    async fn write_draft(
        &self,
        draft: Draft,
        intent: Intent,
        key: String,
    ) -> Option<WrittenIntent> {
        let title = { draft.edits.as_ref() }.map_or_else(|| draft.title(), |edited| &edited.number);
        let row = intent.row(Some(title.to_owned()), Some(draft.id.clone()));
        let (now, kept) = (self.now(), draft.clone());
        let written = match row {
            Ok(mut row) => {
                row.key = key;
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
                Some(WrittenIntent {
                    operation,
                    intent,
                    draft: Box::new(draft),
                })
            }
            Err(error) => {
                self.tell_not_created(Some(Box::new(draft)), error).await;
                None
            }
        }
    }

    /// Writes down what a request is about to create and shows it as waiting, ahead of its turn in the service queue: should
    /// the program end before that, the journal knows of it. Gives any other request back as it is.
    pub(super) async fn write_ahead(&self, request: Request) -> Option<Request> {
        if !matches!(
            request,
            Request::Create { .. } | Request::CreatePending { .. }
        ) {
            return Some(request);
        }
        let written = match self.let_through(request).await? {
            Request::Create { draft, request } => self.write_create(*draft, *request).await?,
            Request::CreatePending { draft, request } => {
                self.write_pending(*draft, *request).await?
            }
            other => return Some(other),
        };
        let row = Box::new(written.operation.clone());
        self.tell(Outcome::Operation(row)).await;
        Some(Request::SendWritten(Box::new(written)))
    }

    /// Sends what was written down.
    pub(super) async fn send_written(&self, written: WrittenIntent) {
        let WrittenIntent {
            operation,
            intent,
            draft,
        } = written;
        let prepared = operation.made;
        let first = Occasion::First(Some(draft));
        // Large: not on the stack of whoever calls this.
        Box::pin(self.check_then_send(operation, intent, first, prepared)).await;
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
            let pause = failure.pause().unwrap_or(PAUSE);
            if !self.did_nothing(&failure) || tries == TRIES || pause > LONGEST_PAUSE {
                return self.failed(operation, failure, occasion).await;
            }
            let again = self.change(&operation, OperationState::Sending, |operation| {
                operation.state = OperationState::Ready;
                operation.words = match failure.pause() {
                    Some(pause) => format!(
                        "Not sent: the service asks for a pause of {}. It is sent again after that",
                        pause_text(pause)
                    ),
                    None => "Not sent, trying again".to_owned(),
                };
            });
            operation = match again.await {
                Ok(ready) => ready,
                Err(error) => return self.tell_unwritten_before(occasion, error).await,
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// True where it is proven that a failed call changed nothing at the service.
    pub(super) fn did_nothing(&self, failure: &Failure) -> bool {
        let by_contract = self.client.dialect().pause_means_not_done
            && matches!(failure, Failure::Busy { status: 429, .. });
        by_contract || failure.sent_nothing()
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
