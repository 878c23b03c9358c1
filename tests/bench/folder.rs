//! Measures orders from the watched folder to the label at the printer, with the rule that sends them, compared with a
//! script: bare `reqwest` creates the same number of consignments, downloads each label and sends it to the printer.
//!
//! Run with `cargo bench -- folder`. The two sides alternate in turns at one practice service in its own process. The
//! printer takes bytes on a socket and does nothing with them. The script neither reads files, nor saves anything, nor
//! draws or verifies the label.

mod ours;
mod script;

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::support::practice_service::PracticeService;
use crate::support::report::verdict;
use crate::support::runtime::runtime;
use ours::Ours;
use script::Script;

/// Orders of one turn, and turns; the first turn of each side is not counted.
const A_TURN: usize = 100;
const TURNS: usize = 4;

/// The least share of the script's orders a minute.
const AIM: f64 = 0.7;

pub(crate) fn run() -> io::Result<()> {
    let runtime = runtime(2);
    let folder = tempfile::tempdir()?;
    let service = PracticeService::start(&folder.path().join("practice"));
    let printer = Printer::start()?;
    let mut ours = Ours::open(&runtime, folder.path(), &service, &printer);
    let mut script = Script::open(&service);
    ours.turn(A_TURN);
    script.turn(&runtime, &printer, A_TURN)?;
    let (mut of_ours, mut of_script) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        of_ours += ours.turn(A_TURN);
        of_script += script.turn(&runtime, &printer, A_TURN)?;
    }
    let orders = (A_TURN * TURNS) as f64;
    let a_minute = |time: Duration| orders * 60.0 / time.as_secs_f64();
    let (ours, rival) = (a_minute(of_ours), a_minute(of_script));
    let ratio = ours / rival;
    writeln!(
        io::stdout(),
        "aim folder_throughput ours={ours:.0}/min rival={rival:.0}/min ratio={ratio:.2} aim={AIM} {}",
        verdict(ratio >= AIM)
    )
}

/// A label printer on a socket.
struct Printer {
    address: SocketAddr,
    jobs: Arc<AtomicUsize>,
}

impl Printer {
    fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let jobs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&jobs);
        Builder::new().spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let counted = Arc::clone(&counted);
                let read = Builder::new().spawn(move || count_job(stream, &counted));
                read.expect("a thread");
            }
        })?;
        Ok(Self { address, jobs })
    }

    /// Runs a step until the printer has received so many more jobs, and returns the time.
    fn until(&self, more: usize, mut step: impl FnMut()) -> Duration {
        let (started, before) = (Instant::now(), self.jobs.load(Ordering::SeqCst));
        while self.jobs.load(Ordering::SeqCst) < before + more {
            assert!(
                started.elapsed() < Duration::from_mins(5),
                "the labels are printed"
            );
            step();
        }
        started.elapsed()
    }
}

fn count_job(mut stream: TcpStream, jobs: &AtomicUsize) {
    let mut bytes = Vec::new();
    if stream.read_to_end(&mut bytes).is_ok() && !bytes.is_empty() {
        jobs.fetch_add(1, Ordering::SeqCst);
    }
}
