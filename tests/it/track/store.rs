//! The store of tracked consignments: rows survive a round trip, changes are reported, and a bad file or disk
//! does not stop the program.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shipping::{Consignment, ConsignmentId};
use storage::{ConsignmentHistory, CountedExceptions, SyncMark, SyncScope, TrackStore};

use super::samples::{NOW, at, followed, ids, status, step, with};

const A_STORE: &str = "PACKBENCH_TEST_FOLLOWED";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("journal.followed.sqlite")
    }

    fn open(&self) -> TrackStore {
        TrackStore::open(&self.path()).expect("a store")
    }
}

/// Stores rows, and returns the ids of those that are new or have changed.
fn put(store: &mut TrackStore, rows: &[ConsignmentHistory]) -> Vec<ConsignmentId> {
    let changed = store.put(rows, at(NOW)).expect("kept");
    changed.into_iter().map(|summary| summary.id).collect()
}

#[test]
fn what_is_kept_is_read_back_whole() {
    let (place, mut one) = (Place::new(), followed(7));
    one.history[1].status_is_partial = true;
    one.history[0].consignment_id = Some(ConsignmentId::new(7));
    one.history[1].consignment_id = Some(ConsignmentId::new(8));
    let mut store = place.open();
    assert_eq!(put(&mut store, std::slice::from_ref(&one)), ids(&[7]));
    let reader = store.reader().expect("a reader");
    assert_eq!(reader.rows(&ids(&[9, 7])).expect("rows"), vec![one.row]);
    let history = reader.history(ConsignmentId::new(7)).expect("a history");
    assert_eq!(history, one.history);
    assert!(
        reader
            .history(ConsignmentId::new(9))
            .expect("none")
            .is_empty()
    );
}

#[test]
fn only_what_differs_is_told_as_changed() {
    let place = Place::new();
    let mut store = place.open();
    let all = [followed(1), followed(2), followed(3), followed(4)];
    assert_eq!(put(&mut store, &all), ids(&[1, 2, 3, 4]));
    assert!(put(&mut store, &all).is_empty());
    let mut later = followed(3);
    later.history.push(step(13, "2026-11-20T01:00:00Z"));
    let moved = with(2, |row| row.status = status(7));
    let renamed = with(4, |row| row.to = "Smythe".to_owned());
    let again = [followed(1), moved, later, renamed];
    assert_eq!(put(&mut store, &again), ids(&[2, 3, 4]));
}

#[test]
fn what_an_answer_does_not_say_stays() {
    let place = Place::new();
    let mut store = place.open();
    let one = with(1, |row| row.dangerous = Some(true));
    put(&mut store, std::slice::from_ref(&one));
    for answer in [
        r#"{"id": 1}"#,
        r#"{"id": 1, "consignmentTrackingStatus": {"id": 5, "name": "In Transit", "description": "What StatusId(5) means"}}"#,
    ] {
        let answer: Consignment = serde_json::from_str(answer).expect("a consignment");
        let bare = ConsignmentHistory::of(&answer, Some(&one.row));
        assert!(put(&mut store, &[bare]).is_empty());
    }
    let reader = store.reader().expect("a reader");
    assert_eq!(reader.rows(&ids(&[1])).expect("rows"), [one.row]);
    let history = reader.history(ConsignmentId::new(1)).expect("a history");
    assert_eq!(history, one.history);
}

#[test]
fn what_is_forgotten_is_found_no_more() {
    let place = Place::new();
    let mut store = place.open();
    store
        .put(&[followed(1), followed(2)], at(NOW))
        .expect("kept");
    store.index(10).expect("indexed");
    store.forget(&ids(&[2])).expect("forgotten");
    let reader = store.reader().expect("a reader");
    assert_eq!(reader.search("smith", 10).expect("found"), ids(&[1]));
    assert!(reader.find_by_number("MS2").expect("found").is_empty());
    assert!(reader.rows(&ids(&[2])).expect("rows").is_empty());
}

#[test]
fn a_mark_is_kept_for_each_scope() {
    let place = Place::new();
    let mut store = place.open();
    let of = |children| SyncScope {
        children,
        ..SyncScope::default()
    };
    let mark = SyncMark {
        seen_to: at(NOW),
        at: at(NOW),
        whole_at: at("2026-11-01T00:00:00Z"),
    };
    store.set_mark(of(true), mark).expect("kept");
    let reader = store.reader().expect("a reader");
    assert_eq!(reader.mark(of(true)).expect("read"), Some(mark));
    assert_eq!(reader.mark(of(false)).expect("read"), None);
}

#[test]
fn the_file_is_for_the_benchs_user_only() {
    let place = Place::new();
    drop(place.open());
    let mode = fs::metadata(place.path()).expect("a file").permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
}

fn is_begun_anew(place: &Place) -> bool {
    let store = place.open();
    let reader = store.reader().expect("a reader");
    reader.rows(&ids(&[1])).expect("rows").is_empty()
        && reader.mark(SyncScope::default()).expect("read").is_none()
}

fn filled(place: &Place) {
    let mut store = place.open();
    let some: Vec<_> = (1..200).map(followed).collect();
    store.put(&some, at(NOW)).expect("kept");
}

#[test]
fn a_store_of_another_version_is_begun_anew() {
    for version in [0, 1, 2, 99] {
        let place = Place::new();
        filled(&place);
        let db = rusqlite::Connection::open(place.path()).expect("a file");
        db.pragma_update(None, "user_version", version)
            .expect("set");
        drop(db);
        assert!(is_begun_anew(&place), "version {version}");
    }
}

#[test]
fn a_store_that_is_no_database_is_begun_anew() {
    let place = Place::new();
    fs::write(
        place.path(),
        "not a database, and long enough to be none ".repeat(50),
    )
    .expect("written");
    assert!(is_begun_anew(&place));
    filled(&place);
    assert!(!is_begun_anew(&place), "and it works from then on");
}

#[test]
fn a_damaged_page_is_told_as_damage() {
    let place = Place::new();
    filled(&place);
    damage(&place.path());
    let mut store = place.open();
    let some: Vec<_> = (1..200).map(followed).collect();
    let read = store.reader().and_then(|reader| {
        let all: Vec<i64> = (1..200).collect();
        reader.rows(&ids(&all))
    });
    let put = store.put(&some, at(NOW));
    let words = [read.err(), put.err()].map(|error| error.map(|error| error.to_string()));
    assert!(
        words
            .iter()
            .flatten()
            .any(|word| word == "this bench's records are damaged"),
        "{words:?}"
    );
}

/// All pages but the first hold nonsense.
pub(super) fn damage(path: &Path) {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(path)
        .expect("a file");
    let length = file.metadata().expect("a length").len();
    file.seek(SeekFrom::Start(4096)).expect("a place");
    let rest = usize::try_from(length - 4096).expect("a length");
    file.write_all(&vec![0xA5; rest]).expect("written");
}

#[test]
fn what_ended_long_ago_goes_and_what_is_open_stays() {
    let place = Place::new();
    let mut store = place.open();
    let ended = |id, at_: &str| {
        let when = Some(at(at_));
        with(id, |row| {
            row.status = status(7);
            row.ended = when;
        })
    };
    let all = [
        ended(1, "2026-08-01T00:00:00Z"),
        ended(2, "2026-09-15T00:00:00Z"),
        followed(3),
    ];
    store.put(&all, at(NOW)).expect("kept");
    seen_to(&mut store, NOW);
    let reader = store.reader().expect("a reader");
    let overdue = |now: &str| reader.overdue(at(now)).expect("read");
    assert_eq!(overdue(NOW), ids(&[1]));
    store
        .put(&all[2..], at("2027-03-01T00:00:00Z"))
        .expect("kept");
    seen_to(&mut store, "2027-09-25T00:00:00Z");
    assert_eq!(overdue("2027-05-25T00:00:00Z"), ids(&[1, 2]));
    assert_eq!(overdue("2027-09-25T00:00:00Z"), ids(&[1, 2, 3]));
}

fn seen_to(store: &mut TrackStore, to: &str) {
    let mark = SyncMark {
        seen_to: at(to),
        at: at(to),
        whole_at: at(to),
    };
    store.set_mark(SyncScope::default(), mark).expect("kept");
}

#[test]
fn nothing_goes_because_the_benchs_clock_is_ahead() {
    let place = Place::new();
    let mut store = place.open();
    let delivered = with(2, |row| {
        row.status = status(7);
        row.ended = Some(at("2026-11-19T00:00:00Z"));
    });
    store.put(&[followed(1), delivered], at(NOW)).expect("kept");
    let overdue = |store: &TrackStore| {
        let reader = store.reader().expect("a reader");
        let overdue = reader.overdue(at("2028-01-01T00:00:00Z"));
        overdue.expect("read")
    };
    assert_eq!(overdue(&store), ids(&[]), "the service was never looked at");
    seen_to(&mut store, NOW);
    assert_eq!(overdue(&store), ids(&[]));
}

#[test]
fn an_exception_is_news_until_it_is_seen_and_what_is_known_is_not_written_again() {
    let place = Place::new();
    let mut store = place.open();
    let reader = store.reader().expect("a reader");
    let mut unseen = |now: &[(i64, &'static str)], seen: &[i64], written: bool| {
        let counted = CountedExceptions {
            basis: "all".to_owned(),
            now: { now.iter() }
                .map(|(id, kind)| (ConsignmentId::new(*id), *kind))
                .collect(),
            seen: ids(seen),
        };
        let news = reader.compare_exceptions(&counted, at(NOW)).expect("read");
        assert_eq!(news.is_empty(), !written, "{now:?}, seen {seen:?}");
        store.save_exceptions(&news).expect("kept");
        news.unseen
    };
    assert_eq!(
        unseen(&[(1, "late")], &[], true),
        ids(&[]),
        "the first look"
    );
    assert_eq!(unseen(&[(1, "late")], &[], false), ids(&[]));
    let both = [(1, "late"), (2, "lost")];
    assert_eq!(unseen(&both, &[], true), ids(&[2]));
    assert_eq!(unseen(&both, &[], false), ids(&[2]));
    assert_eq!(unseen(&both, &[2], true), ids(&[]));
    assert_eq!(unseen(&[(1, "lost"), (2, "lost")], &[], true), ids(&[1]));
    assert_eq!(unseen(&[], &[], true), ids(&[]));
    assert_eq!(unseen(&[(1, "lost")], &[], true), ids(&[1]), "once more");
}

#[test]
fn a_store_on_a_bad_disk() {
    let Some(path) = std::env::var_os(A_STORE) else {
        return;
    };
    let some: Vec<_> = (1..500).map(followed).collect();
    let kept = TrackStore::open(Path::new(&path)).and_then(|mut store| {
        store.put(&some, at(NOW))?;
        store.index(500)
    });
    let word = kept.map_or_else(|error| error.to_string(), |_| "kept".to_owned());
    fs::write(Path::new(&path).with_extension("said"), word).expect("said");
}

#[test]
fn a_full_disk_and_one_that_refuses_are_said_and_end_nothing() {
    for (fault, said) in [
        ("pwrite64:error=ENOSPC:when=1+", "the disk is full"),
        ("pwrite64:error=ENOSPC:when=40+", "the disk is full"),
        (
            "pwrite64:error=EIO:when=30+",
            "the disk can't read or write this bench's records",
        ),
    ] {
        let place = Place::new();
        let mut strace = Command::new("strace");
        strace.args(["-f", "--seccomp-bpf", "-o", "/dev/null"]);
        for ending in ["", "-wal", "-journal"] {
            strace.arg("-P");
            strace.arg(format!("{}{ending}", place.path().display()));
        }
        strace.args(["-e", "trace=pwrite64", "-e"]);
        let status = strace
            .arg(format!("inject={fault}"))
            .arg(std::env::current_exe().expect("this test's own program"))
            .args(["--exact", "track::store::a_store_on_a_bad_disk"])
            .args(["--nocapture", "--test-threads", "1"])
            .env(A_STORE, place.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("strace: sh assets/setup-debian.sh --tests");
        assert!(status.success(), "{fault}: it panicked");
        let word = fs::read_to_string(place.path().with_extension("said"));
        assert_eq!(word.expect("a word"), said, "{fault}");
    }
}
