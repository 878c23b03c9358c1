//! The life of an operation: written down, checked, sent once, and believed only when it is confirmed.
//!
//! What always holds: the intent is on disk before anything leaves; a write is sent again by itself only where it provably never
//! left; an answer that cannot be believed makes it unknown, and unknown is looked for, never guessed. One file for each
//! kind says what is particular to it.

mod booking;
mod choices;
mod create;
mod delete;
mod edit;
mod intent;
mod pending;
mod settle;
mod status;

use std::time::Duration;

use jiff::Timestamp;

use super::bench::{Bench, Milestone};
use super::{Failure, Outcome, WorkError};
use crate::draft::Draft;
use crate::journal::{Journal, JournalError, Kind, Operation, OperationState};
use crate::shipping::{Consignment, ManifestResult, PendingConsignment};
pub use choices::Choice;
use intent::{Edit, Intent};

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

/// Why an operation ends before it is sent: in words, and what failed where something did.
struct Stop {
    words: String,
    error: WorkError,
}

impl Stop {
    /// It is out of date.
    fn because(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            error: WorkError::Internal,
        }
    }

    /// It could not be found out whether it still holds.
    fn unable(error: impl Into<WorkError>) -> Self {
        let error = error.into();
        Self {
            words: format!("Nothing was sent: {error}"),
            error,
        }
    }
}

impl Bench {
    /// Writes one intent down with the draft that it came from, then sends it.
    pub(super) async fn perform_draft(&self, draft: Draft, intent: Intent) {
        let row = intent.row(Some(draft.title().to_owned()), Some(draft.id.clone()));
        let (now, kept) = (self.now(), draft.clone());
        let written = match row {
            Ok(row) => {
                let job = move |journal: &mut Journal| {
                    // What is sent is on disk as typed, too: a refusal gives it back.
                    journal.save_draft(&kept, now)?;
                    let begun = journal.begin(&[row], now)?.pop();
                    begun.ok_or(JournalError::Changed)
                };
                self.writer.run(job).await
            }
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(operation) => {
                self.reached(Milestone::Written);
                let first = Occasion::First(Some(Box::new(draft)));
                self.check_then_send(operation, intent, first, now).await;
            }
            Err(error) => self.tell_not_created(Some(Box::new(draft)), error).await,
        }
    }

    /// Writes intents down, all in one transaction, then sends them one after the other: none is lost, and no consignment of
    /// theirs is free meanwhile. `prepared` is when the clerk was shown what they decided on.
    pub(super) async fn perform(&self, intents: Vec<Intent>, prepared: Timestamp) {
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
            Err(Stop { words, error }) => match occasion {
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

    async fn may_be_sent(
        &self,
        operation: &Operation,
        intent: &Intent,
        prepared: Timestamp,
    ) -> Result<(), Stop> {
        self.token_is_accepted().await?;
        self.nothing_else_holds(operation).await?;
        match intent {
            Intent::Manifest(group) => self.still_to_be_booked(operation, group, prepared).await,
            Intent::Edit(edit) => self.still_as_seen(edit).await,
            Intent::Delete(ids) => self.still_unmanifested(ids).await,
            Intent::Create(_)
            | Intent::Status(_)
            | Intent::PendingCreate(_)
            | Intent::PendingDelete(_)
            | Intent::ServicePrint(_) => Ok(()),
        }
    }

    /// After a 401 nothing more is sent, until the service takes the token again.
    async fn token_is_accepted(&self) -> Result<(), Stop> {
        if !self.paused.is_set() {
            return Ok(());
        }
        match self.client.ping().await {
            Ok(_) => {
                self.paused.clear();
                Ok(())
            }
            Err(failure) => Err(Stop::unable(failure)),
        }
    }

    async fn nothing_else_holds(&self, own: &Operation) -> Result<(), Stop> {
        let open = self.writer.run(|journal| journal.operations(0)).await;
        let open = open.map_err(Stop::unable)?;
        let holds = |other: &&Operation| {
            let twin = own.kind == Kind::Delete && other.state == OperationState::Conflict;
            other.id != own.id
                && other.state.is_open()
                && !twin
                && other
                    .consignments
                    .iter()
                    .any(|id| own.consignments.contains(id))
        };
        match open.iter().find(holds) {
            Some(other) => Err(Stop::because(format!(
                "Another operation holds some of these ({}), and its end is not known yet",
                other.title
            ))),
            None if own.kind == Kind::Manifest => self.bookings_are_open(&open),
            None => Ok(()),
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
            if !failure.never_sent() || tries == TRIES {
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
            Intent::ServicePrint(order) => client
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

    /// Said to be done: believed when the service shows it.
    async fn confirm(&self, operation: Operation) {
        match self.look(&operation).await {
            Ok(found) if !found.is_absent() => {
                self.settle_as(&operation, OperationState::Sending, found)
                    .await;
            }
            Ok(_) | Err(_) => {
                let words = "The service answered, and does not show it yet. Checking";
                self.unknown(operation, words.to_owned()).await;
            }
        }
    }

    /// No answer that can be believed, or none that we want.
    async fn failed(&self, operation: Operation, failure: Failure, occasion: Occasion) {
        if failure == Failure::Unauthorised {
            self.paused.set();
        }
        let (state, words) = verdict(operation.kind, &failure, &occasion);
        if state == OperationState::Unknown {
            return self.unknown(operation, words).await;
        }
        let ended = self.change(&operation, OperationState::Sending, |operation| {
            operation.state = state;
            operation.words = words;
        });
        let operation = match ended.await {
            Ok(operation) => operation,
            Err(error) => return self.tell_unwritten(operation.draft, error).await,
        };
        self.reached(Milestone::Settled);
        match (state, occasion) {
            (OperationState::Ask, _) => {
                self.tell(Outcome::Unanswered(operation.draft)).await;
            }
            (_, Occasion::First(Some(draft))) => {
                self.tell_not_created(Some(draft), failure.into()).await;
            }
            (OperationState::Rejected, Occasion::Again) if operation.draft.is_some() => {
                self.give_draft_back(operation.draft).await;
                self.tell_not_created(None, failure.into()).await;
            }
            _ => {}
        }
    }

    /// Its end is not known: from here on it is looked for, and the clerk may go on.
    async fn unknown(&self, operation: Operation, words: String) {
        let unknown = self.change(&operation, OperationState::Sending, |operation| {
            operation.state = OperationState::Unknown;
            operation.words = words;
            operation.checks = 0;
        });
        match unknown.await {
            Ok(operation) => {
                self.reached(Milestone::Settled);
                self.tell(Outcome::Unanswered(operation.draft.clone()))
                    .await;
                self.watch(operation);
            }
            Err(error) => self.tell_unwritten(operation.draft, error).await,
        }
    }

    /// Done, and written down before anybody hears of it.
    async fn done(
        &self,
        operation: &Operation,
        change: impl FnOnce(&mut Operation),
    ) -> Option<Operation> {
        let done = self.change(operation, OperationState::Sending, |operation| {
            operation.state = OperationState::Done;
            change(operation);
        });
        match done.await {
            Ok(done) => {
                self.reached(Milestone::Settled);
                Some(done)
            }
            Err(error) => {
                self.tell_unwritten(operation.draft.clone(), error).await;
                None
            }
        }
    }

    /// Ends an operation that was not sent, or whose end needs no look.
    async fn end(&self, operation: &Operation, state: OperationState, words: String) {
        let from = operation.state;
        let ended = self.change(operation, from, |operation| {
            operation.state = state;
            operation.words = words;
        });
        if let Err(error) = ended.await {
            self.tell_failed("The operation could not be written down", error)
                .await;
        }
    }

    /// Not even written down, so not sent.
    async fn tell_unwritten_before(&self, occasion: Occasion, error: WorkError) {
        match occasion {
            Occasion::First(Some(draft)) => self.tell_not_created(Some(draft), error).await,
            Occasion::First(None) | Occasion::Again => {
                let what = "Nothing was sent: it could not be written down first";
                self.tell_failed(what, error).await;
            }
        }
    }

    /// Sent, and what became of it could not be written down: the next start looks for it.
    async fn tell_unwritten(&self, draft: Option<crate::draft::DraftId>, error: WorkError) {
        self.tell(Outcome::Unanswered(draft)).await;
        let what = "What was sent could not be written down. Don't do it again";
        self.tell_failed(what, error).await;
    }

    /// Certainly not created: the clerk has the draft back.
    async fn tell_not_created(&self, draft: Option<Box<Draft>>, error: WorkError) {
        self.tell(Outcome::NotCreated { draft, error }).await;
    }
}

/// What a failed call means. Where nothing left the machine, the clerk who waits has it back; a re-send stays what it was.
fn verdict(kind: Kind, failure: &Failure, occasion: &Occasion) -> (OperationState, String) {
    match failure {
        Failure::Refused(errors) => {
            let words: Vec<_> = errors
                .iter()
                .map(|error| error.error_message.as_str())
                .collect();
            (OperationState::Rejected, words.join(" · "))
        }
        Failure::Unauthorised => (
            OperationState::Rejected,
            "The service does not accept the token. Nothing more is sent until it does".to_owned(),
        ),
        failure if failure.never_sent() => {
            let state = match occasion {
                Occasion::First(Some(_)) => OperationState::Discarded,
                Occasion::First(None) => OperationState::Rejected,
                Occasion::Again => OperationState::Absent,
            };
            (state, format!("Not sent: {failure}"))
        }
        failure if kind.can_be_read_back() => (
            OperationState::Unknown,
            format!("We don't know yet: {failure}. {}", warning(kind)),
        ),
        failure => (
            OperationState::Ask,
            format!("We don't know: {failure}. {}", what_to_look_at(kind)),
        ),
    }
}

/// What the clerk must not do meanwhile.
const fn warning(kind: Kind) -> &'static str {
    match kind {
        Kind::Create | Kind::PendingCreate => "Don't type it again",
        Kind::Manifest => "Don't book it by other means",
        Kind::Edit => "Don't change it again",
        Kind::Delete | Kind::PendingDelete => "Don't use it meanwhile",
        Kind::Status => "Don't set it again",
        Kind::ServicePrint => "Don't print it again",
    }
}

/// Where the clerk sees what the service cannot be asked for.
const fn what_to_look_at(kind: Kind) -> &'static str {
    match kind {
        Kind::ServicePrint => "Look whether the label came out",
        Kind::PendingDelete => {
            "Look in the service's list of pending consignments whether it is gone"
        }
        _ => "Look in the service's list of pending consignments whether it is there",
    }
}
