//! Pictures of the wizard, the request for the token and Settings, in both themes and in a small window, for
//! a person to look at.

use app::state::{
    ConnectionTest, Environment, Remote, Screen, Shared, ThemeChoice, TokenMode, WindowStage,
};
use draft::ServiceKind;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::super::kit::picture_showing;
use super::data::{self, setup};
use super::{Desk, open_in};
use crate::support::keyboard::click;

/// Makes the result of a connection test.
type Outcome<'a> = &'a dyn Fn() -> Remote<ConnectionTest>;

const WHOLE: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

/// Light and dark at the usual size, light and small.
fn each(
    name: &str,
    shared: impl Fn() -> Shared,
    mut act: impl FnMut(&mut Harness<'_, Desk>),
    texts: &[&str],
) {
    for (size, theme, word) in [
        (WHOLE, ThemeChoice::Light, "light"),
        (WHOLE, ThemeChoice::Dark, "dark"),
        (SMALL, ThemeChoice::Light, "small"),
        (SMALL, ThemeChoice::Dark, "small-dark"),
    ] {
        let mut harness = open_in(shared(), size, theme);
        act(&mut harness);
        harness.run();
        picture_showing(&mut harness, &format!("{name}-{word}"), texts);
    }
}

fn at(stage: WindowStage) -> Shared {
    let mut shared = Shared::new(data::now(), Environment::Practice);
    shared.settings.file_dialog = true;
    shared.stage = stage;
    shared
}

fn welcome() -> Shared {
    at(WindowStage::Welcome { mend: None })
}

fn connecting(harness: &mut Harness<'_, Desk>) {
    click(harness, "Connect to your service");
}

#[test]
fn the_wizard_is_drawn() {
    each(
        "wizard",
        welcome,
        |_| {},
        &["Practise", "Connect to your service"],
    );
    each("wizard-connect", welcome, connecting, &["Connect", "Token"]);
    each(
        "wizard-missing",
        welcome,
        |harness| {
            connecting(harness);
            harness.get_by_label("Connect").click();
        },
        &["Connect"],
    );
    let mended = || {
        let mut shared = at(WindowStage::Welcome {
            mend: Some("Depot".to_owned()),
        });
        setup::put_into(&mut shared);
        shared
    };
    let contrary = || setup::clerk(&setup::depot(), TokenMode::Test);
    let outcomes: [(&str, Outcome<'_>, &str); 3] = [
        (
            "wizard-untrusted",
            &|| setup::untrusted(&setup::depot()),
            "certificate",
        ),
        ("wizard-viewer", &|| setup::viewer(&setup::depot()), "Depot"),
        ("wizard-contrary", &contrary, "TEST"),
    ];
    for (name, outcome, text) in outcomes {
        let tested = || {
            let mut shared = mended();
            shared.settings.connection_test = outcome();
            shared
        };
        each(name, tested, |_| {}, &["Depot", text]);
    }
}

#[test]
fn the_tokens_question_and_the_way_in_are_drawn() {
    let token = |keyring, problem: Option<&str>| {
        at(WindowStage::Token {
            name: "Depot".to_owned(),
            kind: ServiceKind::Live,
            keyring,
            problem: problem.map(str::to_owned),
        })
    };
    each("token", || token(true, None), |_| {}, &["Depot", "Token"]);
    let refused = "The service does not accept this token (HTTP 401)";
    each(
        "token-refused",
        || token(false, Some(refused)),
        |_| {},
        &[refused],
    );
    let opening = || {
        at(WindowStage::Opening {
            what: "Opening this bench's records".to_owned(),
            done: 2,
            total: 3,
        })
    };
    each(
        "opening",
        opening,
        |_| {},
        &["Opening this bench's records"],
    );
    let failed = || {
        at(WindowStage::Failed {
            headline: "Couldn't open Depot".to_owned(),
            advice:
                "This bench's records are damaged. Nothing was changed: look at the data folder"
                    .to_owned(),
            connection: Some("Depot".to_owned()),
        })
    };
    each(
        "opening-failed",
        failed,
        |_| {},
        &["Couldn't open Depot", "This bench's records are damaged"],
    );
}

#[test]
fn settings_are_drawn() {
    let settings = || {
        let mut shared = data::shared();
        setup::put_into(&mut shared);
        shared.screen = Screen::Settings;
        shared
    };
    each("settings", settings, |_| {}, &["Depot", "Test connection"]);
    each(
        "settings-bench",
        settings,
        |harness| {
            harness.get_by_label("Bench & appearance").click();
        },
        &["Packed by"],
    );
    each(
        "settings-practice",
        settings,
        |harness| {
            harness.get_by_label("Practice").click();
        },
        &["Practice"],
    );
    each(
        "settings-new",
        settings,
        |harness| {
            click(harness, "Add a connection…");
            harness.get_by_label("Save").click();
        },
        &["Save"],
    );
    let looked_at = || {
        let mut shared = settings();
        shared.settings.connection_test = setup::clerk(&setup::depot(), TokenMode::Production);
        shared
    };
    each(
        "settings-looked",
        looked_at,
        |_| {},
        &["The token is valid"],
    );
    each(
        "settings-below",
        settings,
        |harness| {
            let below = harness.get_by_label("Path of UN numbers");
            below.scroll_to_me();
        },
        &["Path of UN numbers"],
    );
    let test = || {
        let mut shared = settings();
        shared.session.environment = Environment::Test;
        shared
    };
    each(
        "settings-menu",
        test,
        |harness| {
            harness.get_by_label("TEST: switch service").click();
        },
        &["Settings"],
    );
}
