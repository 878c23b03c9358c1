//! The keyring: tokens are stored, read, replaced and removed with a real Secret Service, and without any
//! keyring.

use std::process::Command;

use app::config::{Keyring, TokenError, Tokens};
use secrecy::ExposeSecret as _;

use crate::support::keyring::Keyring as Session;

/// Run in a session of its own by the test below, which knows where the bus is.
#[test]
#[ignore = "needs a session bus of its own, which the test below gives it"]
fn in_a_session_of_its_own() {
    let read = || Keyring::System.read("Depot").expect("a keyring");
    let text = |secret: &Option<secrecy::SecretString>| {
        secret
            .as_ref()
            .map(|secret| secret.expose_secret().to_owned())
    };
    assert!(read().service.is_none(), "a new keyring is empty");
    let all = Tokens {
        service: Some("token-1".into()),
        middleware: Some("prices-1".into()),
        integration: Some("integration-1".into()),
    };
    Keyring::System.write("Depot", &all).expect("it is stored");
    let found = read();
    assert_eq!(text(&found.service).as_deref(), Some("token-1"));
    assert_eq!(text(&found.middleware).as_deref(), Some("prices-1"));
    assert_eq!(text(&found.integration).as_deref(), Some("integration-1"));

    let fresh = Tokens {
        service: Some("token-2".into()),
        ..Tokens::default()
    };
    Keyring::System
        .write("Depot", &fresh)
        .expect("it is replaced");
    let found = read();
    assert_eq!(text(&found.service).as_deref(), Some("token-2"));
    assert_eq!(
        text(&found.middleware).as_deref(),
        Some("prices-1"),
        "what was not given stays"
    );
    let other = Keyring::System.read("Depot test").expect("a keyring");
    assert!(other.service.is_none(), "another connection's is its own");

    Keyring::System.delete("Depot").expect("it is forgotten");
    let gone = read();
    assert!(gone.service.is_none() && gone.middleware.is_none() && gone.integration.is_none());
    Keyring::System
        .delete("Depot")
        .expect("to forget what is not there is no fault");
}

fn in_session(bus: &str) -> std::process::Output {
    let ourselves = std::env::current_exe().expect("this executable's own path");
    let name = "connections::keyring::in_a_session_of_its_own";
    Command::new(ourselves)
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("DBUS_SESSION_BUS_ADDRESS", bus)
        .output()
        .expect("the test runs")
}

#[test]
fn what_is_stored_is_read_again_replaced_and_forgotten() {
    let session = Session::start();
    let output = in_session(session.bus());
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{wrong}");
    assert!(said.contains("1 passed"), "it did not run:\n{said}");
}

#[test]
fn without_a_bus_there_is_no_keyring() {
    let output = in_session("unix:path=/nonexistent/bus");
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(wrong.contains("NoKeyring"), "{wrong}");
}

#[test]
fn a_keyring_that_is_not_to_be_used_is_not() {
    assert_eq!(
        Keyring::Unused.read("Depot").map(drop),
        Err(TokenError::NoKeyring)
    );
    let tokens = Tokens {
        service: Some("token".into()),
        ..Tokens::default()
    };
    assert_eq!(
        Keyring::Unused.write("Depot", &tokens),
        Err(TokenError::NoKeyring)
    );
}
