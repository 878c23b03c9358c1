//! The tracking scope, chosen by keyboard.

use app::state::{Command, Screen, Shared, SyncScope, ThemeChoice, TrackCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shipping::{CarrierId, CompanyId};

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, data, open_in};
use crate::support::keyboard::type_keys;

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
    let mut window = open_in(shared, size, theme);
    window.state_mut().asked.clear();
    type_keys(&mut window, "<Alt+F>");
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
fn tab_to(window: &mut Window, times: usize, key: &str) {
    for _ in 0..times {
        type_keys(window, "<Tab>");
    }
    type_keys(window, key);
}

#[test]
fn a_company_without_those_below_it_is_followed_by_keyboard_alone() {
    let mut window = light();
    type_keys(&mut window, "the token");
    tab_to(&mut window, 1, "<Space>");
    tab_to(&mut window, 2, "<Enter>");
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
    type_keys(&mut window, "<Tab*2>blue");
    tab_to(&mut window, 1, "<Enter>");
    let followed = follows(&window);
    let carrier = followed[0].carrier;
    assert!(carrier.is_some(), "{followed:?}");
    assert_eq!(followed, [SyncScope { carrier, ..NOW }]);
}

#[test]
fn what_is_followed_already_and_what_is_put_away_asks_for_nothing() {
    let mut window = light();
    tab_to(&mut window, 3, "<Enter>");
    assert_eq!(follows(&window), []);
    type_keys(&mut window, "<Alt+F>the token<Esc>");
    assert_eq!(follows(&window), []);
    type_keys(&mut window, "<Alt+F>");
    tab_to(&mut window, 3, "<Enter>");
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
fn the_tracking_scope_is_drawn_in_both_themes() {
    for (theme, size) in [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ] {
        let mut window = open(size, theme, shared());
        let name = format!("follows-{theme:?}").to_lowercase();
        picture_showing(&mut window, &name, &["Tracking scope", "Save"]);
    }
}
