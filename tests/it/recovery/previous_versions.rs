//! A data folder that an earlier version of the program wrote opens with everything in it.
//!
//! Each archive in `previous_versions` holds the folders of a bench and of its practice service as they were at the end of
//! a short day with that version. The bench created SO-48000 to SO-48003, booked the first two, printed their labels,
//! printed the first one again because it was torn, put the fourth on hold, saved a preset and a view, changed its
//! settings, lost the answer to the create of SO-48100, and left the draft SO-48200 in the form.

use std::io::Cursor;
use std::path::Path;

use app::config::{Settings, ThemeChoice};
use app::state::{Command, JobState, OperationKind, OperationState, Screen, TrackCommand};
use rusqlite::Connection;

use crate::support::desk::Home;

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
