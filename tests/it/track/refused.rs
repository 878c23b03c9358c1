//! A service that refuses to report tracked consignments: a missing answer does not mean that a consignment
//! is gone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::SignedDuration;
use shipping::CompanyId;
use storage::SyncScope;

use super::model::ground::Ground;
use super::model::life::Life;
use super::model::road::Trick;

const BY_IDS: &str = "/returnConsignments";
const BY_ID: &str = "/getConsignment?";

fn of_company() -> SyncScope {
    SyncScope {
        company: Some(CompanyId::new(1)),
        children: false,
        carrier: None,
    }
}

/// Three that wait since hours ago, and are known.
fn followed(ground: &Ground) -> (Life<'_>, [i64; 3]) {
    let mut life = Life::plain(ground, of_company());
    let ids = [9, 8, 7].map(|hours| {
        let mut world = life.world();
        let now = world.clock.now();
        world.create(now - SignedDuration::from_hours(hours))
    });
    look(&mut life);
    later(&life);
    (life, ids)
}

fn look(life: &mut Life<'_>) {
    let done = life.look(false).expect("it ends");
    assert!(done, "{}", life.world().log.join("\n"));
}

fn later(life: &Life<'_>) {
    life.world().pass(SignedDuration::from_mins(11));
}

fn kept(life: &Life<'_>) -> Vec<i64> {
    life.kept().into_keys().collect()
}

#[test]
fn nothing_is_forgotten_where_every_question_is_refused() {
    let ground = Ground::new();
    let (mut life, ids) = followed(&ground);
    ground.road.guard(|line| {
        let is_by_id = line.contains(BY_IDS) || line.contains(BY_ID);
        if is_by_id { Trick::Refuse } else { Trick::Pass }
    });
    for _ in 0..3 {
        look(&mut life);
        assert_eq!(kept(&life), ids);
        later(&life);
    }
}

#[test]
fn one_that_is_refused_for_long_while_others_are_answered_is_gone() {
    let ground = Ground::new();
    let (mut life, ids) = followed(&ground);
    { life.world() }.remove(ids[1]);
    ground.road.guard(|line| {
        let is_refused = line.contains(BY_IDS);
        if is_refused {
            Trick::Refuse
        } else {
            Trick::Pass
        }
    });
    look(&mut life);
    assert_eq!(kept(&life), ids, "it may be refused for a while only");
    later(&life);
    look(&mut life);
    assert_eq!(kept(&life), [ids[0], ids[2]]);
}

#[test]
fn one_that_may_not_be_read_keeps_no_look_from_its_end() {
    let ground = Ground::new();
    let (mut life, ids) = followed(&ground);
    let before = life.mark().expect("a mark");
    { life.world() }.rename(ids[2], "Somebody else");
    let denied = format!("id={}", ids[0]);
    ground.road.guard(move |line| {
        let is_denied = line.contains(BY_IDS) || line.contains(&denied);
        if is_denied { Trick::Deny } else { Trick::Pass }
    });
    look(&mut life);
    assert!(life.mark().expect("a mark").at > before.at);
    assert_eq!(kept(&life), ids);
    assert_eq!(life.kept()[&ids[2]].row.to, "Somebody else");
}

/// Damage that shows at once, not only when what is in memory already is read from the file again.
fn lose_the_table(store: &Path) {
    let file = rusqlite::Connection::open(store).expect("the store");
    let lost = "PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = rootpage + 100000 WHERE name = 'tracked';
        PRAGMA schema_version = 4711;";
    file.execute_batch(lost).expect("it is lost");
}

#[test]
fn a_store_that_is_damaged_under_a_look_is_filled_again_by_it() {
    let ground = Ground::new();
    ground.road.page(40);
    let mut life = Life::plain(&ground, of_company());
    for hours in 1..=130 {
        let mut world = life.world();
        let now = world.clock.now();
        world.create(now - SignedDuration::from_hours(hours));
    }
    look(&mut life);
    let path = life.store_path();
    let lists = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&lists);
    ground.road.guard(move |line| {
        let is_page = line.contains("getRecently");
        if is_page && asked.fetch_add(1, Ordering::Relaxed) == 0 {
            lose_the_table(&path);
        }
        Trick::Pass
    });
    assert!(life.look(true).expect("it ends"));
    let pages = lists.load(Ordering::Relaxed);
    assert!(pages > 4, "all of it is read again, not {pages} pages");
    life.compare(true).expect("as the service has it");
    assert!(life.mark().is_some());
}
