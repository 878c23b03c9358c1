//! Pictures of the wizard, the request for the token and Settings, in both themes and in a small window, for
//! a person to look at.

use app::state::{Editing, Environment, Screen, Shared, ThemeChoice, TokenMode, WindowStage};
use draft::ServiceKind;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::super::kit::picture;
use super::data::{self, setup};
use super::{Desk, desk};

const WHOLE: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

/// Light and dark at the usual size, light and small.
fn each(name: &str, shared: impl Fn() -> Shared, mut act: impl FnMut(&mut Harness<'_, Desk>)) {
    for (size, theme, word) in [
        (WHOLE, ThemeChoice::Light, "light"),
        (WHOLE, ThemeChoice::Dark, "dark"),
        (SMALL, ThemeChoice::Light, "small"),
        (SMALL, ThemeChoice::Dark, "small-dark"),
    ] {
        let mut harness = desk(size, 1.0, theme, Desk::new(shared(), Editing::default()));
        act(&mut harness);
        harness.run();
        picture(&mut harness, &format!("{name}-{word}"));
    }
}

fn at(stage: WindowStage) -> Shared {
    let mut shared = Shared::new(data::now(), Environment::Practice);
    shared.setup.file_dialog = true;
    shared.stage = stage;
    shared
}

fn welcome() -> Shared {
    at(WindowStage::Welcome { mend: None })
}

fn connecting(harness: &mut Harness<'_, Desk>) {
    harness.get_by_label("Connect to your service").click();
    harness.run();
}

#[test]
fn the_wizard_is_drawn() {
    each("wizard", welcome, |_| {});
    each("wizard-connect", welcome, connecting);
    each("wizard-missing", welcome, |harness| {
        connecting(harness);
        harness.get_by_label("Connect").click();
    });
    let mended = || {
        let mut shared = at(WindowStage::Welcome {
            mend: Some("Depot".to_owned()),
        });
        setup::put_into(&mut shared);
        shared
    };
    each(
        "wizard-untrusted",
        || {
            let mut shared = mended();
            shared.setup.connection_test = setup::untrusted(&setup::depot());
            shared
        },
        |_| {},
    );
    each(
        "wizard-viewer",
        || {
            let mut shared = mended();
            shared.setup.connection_test = setup::viewer(&setup::depot());
            shared
        },
        |_| {},
    );
    each(
        "wizard-contrary",
        || {
            let mut shared = mended();
            shared.setup.connection_test = setup::clerk(&setup::depot(), TokenMode::Test);
            shared
        },
        |_| {},
    );
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
    each("token", || token(true, None), |_| {});
    let refused = "The service does not accept this token (HTTP 401)";
    each("token-refused", || token(false, Some(refused)), |_| {});
    let opening = || {
        at(WindowStage::Opening {
            what: "Opening the journal".to_owned(),
            done: 2,
            total: 3,
        })
    };
    each("opening", opening, |_| {});
    let failed = || {
        at(WindowStage::Failed {
            headline: "Depot could not be opened".to_owned(),
            advice: "The bench's journal is damaged. Nothing was changed: look at the data folder"
                .to_owned(),
            connection: Some("Depot".to_owned()),
        })
    };
    each("opening-failed", failed, |_| {});
}

#[test]
fn settings_are_drawn() {
    let settings = || {
        let mut shared = data::shared();
        setup::put_into(&mut shared);
        shared.screen = Screen::Settings;
        shared
    };
    each("settings", settings, |_| {});
    each("settings-bench", settings, |harness| {
        harness.get_by_label("Bench & appearance").click();
    });
    each("settings-practice", settings, |harness| {
        harness.get_by_label("Practice").click();
    });
    each("settings-new", settings, |harness| {
        harness.get_by_label("Add a connection…").click();
        harness.run();
        harness.get_by_label("Save").click();
    });
    let looked_at = || {
        let mut shared = settings();
        shared.setup.connection_test = setup::clerk(&setup::depot(), TokenMode::Production);
        shared
    };
    each("settings-looked", looked_at, |_| {});
    each("settings-below", settings, |harness| {
        let below = harness.get_by_label("Path of UN numbers");
        below.scroll_to_me();
    });
    let test = || {
        let mut shared = settings();
        shared.session.environment = Environment::Test;
        shared
    };
    each("settings-menu", test, |harness| {
        harness.get_by_label("TEST: switch service").click();
    });
}
