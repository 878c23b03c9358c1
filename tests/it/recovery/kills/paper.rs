//! A label over several runs: its bytes reach the printer once, and again only after the clerk said that it
//! did not come out.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{BatchId, PrintBatch, PrintOrder, Request};
use serde::{Deserialize, Serialize};
use shipping::ConsignmentId;
use storage::{JobState, Journal};

use super::deaths::Case;
use super::life::{Life, Task};
use crate::recovery::errands::order;
use crate::support::lanes::{Lanes, Site};
use crate::support::printers::label_order;
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};

/// A label that is to be printed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Label {
    consignment: i64,
    number: String,
    /// The printer's.
    port: u16,
    /// What the clerk sees at the printer as this life begins.
    came_out: bool,
}

impl Label {
    /// The label of a consignment of its own; the printer comes later.
    pub(super) fn prepare(site: &Site, reference: &str) -> Self {
        let client = site.client();
        let mut order = order(reference);
        // One page is as good as two, and sooner drawn.
        order.items[0].quantity = Some(1);
        let made = site.runtime.block_on(client.create(&order));
        let made = made.expect("created");
        Self {
            consignment: made.id.get(),
            number: made.consignment_number,
            port: 0,
            came_out: false,
        }
    }

    fn order(&self) -> PrintOrder {
        PrintOrder {
            number: self.number.clone(),
            ..label_order(ConsignmentId::new(self.consignment), self.port)
        }
    }

    /// Prints it where it was not, and answers what is asked, until it is on its way or out.
    pub(super) fn see_through(&self, lanes: &mut Lanes) -> Result<(), String> {
        let started = Instant::now();
        let (mut answered, mut printed) = (None, None);
        loop {
            lanes.hear();
            let newest = lanes.jobs.values().next_back();
            let (id, state) = (newest.map(|job| job.id), newest.map(|job| job.state));
            match state {
                Some(JobState::Sent | JobState::Printed) => return Ok(()),
                Some(JobState::Ask) if answered != id => {
                    answered = id;
                    let (job, came_out) = (id.expect("a job"), self.came_out);
                    lanes.ask(Request::AnswerJob { job, came_out });
                }
                None | Some(JobState::Failed) if printed != Some(id) => {
                    printed = Some(id);
                    lanes.ask(Request::PrintBatch(Box::new(PrintBatch {
                        id: BatchId(1),
                        orders: vec![self.order()],
                        rules: Vec::new(),
                        replaces: Vec::new(),
                    })));
                }
                _ => {}
            }
            if started.elapsed() > SOON || !lanes.told.is_empty() {
                return Err(format!("stuck: {newest:?}", newest = lanes.jobs));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The bytes of every job, and how often they came out whole.
fn came_out(printer: &Recorder, life: &Life) -> usize {
    let marker = b"all that came before has been read";
    let mut last = TcpStream::connect(("127.0.0.1", printer.port())).expect("a printer");
    last.write_all(marker).expect("written");
    drop(last);
    let came = until("all connections are read", SOON, || {
        let came = printer.jobs(1);
        came.iter().any(|bytes| bytes == marker).then_some(came)
    });
    let file = life.home.join("journal.db");
    if !file.exists() {
        return 0;
    }
    let journal = Journal::open(&file).expect("a journal");
    let jobs = journal.jobs(100).expect("jobs");
    let written = jobs
        .iter()
        .filter_map(|job| journal.job_bytes(job.id).expect("bytes"));
    // They are all of the same label: a job of other bytes would be a third thing.
    let written: Vec<_> = written.collect();
    came.iter().filter(|bytes| written.contains(bytes)).count()
}

/// One round.
pub(super) fn play(site: &Site, mut life: Life, case: &Case) -> Result<(), String> {
    // The marker stays among what came: a printer for each life tells them apart.
    let mut out = 0;
    for (nth, death) in case.deaths.iter().enumerate() {
        let printer = Recorder::start();
        stand(&mut life, &printer, out);
        life.until(*death)
            .map_err(|words| format!("life {}: {words}", nth + 1))?;
        out += came_out(&printer, &life);
        if out > 1 {
            return Err(format!("after life {}: it came out {out} times", nth + 1));
        }
    }
    let printer = Recorder::start();
    stand(&mut life, &printer, out);
    life.through(&site.runtime, Arc::new(|_| ()), &|_| ())
        .map_err(|words| format!("the last life: {words}"))?;
    out += came_out(&printer, &life);
    if out != 1 {
        return Err(format!("it came out {out} times"));
    }
    let journal = Journal::open(&life.home.join("journal.db")).expect("a journal");
    let jobs = journal.jobs(100).expect("jobs");
    let on_paper = |state| matches!(state, JobState::Sent | JobState::Printed);
    let on_paper = jobs.iter().filter(|job| on_paper(job.state)).count();
    let open = |state| matches!(state, JobState::Spooling | JobState::Ask);
    if on_paper != 1 || jobs.iter().any(|job| open(job.state)) {
        return Err(format!("it came out once, and the jobs are {jobs:?}"));
    }
    Ok(())
}

fn stand(life: &mut Life, printer: &Recorder, out: usize) {
    if let Task::Label(label) = &mut life.task {
        label.port = printer.port();
        label.came_out = out > 0;
    }
}
