//! Prints a batch of labels: writes the batch down, prepares labels ahead and hands them over one after the
//! other. Invariants: labels are printed in the requested order; each is in the journal as unprinted until it
//! is a print job there, so a crash loses none and doubles none; after a stop or a failing printer no further
//! label is handed over.

use std::collections::VecDeque;

use tokio::task::JoinHandle;

use super::bench::Bench;
use super::paper::Ready;
use super::{BatchEnd, BatchId, Ending, Outcome, PrintBatch, PrintOrder, WorkError};
use crate::journal::{Origin, UnprintedId, Wanted};

/// Labels that are prepared while another is handed over: enough to use both cores, few enough that a stop
/// wastes little.
const AHEAD: usize = 3;

/// The end of the wait for the next label.
enum Turn {
    /// The label is ready, or has an error.
    Label(Box<Result<Ready, WorkError>>),
    Stopped,
    /// The window is closed: the remaining labels stay in the journal for the next start.
    Closed,
}

/// The labels that are being prepared, the next one first.
struct Ahead<'a> {
    bench: &'a Bench,
    orders: &'a [PrintOrder],
    begun: usize,
    drawn: VecDeque<JoinHandle<Result<Ready, WorkError>>>,
}

impl Ahead<'_> {
    /// Starts the preparation of the labels that follow, then returns the next one.
    async fn next(&mut self) -> Result<Ready, WorkError> {
        while self.drawn.len() <= AHEAD
            && let Some(order) = self.orders.get(self.begun).cloned()
        {
            let bench = self.bench.clone();
            self.drawn
                .push_back(tokio::spawn(async move { bench.prepare(&order).await }));
            self.begun += 1;
        }
        let Some(first) = self.drawn.front_mut() else {
            return Err(WorkError::Internal);
        };
        let ready = first.await;
        self.drawn.pop_front();
        // A label whose preparation panics can't be printed; the others can.
        ready
            .unwrap_or_else(|_panicked| Err(crate::printing::job::PrepareError::Interrupted.into()))
    }
}

impl Bench {
    pub(super) async fn print_batch(&self, batch: PrintBatch) {
        let unprinted = match self.write_batch(&batch).await {
            Ok(unprinted) => unprinted,
            Err(error) => {
                let rest = batch.orders.iter().map(|order| (order.consignment, None));
                let ending = Ending::NotWritten(error);
                return self.tell_end(batch.id, ending, None, rest.collect()).await;
            }
        };
        let mut ahead = Ahead {
            bench: self,
            orders: &batch.orders,
            begun: 0,
            drawn: VecDeque::new(),
        };
        let together = unprinted.first().map_or(0, |first| first.0);
        let mut ending = Ending::Done;
        let (mut done, mut ended_at) = (0, None);
        for (order, id) in batch.orders.iter().zip(rows(&unprinted)) {
            let ready = match self.turn(batch.id, &mut ahead).await {
                Turn::Label(ready) => match *ready {
                    // The label stays the first of the rest: the clerk has to decide.
                    Err(WorkError::Shrinks(shrunk)) => {
                        ending = Ending::Asks(shrunk);
                        break;
                    }
                    ready => ready,
                },
                Turn::Stopped => {
                    ending = Ending::Stopped;
                    break;
                }
                Turn::Closed => return ahead.drawn.iter().for_each(JoinHandle::abort),
            };
            done += 1;
            let origin = Origin {
                unprinted: id,
                batch: together,
                ..Origin::default()
            };
            if let Err(words) = self.finish(order, ready, origin).await {
                if done < batch.orders.len() {
                    (ending, ended_at) = (Ending::Halted(words), id);
                    break;
                }
                // No other label follows: the clerk can print this label again alone.
                self.leave_unprinted(id.into_iter().collect()).await;
            }
        }
        let rest: Vec<_> = batch
            .orders
            .iter()
            .zip(rows(&unprinted))
            .skip(done)
            .collect();
        if matches!(ending, Ending::Stopped) {
            self.leave_unprinted(rest.iter().filter_map(|(_, id)| *id).collect())
                .await;
        }
        let rest = rest.iter().map(|(order, id)| (order.consignment, *id));
        self.tell_end(batch.id, ending, ended_at, rest.collect())
            .await;
    }

    /// Writes the batch to the journal. A single label needs no row: if it is interrupted, it is still
    /// visible in the queue.
    async fn write_batch(&self, batch: &PrintBatch) -> Result<Vec<UnprintedId>, WorkError> {
        let wanted: Vec<_> = batch.orders.iter().map(wanted).collect();
        let (replaced, now) = (batch.replaces.clone(), self.now());
        if wanted.len() < 2 && replaced.is_empty() {
            return Ok(Vec::new());
        }
        self.writer
            .run(move |journal| journal.begin_batch(&wanted, &replaced, now))
            .await
    }

    async fn turn(&self, id: BatchId, ahead: &mut Ahead<'_>) -> Turn {
        let mut stop = self.stop_printing.subscribe();
        let stopped = async {
            let _gone = stop.wait_for(|up_to| *up_to >= id).await;
        };
        tokio::select! {
            biased;
            () = self.outcomes.closed() => Turn::Closed,
            () = stopped => Turn::Stopped,
            ready = ahead.next() => Turn::Label(Box::new(ready)),
        }
    }

    pub(super) async fn tell_end(
        &self,
        id: BatchId,
        ending: Ending,
        ended_at: Option<UnprintedId>,
        rest: Vec<(crate::shipping::ConsignmentId, Option<UnprintedId>)>,
    ) {
        let end = BatchEnd {
            id,
            ending,
            ended_at,
            rest,
        };
        self.tell(Outcome::Batch(Box::new(end))).await;
    }

    /// Removes labels from the journal's unprinted ones.
    pub(super) async fn leave_unprinted(&self, ids: Vec<UnprintedId>) {
        if ids.is_empty() {
            return;
        }
        let left = self
            .writer
            .run(move |journal| journal.leave_unprinted(&ids));
        if let Err(error) = left.await {
            self.tell_failed("What is not to be printed could not be written down", error)
                .await;
        }
    }
}

/// Returns the journal row of each label, then `None` forever; a batch without rows gives only `None`.
fn rows(unprinted: &[UnprintedId]) -> impl Iterator<Item = Option<UnprintedId>> {
    let rows = unprinted.iter().copied().map(Some);
    rows.chain(std::iter::repeat(None))
}

fn wanted(order: &PrintOrder) -> Wanted {
    Wanted {
        consignment: order.consignment,
        number: order.number.clone(),
        printer: order.printer.name.clone(),
        size: order.size,
        reason: order.reason.clone(),
    }
}
