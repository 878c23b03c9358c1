//! New exceptions: announced once, quietly, and kept until somebody has seen them.

use std::time::Duration;

use app::Core;
use app::state::{Command, Screen, TrackCommand, TrackPane};
use shipping::ConsignmentId;

use super::support::{Depot, look};
use crate::support::desk::Desk;

const LOST: i64 = 8;
const DAMAGED: i64 = 9;
const KNOWN: &str = "SELECT COUNT(*) FROM lists WHERE name = 'exceptions'";
const SEEN: &str = "SELECT COUNT(*) FROM lists, json_each(lists.body, '$.exceptions') AS one
                    WHERE lists.name = 'exceptions' AND json_extract(one.value, '$.seen')";

fn new(core: &Core) -> Vec<ConsignmentId> {
    core.shared.track.new_exceptions.clone()
}

#[test]
fn a_new_exception_is_said_once_and_stays_until_it_is_seen() {
    let depot = Depot::open();
    let sent = depot.book(3);
    depot.becomes(sent[0], LOST);
    let mut desk = depot.desk();
    look(&mut desk);
    depot.until_stored(&mut desk, KNOWN, 1);
    desk.turn();
    assert!(
        new(&desk.core).is_empty(),
        "what was so before it was followed is no news"
    );

    depot.becomes(sent[1], LOST);
    look(&mut desk);
    desk.until("it is said", |core| (new(core) == [sent[1]]).then_some(()));
    assert_eq!(
        desk.core.shared.screen,
        Screen::Consign,
        "nothing opens by itself"
    );
    desk.core.close(depot.home.runtime.handle());

    let mut desk = depot.desk();
    look(&mut desk);
    desk.until("nobody has seen it yet", |core| {
        (new(core) == [sent[1]]).then_some(())
    });
    desk.ask(TrackCommand::SeenExceptions);
    depot.until_stored(&mut desk, SEEN, 2);
    assert!(new(&desk.core).is_empty());
    desk.core.close(depot.home.runtime.handle());

    let mut desk = depot.desk();
    depot.becomes(sent[2], DAMAGED);
    look(&mut desk);
    desk.until("only what is new since", |core| {
        (new(core) == [sent[2]]).then_some(())
    });
}

/// A bench that knows of one consignment with its carrier.
fn with_one_known() -> (Depot, Desk, Vec<ConsignmentId>) {
    let depot = Depot::open();
    let sent = depot.book(1);
    let mut desk = depot.desk();
    look(&mut desk);
    depot.until_stored(&mut desk, KNOWN, 1);
    (depot, desk, sent)
}

#[test]
fn what_is_new_counts_as_seen_once_the_board_was_in_sight_for_a_while() {
    let (depot, mut desk, sent) = with_one_known();
    depot.becomes(sent[0], LOST);
    look(&mut desk);
    desk.until("it is said", |core| (new(core) == sent).then_some(()));
    desk.pass(Duration::from_mins(1));
    assert_eq!(new(&desk.core), sent, "another screen is up");
    desk.ask(Command::Show(Screen::Track));
    desk.ask(TrackCommand::Show(TrackPane::Board));
    desk.turn();
    desk.pass(Duration::from_secs(5));
    assert_eq!(new(&desk.core), sent, "a glance is not enough");
    desk.pass(Duration::from_secs(6));
    desk.until("it is seen", |core| new(core).is_empty().then_some(()));
}

#[test]
fn what_comes_while_nobody_is_at_the_board_is_not_seen() {
    let (depot, mut desk, sent) = with_one_known();
    desk.ask(Command::Show(Screen::Track));
    desk.ask(TrackCommand::Show(TrackPane::Board));
    desk.turn();
    depot.becomes(sent[0], LOST);
    look(&mut desk);
    desk.until("it is said", |core| (new(core) == sent).then_some(()));
    desk.pass(Duration::from_mins(1));
    desk.turn();
    assert_eq!(new(&desk.core), sent, "the board was up, and nobody there");
    desk.ask(TrackCommand::Open(sent[0]));
    desk.turn();
    desk.core.hide(true);
    desk.turn();
    desk.pass(Duration::from_secs(11));
    desk.turn();
    assert_eq!(new(&desk.core), sent, "the window is hidden");
    desk.core.hide(false);
    desk.turn();
    desk.pass(Duration::from_secs(11));
    desk.until("it is seen", |core| new(core).is_empty().then_some(()));
}
