//! A data folder that an earlier version of the program wrote opens with everything in it, and a folder that a later
//! version wrote is left as it is.
//!
//! Each archive in `previous_versions` holds the folders of a bench and of its practice service as they were at the end of
//! a short day with that version. The bench created SO-48000 to SO-48003, booked the first two, printed their labels,
//! printed the first one again because it was torn, put the fourth on hold, saved a preset and a view, changed its
//! settings, lost the answer to the create of SO-48100, and left the draft SO-48200 in the form.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use app::config::{Settings, ThemeChoice};
use app::state::{
    Command, JobState, OperationKind, OperationState, SaveState, Screen, TrackCommand, WindowStage,
};
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::support::desk::{Home, open_bench};
use crate::support::front::Front;

/// A data folder as an earlier version left it.
struct EarlierFolder {
    archive: &'static [u8],
    /// The number of migrations that the version had for its journal.
    journal: i64,
    /// The clerk's limit for dear prices; the usual one if the version had no such setting.
    dear_percent: u32,
}

/// Program 0.1.0 of 21 November 2026, before the list of recent changes was replaced.
const JOURNAL_15: EarlierFolder = EarlierFolder {
    archive: include_bytes!("previous_versions/journal-15.zip"),
    journal: 15,
    dear_percent: 50,
};

/// The last version before the store and the journal's tables were changed, of 23 November 2026.
const JOURNAL_17: EarlierFolder = EarlierFolder {
    archive: include_bytes!("previous_versions/journal-17.zip"),
    journal: 17,
    dear_percent: 20,
};

/// Program 0.2.0 of 26 November 2026, before the journal recorded the service's address.
const JOURNAL_19: EarlierFolder = EarlierFolder {
    archive: include_bytes!("previous_versions/journal-19.zip"),
    journal: 19,
    dear_percent: 20,
};

/// A home that holds the folders of the earlier version.
fn home_with(folder: &EarlierFolder) -> Home {
    let mut home = Home::new();
    let root = home.places.data().parent().expect("a folder").to_owned();
    let mut archive = zip::ZipArchive::new(Cursor::new(folder.archive)).expect("an archive");
    archive.extract(root).expect("the files");
    home.settings = Settings::read(&home.places).expect("settings");
    home
}

/// The number of migrations that this journal has had.
fn journal_version(path: &Path) -> i64 {
    let db = Connection::open(path).expect("a journal");
    db.pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("a version")
}

#[test]
fn a_folder_of_journal_version_15_opens_with_everything_in_it() {
    opens_with_everything_in_it(&JOURNAL_15);
}

#[test]
fn a_folder_of_journal_version_17_opens_with_everything_in_it() {
    opens_with_everything_in_it(&JOURNAL_17);
}

#[test]
fn a_folder_of_journal_version_19_opens_with_everything_in_it() {
    opens_with_everything_in_it(&JOURNAL_19);
}

fn opens_with_everything_in_it(folder: &EarlierFolder) {
    let home = home_with(folder);
    let journal = home.places.journal("practice");
    assert_eq!(journal_version(&journal), folder.journal);
    assert_eq!(
        (&*home.settings.bench.name, &*home.settings.bench.staff),
        ("Bench 4", "Mia")
    );
    assert_eq!(home.settings.bench.theme, ThemeChoice::Dark);
    assert_eq!(home.settings.bench.dear_percent, Some(folder.dear_percent));
    assert_eq!(home.settings.printers[0].name, "Zebra bench 4");

    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    desk.until("the draft in the form", |core| {
        (core.editing.draft.reference1 == "SO-48200").then_some(())
    });
    desk.until("the lost create is found at the service", |core| {
        let lost = core.shared.operations.list.first()?;
        (lost.kind == OperationKind::Create && lost.state == OperationState::Done).then_some(())
    });
    let shared = &desk.core.shared;
    let done = |kind: OperationKind| {
        let all = shared.operations.list.iter();
        all.filter(|one| one.kind == kind && one.state == OperationState::Done)
            .count()
    };
    assert_eq!(
        (done(OperationKind::Create), done(OperationKind::Manifest)),
        (5, 1)
    );
    let reasons: Vec<_> = shared
        .labels
        .jobs
        .iter()
        .map(|job| (&*job.reason, job.state))
        .collect();
    let sent = JobState::Sent;
    assert_eq!(reasons, [("torn", sent), ("", sent), ("", sent)]);
    assert_eq!(shared.catalogue.presets[0].name, "Reels");
    assert_eq!(
        shared.catalogue.presets[0].goods[0].name,
        "Hose reels, 20 m"
    );
    let view = shared
        .dispatch
        .views
        .iter()
        .find(|view| view.name == "Southern")
        .expect("the view");
    assert_eq!(view.filter, "carrier:southern");
    assert_eq!(view.sort, Some(("to".to_owned(), true)));
    let booked = shared
        .operations
        .list
        .iter()
        .find(|one| one.kind == OperationKind::Manifest)
        .expect("the booking");
    assert_eq!(booked.consignments.len(), 2);
    assert!(!booked.reference.is_empty(), "the carrier's reference");

    let (rows, held) = desk.until("the unmanifested consignments", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == 3).then(|| (list.to_vec(), core.shared.dispatch.on_hold.clone()))
    });
    let rows: Vec<_> = { rows.into_iter() }
        .map(|id| desk.row(id).reference)
        .collect();
    assert!(rows.contains(&"SO-48003".to_owned()), "{rows:?}");
    assert_eq!(held.len(), 1, "the fourth is on hold");

    desk.core.push(Command::Show(Screen::Track));
    desk.core.push(TrackCommand::Sync { whole: true }.into());
    desk.until("all five are in the store", |core| {
        let board = core.shared.track.board.value()?;
        (board.total == 5 && board.booked == 2).then_some(())
    });
}

/// A change that a later version makes to a journal.
type LaterChange = fn(&Connection);

/// The ways in which a later version leaves its journal, depending on how it ended.
const LATER: [(&str, LaterChange); 3] = [
    ("one more migration", add_migration),
    ("a migration that renamed a table", |db| {
        let renamed = db.execute_batch("ALTER TABLE commits RENAME TO counted_commits");
        renamed.expect("renamed");
        add_migration(db);
    }),
    ("a migration that is in the log only", |db| {
        let left = db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        left.expect("the log stays");
        add_migration(db);
    }),
];

fn add_migration(db: &Connection) {
    let version: i64 = db
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("a version");
    db.pragma_update(None, "user_version", version + 1)
        .expect("a later version");
}

/// The content of every file in this folder, but for the index that SQLite makes of a log.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.to_string_lossy().ends_with("-shm") {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, bytes);
        }
    }
    found
}

/// A home that holds the folder of a bench with a consignment and a draft, written by the program of today.
fn home_of_today() -> Home {
    let (home, practice, mut desk) = open_bench();
    desk.create("SO-1");
    desk.begin_draft();
    desk.type_consignment("SO-2");
    desk.until("the draft is saved", |core| {
        matches!(core.editing.saved, SaveState::At(_)).then_some(())
    });
    desk.core.close(home.runtime.handle());
    drop(practice);
    // Every file of the folder is closed after this.
    drop(home.runtime);
    let copy = Home::new();
    for (path, bytes) in files(home.places.data()) {
        let name = path.strip_prefix(home.places.data()).expect("a file of it");
        let path = copy.places.data().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a copy");
    }
    fs::write(copy.places.settings(), r#"{"chosen": "practice"}"#).expect("settings");
    copy
}

#[test]
fn an_older_program_on_newer_data_says_so_and_changes_nothing() {
    for (what, change) in LATER {
        let home = home_of_today();
        let journal = home.places.journal("practice");
        change(&Connection::open(journal).expect("a journal"));
        let before = files(home.places.data());

        let practice = home.practise();
        let mut front = Front::start(&home, &practice);
        assert_is_refused(&mut front, what);
        // Trying again is no way around it.
        front.keys("<Enter>");
        assert_is_refused(&mut front, what);
        front.close();

        let after = files(home.places.data());
        assert!(after.keys().eq(before.keys()), "{what}: {:?}", after.keys());
        for (path, bytes) in before {
            assert!(after[&path] == bytes, "{what}: {} changed", path.display());
        }
    }
}

/// Asserts that the window says that the records are of a newer version.
#[track_caller]
fn assert_is_refused(front: &mut Front, what: &str) {
    let (headline, advice) = front.until(what, |shared| match &shared.stage {
        WindowStage::Failed {
            headline, advice, ..
        } => Some((headline.clone(), advice.clone())),
        WindowStage::Working => panic!("{what}: it was opened"),
        _ => None,
    });
    assert_eq!(headline, "Couldn't open Practice", "{what}");
    assert_eq!(
        advice,
        "This bench's records were written by a newer version of Packbench. Nothing was changed: install the newer \
         version again",
        "{what}"
    );
    front.rest();
    assert!(front.shows("a newer version of Packbench"), "{what}");
}
