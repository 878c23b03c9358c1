//! Settings by keyboard alone: a connection is added, checked, saved, used and removed, and no typed text is
//! lost.

use app::config::Settings;
use app::state::{Screen, SettingsCommand, WindowStage};
use draft::{ConnectionField, ServiceKind};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use shipping::DespatchSpelling;

use super::wizard::type_connection;
use crate::support::desk::Home;
use crate::support::front::Front;

/// On Settings, with the practice service open.
fn at_settings(home: &Home, practice: &RunningService) -> Front {
    let mut front = Front::at_practice(home, practice);
    front.keys("<Ctrl+Comma>");
    assert_eq!(front.shared().screen, Screen::Settings);
    front
}

/// Settings of a new bench, with its practice service.
pub(crate) fn new_settings() -> (Home, RunningService, Front) {
    let (home, practice) = Home::with_practice();
    let front = at_settings(&home, &practice);
    (home, practice, front)
}

/// Saves the first connection.
pub(crate) fn save(front: &mut Front) {
    front.keys("<Ctrl+S>");
    front.until("it is saved", |shared| {
        (shared.settings.connections.len() == 1).then_some(())
    });
}

/// Adds a connection to the practice service and saves it.
fn add_depot(front: &mut Front, practice: &RunningService) {
    front.keys("<Ctrl+N>");
    type_connection(front, "Depot", &practice.base_url(), practice.token());
    save(front);
}

#[test]
fn a_connection_is_added_tested_saved_and_used() {
    let (home, practice, mut front) = new_settings();
    front.keys("<Ctrl+N>");
    type_connection(&mut front, "Depot", &practice.base_url(), practice.token());
    assert!(
        front.widgets().query_by_label("not saved").is_some(),
        "what is unsaved is marked"
    );
    front.keys("<Alt+T>");
    front.until("it answers", |shared| {
        let tried = shared.settings.connection_test.value()?;
        tried.outcome.as_ref().ok().map(drop)
    });
    assert!(
        front.shared().settings.connections.is_empty(),
        "only looked at"
    );
    save(&mut front);
    front.rest();
    front.keys("<Alt+U>");
    front.until_open("Depot");
    assert_eq!(
        front.shared().screen,
        Screen::Settings,
        "the clerk stays where they were"
    );
    let saved = front.until("it is written", |_| {
        let settings = Settings::read(&home.places).ok()?;
        settings.connection().cloned()
    });
    assert_eq!(saved.address, practice.base_url());
}

#[test]
fn what_is_typed_is_still_there_after_leaving_and_is_saved_only_by_save() {
    let (_home, _practice, mut front) = new_settings();
    front.keys("<Ctrl+N>Depot<F2>");
    assert_eq!(front.shared().screen, Screen::Consign);
    front.keys("<Ctrl+Comma>");
    let name = front.widgets().get_by_label("Name").value();
    assert_eq!(name.as_deref(), Some("Depot"));
    assert!(front.shared().settings.connections.is_empty());
    // Save of what is not whole shows what is missing, and saves nothing.
    front.keys("<Ctrl+S>");
    front.rest();
    for words in [
        "Choose TEST or LIVE",
        "Enter the service's address: https://…",
        "Paste the token here",
    ] {
        assert!(front.widgets().query_by_label(words).is_some(), "{words}");
    }
    assert!(front.shared().settings.connections.is_empty());
}

#[test]
fn the_dialect_of_the_open_connection_takes_effect_when_it_is_saved() {
    let (home, practice, mut front) = new_settings();
    add_depot(&mut front, &practice);
    front.keys("<Alt+U>");
    front.until_open("Depot");
    let mut draft = front.shared().settings.connections[0].draft.clone();
    draft.compatibility.despatch = DespatchSpelling::Despatch;
    draft.tracking[2] = "https://track.example".to_owned();
    front.ask(SettingsCommand::Save(Box::new(draft)));
    front.until("it is opened anew, with what was saved", |shared| {
        let anew = shared.stage == WindowStage::Working
            && shared.session.tracking.v2.as_deref() == Some("https://track.example");
        anew.then_some(())
    });
    let settings = Settings::read(&home.places).expect("settings that can be read");
    let saved = settings.connection().expect("the connection");
    assert_eq!(saved.dialect.despatch, DespatchSpelling::Despatch);
}

#[test]
fn a_connection_is_removed_after_a_question_and_not_while_it_is_open() {
    let (_home, practice, mut front) = new_settings();
    add_depot(&mut front, &practice);
    front.rest();
    front.focus("Remove…");
    front.keys("<Enter>");
    // The first answer of the question is to keep it.
    front.keys("<Enter>");
    assert_eq!(front.shared().settings.connections.len(), 1);
    front.focus("Remove…");
    front.keys("<Enter>");
    crate::journeys::kit::picture(front.widgets(), "settings-remove");
    front.keys("<Tab><Enter>");
    front.until("it is gone", |shared| {
        shared.settings.connections.is_empty().then_some(())
    });
}

#[test]
fn the_benchs_name_and_who_packs_are_kept() {
    let (home, _practice, mut front) = new_settings();
    front.focus("Bench & appearance");
    front.keys("<Enter>");
    front.focus("Bench");
    front.keys("<Ctrl+A>Bench 7<Tab>Kiri<Ctrl+S>");
    front.until("it is written", |shared| {
        let settings = Settings::read(&home.places).ok()?;
        let kept = settings.bench.name == "Bench 7" && settings.bench.staff == "Kiri";
        (kept && shared.bench.name == "Bench 7" && shared.bench.staff == "Kiri").then_some(())
    });
}

#[test]
fn a_look_that_fails_leads_to_its_field() {
    let (_home, practice, mut front) = new_settings();
    front.keys("<Ctrl+N>");
    type_connection(&mut front, "Depot", &practice.base_url(), "wrong");
    front.keys("<Alt+T>");
    front.until("the token is refused", |shared| {
        let tried = shared.settings.connection_test.value()?;
        let problem = tried.outcome.as_ref().err()?;
        (problem.field == ConnectionField::Token).then_some(())
    });
    front.rest();
    front.keys("<Ctrl+A>");
    front.paste(practice.token());
    front.keys("<Ctrl+S>");
    let kind = front.until("it is saved", |shared| {
        let saved = shared.settings.connections.first()?;
        saved.draft.kind
    });
    assert_eq!(kind, ServiceKind::Test);
}
