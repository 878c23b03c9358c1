//! The log files: a file a day, for a week, at most 10 MB together.

use std::fs;
use std::io::Write as _;

use app::LogFile;
use jiff::{SignedDuration, Timestamp};
use shipping::Clock;

const MOST_BYTES: u64 = 10 * 1024 * 1024;

#[test]
fn the_log_keeps_a_week_and_never_grows_beyond_its_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    let begin: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
    let clock = Clock::fixed(begin);
    let line = vec![b'x'; 64 * 1024];
    for _ in 0..10 {
        // A start each day, in which more is logged than a day may hold.
        let mut log = LogFile::in_folder(logs.clone(), clock.clone());
        for _ in 0..40 {
            log.write_all(&line).expect("written");
        }
        clock.advance(SignedDuration::from_hours(24));
    }
    let mut names = Vec::new();
    let mut bytes = 0;
    for entry in fs::read_dir(&logs).expect("the folder") {
        let entry = entry.expect("an entry");
        names.push(entry.file_name().into_string().expect("a name"));
        bytes += entry.metadata().expect("its length").len();
    }
    names.sort();
    assert_eq!(names.len(), 7, "{names:?}");
    assert_eq!(names[0], "2026-11-23.log");
    assert!(bytes <= MOST_BYTES, "{bytes}");
    assert!(bytes > MOST_BYTES / 2, "{bytes}");
}
