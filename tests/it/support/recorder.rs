//! A printer's port that records the received bytes.

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
        Self::listen("127.0.0.1:0", None)
    }

    fn listen(at: &str, most: Option<usize>) -> Self {
        let listener = TcpListener::bind(at).unwrap();
        let address = listener.local_addr().unwrap();
        let jobs = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let over = Arc::new(AtomicBool::new(false));
        let (kept, ended) = (Arc::clone(&jobs), Arc::clone(&over));
        let record = move || {
            let mut taken = 0;
            while let Ok((mut stream, _)) = listener.accept() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let mut bytes = Vec::new();
                let _ = stream.read_to_end(&mut bytes);
                kept.0.lock().unwrap().push(bytes);
                kept.1.notify_all();
                taken += 1;
                if Some(taken) == most {
                    // Deaf before the sender hears that the last one was taken: the next finds nobody.
                    drop(listener);
                    return drop(stream);
                }
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

    /// Is switched off after so many jobs, with nothing half taken; at a port of its own.
    pub(crate) fn until_off(most: usize) -> Self {
        Self::listen("127.0.0.1:0", Some(most))
    }

    /// The printer at this port is on again.
    pub(crate) fn on_again(port: u16) -> Self {
        Self::listen(&format!("127.0.0.1:{port}"), None)
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
