//! 26: defaults of a new draft, and the time zone of a typed sender.

use app::state::SettingsCommand;
use draft::{AddressMode, CheckContext, Draft};
use shipping::CompanyLocationId;

use super::clerk::{Place, saved_sender};
use crate::support::desk::{NOW, fill};

#[test]
fn n26_a_typed_sender_has_the_clocks_of_its_state() {
    let now = NOW.parse().expect("a moment");
    let context = CheckContext::at(now, "UTC");
    for (typed, zone) in [
        ("Alexandria NSW 2015", "Australia/Sydney"),
        ("Broken Hill NSW 2880", "Australia/Broken_Hill"),
        ("Welshpool WA 6106", "Australia/Perth"),
        ("Alexandria 2015", "UTC"),
        ("", "UTC"),
    ] {
        let mut draft = Draft::default();
        draft.from.mode = AddressMode::Full;
        draft.from.place = typed.to_owned();
        assert_eq!(draft.despatch_zone(&context), zone, "{typed}");
    }
}

#[test]
fn n26_a_despatch_time_is_on_the_senders_clocks_on_a_machine_that_is_set_to_utc() {
    let mut place = Place::new();
    place.home.surroundings.zone = "UTC".to_owned();
    let mut clerk = place.clerk();
    clerk.await_locations(1);
    let editing = clerk.window.state_mut().editing_mut().expect("open");
    let draft = &mut editing.draft;
    fill(draft, "SO-26");
    draft.from = draft.to.clone();
    draft.from.place = "Alexandria NSW 2015".to_owned();
    draft.despatch = "2026-11-20 15:30".to_owned();
    clerk.rest();
    let made = clerk.send();
    let record = place.record(&made);
    let leaves = record["despatchDateUtc"].as_str().expect("a time");
    assert!(leaves.starts_with("2026-11-20T04:30"), "{leaves}");
}

#[test]
fn n26_after_a_return_the_next_draft_begins_at_the_benchs_own_sender_again() {
    let (place, mut clerk) = Place::begin();
    let wanted = CompanyLocationId::new(7001);
    let pick = SettingsCommand::PickSender(Some(wanted));
    clerk.window.state_mut().push(pick.into());
    clerk.rest();
    assert_eq!(
        saved_sender(&clerk),
        Some(7001),
        "the blank draft begins there"
    );

    // A return: the customer sends, the depot receives.
    let editing = clerk.window.state_mut().editing_mut().expect("open");
    let draft = &mut editing.draft;
    let depot = draft.from.clone();
    fill(draft, "RMA-1");
    draft.from = std::mem::replace(&mut draft.to, depot);
    clerk.rest();
    clerk.send();
    assert_eq!(saved_sender(&clerk), Some(7001));
    assert!(clerk.core().editing.draft.is_blank());

    // The next start begins there, too, and another company has its own.
    clerk.keys("<Ctrl+N>");
    let settings = clerk.until("kept", |_| {
        let read = app::config::Settings::read(&place.home.places).ok()?;
        (read.default_senders() == [wanted]).then_some(read)
    });
    drop(clerk);
    let mut place = place;
    place.home.settings = settings;
    let mut clerk = place.clerk();
    clerk.await_locations(1);
    assert_eq!(saved_sender(&clerk), Some(7001));
}
