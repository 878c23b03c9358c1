//! A printer's port that keeps what it is sent.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::io::Read;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Listens on a port of its own on the loopback; one job a connection.
pub(crate) struct Recorder {
    address: SocketAddr,
    jobs: Arc<(Mutex<Vec<Vec<u8>>>, Condvar)>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let jobs = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let over = Arc::new(AtomicBool::new(false));
        let (kept, ended) = (Arc::clone(&jobs), Arc::clone(&over));
        let record = move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let mut bytes = Vec::new();
                let _ = stream.unwrap().read_to_end(&mut bytes);
                kept.0.lock().unwrap().push(bytes);
                kept.1.notify_all();
            }
        };
        let thread = Builder::new()
            .name("recorder".into())
            .spawn(record)
            .unwrap();
        Self {
            address,
            jobs,
            over,
            thread: Some(thread),
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many jobs have arrived so far.
    pub(crate) fn count(&self) -> usize {
        self.jobs.0.lock().unwrap().len()
    }

    /// Waits until there are `count` jobs, for 20 s at most, and returns them.
    pub(crate) fn jobs(&self, count: usize) -> Vec<Vec<u8>> {
        let (jobs, more) = &*self.jobs;
        let limit = Duration::from_secs(20);
        let (jobs, timed_out) = more
            .wait_timeout_while(jobs.lock().unwrap(), limit, |jobs| jobs.len() < count)
            .unwrap();
        assert!(
            !timed_out.timed_out(),
            "{} of {count} jobs arrived within 20 s",
            jobs.len()
        );
        jobs.clone()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
