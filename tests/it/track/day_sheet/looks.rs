//! The day sheet's window: the commands of its keys, and pictures.

use std::sync::Arc;

use app::state::{
    Command, DaySheet, Editing, ExportCommand, Picture, Remote, Screen, Shared, ThemeChoice,
    TrackCommand,
};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::made;
use crate::journeys::kit::{burst, chord, focused, picture, pressed, typed};
use crate::journeys::screens::{Desk, data, desk};
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
        missing_letters: None,
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

fn at(size: [f32; 2], theme: ThemeChoice, shared: Shared) -> Window {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

fn open(shared: Shared) -> Window {
    at([1440.0, 900.0], ThemeChoice::Light, shared)
}

fn asked(window: &mut Window) -> Vec<ExportCommand> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let out = asked.into_iter().filter_map(|command| match command {
        Command::Track(TrackCommand::Export(command)) => Some(command),
        _ => None,
    });
    out.collect()
}

#[test]
fn where_there_is_no_file_dialog_the_sheet_is_saved_to_the_typed_path() {
    let save = || chord(Modifiers::COMMAND, Key::S);
    let mut window = open(shared(blank(1)));
    burst(&mut window, save());
    assert_eq!(asked(&mut window), [ExportCommand::SaveDaySheet(None)]);
    // That there is none shows only then.
    window.state_mut().shared.no_file_dialog = true;
    window.run();
    assert_eq!(focused(&window).as_deref(), Some("Save as"));
    burst(&mut window, save());
    assert_eq!(asked(&mut window), []);
    burst(&mut window, typed("/tmp/day.pdf"));
    burst(&mut window, save());
    let saved = ExportCommand::SaveDaySheet(Some("/tmp/day.pdf".to_owned()));
    assert_eq!(asked(&mut window), std::slice::from_ref(&saved));
    window.get_by_label_contains("Save PDF").click();
    window.run();
    assert_eq!(asked(&mut window), [saved]);
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
    burst(&mut window, pressed(Key::PageDown));
    window.get_by_label("Day sheet, page 2 of 2");
    assert_eq!(places(&window), first);
    window.get_by_label("Previous page (Page Up)").click();
    window.run();
    window.get_by_label("Day sheet, page 1 of 2");
    assert_eq!(places(&window), first);
}

#[test]
fn pictures_of_the_day_sheet() {
    let mut site = Site::open();
    let one = DaySheet::clone(&made(&mut site));
    let mut three = one.clone();
    three.pages = vec![one.pages[0].clone(); 3];
    let states: [(&str, &dyn Fn() -> Shared); 3] = [
        ("one", &|| shared(one.clone())),
        ("three", &|| shared(three.clone())),
        ("typed", &|| {
            let mut typed = shared(one.clone());
            typed.no_file_dialog = true;
            typed.track.exports.printer = None;
            typed.track.exports.problem = Some("There is no such folder".to_owned());
            typed
        }),
    ];
    for (name, make) in states {
        for (theme, size) in [
            (ThemeChoice::Light, [1440.0, 900.0]),
            (ThemeChoice::Dark, [1024.0, 700.0]),
        ] {
            let mut window = at(size, theme, make());
            window.run();
            let name = format!("day-sheet-{name}-{theme:?}").to_lowercase();
            picture(&mut window, &name);
        }
    }
}
