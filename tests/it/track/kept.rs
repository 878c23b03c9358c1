//! How the program fills the store of tracked consignments, and when it syncs automatically.

use std::time::Duration;

use app::config::{Settings, TrackingScopes};
use app::state::{DispatchCommand, Screen, SyncScope, TrackCommand, WindowCommand};
use shipping::{CarrierId, CompanyId};
use storage::{ConsignmentRow, TrackStore};

use super::figures::fetched;
use super::model::life::kept_ids;
use super::samples::{self, NOW};
use crate::support::desk::{Desk, Home};
use crate::support::lanes::Site;
use crate::support::wait::{SOON, until};

fn kept(home: &Home) -> Vec<ConsignmentRow> {
    let path = TrackStore::beside(&home.places.journal("practice"));
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let made = rusqlite::Connection::open_with_flags(&path, flags).and_then(|file| {
        file.query_row("SELECT count(*) FROM tracked", [], |row| {
            row.get::<_, i64>(0)
        })
    });
    // The bench makes the file; nobody else may do so meanwhile.
    if made.is_err() {
        return Vec::new();
    }
    let store = TrackStore::open(&path).expect("the store");
    let reader = store.reader().expect("a reader");
    reader.rows(&kept_ids(&path)).expect("rows")
}

fn by_itself(home: &mut Home) {
    home.settings = Settings {
        follow: TrackingScopes::default(),
        ..home.settings.clone()
    };
}

fn until_looked(desk: &mut Desk) {
    desk.until("looked", |core| {
        let track = &core.shared.track;
        (track.mark.is_some() && !track.sync.is_loading()).then_some(())
    });
}

#[test]
fn what_is_sent_and_deleted_is_followed_without_a_look() {
    let home = Home::new();
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    desk.type_consignment("SO-1");
    desk.send();
    let row = desk.until("it is followed", |_| kept(&home).pop());
    assert_eq!(row.reference, "SO-1");
    desk.ask(DispatchCommand::Delete(vec![row.id]));
    desk.turn();
    desk.pass(Duration::from_mins(1));
    desk.until("it is forgotten", |_| kept(&home).is_empty().then_some(()));
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_bench_looks_by_itself_at_its_company_and_at_another_when_that_is_picked() {
    let mut home = Home::new();
    by_itself(&mut home);
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    until_looked(&mut desk);
    desk.until("the company", |core| core.shared.session.company);
    until_looked(&mut desk);
    assert_eq!(
        desk.core.shared.track.sync_scope.company,
        desk.core.shared.session.company
    );
    assert!(desk.core.shared.track.sync_scope.children);
    let before = desk.core.shared.track.mark.expect("a mark");
    home.clock.advance(jiff::SignedDuration::from_mins(1));
    desk.ask(app::state::Command::Show(Screen::Track));
    desk.turn();
    desk.pass(Duration::from_secs(61));
    desk.until("looked again", |core| {
        let mark = core.shared.track.mark?;
        (mark.at > before.at && !core.shared.track.sync.is_loading()).then_some(())
    });
    let mark = desk.core.shared.track.mark.expect("a mark");
    assert_eq!(mark.whole_at, before.whole_at, "the differences alone");
    desk.ask(WindowCommand::PickCompany(CompanyId::new(2)));
    desk.turn();
    assert_eq!(
        desk.core.shared.track.sync_scope.company,
        Some(CompanyId::new(2))
    );
    until_looked(&mut desk);
    desk.core.close(home.runtime.handle());
}

#[test]
fn whom_a_bench_follows_is_remembered() {
    let home = Home::new();
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    let scope = SyncScope {
        company: None,
        children: false,
        carrier: Some(CarrierId::new(12)),
    };
    desk.until("the company", |core| core.shared.session.company);
    desk.ask(TrackCommand::SetSyncScope(scope));
    desk.turn();
    until_looked(&mut desk);
    assert_eq!(desk.core.shared.track.sync_scope, scope);
    desk.core.close(home.runtime.handle());
    let settings = Settings::read(&home.places).expect("settings");
    let follows = settings.follow.at[""];
    assert_eq!(
        (follows.children, follows.carrier),
        (false, Some(CarrierId::new(12)))
    );
    assert_eq!(follows.company(Some(CompanyId::new(1))), None);
}

#[test]
fn what_an_earlier_run_left_out_of_the_index_is_put_there_without_a_look() {
    let site = Site::open();
    let path = TrackStore::beside(&site.journal("Bench4"));
    let waiting = || {
        let store = TrackStore::open(&path).expect("a store");
        store.unindexed().expect("read")
    };
    let rows: Vec<_> = (1..=300).map(samples::followed).collect();
    let mut store = TrackStore::open(&path).expect("a store");
    store.put(&rows, samples::at(NOW)).expect("kept");
    drop(store);
    assert_eq!(waiting(), 300);
    let lanes = site.bench("Bench4");
    let one = lanes.reads().track_rows(samples::ids(&[1]));
    assert_eq!(fetched(one).len(), 1);
    until("all is in the index", SOON, || {
        (waiting() == 0).then_some(())
    });
    lanes.close(&site.runtime);
}
