//! A picture of every screen, in both themes and at the usual window sizes, for a person to look at.

use app::state::{Drill, DrillStatus, Editing, Environment, Remote, Screen, Shared, ThemeChoice};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::super::kit::picture;
use super::{Desk, LOOKS, data, desk};
use crate::support::keyboard::click;

/// All screens, each with the name of its pictures. `settings` is the name of the pictures of the wizard.
fn screens() -> impl Iterator<Item = (Screen, String)> {
    Screen::ALL.into_iter().map(|screen| match screen {
        Screen::Settings => (screen, "settings-screen".to_owned()),
        _ => (screen, format!("{screen:?}").to_lowercase()),
    })
}

fn take(
    name: &str,
    size: [f32; 2],
    scale: f32,
    theme: ThemeChoice,
    shared: Shared,
    editing: Editing,
) {
    let screen = shared.screen;
    let mut harness = desk(size, scale, theme, Desk::new(shared, editing));
    if screen == Screen::Consign && name.contains("consign-") && !name.contains("blank") {
        click(&mut harness, "Dangerous goods in line 2");
    }
    nothing_covers_the_scan_box(&harness, name);
    picture(&mut harness, name);
}

/// The bar at the top has room for the scan box beside everything else that stands in it.
fn nothing_covers_the_scan_box(harness: &Harness<'_, Desk>, name: &str) {
    let scan = harness.get_by_label("Scan or search").rect();
    let bar = harness.query_all_by_role(Role::Button);
    let covering = bar.map(|button| button.rect()).find(|button| {
        let overlap = button.intersect(scan.shrink(1.0));
        overlap.is_positive()
    });
    assert_eq!(covering, None, "{name}: {scan:?}");
}

fn with(mut shared: Shared, screen: Screen) -> Shared {
    shared.screen = screen;
    shared
}

#[test]
fn every_screen_is_drawn_in_both_themes() {
    for (screen, name) in screens() {
        for (theme, word) in [(ThemeChoice::Light, "light"), (ThemeChoice::Dark, "dark")] {
            take(
                &format!("{name}-{word}"),
                [1440.0, 900.0],
                1.0,
                theme,
                with(data::shared(), screen),
                data::editing(),
            );
        }
    }
}

#[test]
fn every_screen_is_drawn_small_large_and_scaled() {
    for (screen, name) in screens() {
        for (size, scale, word) in [
            ([1024.0, 700.0], 1.0, "small"),
            ([2560.0, 1440.0], 1.0, "large"),
            ([1280.0, 720.0], 1.5, "scaled"),
            ([1024.0, 700.0], 1.5, "small-scaled"),
        ] {
            let shared = with(data::shared(), screen);
            take(
                &format!("{name}-{word}"),
                size,
                scale,
                ThemeChoice::Light,
                shared,
                data::editing(),
            );
        }
    }
}

#[test]
fn every_screen_is_drawn_empty_and_in_trouble() {
    for (screen, name) in screens() {
        let theme = ThemeChoice::Light;
        take(
            &format!("{name}-blank"),
            [1440.0, 900.0],
            1.0,
            theme,
            with(data::blank(), screen),
            Editing::default(),
        );
        take(
            &format!("{name}-trouble"),
            [1440.0, 900.0],
            1.0,
            theme,
            with(data::troubled(), screen),
            data::editing(),
        );
    }
}

/// In practice, on a bad day.
fn rehearsing() -> Shared {
    let mut shared = data::shared();
    shared.session.environment = Environment::Practice;
    let rehearsed = |situation, on, struck| DrillStatus {
        drill: situation,
        is_active: on,
        count: struck,
    };
    shared.practice.drills = Remote::ready(vec![
        rehearsed(Drill::SendLost, false, 1),
        rehearsed(Drill::BookingHalf, true, 0),
        rehearsed(Drill::Slow, true, 24),
    ]);
    shared
}

#[test]
fn troubles_are_drawn_in_both_themes_and_in_a_small_window() {
    for (theme, size, word) in LOOKS.into_iter().take(3) {
        let mut harness = desk(size, 1.0, theme, Desk::new(rehearsing(), data::editing()));
        click(&mut harness, "Practice drill: 2 on");
        for situation in Drill::ALL {
            assert!(
                harness.query_by_label(situation.name()).is_some(),
                "{situation:?}"
            );
        }
        // Whole, not cut at the end.
        let deliver = harness.get_by_label("Deliver all now").rect();
        assert!(deliver.width() > 140.0, "{deliver:?}");
        picture(&mut harness, &format!("trouble-{word}"));
    }
}

#[test]
fn troubles_are_not_offered_where_consignments_are_real() {
    for environment in [Environment::Test, Environment::Live] {
        let mut shared = rehearsing();
        shared.session.environment = environment;
        let harness = desk(
            [1440.0, 900.0],
            1.0,
            ThemeChoice::Light,
            Desk::new(shared, data::editing()),
        );
        assert!(harness.query_by_label_contains("Practice drill:").is_none());
        assert!(harness.query_by_label("Practice drill…").is_none());
    }
}
