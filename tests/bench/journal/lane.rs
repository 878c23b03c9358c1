//! Ours: the dispatch lane with its journal, as the window drives it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use packbench::client::{Client, Connection};
use packbench::draft::Draft;
use packbench::journal::Journal;
use packbench::printing::renderer::Renderer;
use packbench::printing::service::{PrintService, Server};
use packbench::shipping::Clock;
use packbench::work::{Outcome, Parts, Request, Work};
use tokio::runtime::Runtime;

use crate::service::{Service, order};

/// For a hundred creates and what comes with them.
const LIMIT: Duration = Duration::from_mins(2);

pub(crate) struct Lane {
    work: Work,
    made: usize,
}

impl Lane {
    pub(crate) fn open(runtime: &Runtime, folder: &Path, service: &Service) -> Self {
        let connection = Connection::new(&service.address, service.token.clone().into());
        let connection = connection.expect("an address");
        let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
        let clock = Clock::system();
        let spool = folder.join("spool");
        std::fs::create_dir_all(&spool).expect("a folder");
        let journal = Journal::open_or_restore(&folder.join("journal.db"), clock.now());
        let work = Work::start(Parts {
            runtime: runtime.handle().clone(),
            client: Client::new(&connection).expect("a client"),
            journal: journal.expect("a journal").journal,
            renderer: Renderer::new(program.clone()),
            print_service: PrintService::new(program, Server::of_this_system()),
            spool,
            clock,
            bench: "Bench4".to_owned(),
            settle_after: vec![Duration::from_secs(2)],
            repaint: Arc::new(|| ()),
            witness: Arc::new(|_| ()),
        });
        Self {
            work: work.expect("the lanes"),
            made: 0,
        }
    }

    /// Creates so many, one after the other.
    pub(crate) fn create(&mut self, count: usize) -> Duration {
        let started = Instant::now();
        for _ in 0..count {
            self.made += 1;
            let reference = format!("SO-{}", self.made);
            let mut request = order(self.made, "");
            request.customer_reference2 = None;
            self.work.submit(Request::Create {
                draft: Box::new(Draft {
                    reference1: reference,
                    ..Draft::default()
                }),
                request: Box::new(request),
            });
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
