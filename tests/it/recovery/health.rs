//! The service goes away and comes back: this is shown at once, whichever call noticed, and the lists recover
//! automatically.

use app::Core;
use app::state::{DispatchCommand, WindowCommand};
use jiff::Timestamp;

use crate::support::desk::{Home, NOW, open_wired_bench};
use crate::support::wire::Fault;

const CREATE: &str = "/consignments/createConsignment";

fn listed(core: &Core) -> Option<()> {
    let list = &core.shared.dispatch.unmanifested;
    (list.value().is_some() && list.problem().is_none() && !list.is_loading()).then_some(())
}

#[test]
fn the_lists_come_back_by_themselves_with_the_service() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    desk.until("the list", listed);
    assert!(desk.core.shared.session.health.latency.is_some());
    wire.fail("/", Fault::LoseRequest);
    desk.ask(DispatchCommand::Refresh);
    desk.until("away", |core| {
        core.shared.dispatch.unmanifested.problem().map(|_| ())
    });
    let since = desk.core.shared.session.health.away_since;
    assert_eq!(since, NOW.parse::<Timestamp>().ok());
    assert!(
        desk.core.shared.dispatch.unmanifested.value().is_some(),
        "the old list is kept"
    );
    wire.heal();
    // Nobody asks.
    desk.until("the list again", listed);
    assert_eq!(desk.core.shared.session.health.away_since, None);
}

#[test]
fn a_program_that_starts_while_the_service_is_away_has_everything_once_it_is_back() {
    let (home, practice, wire) = Home::with_wire();
    wire.fail("/", Fault::LoseRequest);
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.until("companies are missed", |core| {
        core.shared.catalogue.companies.problem().map(|_| ())
    });
    wire.heal();
    desk.until("companies, locations, list", |core| {
        core.shared.catalogue.companies.value()?;
        core.shared.catalogue.locations.value()?;
        listed(core)
    });
}

#[test]
fn the_service_is_away_where_only_a_write_did_not_get_through() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    desk.until("the list", listed);
    desk.type_consignment("SO-48213");
    // Everything else is silent, too: nothing but the write is asked for.
    wire.fail("/", Fault::LoseRequest);
    desk.send();
    desk.until("away", |core| core.shared.session.health.away_since);
    assert!(wire.count(CREATE) > 0);
    assert!(desk.core.shared.dispatch.unmanifested.problem().is_none());
}

#[test]
fn asking_again_goes_out_although_calls_rest() {
    let (home, practice, wire) = Home::with_wire();
    let mut service = Home::service(wire.base_url(), practice.token());
    // By itself it would ask again in an hour.
    service.patience.cooldown = std::time::Duration::from_hours(1);
    let mut desk = home.open(&service);
    desk.until("the list", listed);
    wire.fail("/", Fault::LoseRequest);
    // Refreshing by hand always tries.
    for _ in 0..6 {
        desk.ask(DispatchCommand::Refresh);
        desk.until("failed", |core| {
            (!core.shared.dispatch.unmanifested.is_loading()).then_some(())?;
            core.shared.dispatch.unmanifested.problem().map(|_| ())
        });
    }
    wire.heal();
    desk.ask(WindowCommand::Reconnect);
    desk.until("the list again", listed);
    assert_eq!(desk.core.shared.session.health.away_since, None);
}
