//! A picture of every screen, in both themes and at the sizes that benches have, for a person to look at.

use egui_kittest::kittest::Queryable as _;
use packbench::state::{Editing, Screen, Shared, ThemeChoice};

use super::super::kit::picture;
use super::{Desk, data, desk};

const SCREENS: [(Screen, &str); 4] = [
    (Screen::Consign, "consign"),
    (Screen::Dispatch, "dispatch"),
    (Screen::Labels, "labels"),
    (Screen::Operations, "operations"),
];

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
        harness.get_by_label("Dangerous goods in line 2").click();
        harness.run();
    }
    picture(&mut harness, name);
}

fn with(mut shared: Shared, screen: Screen) -> Shared {
    shared.screen = screen;
    shared
}

#[test]
fn every_screen_is_drawn_in_both_themes() {
    for (screen, name) in SCREENS {
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
    for (screen, name) in SCREENS {
        for (size, scale, word) in [
            ([1024.0, 700.0], 1.0, "small"),
            ([1920.0, 1080.0], 1.0, "large"),
            ([1280.0, 720.0], 1.5, "scaled"),
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
    for (screen, name) in SCREENS {
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
