//! Edge cases of the sync: pages, time windows, clocks, long absence, and removed consignments.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use shipping::{CarrierId, CompanyId, TransitState};
use storage::SyncScope;

use super::model::ground::Ground;
use super::model::life::Life;
use super::model::road::Trick;
use super::model::world::World;

const RECENT: &str = "getRecentlyCreatedOrUpdated";
const BY_IDS: &str = "/returnConsignments";

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

fn of_company() -> SyncScope {
    SyncScope {
        company: Some(CompanyId::new(1)),
        children: false,
        carrier: None,
    }
}

/// So many, one made an hour, the newest an hour ago.
fn made(life: &Life<'_>, count: i64) -> Vec<i64> {
    let mut world = life.world();
    let now = world.clock.now();
    let made = |ago: i64| world.create(now - hours(ago));
    (1..=count).rev().map(made).collect()
}

/// With the first request for this page, `then` happens.
fn at_page(
    ground: &Ground,
    life: &Life<'_>,
    page: usize,
    then: impl Fn(&mut World) + Send + 'static,
) {
    let (world, mut count) = (Arc::clone(&life.world), 0);
    ground.road.guard(move |line| {
        if line.contains(RECENT) {
            count += 1;
            if count == page {
                then(&mut world.lock().expect("nobody panicked"));
            }
        }
        Trick::Pass
    });
}

/// What is asked of the service from now on.
fn heard(ground: &Ground) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::<Mutex<Vec<String>>>::default();
    let hears = Arc::clone(&lines);
    ground.road.guard(move |line| {
        hears.lock().expect("nobody panicked").push(line.to_owned());
        Trick::Pass
    });
    lines
}

fn count(lines: &Mutex<Vec<String>>, part: &str) -> usize {
    let lines = lines.lock().expect("nobody panicked");
    lines.iter().filter(|line| line.contains(part)).count()
}

fn look(life: &mut Life<'_>, whole: bool) {
    let done = life.look(whole).expect("it ends");
    assert!(done, "{}", life.world().log.join("\n"));
}

fn same(life: &Life<'_>) {
    if let Err(wrong) = life.compare(true) {
        panic!("{wrong}\n{}", life.world().log.join("\n"));
    }
}

#[test]
fn a_row_that_goes_at_a_page_edge_hides_no_other() {
    let ground = Ground::new();
    ground.road.page(40);
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 120);
    let gone = ids[3];
    at_page(&ground, &life, 2, move |world| world.remove(gone));
    look(&mut life, true);
    let mut kept: Vec<_> = life.kept().into_keys().collect();
    kept.retain(|id| *id != gone);
    assert_eq!(kept.len(), 119);
    // It was read before it went.
    ground.road.free();
    look(&mut life, false);
    same(&life);
}

#[test]
fn what_changes_while_pages_are_read_is_found_by_the_next_difference() {
    let ground = Ground::new();
    ground.road.page(40);
    let mut life = Life::plain(&ground, of_company());
    let old = { life.world() }.create("2026-11-01T00:00:00Z".parse().expect("a moment"));
    let ids = made(&life, 100);
    let first = ids[0];
    // One goes in at the front, where the pages have gone by, and one that was read there is another already.
    at_page(&ground, &life, 3, move |world| {
        world.pass(minutes(2));
        let now = world.clock.now();
        world.becomes(old, 5, now);
        world.becomes(first, 5, now);
        world.pass(minutes(25));
    });
    look(&mut life, true);
    ground.road.free();
    assert!(!life.kept().contains_key(&old));
    let lines = heard(&ground);
    look(&mut life, false);
    assert_eq!(count(&lines, RECENT), 1);
    same(&life);
}

#[test]
fn what_bears_the_very_time_of_the_edge_of_the_window_is_listed() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 3);
    let now = life.world().clock.now();
    // Several at one time: the last one of all looks.
    for id in &ids {
        life.world().becomes(*id, 5, now);
    }
    look(&mut life, true);
    let seen_to = life.mark().expect("a mark").seen_to;
    assert!(seen_to <= now && seen_to > now - minutes(1), "{seen_to}");
    life.world().pass(minutes(5));
    life.world().becomes(ids[0], 6, seen_to);
    life.world().becomes(ids[1], 6, seen_to - minutes(10));
    look(&mut life, false);
    same(&life);
}

#[test]
fn a_clock_that_is_a_day_behind_reads_less_of_the_list_and_loses_nothing() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    { life.world() }.bench_clock.advance(hours(-26));
    made(&life, 20);
    let lines = heard(&ground);
    look(&mut life, true);
    assert_eq!(count(&lines, RECENT), 3, "refused twice, then listed");
    same(&life);
    life.world().pass(minutes(1));
    let id = { life.world() }.create_of(1, 0);
    look(&mut life, false);
    assert!(life.kept().contains_key(&id));
    assert!(!life.last.as_ref().expect("one").gap);
}

#[test]
fn a_clock_that_is_ahead_hides_nothing() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    { life.world() }.bench_clock.advance(hours(30));
    made(&life, 3);
    look(&mut life, true);
    life.world().pass(minutes(1));
    let id = { life.world() }.create_of(1, 0);
    look(&mut life, false);
    assert!(life.kept().contains_key(&id));
}

#[test]
fn three_days_away_are_caught_up_by_the_list() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 10);
    look(&mut life, true);
    life.world().pass(hours(30));
    let now = life.world().clock.now();
    life.world().becomes(ids[0], 5, now);
    made(&life, 5);
    life.world().pass(hours(42));
    life.restart();
    look(&mut life, false);
    assert!(!life.last.as_ref().expect("one").gap);
    same(&life);
}

#[test]
fn after_thirty_days_what_was_open_is_asked_for_and_the_gap_is_told() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 6);
    let now = life.world().clock.now();
    for id in &ids[..4] {
        life.world().becomes(*id, 5, now);
    }
    look(&mut life, true);
    life.world().pass(hours(24 * 5));
    let then = life.world().clock.now();
    life.world().becomes(ids[0], 7, then);
    { life.world() }.remove(ids[5]);
    let unseen = { life.world() }.create_of(1, 0);
    life.world().becomes(unseen, 10, then);
    life.world().pass(hours(24 * 25));
    look(&mut life, false);
    let synced = life.last.clone().expect("one");
    assert!(synced.gap);
    let kept = life.kept();
    assert_eq!(
        kept[&ids[0]].row.status.id.transit_state(),
        TransitState::Delivered
    );
    assert!(!kept.contains_key(&ids[5]));
    assert!(!kept.contains_key(&unseen), "it came and went meanwhile");
    // A service that was quiet for long was listened to all the same.
    life.world().pass(minutes(5));
    look(&mut life, false);
    life.world().pass(hours(24 * 8));
    look(&mut life, false);
    life.world().pass(hours(24 * 8));
    look(&mut life, false);
    assert!(!life.last.as_ref().expect("one").gap);
}

#[test]
fn companies_below_and_carriers_are_followed_as_the_scope_says() {
    let ground = Ground::new();
    for (children, carrier, expected) in [
        (false, None, vec![0, 1]),
        (true, None, vec![0, 1, 2, 3]),
        (true, Some(11), vec![0, 2]),
    ] {
        let scope = SyncScope {
            children,
            carrier: carrier.map(CarrierId::new),
            ..of_company()
        };
        let mut life = Life::plain(&ground, scope);
        let made = [(1, 0), (1, 1), (2, 0), (2, 1)]
            .map(|(company, carrier)| life.world().create_of(company, carrier));
        look(&mut life, true);
        let expected: Vec<_> = expected.into_iter().map(|at: usize| made[at]).collect();
        assert_eq!(life.kept().into_keys().collect::<Vec<_>>(), expected);
        same(&life);
    }
}

#[test]
fn each_scope_has_a_mark_of_its_own() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    made(&life, 2);
    look(&mut life, true);
    let first = life.mark().expect("a mark");
    life.scope.children = true;
    assert_eq!(life.mark(), None);
    life.world().pass(minutes(3));
    look(&mut life, false);
    assert!(
        life.mark().expect("a mark").whole_at > first.whole_at,
        "all of it is looked at first"
    );
    life.scope.children = false;
    assert_eq!(life.mark(), Some(first));
}

#[test]
fn what_was_deleted_at_the_service_is_forgotten_once_it_is_surely_gone() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 3);
    let young = { life.world() }.create_of(1, 0);
    look(&mut life, true);
    { life.world() }.remove(ids[1]);
    { life.world() }.remove(young);
    life.world().pass(minutes(1));
    look(&mut life, false);
    let kept: Vec<_> = life.kept().into_keys().collect();
    assert_eq!(
        kept,
        [ids[0], ids[2], young],
        "one that was made just now may only be late"
    );
    life.world().pass(minutes(11));
    look(&mut life, false);
    assert_eq!(life.last.as_ref().expect("one").gone.len(), 1);
    same(&life);
}

#[test]
fn a_change_without_a_change_of_status_is_found_by_the_id_while_it_waits() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 2);
    look(&mut life, true);
    { life.world() }.rename(ids[0], "Somebody else");
    life.world().pass(minutes(1));
    let lines = heard(&ground);
    look(&mut life, false);
    assert_eq!((count(&lines, RECENT), count(&lines, BY_IDS)), (1, 1));
    assert_eq!(life.kept()[&ids[0]].row.to, "Somebody else");
}

#[test]
fn a_step_that_is_told_hours_late_is_found_within_the_hour() {
    let ground = Ground::new();
    let mut life = Life::plain(&ground, of_company());
    let ids = made(&life, 2);
    let now: Timestamp = life.world().clock.now();
    life.world().becomes(ids[0], 5, now - hours(2));
    life.world().becomes(ids[1], 5, now);
    look(&mut life, true);
    life.world().pass(minutes(1));
    life.world().becomes(ids[0], 16, now - hours(6));
    look(&mut life, false);
    assert!(
        life.compare(true).is_err(),
        "it is dated before what a difference lists"
    );
    life.world().pass(minutes(31));
    look(&mut life, false);
    same(&life);
}

#[test]
fn a_bench_that_is_killed_in_the_middle_goes_on_without_loss() {
    let ground = Ground::new();
    ground.road.page(40);
    let mut life = Life::plain(&ground, of_company());
    made(&life, 130);
    life.kill_at(3);
    assert_eq!(life.mark(), None, "what was read so far is not all");
    let before = life.kept().len();
    assert!((40..=130).contains(&before), "{before}");
    look(&mut life, false);
    same(&life);
}

#[test]
fn a_look_that_fails_leaves_the_mark_and_the_rows() {
    let ground = Ground::new();
    ground.road.page(40);
    let mut life = Life::plain(&ground, of_company());
    made(&life, 50);
    look(&mut life, true);
    let mark = life.mark();
    life.world().pass(minutes(20));
    for _ in 0..60 {
        life.world().create_of(1, 0);
    }
    let mut asked = 0;
    ground.road.guard(move |line| {
        asked += usize::from(line.contains(RECENT));
        if asked > 1 { Trick::Fail } else { Trick::Pass }
    });
    assert!(!life.look(true).expect("it ends"));
    assert_eq!(life.mark(), mark);
    ground.road.free();
    look(&mut life, false);
    same(&life);
}
