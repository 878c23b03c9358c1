//! Backups: made at the start, complete, private, verified, seven of them, and without making anybody wait.

use std::fs;
use std::path::{Path, PathBuf};

use app::state::Tone;
use draft::Draft;
use jiff::{SignedDuration, Timestamp};
use shipping::{ConsignmentId, LabelSize};
use storage::{Backups, Journal, JournalError, LabelGeneration, StoredLabel};
use tempfile::TempDir;

use crate::support::desk::{Home, NOW, notice};

fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

fn draft(reference: &str) -> Draft {
    Draft {
        reference1: reference.to_owned(),
        ..Draft::default()
    }
}

/// A journal with one draft in a folder of its own.
fn journal(folder: &Path) -> (PathBuf, Journal) {
    let path = folder.join("journal-practice.sqlite");
    let mut journal = Journal::open(&path).expect("a journal");
    journal.save_draft(&draft("SO-1"), now()).expect("saved");
    (path, journal)
}

/// A folder, the journal in it with its path, its backups, and the first of them.
fn backed_up() -> (TempDir, PathBuf, Journal, Backups, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, journal) = journal(folder.path());
    let backups = Backups::of(&path);
    let first = backups.make(now()).expect("a backup");
    (folder, path, journal, backups, first)
}

#[test]
fn a_backup_is_made_at_the_start_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (home, practice) = Home::with_practice();
    let path = home.places.journal("practice");
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let (moment, backup) = desk.until("a backup", |_| Backups::of(&path).newest_first().pop());
    assert_eq!(moment, now());
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&backup), 0o600);
    assert_eq!(mode(backup.parent().expect("a folder")), 0o700);
    let name = backup.file_name().expect("a name").to_string_lossy();
    assert_eq!(name, "journal-practice-20261120T030500Z.sqlite");
}

#[test]
fn a_backup_is_made_every_hour() {
    let (home, practice) = Home::with_practice();
    let path = home.places.journal("practice");
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let backups = Backups::of(&path);
    for count in 1..=3 {
        desk.until("one more backup", |_| {
            (backups.newest_first().len() == count).then_some(())
        });
        home.clock.advance(SignedDuration::from_hours(1));
    }
}

#[test]
fn the_seven_newest_are_kept_of_each_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _journal) = journal(folder.path());
    let other = folder.path().join("journal-practice-2.sqlite");
    Journal::open(&other).expect("another journal");
    Backups::of(&other).make(now()).expect("its backup");
    for hour in 0..9 {
        let moment = now() + SignedDuration::from_hours(hour);
        Backups::of(&path).make(moment).expect("a backup");
    }
    let kept: Vec<_> = Backups::of(&path)
        .newest_first()
        .into_iter()
        .map(|(moment, _)| moment.duration_since(now()).as_hours())
        .collect();
    assert_eq!(kept, [8, 7, 6, 5, 4, 3, 2]);
    assert_eq!(Backups::of(&other).newest_first().len(), 1);
}

#[test]
fn a_backup_that_a_wrong_clock_dated_later_is_the_first_to_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _journal) = journal(folder.path());
    let backups = Backups::of(&path);
    for day in 0..7 {
        let wrong = now() + SignedDuration::from_hours(24 * (365 + day));
        backups.make(wrong).expect("a backup");
    }
    for hour in 0..8 {
        let moment = now() + SignedDuration::from_hours(hour);
        let made = backups.make(moment).expect("a backup");
        assert!(made.exists(), "what was just made stays");
        let newest = backups.newest_first_at(moment).into_iter().next();
        assert_eq!(newest, Some((moment, made)));
    }
    let last = now() + SignedDuration::from_hours(7);
    let kept = backups.newest_first_at(last);
    assert_eq!(kept.len(), 7);
    assert!(kept.iter().all(|(moment, _)| *moment <= last));
    assert!(Backups::of(&path).make(now()).expect("set back").exists());
}

#[test]
fn a_backup_is_of_one_moment_and_no_commit_waits_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut journal) = journal(folder.path());
    for id in 0..60 {
        let label = StoredLabel {
            numbers: Vec::new(),
            pdf: vec![7; 1024 * 1024],
            sha256: String::new(),
            expected: Vec::new(),
        };
        journal
            .store_label(
                ConsignmentId::new(id),
                LabelSize::A6,
                &label,
                LabelGeneration::default(),
                now(),
            )
            .expect("stored");
    }
    let backups = Backups::of(&path);
    let copier = std::thread::Builder::new()
        .spawn(move || backups.make(now()))
        .expect("a thread");
    let mut saved = 0;
    while !copier.is_finished() {
        journal.save_draft(&draft("SO-2"), now()).expect("saved");
        saved += 1;
    }
    let backup = copier.join().expect("no panic").expect("a backup");
    assert!(saved > 3, "{saved} drafts were saved meanwhile");
    let copy = Journal::open(&backup).expect("a journal");
    let held = copy.drafts().expect("drafts").len();
    assert!((1..=saved + 1).contains(&held), "{held} of {saved}");
}

#[test]
fn a_damaged_journal_yields_no_backup_and_the_old_ones_stay() {
    let (folder, path, journal, backups, first) = backed_up();
    drop(journal);
    let mut bytes = fs::read(&path).expect("a file");
    for byte in &mut bytes[4096..12_288] {
        *byte = 0xA5;
    }
    fs::write(&path, bytes).expect("damaged");
    let failed = backups.make(now() + SignedDuration::from_hours(1));
    assert!(matches!(failed, Err(JournalError::Damaged)), "{failed:?}");
    let there: Vec<_> = fs::read_dir(folder.path().join("backups"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(there, [first], "nothing half done is left");
}

#[test]
fn what_a_cut_left_half_done_goes_with_the_next_backup() {
    let (_folder, _path, _journal, backups, first) = backed_up();
    let half = first.with_file_name("journal-practice-20261119T030500Z.growing");
    fs::write(&half, "half").expect("a file");
    backups.make(now()).expect("a backup");
    assert!(!half.exists());
}

#[test]
fn a_backup_that_cannot_be_made_is_told_and_stops_nothing() {
    let (home, practice) = Home::with_practice();
    fs::write(home.places.data().join("backups"), "in the way").expect("a file");
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let notice = desk.until("a notice", |core| notice(&core.shared, "back up"));
    assert_eq!(
        notice.headline,
        "Couldn't back up this bench's records. You can keep working"
    );
    assert_eq!(notice.tone, Tone::Bad);
    desk.create("SO-1");
}

/// Turns a journal back into one of the version that also held the service's lists.
fn of_the_version_with_lists(path: &Path, rows: usize) {
    let db = rusqlite::Connection::open(path).expect("a file");
    db.execute_batch(
        "BEGIN;
         DROP TABLE service_address;
         DROP TRIGGER outbox_gets_history;
         DROP TABLE outbox;
         DROP TABLE workgroup_member;
         DROP TABLE shared_values;
         DROP TABLE shared_from;
         DROP TABLE shared_changes;
         DROP TABLE leaving_drafts;
         DROP TABLE taken_drafts;
         DROP TABLE due_documents;
         DROP TABLE order_results;
         DROP TABLE result_files;
         DROP TABLE folder_files;
         ALTER TABLE operations DROP COLUMN packing;
         CREATE TABLE last_seen_lists (list TEXT PRIMARY KEY, as_of_ms INTEGER NOT NULL) STRICT;
         CREATE TABLE last_seen (list TEXT NOT NULL, id INTEGER NOT NULL, place INTEGER NOT NULL,
                                 changed_ms INTEGER NOT NULL, body TEXT NOT NULL) STRICT;",
    )
    .expect("the tables of that version");
    let body = "{\"i\":1}".repeat(60);
    for id in 0..rows {
        let sql = "INSERT INTO last_seen VALUES ('unmanifested 1', ?1, ?1, 0, ?2)";
        let id = i64::try_from(id).expect("a small number");
        db.execute(sql, rusqlite::params![id, body]).expect("a row");
    }
    db.pragma_update(None, "user_version", 18)
        .expect("a version");
    db.execute_batch("COMMIT").expect("written");
}

#[test]
fn a_journal_of_an_older_version_is_backed_up_before_its_tables_are_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, journal) = journal(folder.path());
    drop(journal);
    of_the_version_with_lists(&path, 5_000);
    let before = fs::metadata(&path).expect("a file").len();
    assert!(Backups::of(&path).newest_first().is_empty());
    let opened = Journal::open_or_restore(&path, now()).expect("opened");
    assert!(opened.rescue.is_none());
    assert_eq!(opened.journal.drafts().expect("drafts").len(), 1);
    drop(opened);
    let backups = Backups::of(&path).newest_first();
    assert_eq!(backups.len(), 1);
    let backup = rusqlite::Connection::open(&backups[0].1).expect("a backup");
    let version: i64 = backup
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("a version");
    let rows: i64 = backup
        .query_row("SELECT count(*) FROM last_seen", [], |row| row.get(0))
        .expect("a count");
    assert_eq!((version, rows), (18, 5_000));
    let after = fs::metadata(&path).expect("a file").len();
    assert!(after < before / 5, "{before} bytes before, {after} after");
    // Of this version, it is not backed up again.
    drop(Journal::open_or_restore(&path, now()).expect("opened"));
    assert_eq!(Backups::of(&path).newest_first().len(), 1);
}

#[test]
fn a_backup_of_a_newer_version_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.sqlite");
    let moment = |text: &str| text.parse::<Timestamp>().expect("a time");
    let (older, newer) = (
        moment("2026-11-20T03:05:00Z"),
        moment("2026-11-20T04:05:00Z"),
    );
    drop(Journal::open(&path).expect("a journal"));
    Backups::of(&path).make(older).expect("a backup");
    let db = rusqlite::Connection::open(&path).expect("the file");
    let version = db.pragma_update(None, "user_version", 9_999);
    version.expect("the version of a later program");
    drop(db);
    Backups::of(&path).make(newer).expect("another backup");
    fs::write(&path, b"not a database").expect("damaged");
    let opened = Journal::open_or_restore(&path, newer).expect("restored");
    let rescue = opened.rescue.expect("a rescue");
    assert_eq!(rescue.restored_from, Some(older));
}
