//! The day sheet's window: the commands of its keys, and pictures.

use std::sync::Arc;

use app::state::{
    Command, DaySheet, PathQuestion, Picture, Remote, SaveCommand, SaveRequest, Screen, Shared,
    ThemeChoice,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::made;
use crate::journeys::kit::{focused, picture_showing};
use crate::journeys::screens::{Desk, data, open, open_in};
use crate::support::keyboard::{click, type_keys};
use crate::track::proofs::Site;
use crate::track::samples;

type Window = Harness<'static, Desk>;

/// So many pages with nothing on them.
fn blank(pages: usize) -> DaySheet {
    let page = |page| Picture {
        width: 210,
        height: 297,
        rgb: vec![255; 210 * 297 * 3].into(),
        page,
        pages,
    };
    DaySheet {
        at: samples::at(samples::NOW),
        pdf: Arc::from(&b"%PDF-"[..]),
        pages: (0..pages).map(page).collect(),
        message: None,
    }
}

fn shared(sheet: DaySheet) -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    shared.track.exports.sheet = Remote::ready(Arc::new(sheet));
    shared.track.exports.sheet_open = true;
    shared.track.exports.printer = Some("Office laser".to_owned());
    shared
}

fn question(problem: Option<&str>) -> PathQuestion {
    PathQuestion {
        request: SaveRequest::DaySheet,
        problem: problem.map(str::to_owned),
    }
}

fn asked(window: &mut Window) -> Vec<SaveCommand> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let out = asked.into_iter().filter_map(|command| match command {
        Command::Save(command) => Some(command),
        _ => None,
    });
    out.collect()
}

#[test]
fn where_there_is_no_file_dialog_the_sheet_is_saved_to_the_typed_path() {
    let mut window = open(shared(blank(1)));
    type_keys(&mut window, "<Ctrl+S>");
    let save = |typed| SaveCommand::Save(SaveRequest::DaySheet, typed);
    assert_eq!(asked(&mut window), [save(None)]);
    // That there is none shows only then.
    window.state_mut().shared.path_question = Some(question(None));
    window.run();
    window.run();
    assert_eq!(focused(&window).as_deref(), Some("Save as"));
    type_keys(&mut window, "<Enter>");
    assert_eq!(asked(&mut window), []);
    type_keys(&mut window, "<Shift+Tab>/tmp/day.pdf<Enter>");
    let saved = save(Some("/tmp/day.pdf".to_owned()));
    assert_eq!(asked(&mut window), std::slice::from_ref(&saved));
    click(&mut window, "Save");
    assert_eq!(asked(&mut window), [saved]);
    type_keys(&mut window, "<Esc>");
    assert_eq!(asked(&mut window), [SaveCommand::Cancel]);
}

#[test]
fn the_page_buttons_stay_where_they_are() {
    let mut window = open(shared(blank(2)));
    let places = |window: &Window| {
        ["Previous page (Page Up)", "Next page (Page Down)"]
            .map(|name| window.get_by_label(name).rect())
    };
    let first = places(&window);
    window.get_by_label("Day sheet, page 1 of 2");
    type_keys(&mut window, "<PageDown>");
    window.get_by_label("Day sheet, page 2 of 2");
    assert_eq!(places(&window), first);
    click(&mut window, "Previous page (Page Up)");
    window.get_by_label("Day sheet, page 1 of 2");
    assert_eq!(places(&window), first);
}

#[test]
fn the_day_sheet_is_drawn_in_both_themes() {
    let mut site = Site::open();
    let one = DaySheet::clone(&made(&mut site));
    let mut three = one.clone();
    three.pages = vec![one.pages[0].clone(); 3];
    let states: [(&str, &dyn Fn() -> Shared, &str); 3] = [
        ("one", &|| shared(one.clone()), "Office laser"),
        ("three", &|| shared(three.clone()), "Day sheet, page 1 of 3"),
        (
            "typed",
            &|| {
                let mut typed = shared(one.clone());
                typed.track.exports.printer = None;
                typed.path_question = Some(question(Some("There is no such folder")));
                typed
            },
            "There is no such folder",
        ),
    ];
    for (name, make, text) in states {
        for (theme, size) in [
            (ThemeChoice::Light, [1440.0, 900.0]),
            (ThemeChoice::Dark, [1024.0, 700.0]),
        ] {
            let mut window = open_in(make(), size, theme);
            window.run();
            let name = format!("day-sheet-{name}-{theme:?}").to_lowercase();
            picture_showing(&mut window, &name, &[text]);
        }
    }
}
