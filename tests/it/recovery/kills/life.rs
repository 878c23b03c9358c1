//! One run of the bench: a process that acts for the clerk until it is killed, and the code that starts and
//! kills it.
//!
//! The process reports its progress on standard output and stops at the fault point where it is to be killed:
//! the thread that reached it does nothing more until the kill.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use app::state::{Operation, OperationState};
use engine::{FaultHook, FaultPoint, Request};
use serde::{Deserialize, Serialize};
use shipping::Clock;
use tokio::runtime::Runtime;

use super::deaths::Death;
use super::paper::Label;
use crate::recovery::clerk::Clerk;
use crate::recovery::errands::Subject;
use crate::support::desk::NOW;
use crate::support::lanes::{Lanes, Place, QUICK, client};
use crate::support::runtime::runtime;

/// Names the file in which a process finds what it is to do.
const ORDERS: &str = "PACKBENCH_TEST_LIFE";

/// Before each thing that a process says: libtest speaks on the same line of wire.
const SAYS: &str = "life: ";

/// When a lost answer is reconciled.
const SETTLE: [u64; 3] = [30, 90, 240];

/// Wait before the clerk checks the service, because a request from a killed process may still be on its way.
const LOOKS_AFTER: Duration = Duration::from_millis(600);

/// What a life is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Life {
    pub(super) address: String,
    pub(super) token: String,
    pub(super) truth: PathBuf,
    pub(super) home: PathBuf,
    pub(super) task: Task,
    /// The point's index in [`FaultPoint::ALL`], and at which occurrence the process is killed.
    pub(super) dies_at: Option<(usize, u32)>,
}

/// What the clerk is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Task {
    Errand(Subject),
    Label(Label),
}

/// How far a life came.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What was typed was on disk.
    pub(super) typed: bool,
}

/// Lives the life that the orders describe.
pub(super) fn live() {
    let Some(orders) = std::env::var_os(ORDERS) else {
        return;
    };
    let life: Life =
        serde_json::from_reader(File::open(orders).expect("orders")).expect("orders that fit");
    let ended = life.through(&runtime(2), witness(life.dies_at), &say);
    match ended {
        Ok(()) => say("ended"),
        Err(words) => say(&format!("wrong {}", words.replace('\n', " "))),
    }
    stop();
}

fn say(words: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody listens any more: this process is about to be killed.
    let _ = write!(out, "\n{SAYS}{words}\n").and_then(|()| out.flush());
}

fn stop() -> ! {
    loop {
        std::thread::park();
    }
}

fn witness(dies_at: Option<(usize, u32)>) -> FaultHook {
    let Some((at, nth)) = dies_at else {
        return Arc::new(|_| ());
    };
    let (at, times) = (FaultPoint::ALL[at], AtomicU32::new(0));
    Arc::new(move |milestone| {
        if milestone == at && times.fetch_add(1, Ordering::SeqCst) + 1 == nth {
            say("there");
            stop();
        }
    })
}

impl Life {
    /// Sees its task through, whatever the lives before it left.
    pub(super) fn through(
        &self,
        runtime: &Runtime,
        witness: FaultHook,
        say: &dyn Fn(&str),
    ) -> Result<(), String> {
        let client = client(&self.address, &self.token, QUICK);
        let place = Place {
            home: self.home.clone(),
            name: "Bench4".to_owned(),
            clock: Clock::fixed(NOW.parse().expect("a moment")),
            settle_after: SETTLE.map(Duration::from_millis).to_vec(),
            workgroup: None,
        };
        let clock = place.clock.clone();
        let mut lanes = Lanes::open(runtime, place, client.clone(), witness);
        lanes.until("restored", |lanes| lanes.restored.then_some(()));
        say("acting");
        match &self.task {
            Task::Label(label) => label.see_through(&mut lanes),
            Task::Errand(subject) => {
                let clerk = Clerk::new(subject, self.truth.clone());
                let mut clerk = clerk.looking_after(LOOKS_AFTER);
                clerk.see_through(&mut lanes, |lanes| {
                    let request = runtime.block_on(subject.request(&client, clock.now()));
                    ask(lanes, subject, request, say);
                })?;
                if subject.is_conversion() {
                    lanes.until("what it replaced is deleted", |lanes| {
                        let mut all = lanes.operations.values();
                        let is_it = |one: &&Operation| one.follows().is_some();
                        let deletion = all.find(is_it)?;
                        (deletion.state == OperationState::Done).then_some(())
                    });
                }
                Ok(())
            }
        }
    }

    /// Lives it as a process of its own, which then is killed.
    pub(super) fn until(&self, death: Death) -> Result<Told, String> {
        let mut life = self.clone();
        if let Death::At(at, nth) = death {
            let place = FaultPoint::ALL.iter().position(|one| *one == at);
            life.dies_at = Some((place.expect("one of all"), nth));
        }
        let mut process = Process::start(&life);
        let mut told = Told::default();
        match death {
            Death::At(..) => process.listen("there", &mut told)?,
            Death::AfterBirth(time) => process.sleep_since_birth(time),
            Death::After(time) => {
                process.listen("acting", &mut told)?;
                std::thread::sleep(time);
            }
        }
        process.kill(&mut told)?;
        Ok(told)
    }
}

/// Asks for it; from the draft that is on disk, where it is made from one.
fn ask(lanes: &mut Lanes, subject: &Subject, mut request: Request, say: &dyn Fn(&str)) {
    if let Request::Send(draft, _) = &mut request {
        let kept = lanes.drafts.iter();
        let kept = { kept }.find(|draft| draft.reference1 == subject.reference);
        if let Some(kept) = kept {
            **draft = kept.clone();
        } else {
            lanes.ask(Request::SaveDraft(draft.clone()));
            lanes.until("the draft is saved", |lanes| {
                lanes.saved.contains(&draft.id).then_some(())
            });
            say("typed");
        }
    }
    lanes.ask(request);
}

/// A life, as seen from outside.
struct Process {
    child: Child,
    said: BufReader<std::process::ChildStdout>,
    errors: PathBuf,
    born: Instant,
}

impl Process {
    fn start(life: &Life) -> Self {
        let (orders, errors) = (life.home.join("orders.json"), life.home.join("stderr.txt"));
        let text = serde_json::to_vec(life).expect("orders");
        std::fs::write(&orders, text).expect("orders on disk");
        let ourselves = std::env::current_exe().expect("this executable's own path");
        let name = "recovery::kills::a_life_that_is_killed";
        let mut child = Command::new(ourselves)
            .args(["--exact", name, "--ignored", "--nocapture"])
            .env(ORDERS, orders)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&errors).expect("a file for its last words"))
            .spawn()
            .expect("a process");
        let said = child.stdout.take().expect("its output");
        Self {
            child,
            said: BufReader::new(said),
            errors,
            born: Instant::now(),
        }
    }

    /// Hears what it says until it says `word`.
    fn listen(&mut self, word: &str, told: &mut Told) -> Result<(), String> {
        while let Some(said) = self.next() {
            match said.as_str() {
                said if said == word => return Ok(()),
                "ended" => return Err(format!("it ended before it said \"{word}\"")),
                said => Self::note(said, told)?,
            }
        }
        let last = std::fs::read_to_string(&self.errors).unwrap_or_default();
        Err(format!("it died of itself: {last}"))
    }

    fn note(said: &str, told: &mut Told) -> Result<(), String> {
        told.typed |= said == "typed";
        match said.strip_prefix("wrong ") {
            Some(words) => Err(words.to_owned()),
            None => Ok(()),
        }
    }

    /// What it says next; nothing when it is dead.
    fn next(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            // Killed in the middle of a word, it may have left half of it.
            if self.said.read_line(&mut line).unwrap_or_default() == 0 {
                return None;
            }
            if let Some(said) = line.strip_prefix(SAYS) {
                return Some(said.trim_end().to_owned());
            }
        }
    }

    fn sleep_since_birth(&self, time: Duration) {
        std::thread::sleep(time.saturating_sub(self.born.elapsed()));
    }

    /// SIGKILL; and what it said before.
    fn kill(&mut self, told: &mut Told) -> Result<(), String> {
        self.end();
        while let Some(said) = self.next() {
            Self::note(&said, told)?;
        }
        Ok(())
    }

    fn end(&mut self) {
        // It may be dead already; that has been heard of then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
