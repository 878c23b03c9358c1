//! The script that a bench runs before the power cut, in its own process, which reports what was confirmed.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use draft::Draft;
use jiff::Timestamp;
use rusqlite::Connection;
use shipping::{ConsignmentId, LabelSize};
use storage::{
    JobState, JobSubject, Journal, LabelGeneration, NewJob, NewOperation, OperationKind,
    OperationState, StoredLabel,
};

pub(super) const JOURNAL: &str = "journal-practice.sqlite";

/// Before what is said of the journal once a commit has returned.
pub(super) const CONFIRMED: &str = "confirmed ";

const WHICH: &str = "PACKBENCH_TEST_LIFE";
const HOME: &str = "PACKBENCH_TEST_HOME";
const LENGTH: &str = "PACKBENCH_TEST_LENGTH";

/// Which life.
#[derive(Debug, Clone, Copy)]
pub(super) enum Life {
    /// With the journal as the program has it.
    Journal,
    /// With a connection of its own on the journal's tables, and this `synchronous`.
    Raw(&'static str),
}

impl Life {
    /// The life that this process was started for.
    pub(super) fn asked_for() -> Option<Self> {
        match env::var(WHICH).ok()?.as_str() {
            "journal" => Some(Self::Journal),
            "NORMAL" => Some(Self::Raw("NORMAL")),
            _ => Some(Self::Raw("FULL")),
        }
    }

    pub(super) fn environment(self, home: &Path, length: usize) -> [(&'static str, String); 3] {
        let which = match self {
            Self::Journal => "journal",
            Self::Raw(pragma) => pragma,
        };
        [
            (WHICH, which.to_owned()),
            (HOME, home.display().to_string()),
            (LENGTH, length.to_string()),
        ]
    }

    pub(super) fn live(self) {
        let home = PathBuf::from(env::var(HOME).expect("a home"));
        let length = env::var(LENGTH).expect("a length");
        let length = length.parse().expect("a number");
        let path = home.join(JOURNAL);
        match self {
            Self::Journal => live(&path, length),
            Self::Raw(pragma) => live_raw(&path, length, pragma),
        }
    }
}

/// All of a journal that must survive, on one line.
pub(super) fn state_of(journal: &Journal) -> String {
    let mut drafts: Vec<_> = journal
        .drafts()
        .expect("drafts")
        .into_iter()
        .map(|draft| format!("{} {}", draft.id, draft.reference1))
        .collect();
    drafts.sort();
    let operations: Vec<_> = journal
        .operations(1000)
        .expect("operations")
        .into_iter()
        .map(|one| {
            format!(
                "{} {:?} {} {}",
                one.key, one.state, one.attempt, one.message
            )
        })
        .collect();
    let jobs: Vec<_> = journal
        .jobs(1000)
        .expect("jobs")
        .into_iter()
        .map(|job| format!("{:?} {}", job.state, job.title))
        .collect();
    let label = journal.label(ConsignmentId::new(1), LabelSize::A6);
    let label = label.expect("a label").map(|label| label.sha256);
    format!("{drafts:?} {operations:?} {jobs:?} {label:?}")
}

/// As the writer does: what is said was recorded in the commit log before.
fn confirm(journal: &mut Journal) {
    let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
    journal.record_commits(now).expect("recorded");
    say(journal);
}

fn say(journal: &Journal) {
    let line = format!("{CONFIRMED}{}\n", state_of(journal));
    // One call, so that it is one line of the log.
    std::io::stdout()
        .write_all(line.as_bytes())
        .expect("somebody listens");
}

/// Operations live from intent to end, while drafts are typed, and labels stored and printed.
fn live(path: &Path, length: usize) {
    let mut journal = Journal::open(path).expect("a journal");
    let mut at: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
    confirm(&mut journal);
    for turn in 0..length {
        at += jiff::SignedDuration::from_secs(7);
        let mut draft = Draft {
            reference1: format!("SO-{turn}"),
            ..Draft::default()
        };
        journal.save_draft(&draft, at).expect("saved");
        confirm(&mut journal);
        draft.reference1.push_str(&" and more".repeat(turn * 7));
        journal.save_draft(&draft, at).expect("saved again");
        confirm(&mut journal);
        let new = NewOperation {
            kind: OperationKind::Create,
            key: format!("Bench4-{turn:08}"),
            title: draft.reference1.clone(),
            request: "{\"some\":\"request\"}".repeat(40),
            draft: Some(draft.id.clone()),
            consignments: Vec::new(),
        };
        let mut operation = journal.begin(&[new], at).expect("begun").remove(0);
        confirm(&mut journal);
        let ends = [
            OperationState::Done,
            OperationState::Unknown,
            OperationState::Rejected,
        ];
        for state in [OperationState::Sending, ends[turn % 3]] {
            let from = operation.state;
            operation.state = state;
            operation.message = format!("{state:?} in turn {turn}");
            journal.change(&mut operation, from, at).expect("changed");
            confirm(&mut journal);
        }
        paper(&mut journal, turn, at);
    }
}

fn paper(journal: &mut Journal, turn: usize, at: Timestamp) {
    let label = StoredLabel {
        numbers: Vec::new(),
        pdf: vec![b'%'; 3000 + 400 * turn],
        sha256: format!("sha of turn {turn}"),
        expected: Vec::new(),
    };
    journal
        .store_label(
            ConsignmentId::new(1),
            LabelSize::A6,
            &label,
            LabelGeneration::default(),
            at,
        )
        .expect("stored");
    confirm(journal);
    let new = NewJob {
        subject: JobSubject::Label(ConsignmentId::new(1)),
        title: format!("MS1 {turn}"),
        bytes: vec![b'^'; 9000].into(),
        ..NewJob::default()
    };
    let mut job = journal.begin_job(&new, at).expect("begun");
    confirm(journal);
    job.state = JobState::Sent;
    journal
        .change_job(&mut job, JobState::Spooling, at)
        .expect("changed");
    confirm(journal);
}

/// Drafts alone, by plain SQL, with another `synchronous`.
fn live_raw(path: &Path, length: usize, synchronous: &str) {
    let journal = Journal::open(path).expect("a journal");
    let raw = Connection::open(path).expect("a second connection");
    raw.pragma_update(None, "synchronous", synchronous)
        .expect("a pragma");
    say(&journal);
    for turn in 0..length {
        let draft = Draft {
            reference1: format!("SO-{turn}"),
            ..Draft::default()
        };
        let body = serde_json::to_string(&draft).expect("JSON");
        raw.execute(
            "INSERT INTO drafts (id, body, changed_ms) VALUES (?1, ?2, 1)",
            [draft.id.as_str(), &body],
        )
        .expect("saved");
        say(&journal);
    }
}
