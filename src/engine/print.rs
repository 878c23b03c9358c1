//! Prints labels, each as a print job.
//!
//! A label is fetched, stored, drawn as dots, verified, saved as a print job, and only then handed over. A batch is saved first; its labels are prepared ahead and handed over one after the other.
//!
//! Invariants of a batch: labels are printed in the requested order; each label is in the journal as unprinted until
//! the journal has its print job, so a crash neither loses nor duplicates a label; after a stop or a failing printer
//! no further label is handed over.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::OwnedMutexGuard;

use super::{
    BatchEnd, BatchEndReason, BatchId, ConsignmentFacts, EngineContext, EngineError, FaultPoint,
    Outcome, PrintBatch, PrintOrder, lock,
};
use draft::DraftId;
use printing::job::{self, Payload, PrepareError};
use printing::profile::{Destination, PrinterProfile};
use shipping::LabelSize;
use storage::{
    JobId, JobState, JobSubject, JournalError, LabelGeneration, LabelRequest, NewJob, PrintJob,
    UnprintedLabelId,
};

/// The number of labels that are prepared at once, while another label is handed over. More would not use the cores better,
/// and a stop would waste more work.
pub const PREPARED_AT_ONCE: usize = 4;

const FOUND: &str = "sent to printer: found in its queue";

/// A label that is ready to become a print job.
pub(super) struct PreparedLabel {
    payload: Payload,
    generation: LabelGeneration,
    /// The reason why the label is printed although its verification failed; empty if the verification succeeded.
    override_reason: String,
}

impl EngineContext {
    /// Prints a batch, unless another bench prints some of its labels at this moment.
    pub(super) async fn print_batch(&self, batch: PrintBatch) {
        if let Err(message) = self.claim_labels(&batch).await {
            let end = batch.not_written(EngineError::NotPossible(message));
            return self.tell(Outcome::Batch(Box::new(end))).await;
        }
        self.print_claimed(batch).await;
        self.release_labels().await;
    }

    /// Gives each label the printer of the first rule that applies to its consignment. Labels of consignments that are not
    /// stored keep their printer.
    async fn apply_label_rules(&self, batch: &mut PrintBatch) {
        if batch.rules.is_empty() {
            return;
        }
        let ids: Vec<_> = batch.orders.iter().map(|order| order.consignment).collect();
        let rows = self.track.read(move |reader| reader.rows(&ids)).await;
        let rows: HashMap<_, _> = { rows.unwrap_or_default().into_iter() }
            .map(|row| (row.id, row))
            .collect();
        for order in &mut batch.orders {
            let Some(row) = rows.get(&order.consignment) else {
                continue;
            };
            let facts = ConsignmentFacts::from(row);
            let mut rules = batch.rules.iter();
            if let Some((_, printer)) = rules.find(|(rule, _)| rule.applies_to(&facts)) {
                order.printer = printer.clone();
            }
        }
    }

    async fn print_claimed(&self, mut batch: PrintBatch) {
        self.apply_label_rules(&mut batch).await;
        let unprinted = match self.write_batch(&batch).await {
            Ok(unprinted) => unprinted,
            Err(error) => {
                let end = Box::new(batch.not_written(error));
                return self.tell(Outcome::Batch(end)).await;
            }
        };
        let batch_row = unprinted.first().map_or(0, |first| first.0);
        // A batch without rows in the journal is a single label.
        let rows = { unprinted.into_iter().map(Some) }.chain(std::iter::repeat(None));
        let mut rest: VecDeque<_> = batch.orders.iter().zip(rows).collect();
        let mut prepared = stream::iter(batch.orders.clone())
            .map(|order| self.start_preparation(order))
            .buffered(PREPARED_AT_ONCE);
        let mut ended_at = None;
        let ending = loop {
            let Some((order, row)) = rest.front().copied() else {
                break BatchEndReason::Done;
            };
            let label = tokio::select! {
                biased;
                // The remaining labels stay in the journal for the next start.
                () = self.outcomes.closed() => return,
                () = self.until_stopped(batch.id) => break BatchEndReason::Stopped,
                label = prepared.next() => label.unwrap_or(Err(EngineError::Internal)),
            };
            if let Err(EngineError::WouldShrink(shrunk)) = label {
                // The label stays first among the remaining labels: the clerk has to decide.
                break BatchEndReason::AskAboutShrinking(shrunk);
            }
            rest.pop_front();
            if let Err(message) = self.print_label(order, label, (batch_row, row)).await {
                if !rest.is_empty() {
                    ended_at = row;
                    break BatchEndReason::Halted(message);
                }
                // No other label follows: the clerk can print this label again alone.
                self.discard_unprinted(row.into_iter().collect()).await;
            }
        };
        if matches!(ending, BatchEndReason::Stopped) {
            let rows = rest.iter().filter_map(|(_, row)| *row);
            self.discard_unprinted(rows.collect()).await;
        }
        let rest = rest
            .into_iter()
            .map(|(order, row)| (order.consignment, row));
        let end = BatchEnd {
            id: batch.id,
            ending,
            ended_at,
            rest: rest.collect(),
        };
        self.tell(Outcome::Batch(Box::new(end))).await;
    }

    /// Writes the batch to the journal. A single label needs no row: if its printing is interrupted, the label queue
    /// still shows it.
    async fn write_batch(&self, batch: &PrintBatch) -> Result<Vec<UnprintedLabelId>, EngineError> {
        let wanted = batch.orders.iter().map(|order| LabelRequest {
            consignment: order.consignment,
            number: order.number.clone(),
            printer: order.printer.name.clone(),
            size: order.size,
            reason: order.reason.clone(),
        });
        let wanted: Vec<_> = wanted.collect();
        let (replaced, now) = (batch.replaces.clone(), self.now());
        if wanted.len() < 2 && replaced.is_empty() {
            return Ok(Vec::new());
        }
        self.journal(move |journal| journal.begin_batch(&wanted, &replaced, now))
            .await
    }

    /// Prepares a label in the background. The preparation ends early if the window is closed.
    async fn start_preparation(&self, order: PrintOrder) -> Result<PreparedLabel, EngineError> {
        let bench = self.clone();
        let task = async move { bench.until_closed(bench.prepare(&order)).await };
        match tokio::spawn(task).await {
            Ok(prepared) => prepared.unwrap_or(Err(EngineError::Internal)),
            // A label whose preparation panics can't be printed; the other labels can.
            Err(_panicked) => Err(PrepareError::Interrupted.into()),
        }
    }

    async fn until_stopped(&self, id: BatchId) {
        let mut stop = self.stop_printing.subscribe();
        let _gone = stop.wait_for(|up_to| *up_to >= id).await;
    }

    pub(super) async fn discard_unprinted(&self, ids: Vec<UnprintedLabelId>) {
        if ids.is_empty() {
            return;
        }
        let left = self.journal(move |journal| journal.remove_unprinted(&ids));
        let what = "Couldn't save which labels are not to be printed";
        self.report(what, left.await).await;
    }

    /// Saves a prepared label as a print job and hands it over. `batch` and `row` identify the label in the journal.
    /// Returns an error if the next labels would fail in the same way.
    async fn print_label(
        &self,
        order: &PrintOrder,
        label: Result<PreparedLabel, EngineError>,
        (batch, row): (i64, Option<UnprintedLabelId>),
    ) -> Result<(), String> {
        let error = match self.write_label(order, label, (batch, row)).await {
            Ok((job, payload)) => {
                let to = &order.printer.destination;
                return self.hand_over(job, &payload, to).await;
            }
            Err(error) => error,
        };
        // Other labels would fail too at the moment: keep the row, so that this label can be printed later.
        let verdict = if error.affects_all_labels() {
            Err(error.advice())
        } else {
            self.discard_unprinted(row.into_iter().collect()).await;
            Ok(())
        };
        let consignment = order.consignment;
        self.tell(Outcome::LabelFailed { consignment, error }).await;
        verdict
    }

    /// Writes the print job. If the consignment was changed in the meantime, the label is prepared once more
    /// from its new file.
    async fn write_label(
        &self,
        order: &PrintOrder,
        label: Result<PreparedLabel, EngineError>,
        (batch, unprinted): (i64, Option<UnprintedLabelId>),
    ) -> Result<(PrintJob, Payload), EngineError> {
        let write = async |label: PreparedLabel| {
            let new = NewJob {
                subject: JobSubject::Label(order.consignment),
                reason: order.reason.clone(),
                override_reason: label.override_reason,
                batch,
                unprinted,
                generation: Some(label.generation),
                ..self.new_job(&order.number, &order.printer, &label.payload)
            };
            let now = self.now();
            let job = self.journal(move |journal| journal.begin_job(&new, now));
            Ok((job.await?, label.payload))
        };
        match write(label?).await {
            Err(EngineError::Journal(JournalError::Changed)) => {
                write(self.prepare(order).await?).await
            }
            written => written,
        }
    }

    /// Fetches, draws, scales, verifies and encodes a label without sending it. A label that fails its
    /// verification is ready only if the clerk has overridden this problem for this file.
    pub(super) async fn prepare(&self, order: &PrintOrder) -> Result<PreparedLabel, EngineError> {
        if is_too_small(&order.printer, order.size) {
            let name = &order.printer.name;
            return Err(EngineError::NotPossible(format!(
                "{name} can't print A4 labels. Choose A6, or a printer with A4 paper"
            )));
        }
        let drawn = self.drawn_label(order.consignment, order.size, &order.printer);
        let drawn = drawn.await?;
        let mut override_reason = String::new();
        if let Some((problem, fault)) = drawn.problem {
            match { order.verification_override.as_ref() }.filter(|given| given.of == fault) {
                Some(given) => override_reason.clone_from(&given.reason),
                None => return Err(EngineError::VerificationFailed { problem, fault }),
            }
        }
        if let Some(shrunk) = drawn.prepared.shrink_warning {
            let mut accepted = order.accepted_shrinks.iter();
            // A clerk who gave an override has seen the size too.
            if override_reason.is_empty() && !accepted.any(|agreed| agreed.covers(&shrunk)) {
                return Err(EngineError::WouldShrink(shrunk));
            }
        }
        Ok(PreparedLabel {
            payload: drawn.prepared.payload,
            generation: drawn.generation,
            override_reason,
        })
    }

    /// Returns a new job for these bytes, with its expiry time. Jobs sent to a port or a file cannot be cancelled and
    /// have no expiry time. `number` is the consignment's number or the document's name, shown to the clerk.
    pub(super) fn new_job(
        &self,
        number: &str,
        printer: &PrinterProfile,
        payload: &Payload,
    ) -> NewJob {
        let queue = printer.destination.query_target();
        let minutes = SignedDuration::from_mins(printer.expiry_minutes.get().into());
        let expires = self.now().checked_add(minutes).unwrap_or(Timestamp::MAX);
        NewJob {
            number: number.to_owned(),
            printer: printer.name.clone(),
            queue: queue.unwrap_or_default().to_owned(),
            title: format!("{number} {}-{}", self.name, DraftId::random()),
            bytes: Arc::clone(&payload.bytes),
            sha256: payload.sha256(),
            expires: queue.map(|_| expires),
            ..NewJob::default()
        }
    }

    /// Sends a print job that was just saved to the window, then hands it over. If that fails, returns an error that
    /// explains why other labels would fail too.
    pub(super) async fn hand_over(
        &self,
        mut job: PrintJob,
        payload: &Payload,
        to: &Destination,
    ) -> Result<(), String> {
        self.reach_fault_point(FaultPoint::JobWritten);
        self.tell(Outcome::Job(Box::new(job.clone()))).await;
        let (spool, from) = (&self.spool, job.state);
        let to = to.of_job(&job.number);
        let _turn = self.turn_at(&to).await;
        let sent = job::send(&self.print_service, payload, &to, &job.title, spool).await;
        (job.state, job.message) = match sent {
            Ok(handed) => {
                job.queue_entry.job = handed.job_id;
                (JobState::Sent, handed.message.to_owned())
            }
            Err(error) => {
                // If a byte may have left the machine, the clerk is asked whether the label was printed.
                let state = if error.nothing_sent() {
                    JobState::Failed
                } else {
                    JobState::Ask
                };
                (state, format!("{error}. {}", error.advice()))
            }
        };
        self.reach_fault_point(FaultPoint::HandedOver);
        if job.state == JobState::Ask {
            self.find_in_its_queue(&mut job).await;
        }
        let verdict = if job.state == JobState::Sent {
            Ok(())
        } else {
            Err(job.message.clone())
        };
        self.keep_job(job, from).await;
        verdict
    }

    /// Waits until nothing else is being sent to this port, because most printers accept one connection at a time. Labels
    /// and documents are sent at the same time only to different printers.
    async fn turn_at(&self, to: &Destination) -> Option<OwnedMutexGuard<()>> {
        let Destination::Socket { .. } = to else {
            return None;
        };
        let turns = Arc::clone(lock(&self.turns_at_ports).entry(to.label()).or_default());
        Some(turns.lock_owned().await)
    }

    /// Resolves a print job that was open when the program last ended. If its queue lists the job, it
    /// was handed over.
    pub(super) async fn resolve_open_job(&self, id: JobId) {
        match self.journal(move |journal| journal.job(id)).await {
            Ok(Some(mut job)) if job.state == JobState::Ask => {
                if self.find_in_its_queue(&mut job).await {
                    self.keep_job(job, JobState::Ask).await;
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.tell_failed("Couldn't read the print job", error).await;
            }
        }
    }

    /// Searches the printer queue for the job's title, which has a unique key. If the job is there, it
    /// was handed over.
    async fn find_in_its_queue(&self, job: &mut PrintJob) -> bool {
        if job.queue.is_empty() {
            return false;
        }
        let Ok(Some(found)) = self.print_service.find_job(&job.queue, &job.title).await else {
            return false;
        };
        job.queue_entry.job = Some(found.id);
        (job.state, job.message) = (JobState::Sent, FOUND.to_owned());
        true
    }

    /// Saves the new state of a job, if the stored job is still in the state `from`.
    pub(super) async fn keep_job(&self, mut job: PrintJob, from: JobState) {
        let now = self.now();
        let kept = self
            .journal(move |journal| {
                journal.change_job(&mut job, from, now)?;
                Ok(job)
            })
            .await;
        match kept {
            Ok(job) => self.tell(Outcome::Job(Box::new(job))).await,
            // Another task has changed the job and told the window.
            Err(EngineError::Journal(JournalError::Changed)) => {}
            Err(error) => {
                self.tell_failed("Couldn't save the print job", error).await;
            }
        }
    }
}

/// Returns true if a sheet of labels would be printed on the paper of a single label: the barcodes would be
/// too small for any scanner.
fn is_too_small(printer: &PrinterProfile, size: LabelSize) -> bool {
    let (wide, _) = printer.paper_mm();
    size == LabelSize::A4 && printer.language.is_dots() && wide < 200.0
}
