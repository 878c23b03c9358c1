//! Switching services: typed text stays, unfinished operations prevent the switch, and mismatches of the
//! environment are reported.

use std::time::Duration;

use app::config::{ChosenService, Settings};
use app::state::{ConsignCommand, OperationState, SettingsCommand, Tone, WindowStage};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;

use crate::support::desk::{Home, notice};
use crate::support::front::Front;
use crate::support::wire::{Fault, Wire};

/// A home with a connection, TEST or LIVE, to `address`; practice is chosen.
fn home_with(kind: &str, address: &str) -> Home {
    let home = Home::new();
    let file = format!(
        r#"{{"chosen": "practice", "connections": [{{"name": "Depot", "kind": "{kind}", "address": "{address}"}}]}}"#
    );
    std::fs::write(home.places.settings(), file).expect("a settings file");
    home
}

/// Works with the connection, whose token is asked for.
pub(crate) fn use_depot(front: &mut Front, token: &str) {
    front.ask(SettingsCommand::Use("Depot".to_owned()));
    front.until("the token is asked for", |shared| {
        matches!(shared.stage, WindowStage::Token { .. }).then_some(())
    });
    front.rest();
    front.paste(token);
    front.keys("<Enter>");
    front.until_open("Depot");
}

/// A bench, and the practice service that it is connected to, with its own home.
fn begin(kind: &str) -> (Home, RunningService, Home) {
    let theirs = Home::new();
    let practice = theirs.practise();
    (home_with(kind, &practice.base_url()), practice, theirs)
}

fn headlines(front: &Front) -> Vec<String> {
    let notices = front.shared().notices.shown.iter();
    notices.map(|(_, notice)| notice.headline.clone()).collect()
}

/// Waits until there is a notice with this headline.
fn until_told(front: &mut Front, headline: &str) {
    front.until(headline, |shared| {
        notice(shared, headline).filter(|notice| notice.headline == headline)
    });
}

/// A bench with a LIVE connection to a wire, where a consignment is typed and every create loses its answer.
fn losing_creates() -> (Home, RunningService, Wire, Home, Front) {
    let theirs = Home::new();
    let practice = theirs.practise();
    let wire = Wire::before(practice.address());
    let home = home_with("live", &wire.base_url());
    let mut front = Front::start_open(&home, &practice);
    use_depot(&mut front, practice.token());
    front.type_consignment("SO-1");
    wire.fail("/consignments/createConsignment", Fault::LoseAnswer);
    (theirs, practice, wire, home, front)
}

#[test]
fn drafts_stay_with_their_service() {
    let (home, practice, _theirs) = begin("test");
    let mut front = Front::start_open(&home, &practice);
    front.type_consignment("SO-1");
    use_depot(&mut front, practice.token());
    front.until("an empty form", |_| Some(()));
    let typed = |front: &mut Front| {
        let window = front.widgets().state();
        let core = window.core().expect("a service is open");
        core.editing.draft.reference1.clone()
    };
    assert_eq!(typed(&mut front), "", "another service, another form");
    front.ask(SettingsCommand::Practise);
    front.until_open("practice");
    front.until("what was typed is there again", |_| Some(()));
    let begun = std::time::Instant::now();
    while typed(&mut front) != "SO-1" {
        front.rest();
        assert!(
            begun.elapsed() < crate::support::wait::SOON,
            "the draft is gone"
        );
    }
    let kept = front.until("the choice is kept", |_| {
        let settings = Settings::read(&home.places).ok()?;
        settings.chosen
    });
    assert!(matches!(
        kept,
        ChosenService::Practice | ChosenService::Connection(_)
    ));
}

#[test]
fn while_an_operation_is_unfinished_no_other_service_is_opened() {
    let (_theirs, practice, wire, _home, mut front) = losing_creates();
    wire.fail("ByReference2", Fault::Silence(Duration::from_secs(70)));
    front.ask(ConsignCommand::Send);
    front.until("its end is open", |shared| {
        shared
            .operations
            .open()
            .find(|operation| operation.state == OperationState::Unknown)
            .map(drop)
    });
    front.ask(SettingsCommand::Practise);
    front.rest();
    assert_eq!(front.shared().stage, WindowStage::Working);
    assert_eq!(front.shared().session.connection, "Depot");
    let said = headlines(&front);
    assert!(
        said.iter().any(|said| said == "Can't switch service"),
        "{said:?}"
    );
    let mut moved = front.shared().settings.connections[0].draft.clone();
    moved.address = practice.base_url();
    front.ask(SettingsCommand::Save(Box::new(moved)));
    until_told(&mut front, "The address of Depot was not changed");
    assert_eq!(
        front.shared().settings.connections[0].draft.address,
        wire.base_url()
    );
}

#[test]
fn a_journal_with_open_operations_keeps_its_connection() {
    let (_theirs, practice, wire, home, mut front) = losing_creates();
    wire.fail("ByReference2", Fault::LoseRequest);
    front.ask(ConsignCommand::Send);
    front.until("its end is open", |shared| {
        shared.operations.open().next().map(drop)
    });
    front.until("its answer was lost", |shared| {
        let mut open = shared.operations.open();
        open.any(|operation| operation.state == OperationState::Unknown)
            .then_some(())
    });
    front.close();
    // The next day, at the practice service.
    let mut settings = Settings::read(&home.places).expect("settings that can be read");
    settings.chosen = Some(ChosenService::Practice);
    settings
        .write(&home.places)
        .expect("settings can be written");
    let mut front = Front::start_open(&home, &practice);
    front.ask(SettingsCommand::Remove("Depot".to_owned()));
    until_told(&mut front, "Depot was not removed");
    assert_eq!(front.shared().settings.connections.len(), 1);
}

/// Starts with the connection at this address, and enters the token.
fn start_depot_at(address: &str, home: &Home, practice: &RunningService) -> Front {
    let mut settings = Settings::read(&home.places).expect("settings that can be read");
    address.clone_into(&mut settings.connections[0].address);
    let written = settings.write(&home.places);
    written.expect("settings can be written");
    let mut front = Front::start(home, practice);
    front.until("the token is asked for", |shared| {
        matches!(shared.stage, WindowStage::Token { .. }).then_some(())
    });
    front.rest();
    front.paste(practice.token());
    front.keys("<Enter>");
    front
}

#[test]
fn operations_sent_to_one_address_are_never_looked_for_at_another() {
    let (_theirs, practice, wire, home, mut front) = losing_creates();
    wire.fail("ByReference2", Fault::LoseRequest);
    front.ask(ConsignCommand::Send);
    front.until("its answer was lost", |shared| {
        let mut open = shared.operations.open();
        open.any(|operation| operation.state == OperationState::Unknown)
            .then_some(())
    });
    front.close();
    // An administrator changes the address meanwhile.
    let mut front = start_depot_at(&practice.base_url(), &home, &practice);
    let advice = front.until("it is refused", |shared| match &shared.stage {
        WindowStage::Failed { advice, .. } => Some(advice.clone()),
        _ => None,
    });
    let sent_to = format!("operations that were sent to {}", wire.base_url());
    assert!(advice.contains(&sent_to), "{advice}");
    front.rest();
    assert!(front.shows(&sent_to), "the window says so");
    front.close();
    wire.heal();
    let mut front = start_depot_at(&wire.base_url(), &home, &practice);
    front.until_open("Depot");
    front.until("it is found where it was sent", |shared| {
        let done = |one: &app::state::Operation| one.state == OperationState::Done;
        shared
            .operations
            .list
            .iter()
            .find(|one| done(one))
            .map(drop)
    });
    front.close();
    let mut front = start_depot_at(&practice.base_url(), &home, &practice);
    front.until_open("Depot");
}

#[test]
fn a_real_consignment_from_a_test_connection_is_an_alarm_that_stays() {
    let (home, practice, _theirs) = begin("test");
    let mut front = Front::start_open(&home, &practice);
    // The practice clerk's token is a production one.
    use_depot(&mut front, practice.token());
    for (reference, said) in [
        ("SO-1", "but the service created a real consignment: MS"),
        (
            "SO-2",
            "but the service created 2 real consignments, most recently MS",
        ),
    ] {
        front.type_consignment(reference);
        front.ask(ConsignCommand::Send);
        let alarm = front.until("the alarm", |shared| notice(shared, said));
        assert!(
            alarm
                .headline
                .starts_with("This connection is set up as TEST"),
            "{}",
            alarm.headline
        );
        assert_eq!(alarm.tone, Tone::Bad);
    }
    let alarms = headlines(&front);
    let alarms = alarms.iter().filter(|said| said.contains("set up as TEST"));
    assert_eq!(alarms.count(), 1, "one alarm, however many there are");
    front.ask(app::state::Command::Show(app::state::Screen::Dispatch));
    front.rest();
    let shown = front
        .widgets()
        .query_all_by_label_contains("created 2 real consignments")
        .count();
    assert!(shown > 0, "on every screen");
}

#[test]
fn a_production_token_at_a_live_connection_is_no_alarm() {
    let (home, practice, _theirs) = begin("live");
    let mut front = Front::start_open(&home, &practice);
    use_depot(&mut front, practice.token());
    front.type_consignment("SO-1");
    front.ask(ConsignCommand::Send);
    front.until("created", |shared| shared.consign.last_created.clone());
    let said = headlines(&front);
    assert!(
        !said.iter().any(|said| said.contains("set up as")),
        "{said:?}"
    );
}
