//! A. A journal that lacks commits is distinguished from one whose last commits are only missing from the
//! commit log.

use std::fs;
use std::path::{Path, PathBuf};

use draft::Draft;
use jiff::{SignedDuration, Timestamp};
use storage::{Backups, Journal};

const COMMITS: usize = 6;

fn now() -> Timestamp {
    "2026-11-20T03:05:00Z".parse().unwrap()
}

fn draft(number: usize) -> Draft {
    Draft {
        reference1: format!("SO-{number}"),
        ..Draft::default()
    }
}

fn journal_in(folder: &Path) -> PathBuf {
    folder.join("journal-practice.sqlite")
}

const FILES: [&str; 3] = ["sqlite", "sqlite-wal", "commits"];

/// The files of a journal after each commit, as a kill would leave them.
fn moments() -> Vec<Vec<Option<Vec<u8>>>> {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_in(folder.path());
    let mut journal = Journal::open_or_restore(&path, now()).unwrap().journal;
    let mut moments = Vec::new();
    for number in 0..COMMITS {
        journal.save_draft(&draft(number), now()).unwrap();
        journal.record_commits(now()).unwrap();
        let files = FILES.map(|ending| fs::read(path.with_extension(ending)).ok());
        moments.push(files.to_vec());
    }
    moments
}

fn write(path: &Path, ending: &str, bytes: Option<&Vec<u8>>) {
    if let Some(bytes) = bytes {
        fs::write(path.with_extension(ending), bytes).unwrap();
    }
}

#[test]
fn a_a_commit_that_is_not_recorded_is_no_damage_and_one_that_the_journal_lacks_is() {
    let moments = moments();
    for (journal, files) in moments.iter().enumerate() {
        for (recorded, others) in moments.iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let path = journal_in(folder.path());
            write(&path, "sqlite", files[0].as_ref());
            write(&path, "sqlite-wal", files[1].as_ref());
            write(&path, "commits", others[2].as_ref());
            let opening = Journal::open_or_restore(&path, now()).unwrap();
            let is_damage = opening.rescue.is_some();
            assert_eq!(is_damage, recorded > journal, "{journal}, {recorded}");
            let drafts = opening.journal.drafts().unwrap().len();
            assert_eq!(drafts, journal.max(recorded) + 1, "every draft is there");
            drop(opening);
            let again = Journal::open_or_restore(&path, now()).unwrap();
            assert_eq!(again.rescue, None, "once");
        }
    }
}

#[test]
fn a_a_log_that_ends_in_half_a_line_is_no_damage() {
    let moments = moments();
    let files = moments.last().unwrap();
    let recorded = files[2].as_ref().unwrap();
    for lost in [1, 20, 200] {
        let folder = tempfile::tempdir().unwrap();
        let path = journal_in(folder.path());
        write(&path, "sqlite", files[0].as_ref());
        write(&path, "sqlite-wal", files[1].as_ref());
        fs::write(
            path.with_extension("commits"),
            &recorded[..recorded.len() - lost],
        )
        .unwrap();
        let opening = Journal::open_or_restore(&path, now()).unwrap();
        assert_eq!(opening.rescue, None);
        assert_eq!(opening.journal.drafts().unwrap().len(), COMMITS);
    }
}

#[test]
fn a_a_journal_that_is_older_than_its_newest_backup_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_in(folder.path());
    let mut journal = Journal::open_or_restore(&path, now()).unwrap().journal;
    journal.save_draft(&draft(1), now()).unwrap();
    journal.checkpoint().unwrap();
    let older = fs::read(&path).unwrap();
    journal.save_draft(&draft(2), now()).unwrap();
    let later = now() + SignedDuration::from_mins(1);
    Backups::of(&path).make(later).unwrap();
    drop(journal);
    fs::write(&path, older).unwrap();
    drop(fs::remove_file(path.with_extension("commits")));
    let opening = Journal::open_or_restore(&path, later).unwrap();
    let rescue = opening.rescue.expect("it is found to be older");
    assert_eq!(rescue.restored_from, Some(later));
    assert_eq!(opening.journal.drafts().unwrap().len(), 2);
}

#[test]
fn a_a_draft_that_was_sent_is_not_brought_back_from_an_older_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_in(folder.path());
    let mut journal = Journal::open_or_restore(&path, now()).unwrap().journal;
    let (kept, gone) = (draft(1), draft(2));
    for draft in [&kept, &gone] {
        journal.save_draft(draft, now()).unwrap();
    }
    Backups::of(&path).make(now()).unwrap();
    journal.discard_draft(&gone.id).unwrap();
    journal.record_commits(now()).unwrap();
    drop(journal);
    fs::write(&path, "not a database").unwrap();
    let opening = Journal::open_or_restore(&path, now()).unwrap();
    assert!(opening.rescue.is_some());
    assert_eq!(opening.journal.drafts().unwrap(), [kept]);
}

#[test]
fn a_a_damaged_line_of_the_log_is_passed_over_and_does_not_condemn_the_journal() {
    let moments = moments();
    let files = moments.last().unwrap();
    let recorded = files[2].as_ref().unwrap();
    for at in (0..recorded.len()).step_by(recorded.len() / 16) {
        let folder = tempfile::tempdir().unwrap();
        let path = journal_in(folder.path());
        write(&path, "sqlite", files[0].as_ref());
        write(&path, "sqlite-wal", files[1].as_ref());
        let mut damaged = recorded.clone();
        damaged[at] ^= 0x01;
        write(&path, "commits", Some(&damaged));
        let opening = Journal::open_or_restore(&path, now()).unwrap();
        assert_eq!(opening.rescue, None, "byte {at}");
        assert_eq!(opening.journal.drafts().unwrap().len(), COMMITS);
    }
}
