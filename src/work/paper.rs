//! Printing a label: fetched, stored, checked on its dots, written down, and only then handed over.

use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::bench::{Bench, Milestone};
use super::{Outcome, PrintOrder, WorkError};
use crate::draft::DraftId;
use crate::journal::{JobId, JobState, JournalError, NewJob, PrintJob, StoredLabel};
use crate::printing::check::{Expected, before_ink, whole_file};
use crate::printing::job::{self, Payload, Prepared, SendError};
use crate::printing::page::Pages;
use crate::printing::profile::{Destination, PrinterProfile};
use crate::shipping::{ConsignmentId, LabelSize};

/// What is known of a job that was found where it was to go.
const FOUND: &str = "sent to printer: found in its queue";

impl Bench {
    pub(super) async fn print(&self, order: PrintOrder) {
        let consignment = order.consignment;
        let prepared = match self.prepare(&order).await {
            Ok(prepared) => prepared,
            Err(error) => return self.tell(Outcome::LabelFailed { consignment, error }).await,
        };
        match self.write_job(&order, &prepared).await {
            Ok(job) => {
                self.reached(Milestone::JobWritten);
                self.tell(Outcome::Job(Box::new(job.clone()))).await;
                self.hand_over(job, &prepared.payload, &order.printer.destination)
                    .await;
            }
            Err(error) => self.tell(Outcome::LabelFailed { consignment, error }).await,
        }
    }

    async fn prepare(&self, order: &PrintOrder) -> Result<Prepared, WorkError> {
        let label = self.label(order.consignment, order.size).await?;
        let expected = expected(&label.expected);
        Ok(job::prepare(
            &self.renderer,
            label.pdf.into(),
            Pages::All,
            &order.printer,
            &expected,
        )
        .await?)
    }

    /// The label file: the stored one, else the service's, stored before it is used.
    pub(super) async fn label(
        &self,
        id: ConsignmentId,
        size: LabelSize,
    ) -> Result<StoredLabel, WorkError> {
        if let Some(stored) = self
            .writer
            .run(move |journal| journal.label(id, size))
            .await?
        {
            return Ok(stored);
        }
        let pdf = self.client.label_file(id, size).await?.bytes()?;
        let expected = self.client.consignment(id).await?.item_references();
        let label = StoredLabel {
            sha256: job::sha256(&pdf),
            pdf,
            expected,
        };
        // Drawn once before it is kept: a file that cannot be drawn is asked for again the next time.
        let first: Arc<[u8]> = label.pdf.as_slice().into();
        let page = self
            .renderer
            .render(first, 0, crate::printing::page::Scale::DOTS_8)
            .await?;
        // So is one that is damaged or blank: it can be looked at, and better may come.
        if before_ink(&page, &Expected::Nothing).is_err() || whole_file(&label.pdf).is_err() {
            return Ok(label);
        }
        let (kept, now) = (label.clone(), self.now());
        self.writer
            .run(move |journal| journal.store_label(id, size, &kept, now))
            .await?;
        Ok(label)
    }

    pub(super) async fn write_job(
        &self,
        order: &PrintOrder,
        prepared: &Prepared,
    ) -> Result<PrintJob, WorkError> {
        let (order, now) = (order.clone(), self.now());
        let (bytes, sha256) = (Arc::clone(&prepared.payload.bytes), prepared.sha256.clone());
        let title = format!("{} {}-{}", order.number, self.name, DraftId::random());
        self.writer
            .run(move |journal| {
                let new = NewJob {
                    consignment: order.consignment,
                    number: &order.number,
                    printer: &order.printer.name,
                    queue: order.printer.destination.asked().unwrap_or_default(),
                    title: &title,
                    bytes: &bytes,
                    sha256: &sha256,
                    reason: &order.reason,
                };
                let mut job = journal.begin_job(&new, now)?;
                if !job.queue.is_empty() {
                    job.at_queue.expires = Some(expiry_of(&order.printer, now));
                    journal.note_at_queue(job.id, &job.at_queue)?;
                }
                Ok(job)
            })
            .await
    }

    pub(super) async fn hand_over(&self, mut job: PrintJob, payload: &Payload, to: &Destination) {
        let (spool, from): (&Path, _) = (&self.spool, job.state);
        let sent = job::send(&self.print_service, payload, to, &job.title, spool).await;
        (job.state, job.words) = match sent {
            Ok(handed) => {
                job.at_queue.job = handed.job_id;
                (JobState::Sent, handed.words.to_owned())
            }
            Err(error) => (failed_state(&error), format!("{error}. {}", error.advice())),
        };
        self.reached(Milestone::HandedOver);
        if job.state == JobState::Ask {
            self.find_in_its_queue(&mut job).await;
        }
        self.keep_job(job, from).await;
    }

    /// The last run did not see this job through: where its queue has it, it was handed over.
    pub(super) async fn adopt_job(&self, id: JobId) {
        match self.writer.run(move |journal| journal.job(id)).await {
            Ok(Some(mut job)) if job.state == JobState::Ask => {
                if self.find_in_its_queue(&mut job).await {
                    self.keep_job(job, JobState::Ask).await;
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.tell_failed("The print job could not be read", error)
                    .await;
            }
        }
    }

    /// Its title carries a key of its own: no other job has it. Where its queue has it, it was handed over.
    async fn find_in_its_queue(&self, job: &mut PrintJob) -> bool {
        if job.queue.is_empty() {
            return false;
        }
        let Ok(Some(found)) = self.print_service.find_job(&job.queue, &job.title).await else {
            return false;
        };
        job.at_queue.job = Some(found.id);
        (job.state, job.words) = (JobState::Sent, FOUND.to_owned());
        true
    }

    /// The clerk looked at the printer.
    pub(super) async fn answer_job(&self, id: JobId, came_out: bool) {
        match self.writer.run(move |journal| journal.job(id)).await {
            Ok(Some(mut job)) => {
                let from = job.state;
                (job.state, job.words) = if came_out {
                    (JobState::Printed, "printed, says the clerk".to_owned())
                } else {
                    (
                        JobState::Failed,
                        "did not come out, says the clerk".to_owned(),
                    )
                };
                self.keep_job(job, from).await;
            }
            Ok(None) => {}
            Err(error) => {
                self.tell_failed("The print job could not be read", error)
                    .await;
            }
        }
    }

    /// Writes down where a job stands that stood at `from`; one that moved on meanwhile is left where it is.
    pub(super) async fn keep_job(&self, mut job: PrintJob, from: JobState) {
        let now = self.now();
        let kept = self
            .writer
            .run(move |journal| {
                journal.change_job(&mut job, from, now)?;
                journal.note_at_queue(job.id, &job.at_queue)?;
                Ok(job)
            })
            .await;
        match kept {
            Ok(job) => self.tell(Outcome::Job(Box::new(job))).await,
            // Whoever was quicker has told it.
            Err(WorkError::Journal(JournalError::Changed)) => {}
            Err(error) => {
                self.tell_failed("The print job could not be written down", error)
                    .await;
            }
        }
    }
}

/// A label may only be called unprinted where no byte of it can have left.
fn failed_state(error: &SendError) -> JobState {
    if error.nothing_sent() {
        JobState::Failed
    } else {
        JobState::Ask
    }
}

/// When a job that is handed over now is taken back, should it still wait then.
fn expiry_of(printer: &PrinterProfile, now: Timestamp) -> Timestamp {
    let minutes = SignedDuration::from_mins(printer.expiry_minutes.get().into());
    now.checked_add(minutes).unwrap_or(Timestamp::MAX)
}

/// What the codes of a label must say.
pub(super) fn expected(references: &[String]) -> Expected {
    if references.is_empty() {
        Expected::AnyCode
    } else {
        Expected::References(references.to_vec())
    }
}
