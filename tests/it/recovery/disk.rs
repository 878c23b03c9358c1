//! A disk that is full, read-only, failing or locked by another process: nothing is sent without its intent
//! in the journal, the problem is reported, and typed text is saved once there is room.
//!
//! The program sees a full disk as a real one: `strace` makes the kernel answer its writes to the journal
//! with `ENOSPC` from the n-th on, for every n that a run has. The run is this test, started again as a child
//! process. The service is in the parent, and counts calls.

#[path = "disk/day.rs"]
mod day;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use app::state::{Notice, SaveState};
use draft::Draft;
use practice::RunningService;
use storage::{Journal, OperationKind, OperationState};

use crate::support::desk::{Home, fill, open_reopenable_wired_bench, open_wired_bench};
use crate::support::wire::Wire;
use day::{BOOK, CREATE, Day, Told};

#[test]
fn a_day_on_a_bad_disk() {
    if let Some(day) = Day::asked_for() {
        day.live();
    }
}

#[test]
fn a_journal_on_a_bad_disk() {
    if let Some(path) = std::env::var_os(day::LOOK_AT) {
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let written = Journal::open_or_restore(Path::new(&path), now)
            .and_then(|mut opening| opening.journal.save_draft(&Draft::default(), now));
        day::say(&written.map_or_else(|error| error.to_string(), |()| "written".to_owned()));
    }
}

/// A place for days: a service that counts, and a journal that was begun on a good one.
struct Stage {
    _home: Home,
    _practice: RunningService,
    wire: Wire,
    token: String,
    good: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let (home, practice, wire) = Home::with_wire();
        let token = practice.token().to_owned();
        let good = tempfile::tempdir().expect("a folder");
        let path = good.path().join(day::JOURNAL);
        drop(Journal::open(&path).expect("a journal"));
        Self {
            _home: home,
            _practice: practice,
            wire,
            token,
            good,
        }
    }

    /// A day in a new folder, started by `command` before the program's own path; what was told, and that nothing was sent
    /// which the journal does not know.
    fn live(&self, command: impl FnOnce(&Path) -> Command) -> Told {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join(day::JOURNAL);
        fs::copy(self.good.path().join(day::JOURNAL), &journal).expect("a journal");
        let before = (self.wire.count(CREATE), self.wire.count(BOOK));
        let status = command(&journal)
            .arg(std::env::current_exe().expect("this test's own program"))
            .args(["--exact", "recovery::disk::a_day_on_a_bad_disk"])
            .args(["--nocapture", "--test-threads", "1"])
            .envs(Day::environment(
                folder.path(),
                &self.wire.base_url(),
                &self.token,
            ))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("strace: sh assets/setup-debian.sh --tests");
        assert!(status.success(), "the day itself failed");
        let told = Told::read(folder.path());
        let sent = (
            self.wire.count(CREATE) - before.0,
            self.wire.count(BOOK) - before.1,
        );
        let known = Journal::open(&journal).expect("a journal");
        let operations = known.operations(100).expect("operations");
        let intents = |kind| {
            let ours = operations.iter().filter(|one| one.kind == kind);
            ours.map(|one| one.attempt as usize).sum::<usize>()
        };
        assert!(sent.0 <= intents(OperationKind::Create), "{told:?}");
        assert!(sent.1 <= intents(OperationKind::Manifest), "{told:?}");
        assert!(sent.0 <= 1 && sent.1 <= 1, "sent once: {told:?}");
        if folder.path().join("label.zpl").exists() {
            assert_eq!(known.jobs(10).expect("jobs").len(), 1, "{told:?}");
        }
        told
    }

    /// A day whose calls of this kind on the journal's files fail so.
    fn inject(&self, fault: &str) -> Told {
        self.live(|journal| {
            let mut strace = Command::new("strace");
            strace.args(["-f", "--seccomp-bpf", "-o", "/dev/null"]);
            for ending in ["", "-wal", "-journal"] {
                strace.arg("-P");
                strace.arg(format!("{}{ending}", journal.display()));
            }
            strace.args(["-e", "trace=pwrite64,fdatasync,fsync", "-e"]);
            strace.arg(format!("inject={fault}"));
            strace
        })
    }
}

/// Days on one service: each leaves consignments there, and the next writes down a longer list of them.
const DAYS_ON_A_STAGE: usize = 15;

/// The disk is full from the n-th write of the journal's writer on, for every `step`-th n.
fn full_at_every_write(step: usize) {
    let mut stage = Stage::new();
    let mut failed = 0;
    let mut first = 1;
    loop {
        if failed % DAYS_ON_A_STAGE == DAYS_ON_A_STAGE - 1 {
            stage = Stage::new();
        }
        let told = stage.inject(&format!("pwrite64:error=ENOSPC:when={first}+"));
        if !told.failed() {
            assert!(told.ended_well(), "{told:?}");
            break;
        }
        failed += 1;
        assert!(
            told.says("The disk is full. Free some space; nothing is sent until then"),
            "from write {first} on: {told:?}"
        );
        first += step;
        assert!(first < 2000, "the day does not end");
    }
    assert!(failed > 3, "only {failed} days were bad");
}

#[test]
fn nothing_is_sent_without_its_intent_wherever_the_disk_is_full() {
    full_at_every_write(31);
}

#[test]
#[ignore = "long run"]
fn long_run_nothing_is_sent_without_its_intent_wherever_the_disk_is_full() {
    full_at_every_write(1);
}

#[test]
fn a_disk_that_fails_or_turns_read_only_under_the_journal_stops_sending_and_says_so() {
    let stage = Stage::new();
    for fault in [
        "pwrite64:error=EROFS:when=3+",
        "pwrite64:error=EIO:when=30+",
        "fdatasync,fsync:error=EIO:when=2+",
    ] {
        let told = stage.inject(fault);
        assert!(told.failed(), "{fault}: {told:?}");
        assert!(
            told.says("The disk can't be written to"),
            "{fault}: {told:?}"
        );
    }
}

#[test]
fn a_file_that_may_not_grow_is_a_disk_that_refuses() {
    let told = Stage::new().live(|_| {
        let mut shell = Command::new("sh");
        // In blocks of 512 bytes: what was begun fits, what is typed does not.
        shell.args(["-c", "trap '' XFSZ; ulimit -f 150; exec \"$@\"", "sh"]);
        shell
    });
    assert!(told.failed(), "{told:?}");
    assert!(told.says("The disk can't be written to"), "{told:?}");
}

fn notice(core: &app::Core, headline: &str) -> Option<Notice> {
    let mut notices = core.shared.notices.shown.iter().map(|(_, notice)| notice);
    notices.find(|notice| notice.headline == headline).cloned()
}

#[test]
fn a_journal_that_another_holds_stops_sending_and_typing_is_saved_once_it_is_let_go() {
    let (home, _practice, wire, mut desk) = open_wired_bench();
    desk.until("companies", |core| core.shared.session.company.map(|_| ()));
    let other = rusqlite::Connection::open(home.places.journal("practice")).expect("another");
    let busy = || other.execute_batch("BEGIN IMMEDIATE");
    other
        .busy_timeout(std::time::Duration::from_secs(10))
        .expect("patience");
    busy().expect("held");
    fill(&mut desk.core.editing.draft, "SO-1");
    desk.core.editing.draft.from = desk.core.editing.draft.to.clone();
    let typed = desk.core.editing.draft.clone();
    let said = desk.until("said", |core| notice(core, "Couldn't save the draft"));
    assert_eq!(
        said.advice,
        "Another program is using this bench's records. Close that program; nothing is sent until then"
    );
    desk.send();
    let refused = desk.until("refused", |core| {
        notice(
            core,
            "The consignment was not sent. Your draft is unchanged",
        )
    });
    assert_eq!(refused.advice, said.advice);
    assert_eq!(wire.count(CREATE), 0, "no intent, no request");
    assert_eq!(desk.core.editing.draft, typed);
    other.execute_batch("ROLLBACK").expect("let go");
    desk.until("saved", |core| {
        matches!(core.editing.saved, SaveState::At(_)).then_some(())
    });
    assert_eq!(
        notice(&desk.core, "Couldn't save the draft"),
        None,
        "it is so no more"
    );
}

#[test]
fn an_answer_that_cannot_be_written_down_is_not_known_and_is_found_at_the_next_start() {
    let (home, _practice, wire, service, mut desk) = open_reopenable_wired_bench();
    let other = rusqlite::Connection::open(home.places.journal("practice")).expect("another");
    other
        .busy_timeout(std::time::Duration::from_secs(10))
        .expect("patience");
    let held = std::sync::Arc::new(std::sync::Mutex::new(other));
    let holder = std::sync::Arc::clone(&held);
    desk.type_consignment("SO-1");
    wire.watch(move |line| {
        if line.contains(CREATE) {
            let other = holder.lock().expect("nobody panicked");
            other.execute_batch("BEGIN IMMEDIATE").expect("held");
        }
    });
    desk.send();
    desk.until("said", |core| {
        notice(
            core,
            "Sent, but the result couldn't be saved. Please don't send it again",
        )
    });
    held.lock()
        .expect("nobody panicked")
        .execute_batch("ROLLBACK")
        .expect("let go");
    drop(desk);
    let mut desk = home.open(&service);
    let found = desk.until_operation(OperationKind::Create, OperationState::Done);
    assert_eq!(found.message, "It went through: MS200001");
    assert_eq!(wire.count(CREATE), 1, "it was sent once");
}

/// What is said of a journal by somebody who may read it and not write it, which the superuser never is.
fn opened_by_nobody(path: &Path) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    open(folder.path(), 0o755);
    let program = folder.path().join("it");
    fs::copy(std::env::current_exe().expect("our own path"), &program).expect("a copy");
    open(&program, 0o755);
    let status = fs::read_to_string("/proc/self/status").expect("Linux has /proc");
    let superuser = status.lines().any(|line| line.starts_with("Uid:\t0\t"));
    let mut command = if superuser {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        command.arg(&program);
        command
    } else {
        Command::new(&program)
    };
    let output = command
        .args(["--exact", "recovery::disk::a_journal_on_a_bad_disk"])
        .args(["--nocapture", "--test-threads", "1"])
        .env(day::LOOK_AT, path)
        .output()
        .expect("setpriv is part of every Debian");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = said.lines().find_map(|line| line.strip_prefix(day::SAID));
    said.map_or_else(|| panic!("it said nothing: {output:?}"), str::to_owned)
}

#[test]
fn a_journal_that_may_not_be_written_to_is_called_so_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(day::JOURNAL);
    drop(Journal::open(&path).expect("a journal"));
    let before = fs::read(&path).expect("a file");
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    for (file, own_folder) in [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)] {
        mode(&path, file);
        mode(folder.path(), own_folder);
        assert_eq!(
            opened_by_nobody(&path),
            "this bench's records are read-only",
            "{file:o} in {own_folder:o}"
        );
        mode(folder.path(), 0o755);
        assert_eq!(fs::read(&path).expect("a file"), before);
        let names: Vec<_> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .filter(|name| name.to_string_lossy().contains("aside"))
            .collect();
        assert_eq!(names, Vec::<std::ffi::OsString>::new(), "nothing is moved");
    }
}
