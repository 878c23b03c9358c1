//! The tracking scope, chosen by keyboard.

use app::state::{Command, Editing, Screen, Shared, SyncScope, ThemeChoice, TrackCommand};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::{CarrierId, CompanyId};

use crate::journeys::kit::{burst, chord, picture, pressed, typed};
use crate::journeys::screens::{Desk, data, desk};

type Window = Harness<'static, Desk>;

const NOW: SyncScope = SyncScope {
    company: Some(CompanyId::new(1)),
    children: true,
    carrier: None,
};

fn shared() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    data::board::put_into(&mut shared);
    shared.track.sync_scope = NOW;
    shared
}

fn open(size: [f32; 2], theme: ThemeChoice, shared: Shared) -> Window {
    let mut window = desk(size, 1.0, theme, Desk::new(shared, Editing::default()));
    window.state_mut().asked.clear();
    burst(&mut window, chord(Modifiers::ALT, Key::F));
    window
}

fn light() -> Window {
    open([1440.0, 900.0], ThemeChoice::Light, shared())
}

fn follows(window: &Window) -> Vec<SyncScope> {
    let asked = window.state().asked.iter();
    let follows = asked.filter_map(|command| match command {
        Command::Track(TrackCommand::SetSyncScope(scope)) => Some(*scope),
        _ => None,
    });
    follows.collect()
}

/// Goes on by Tab, so many times, and takes what it comes to.
fn tab_to(window: &mut Window, times: usize, key: Key) {
    for _ in 0..times {
        burst(window, pressed(Key::Tab));
    }
    burst(window, pressed(key));
}

#[test]
fn a_company_without_those_below_it_is_followed_by_keyboard_alone() {
    let mut window = light();
    burst(&mut window, typed("the token"));
    tab_to(&mut window, 1, Key::Space);
    tab_to(&mut window, 2, Key::Enter);
    let scope = SyncScope {
        company: None,
        children: false,
        carrier: None,
    };
    assert_eq!(follows(&window), [scope]);
}

#[test]
fn one_carrier_is_followed_by_keyboard_alone() {
    let mut window = light();
    burst(&mut window, pressed(Key::Tab));
    burst(&mut window, pressed(Key::Tab));
    burst(&mut window, typed("blue"));
    tab_to(&mut window, 1, Key::Enter);
    let followed = follows(&window);
    let carrier = followed[0].carrier;
    assert!(carrier.is_some(), "{followed:?}");
    assert_eq!(followed, [SyncScope { carrier, ..NOW }]);
}

#[test]
fn what_is_followed_already_and_what_is_put_away_asks_for_nothing() {
    let mut window = light();
    tab_to(&mut window, 3, Key::Enter);
    assert_eq!(follows(&window), []);
    burst(&mut window, chord(Modifiers::ALT, Key::F));
    burst(&mut window, typed("the token"));
    burst(&mut window, pressed(Key::Escape));
    assert_eq!(follows(&window), []);
    burst(&mut window, chord(Modifiers::ALT, Key::F));
    tab_to(&mut window, 3, Key::Enter);
    assert_eq!(follows(&window), [], "what was put away is not kept");
}

#[test]
fn what_nobody_knows_the_name_of_is_shown_by_its_number() {
    let mut unknown = shared();
    unknown.track.sync_scope = SyncScope {
        company: Some(CompanyId::new(77)),
        children: false,
        carrier: Some(CarrierId::new(4_711)),
    };
    let window = open([1440.0, 900.0], ThemeChoice::Light, unknown);
    for words in ["77", "4711"] {
        let mut named =
            window.query_all_by(|node| node.value().is_some_and(|value| value.contains(words)));
        assert!(named.next().is_some(), "{words}");
    }
}

#[test]
fn pictures_of_whose_are_followed() {
    for (theme, size) in [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ] {
        let mut window = open(size, theme, shared());
        picture(&mut window, &format!("follows-{theme:?}").to_lowercase());
    }
}
