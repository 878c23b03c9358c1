//! The service queue with its journal, driven as the window drives it.

use std::path::Path;
use std::time::{Duration, Instant};

use draft::Draft;
use engine::{Engine, Outcome, Payload, Request};
use shipping::Clock;
use tokio::runtime::Runtime;
use workgroup::Workgroup;

use crate::journal::order;
use crate::support::practice_service::PracticeService;
use crate::support::start_engine;

/// For a hundred creates and what comes with them.
const LIMIT: Duration = Duration::from_mins(2);

pub(crate) struct Ours {
    work: Engine,
    made: usize,
}

impl Ours {
    pub(crate) fn open(runtime: &Runtime, folder: &Path, service: &PracticeService) -> Self {
        Self::open_in(runtime, folder, service, None)
    }

    /// Opens a bench of a workgroup.
    pub(crate) fn open_in(
        runtime: &Runtime,
        folder: &Path,
        service: &PracticeService,
        workgroup: Option<Workgroup>,
    ) -> Self {
        let clock = Clock::system();
        let access = (service.address.as_str(), service.token.as_str());
        Self {
            work: start_engine::start_in(runtime, folder, clock, access, workgroup),
            made: 0,
        }
    }

    pub(crate) fn next_outcome(&mut self) -> Option<Outcome> {
        self.work.next_outcome()
    }

    /// Creates so many, one after the other.
    pub(crate) fn create(&mut self, count: usize) -> Duration {
        let started = Instant::now();
        for _ in 0..count {
            self.made += 1;
            let reference = format!("SO-{}", self.made);
            let mut request = order(self.made, "");
            request.customer_reference2 = None;
            let draft = Draft {
                reference1: reference,
                ..Draft::default()
            };
            let intent = Payload::Create(Box::new(request));
            self.work.submit(Request::Send(Box::new(draft), intent));
        }
        let mut created = 0;
        while created < count {
            match self.work.next_outcome() {
                Some(Outcome::Created { .. }) => created += 1,
                Some(Outcome::NotCreated { error, .. }) => panic!("not created: {error}"),
                Some(_) => {}
                None => {
                    assert!(started.elapsed() < LIMIT, "{created} of {count} in time");
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        }
        started.elapsed()
    }
}
