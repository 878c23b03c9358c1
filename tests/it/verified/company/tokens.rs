//! 15: a token while the keyring is switched off.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use app::config::{ChosenService, Keyring};
use app::state::{SettingsCommand, WindowStage};
use draft::Secret;
use serde_json::json;

use super::clerk::Place;
use crate::support::front::Front;
use crate::support::program;

#[test]
fn n15_the_doctor_tests_a_service_of_ones_own_with_a_token_from_standard_input() {
    let place = Place::new();
    let home = program::Home::fresh();
    let connection = json!({ "name": "Depot", "kind": "live", "address": place.wire.base_url() });
    let settings = json!({ "chosen": { "connection": "Depot" }, "connections": [connection] });
    fs::write(home.data().join("settings.json"), settings.to_string()).expect("settings");
    let run = |arguments: &[&str], token: &str| {
        let mut command = home.command(&[&["doctor"], arguments].concat());
        command.env("PACKBENCH_KEYRING", "none");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the doctor runs");
        let mut input = child.stdin.take().expect("its input");
        // Without the option it reads nothing, and may have ended by now.
        let _unread = writeln!(input, "{token}");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let token = place.practice.token();
    let said = run(&["--token-from-stdin"], token);
    assert!(said.contains("accepts the token"), "{said}");
    assert!(!said.contains(token), "{said}");
    let said = run(&["--token-from-stdin"], "wrong");
    assert!(!said.contains("accepts the token"), "{said}");
    let said = run(&[], token);
    assert!(said.contains("--token-from-stdin"), "{said}");
}

#[test]
fn n15_after_a_refused_token_the_dialog_does_not_speak_of_a_keyring_that_is_off() {
    let mut place = Place::new();
    place.home.surroundings.keyring = Keyring::Unused;
    let connection = json!({ "name": "Depot", "kind": "live", "address": place.wire.base_url() });
    let settings = &mut place.home.settings;
    settings.connections = vec![serde_json::from_value(connection).expect("a connection")];
    settings.chosen = Some(ChosenService::Connection("Depot".to_owned()));
    settings.write(&place.home.places).expect("written");
    let mut front = Front::start(&place.home, &place.practice);
    front.until("the token is asked for", |shared| {
        matches!(shared.stage, WindowStage::Token { .. }).then_some(())
    });
    let mut wrong = Secret::default();
    wrong.text_mut().push_str("wrong");
    front.ask(SettingsCommand::AnswerToken(wrong));
    let keyring = front.until("it is refused", |shared| match &shared.stage {
        WindowStage::Token {
            keyring,
            problem: Some(_),
            ..
        } => Some(*keyring),
        _ => None,
    });
    assert!(!keyring);
}
