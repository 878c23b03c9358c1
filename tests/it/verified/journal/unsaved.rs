//! C. Drafts that could not be saved are all saved once the disk accepts writes again.

use std::time::Duration;

use app::Core;
use app::state::Notice;
use practice::RunningService;
use rusqlite::Connection;
use storage::Journal;

use crate::support::desk::{Desk, Home, fill, notice, open_bench};

fn warning(core: &Core) -> Option<Notice> {
    notice(&core.shared, "Couldn't save the draft")
}

/// The disk refuses every draft until this connection rolls back.
fn refuse(home: &Home) -> Connection {
    let other = Connection::open(home.places.journal("practice")).unwrap();
    other.busy_timeout(Duration::from_secs(10)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

/// Types a draft and begins the next.
fn type_and_keep(desk: &mut Desk, reference: &str) {
    fill(&mut desk.core.editing.draft, reference);
    desk.turn();
    desk.begin_draft();
}

/// A bench whose disk refuses drafts, of which SO-1 was one.
fn with_refused_draft() -> (Home, RunningService, Desk, Connection) {
    let (home, practice, mut desk) = open_bench();
    desk.until("companies", |core| core.shared.session.company.map(|_| ()));
    let other = refuse(&home);
    type_and_keep(&mut desk, "SO-1");
    (home, practice, desk, other)
}

fn on_disk(home: &Home) -> Vec<String> {
    let journal = Journal::open(&home.places.journal("practice")).unwrap();
    let drafts = journal.drafts().unwrap().into_iter();
    let mut references: Vec<_> = drafts.map(|draft| draft.reference1).collect();
    references.sort();
    references
}

#[test]
fn c_every_draft_that_the_disk_refused_is_saved_and_the_warning_stays_until_the_last_is() {
    let (home, _practice, mut desk, other) = with_refused_draft();
    type_and_keep(&mut desk, "SO-2");
    fill(&mut desk.core.editing.draft, "SO-3");
    desk.until("the warning", warning);
    // Until both that were put away were refused too, however long the disk takes for each.
    for _ in 0..2 {
        desk.pass(Duration::from_secs(6));
        desk.until("still refused", warning);
    }
    other.execute_batch("ROLLBACK").unwrap();
    let mut last = 0;
    desk.until("no warning", |core| {
        last += 1;
        warning(core).is_none().then_some(())
    });
    assert!(last > 0);
    assert_eq!(on_disk(&home), ["SO-1", "SO-2", "SO-3"]);
}

#[test]
fn c_drafts_that_the_disk_refused_are_tried_once_more_when_the_program_is_closed() {
    let (home, _practice, mut desk, other) = with_refused_draft();
    desk.until("the warning", warning);
    other.execute_batch("ROLLBACK").unwrap();
    desk.core.close(home.runtime.handle());
    assert_eq!(on_disk(&home), ["SO-1"]);
}
