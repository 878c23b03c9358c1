//! Drafts that one bench leaves for any other: through the windows, and with benches and databases that end in the middle.

use std::collections::BTreeSet;

use app::state::ImportStage;
use draft::Draft;
use engine::{Fetch, Remote, Request};
use jiff::Timestamp;
use storage::Journal;
use workgroup::OrderKey;

use super::bench;
use super::orders::{check, import, orders, titles};
use super::window::Warehouse;
use crate::journeys::kit::picture_showing;
use crate::support::desk::notice;
use crate::support::front::Front;
use crate::support::keyboard::click_containing;
use crate::support::postgres::Stop;
use crate::support::wait::{SOON, until};

/// Waits for a read; `None` if it failed.
fn wait<T: Send + 'static>(fetch: Fetch<T>) -> Option<T> {
    let mut remote = Remote::default();
    remote.start(fetch);
    until("the read has ended", SOON, || remote.poll().then_some(()));
    remote.take()?.ok()
}

fn waiting(front: &mut Front, count: usize) {
    front.until(&format!("{count} drafts wait"), |shared| {
        (shared.consign.waiting.len() == count).then_some(())
    });
    front.rest();
}

/// Waits until a draft is open, and returns its title.
fn until_open(front: &mut Front) -> String {
    until("a draft is open", SOON, || {
        front.rest();
        let editing = front.widgets().state_mut().editing_mut().expect("a form");
        let title = editing.draft.title().to_owned();
        (!title.is_empty()).then_some(title)
    })
}

fn send(front: &mut Front) {
    front.keys("<Ctrl+Enter>");
    front.until("it is sent", |shared| shared.consign.last_created.clone());
    front.rest();
}

#[test]
fn a_draft_left_on_one_bench_is_taken_over_and_sent_on_another_by_keyboard() {
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    first.keys("<F2>");
    first.type_consignment("SO-9");
    first.keys("<Alt+L>");
    waiting(&mut first, 1);
    assert!(first.shared().consign.drafts.is_empty());
    picture_showing(
        first.widgets(),
        "workgroup-left-draft",
        &["1 for any bench"],
    );

    second.keys("<F2>");
    waiting(&mut second, 1);
    second.keys("<Ctrl+O>");
    picture_showing(
        second.widgets(),
        "workgroup-take-over",
        &[
            "Drafts on this bench and for any bench",
            "SO-9",
            "left by Bench 1",
            "ready for any bench",
        ],
    );
    second.keys("<Enter>");
    waiting(&mut second, 0);
    waiting(&mut first, 0);
    assert_eq!(until_open(&mut second), "SO-9");
    send(&mut second);
    let made = second.shared().consign.last_created.clone().expect("one");
    assert_eq!(made.customer_reference.as_deref(), Some("SO-9"));

    // Nothing of it is left on the first bench.
    first.keys("<Ctrl+O>");
    assert!(first.shows("No drafts. On Consign, press Ctrl+N"));
}

#[test]
fn waiting_orders_go_to_the_benches_that_ask_one_to_each_and_are_sent_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = orders(&folder);
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    check(&mut first, &path);
    import(&mut first);
    first.keys("<Esc>");
    assert_eq!(first.shared().consign.import.stage, ImportStage::Closed);
    first.until("both are checked", |shared| {
        (shared.consign.batch().ready.len() == 2).then_some(())
    });
    first.rest();
    click_containing(first.widgets(), "Batch");
    first.rest();
    click_containing(first.widgets(), "Leave all ready for any bench (2)");
    waiting(&mut first, 2);
    assert!(titles(first.shared()).is_empty());
    second.keys("<F2>");
    waiting(&mut second, 2);
    first.keys("<Alt+T>");
    second.keys("<Alt+T>");
    waiting(&mut first, 0);
    waiting(&mut second, 0);
    let mut sent = BTreeSet::new();
    for front in [&mut first, &mut second] {
        sent.insert(until_open(front));
        send(front);
    }
    assert_eq!(sent, ["SO-1", "SO-2"].map(str::to_owned).into());
    second.keys("<Alt+T>");
    second.until("there is none", |shared| {
        notice(shared, "There is nothing to take over")
    });
}

#[test]
fn without_the_database_a_draft_stays_on_its_bench() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.member("Bench 1");
    front.keys("<F2>");
    front.type_consignment("SO-9");
    warehouse.server.stop(Stop::Immediately);
    front.until("the database is away", |shared| {
        let view = shared.workgroup.as_ref()?;
        matches!(view.state, workgroup::WorkgroupState::Away(_)).then_some(())
    });
    front.rest();
    front.keys("<Alt+L>");
    front.until("it is refused", |shared| notice(shared, "not connected"));
    let editing = front.widgets().state_mut().editing_mut().expect("a form");
    assert_eq!(editing.draft.title(), "SO-9");
}

fn draft(reference: &str) -> Draft {
    Draft {
        reference1: reference.to_owned(),
        ..Draft::default()
    }
}

#[test]
fn a_draft_that_was_left_while_the_database_went_away_is_there_once_when_it_is_back() {
    let warehouse = bench::Warehouse::open();
    let bench = warehouse.bench("Bench 1");
    warehouse.server.stop(Stop::Immediately);
    bench.ask(Request::LeaveDrafts(vec![(draft("SO-1"), true)]));
    bench.close(&warehouse.site.runtime);
    warehouse.server.start_again();
    let mut bench = warehouse.bench("Bench 1");
    assert!(bench.drafts.is_empty());
    bench.until("it waits", |bench| (bench.waiting.len() == 1).then_some(()));
    // The journal has delivered it, and delivers it no second time.
    bench.close(&warehouse.site.runtime);
    let mut bench = warehouse.bench("Bench 1");
    bench.until("it still waits", |bench| {
        (bench.waiting.len() == 1).then_some(())
    });
}

#[test]
fn a_draft_taken_over_by_a_bench_that_ends_at_once_is_there_at_its_next_start() {
    let warehouse = bench::Warehouse::open();
    let mut bench = warehouse.bench("Bench 1");
    bench.ask(Request::LeaveDrafts(vec![(draft("SO-1"), true)]));
    bench.until("it waits", |bench| (bench.waiting.len() == 1).then_some(()));
    // The second bench ends before it has saved the draft.
    let second = warehouse.member("Bench 2");
    // The first bench lists the draft as waiting before the database has it.
    until("it is taken", SOON, || {
        let taken = second.wait(second.workgroup.take_draft(None));
        taken.expect("asked")
    });
    drop(second);
    let mut second = warehouse.bench("Bench 2");
    let found = second.until("it is there", |bench| bench.drafts.first().cloned());
    assert_eq!(found.reference1, "SO-1");
    second.close(&warehouse.site.runtime);
    let second = warehouse.bench("Bench 2");
    assert_eq!(second.drafts.len(), 1, "once");
}

#[test]
fn a_draft_is_taken_over_by_one_of_many_benches_that_ask_at_the_same_time() {
    let warehouse = bench::Warehouse::open();
    let mut bench = warehouse.bench("Bench 1");
    let left = (0..20).map(|number| (draft(&format!("SO-{number}")), true));
    bench.ask(Request::LeaveDrafts(left.collect()));
    bench.until("they wait", |bench| {
        (bench.waiting.len() == 20).then_some(())
    });
    let benches: Vec<_> = (2..8)
        .map(|number| warehouse.member(&format!("Bench {number}")))
        .collect();
    let taken: Vec<_> = std::thread::scope(|scope| {
        let takers: Vec<_> = { benches.iter() }
            .map(|member| {
                scope.spawn(|| {
                    let mut own = Vec::new();
                    while let Some(taken) = member
                        .wait(member.workgroup.take_draft(None))
                        .expect("asked")
                    {
                        own.push(taken.id);
                    }
                    own
                })
            })
            .collect();
        let all = takers
            .into_iter()
            .flat_map(|taker| taker.join().expect("a taker"));
        all.collect()
    });
    assert_eq!(taken.len(), 20);
    assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), 20);
    until("none waits", SOON, || {
        bench.hear();
        bench.waiting.is_empty().then_some(())
    });
}

#[test]
fn an_order_moves_with_its_draft_unless_a_third_bench_has_it() {
    let warehouse = bench::Warehouse::open();
    let mut first = warehouse.bench("Bench 1");
    let second = warehouse.bench("Bench 2");
    let third = warehouse.member("Bench 3");
    let order = |reference: &str| Draft {
        is_order: true,
        ..draft(reference)
    };
    let key = |reference: &str| OrderKey::new(None, reference);
    // The first bench has imported SO-1, and the third one SO-2.
    let member = warehouse.member("Bench 1");
    for (member, reference) in [(&member, "SO-1"), (&third, "SO-2")] {
        let taken = member.wait(member.workgroup.take_orders(&[key(reference)]));
        assert_eq!(taken, Ok(Vec::new()));
    }
    let left = ["SO-1", "SO-2"].map(|reference| (order(reference), true));
    first.ask(Request::LeaveDrafts(left.to_vec()));
    first.until("they wait", |bench| {
        (bench.waiting.len() == 2).then_some(())
    });
    for reference in ["SO-1", "SO-2"] {
        let taken = wait(second.reads().take_draft(None)).flatten();
        assert_eq!(
            taken.map(|draft| draft.reference1),
            Some(reference.to_owned())
        );
    }
    let owners = |reference: &str| {
        let asking = warehouse.member("Bench 9");
        let owners = asking.wait(asking.workgroup.orders_of_others(&[key(reference)]));
        let owners = owners.expect("owners").into_iter();
        owners.map(|owner| owner.bench_name).collect::<Vec<_>>()
    };
    assert_eq!(owners("SO-1"), ["Bench 2"]);
    assert_eq!(owners("SO-2"), ["Bench 3"]);
}

#[test]
fn a_bench_that_leaves_its_workgroup_keeps_what_it_left_and_asks_about_what_may_be_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let now = Timestamp::UNIX_EPOCH;
    let opened = Journal::open_or_restore(&folder.path().join("journal.db"), now);
    let mut journal = opened.expect("a journal").journal;
    journal.set_workgroup_member(true).expect("joined");
    let (tried, kept) = (draft("SO-1"), draft("SO-2"));
    journal
        .leave_drafts(&[(tried.clone(), true)], now)
        .expect("left");
    journal.left_drafts_tried().expect("on its way");
    journal
        .leave_drafts(&[(kept.clone(), true)], now)
        .expect("left");
    assert_eq!(journal.drafts().expect("drafts"), []);
    journal.set_workgroup_member(false).expect("alone");
    assert_eq!(journal.drafts().expect("drafts").len(), 2);
    let doubts = journal.possibly_sent_drafts().expect("doubts");
    let doubts: Vec<_> = doubts.into_iter().map(|doubt| doubt.draft).collect();
    assert_eq!(doubts, [tried.id]);
}
