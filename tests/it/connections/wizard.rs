//! The first start by keyboard alone: practise or connect, and the request for the token at the next start.

use app::config::{ChosenService, Settings};
use app::state::{Environment, PermissionAnswer, TokenPlace, WindowStage};
use client::Failure;
use draft::ConnectionField;
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use shipping::ServiceError;

use super::ears::Ears;
use crate::support::desk::Home;
use crate::support::front::Front;

/// Types a connection: its name, TEST, its address, its token, and Enter.
pub(crate) fn type_connection(front: &mut Front, name: &str, address: &str, token: &str) {
    front.text(name);
    front.keys("<Tab><Space><Tab*2>");
    front.text(address);
    front.keys("<Tab>");
    front.paste(token);
    front.keys("<Enter>");
}

/// The first start of a new bench.
fn first_start() -> (Home, RunningService, Front) {
    let (home, practice) = Home::with_practice();
    let front = Front::start(&home, &practice);
    (home, practice, front)
}

/// From the first page to the connection's form.
fn connect(front: &mut Front) {
    front.keys("<Tab><Enter>");
}

fn saved(home: &Home) -> Settings {
    Settings::read(&home.places).expect("settings that can be read")
}

/// Returns the problem that the connection test found.
fn wrong(front: &mut Front) -> (ConnectionField, String) {
    front.until("something is wrong", |shared| {
        let tried = shared.settings.connection_test.value()?;
        let problem = tried.outcome.as_ref().err()?;
        (!shared.settings.connection_test.is_loading())
            .then(|| (problem.field, problem.message.clone()))
    })
}

#[test]
fn enter_practises() {
    let (home, practice, mut front) = first_start();
    assert_eq!(front.shared().stage, WindowStage::Welcome { mend: None });
    front.keys("<Enter>");
    front.until_open("practice");
    assert_eq!(front.title(), "PRACTICE - Packbench");
    front.until("the choice is kept", |_| {
        (saved(&home).chosen == Some(ChosenService::Practice)).then_some(())
    });
    front.close();
    let again = Front::start(&home, &practice);
    assert_ne!(again.shared().stage, WindowStage::Welcome { mend: None });
}

#[test]
fn a_viewer_connects_and_is_told_what_the_token_may_not_do() {
    let (home, practice, mut front) = first_start();
    connect(&mut front);
    let token = practice.viewer_token().to_owned();
    type_connection(&mut front, "Depot", &practice.base_url(), &token);
    let findings = front.until("it answers", |shared| {
        let tried = shared.settings.connection_test.value()?;
        tried.outcome.as_ref().ok().cloned()
    });
    let may_not: Vec<_> = findings
        .abilities
        .iter()
        .filter_map(|(_, verdict)| match verdict {
            PermissionAnswer::Denied(words) => Some(words.as_str()),
            _ => None,
        })
        .collect();
    assert!(
        may_not.contains(&"You do not have permission to manifest consignments"),
        "in the service's own words: {:?}",
        findings.abilities
    );
    assert!(!findings.companies.is_empty());
    front.rest();
    assert!(front.shows("not allowed: You do not have permission to manifest"));
    front.keys("<Enter>");
    front.until_open("Depot");
    assert_eq!(front.shared().session.environment, Environment::Test);
    assert_eq!(front.title(), "TEST - Depot - Packbench");
    let settings = front.until("it is saved", |_| {
        Some(saved(&home)).filter(|settings| settings.connections.len() == 1)
    });
    assert_eq!(
        settings.chosen,
        Some(ChosenService::Connection("Depot".to_owned()))
    );
    let said: Vec<_> = front
        .shared()
        .notices
        .shown
        .iter()
        .map(|(_, notice)| notice.headline.as_str())
        .collect();
    assert_eq!(
        said,
        ["The token of Depot is kept in memory only"],
        "this home has no keyring"
    );
    assert_eq!(
        front.shared().settings.connections[0].token,
        TokenPlace::Memory
    );
}

#[test]
fn a_wrong_token_is_said_at_the_token_and_nothing_typed_is_lost() {
    let (_home, practice, mut front) = first_start();
    connect(&mut front);
    type_connection(&mut front, "Depot", &practice.base_url(), "wrong");
    let (field, words) = wrong(&mut front);
    assert_eq!(field, ConnectionField::Token);
    assert!(words.contains("401"), "{words}");
    front.rest();
    // The focus is in the token: what is pasted replaces it.
    front.keys("<Ctrl+A>");
    front.paste(practice.token());
    front.test_and_open("Depot");
    let saved = front.shared().settings.connections[0].draft.clone();
    assert_eq!(saved.address, practice.base_url());
}

#[test]
fn an_address_that_leads_elsewhere_a_web_page_and_silence_are_said_at_the_address() {
    let (home, practice) = Home::with_practice();
    let redirect = Ears::plain(
        "307 Temporary Redirect",
        "location: https://elsewhere.example/\r\n",
        "",
    );
    let page = Ears::plain("200 OK", "", "<html><body>Sign in</body></html>");
    for (address, said) in [
        (redirect.base_url(), "redirects elsewhere (HTTP 307)"),
        (page.base_url(), "A web page answered"),
        (
            "http://127.0.0.1:9".to_owned(),
            "No answer from this address",
        ),
        ("https://packbench.invalid".to_owned(), "Server not found"),
    ] {
        let mut front = Front::start(&home, &practice);
        connect(&mut front);
        type_connection(&mut front, "Depot", &address, "a-token");
        let (field, words) = wrong(&mut front);
        assert_eq!(field, ConnectionField::Address, "{address}");
        assert!(words.contains(said), "{address}: {words}");
        front.rest();
        let shown = front.widgets().query_by_label_contains(said).is_some();
        assert!(shown, "{address}: it is to be seen");
    }
}

#[test]
fn an_address_that_would_show_the_token_is_not_called() {
    let (_home, _practice, mut front) = first_start();
    connect(&mut front);
    type_connection(&mut front, "Depot", "http://ship.example", "a-token");
    front.rest();
    assert!(front.shared().settings.connection_test.value().is_none());
    assert!(front.shows("Use https://, so that nobody can read the token"));
}

/// A home whose chosen connection leads to the practice service over its socket.
fn connected(practice: &RunningService) -> Home {
    let home = Home::new();
    let file = format!(
        r#"{{"chosen": {{"connection": "Depot"}}, "connections": [{{"name": "Depot", "kind": "live", "address": "{}"}}]}}"#,
        practice.base_url()
    );
    std::fs::write(home.places.settings(), file).expect("a settings file");
    home
}

#[test]
fn without_a_keyring_the_token_is_asked_for_at_each_start() {
    let first = Home::new();
    let practice = first.practise();
    let home = connected(&practice);
    for start in 1..=2 {
        let mut front = Front::start(&home, &practice);
        front.until("the token is asked for", |shared| {
            matches!(
                &shared.stage,
                WindowStage::Token {
                    keyring: false,
                    problem: None,
                    ..
                }
            )
            .then_some(())
        });
        front.rest();
        front.paste("wrong");
        front.keys("<Enter>");
        let words = front.until("a wrong one is refused", |shared| match &shared.stage {
            WindowStage::Token { problem, .. } => problem.clone(),
            _ => None,
        });
        assert!(words.contains("401"), "{words}");
        front.rest();
        front.keys("<Ctrl+A>");
        front.paste(&format!("  {}\n", practice.token()));
        front.keys("<Enter>");
        front.until_open("Depot");
        assert_eq!(front.title(), "LIVE - Depot - Packbench", "start {start}");
        front.close();
    }
}

#[test]
fn instead_of_giving_a_token_one_can_practise() {
    let first = Home::new();
    let practice = first.practise();
    let home = connected(&practice);
    let mut front = Front::start(&home, &practice);
    front.until("the token is asked for", |shared| {
        matches!(&shared.stage, WindowStage::Token { .. }).then_some(())
    });
    front.rest();
    // Open cannot be pressed while nothing is given: the next is to practise.
    front.keys("<Tab><Enter>");
    front.until_open("practice");
}

#[test]
fn a_journal_that_cannot_be_opened_is_said_and_can_be_tried_again() {
    let (home, practice) = Home::with_practice();
    std::fs::write(home.places.settings(), r#"{"chosen": "practice"}"#).expect("a settings file");
    let journal = home.places.journal("practice");
    std::fs::create_dir(&journal).expect("a folder in its place");
    let mut front = Front::start(&home, &practice);
    let advice = front.until("it is said", |shared| match &shared.stage {
        WindowStage::Failed { advice, .. } => Some(advice.clone()),
        _ => None,
    });
    assert!(advice.contains("Nothing was changed"), "{advice}");
    front.rest();
    std::fs::remove_dir(&journal).expect("it is moved away");
    front.keys("<Enter>");
    front.until_open("practice");
}

/// The refusal of a call, in these words.
fn refused(words: &str) -> Result<(), Failure> {
    Err(Failure::Refused(vec![ServiceError {
        validation_type: "1".to_owned(),
        member_names: Vec::new(),
        error_message: words.to_owned(),
    }]))
}

#[test]
fn only_a_refusal_that_speaks_of_permission_says_that_the_user_may_not() {
    let words = "You do not have permission to delete consignments";
    for (answer, expected) in [
        (refused(words), PermissionAnswer::Denied(words.to_owned())),
        (
            refused("ConsignmentIds are required"),
            PermissionAnswer::NotRefused,
        ),
        (Ok(()), PermissionAnswer::NotRefused),
    ] {
        assert_eq!(PermissionAnswer::of(answer), expected);
    }
    let forbidden = PermissionAnswer::of(Err(Failure::Status(403)));
    assert!(matches!(forbidden, PermissionAnswer::Denied(_)));
    let late = PermissionAnswer::of(Err(Failure::TimedOut));
    assert!(matches!(late, PermissionAnswer::Unclear(_)));
}
