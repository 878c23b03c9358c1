//! Prints a batch of labels: saves the batch, prepares labels ahead and hands them over one after the other.
//! Invariants: labels are printed in the requested order; each is in the journal as unprinted until it is a
//! print job there, so a crash neither loses nor duplicates a label; after a stop or a failing printer no
//! further label is handed over.

use std::collections::VecDeque;

use tokio::task::JoinHandle;

use super::context::EngineContext;
use super::print_label::{BatchPlace, PreparedPrint};
use super::{BatchEnd, BatchEndReason, BatchId, EngineError, Outcome, PrintBatch, PrintOrder};
use storage::{LabelRequest, UnprintedLabelId};

/// Labels that are prepared while another is handed over: enough to use both cores, few enough that a stop
/// wastes little.
const AHEAD: usize = 3;

enum NextLabel {
    /// The label is ready, or has an error.
    Label(Box<Result<PreparedPrint, EngineError>>),
    Stopped,
    /// The window is closed: the remaining labels stay in the journal for the next start.
    Closed,
}

/// The labels that are being prepared, in the order in which they will be printed.
struct PreparationQueue<'a> {
    bench: &'a EngineContext,
    orders: &'a [PrintOrder],
    begun: usize,
    drawn: VecDeque<JoinHandle<Result<PreparedPrint, EngineError>>>,
}

impl PreparationQueue<'_> {
    /// Starts the preparation of the labels that follow, then returns the next prepared label.
    async fn next(&mut self) -> Result<PreparedPrint, EngineError> {
        while self.drawn.len() <= AHEAD
            && let Some(order) = self.orders.get(self.begun).cloned()
        {
            let bench = self.bench.clone();
            self.drawn
                .push_back(tokio::spawn(async move { bench.prepare(&order).await }));
            self.begun += 1;
        }
        let Some(first) = self.drawn.front_mut() else {
            return Err(EngineError::Internal);
        };
        let ready = first.await;
        self.drawn.pop_front();
        // A label whose preparation panics can't be printed; the other labels can.
        ready.unwrap_or_else(|_panicked| Err(printing::job::PrepareError::Interrupted.into()))
    }
}

impl EngineContext {
    pub(super) async fn print_batch(&self, batch: PrintBatch) {
        let unprinted = match self.write_batch(&batch).await {
            Ok(unprinted) => unprinted,
            Err(error) => {
                let end = Box::new(batch.not_written(error));
                return self.tell(Outcome::Batch(end)).await;
            }
        };
        let mut ahead = PreparationQueue {
            bench: self,
            orders: &batch.orders,
            begun: 0,
            drawn: VecDeque::new(),
        };
        let together = unprinted.first().map_or(0, |first| first.0);
        let mut ending = BatchEndReason::Done;
        let (mut done, mut ended_at) = (0, None);
        for (order, id) in batch.orders.iter().zip(rows(&unprinted)) {
            let ready = match self.turn(batch.id, &mut ahead).await {
                NextLabel::Label(ready) => match *ready {
                    // The label stays first among the remaining labels: the clerk has to decide.
                    Err(EngineError::WouldShrink(shrunk)) => {
                        ending = BatchEndReason::AskAboutShrinking(shrunk);
                        break;
                    }
                    ready => ready,
                },
                NextLabel::Stopped => {
                    ending = BatchEndReason::Stopped;
                    break;
                }
                NextLabel::Closed => return ahead.drawn.iter().for_each(JoinHandle::abort),
            };
            done += 1;
            let place = BatchPlace {
                batch: together,
                unprinted: id,
            };
            if let Err(words) = self.finish(order, ready, place).await {
                if done < batch.orders.len() {
                    (ending, ended_at) = (BatchEndReason::Halted(words), id);
                    break;
                }
                // No other label follows: the clerk can print this label again alone.
                self.discard_unprinted(id.into_iter().collect()).await;
            }
        }
        let rest: Vec<_> = batch
            .orders
            .iter()
            .zip(rows(&unprinted))
            .skip(done)
            .collect();
        if matches!(ending, BatchEndReason::Stopped) {
            self.discard_unprinted(rest.iter().filter_map(|(_, id)| *id).collect())
                .await;
        }
        let rest = rest.iter().map(|(order, id)| (order.consignment, *id));
        let end = BatchEnd {
            id: batch.id,
            ending,
            ended_at,
            rest: rest.collect(),
        };
        self.tell(Outcome::Batch(Box::new(end))).await;
    }

    /// Writes the batch to the journal. A single label needs no row: if it is interrupted, it is still
    /// visible in the queue.
    async fn write_batch(&self, batch: &PrintBatch) -> Result<Vec<UnprintedLabelId>, EngineError> {
        let wanted: Vec<_> = batch.orders.iter().map(wanted).collect();
        let (replaced, now) = (batch.replaces.clone(), self.now());
        if wanted.len() < 2 && replaced.is_empty() {
            return Ok(Vec::new());
        }
        self.writer
            .run(move |journal| journal.begin_batch(&wanted, &replaced, now))
            .await
    }

    async fn turn(&self, id: BatchId, ahead: &mut PreparationQueue<'_>) -> NextLabel {
        let mut stop = self.stop_printing.subscribe();
        let stopped = async {
            let _gone = stop.wait_for(|up_to| *up_to >= id).await;
        };
        tokio::select! {
            biased;
            () = self.outcomes.closed() => NextLabel::Closed,
            () = stopped => NextLabel::Stopped,
            ready = ahead.next() => NextLabel::Label(Box::new(ready)),
        }
    }

    /// Removes labels from the journal's list of unprinted labels.
    pub(super) async fn discard_unprinted(&self, ids: Vec<UnprintedLabelId>) {
        if ids.is_empty() {
            return;
        }
        let left = self
            .writer
            .run(move |journal| journal.remove_unprinted(&ids));
        let what = "Couldn't save which labels are not to be printed";
        self.report(what, left.await).await;
    }
}

/// Returns the journal row of each label, then `None` forever; a batch without rows gives only `None`.
fn rows(unprinted: &[UnprintedLabelId]) -> impl Iterator<Item = Option<UnprintedLabelId>> {
    let rows = unprinted.iter().copied().map(Some);
    rows.chain(std::iter::repeat(None))
}

fn wanted(order: &PrintOrder) -> LabelRequest {
    LabelRequest {
        consignment: order.consignment,
        number: order.number.clone(),
        printer: order.printer.name.clone(),
        size: order.size,
        reason: order.reason.clone(),
    }
}
