//! Characters that the program's fonts lack: shown on the screen in the system's fonts, and named if they
//! can't be printed.

use app::Window;
use app::state::{Command, GroupsCommand, LabelsCommand, Screen, ThemeChoice};
use egui::{FontId, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::dispatch::bench::{office_printer, printer, wait, window as screens};
use crate::dispatch::support::book;
use crate::journeys::kit::picture;
use crate::support::desk::Home;
use crate::support::keyboard::type_keys;
use crate::support::recorder::Recorder;
use crate::support::window;

/// A text of each script, the first letter of which none of the own fonts has.
const SCRIPTS: [(&str, &str); 5] = [
    ("Chinese", "仓库"),
    ("Arabic", "سلام"),
    ("Thai", "คลังสินค้า"),
    ("Hindi", "कागज़"),
    ("emoji", "😀"),
];

/// What is said of two letters that no font of a page has.
const MISSING: &str = "These characters can't be printed: \u{378} \u{379}";

/// The window, in which letters may be boxes.
fn open(home: &Home) -> (practice::RunningService, Harness<'static, Window>) {
    let (practice, desk) = home.open_practice();
    let program = window::over(desk.core, home);
    let harness = Harness::builder().allow_missing_glyphs();
    let mut opened = window::build(harness, program);
    window::rest(&mut opened);
    (practice, opened)
}

/// Two characters that Unicode does not assign, so that no font has them.
const LACKED: &str = "\u{378}\u{379}";

/// True where a font of this machine has the letter. The set-up installs fonts for Hindi, and brings one for Arabic.
fn has_system_font(letter: char) -> bool {
    let charset = format!(":charset={:x}", u32::from(letter));
    let listed = std::process::Command::new("fc-list")
        .args([&charset, "family"])
        .output();
    listed.map_or(letter == 'क', |listed| !listed.stdout.is_empty())
}

fn has_glyph(window: &Harness<'_, Window>, letter: char) -> bool {
    let font = FontId::proportional(14.0);
    window.ctx.fonts_mut(|fonts| fonts.has_glyph(&font, letter))
}

fn fonts(window: &Harness<'_, Window>) -> usize {
    window
        .ctx
        .fonts(|fonts| fonts.definitions().font_data.len())
}

/// Finds the letters that can't be printed, and takes a picture under this name.
fn must_name_missing(window: &mut Harness<'static, Window>, name: &str) {
    window::rest(window);
    window.get_by_label_contains(MISSING);
    picture(window, name);
}

#[test]
fn n25_text_that_the_own_fonts_lack_is_drawn_by_fonts_of_the_system_added_in_one_go() {
    let home = Home::new();
    let (_practice, mut window) = open(&home);
    let drawable = SCRIPTS.into_iter().filter_map(|(script, text)| {
        let letter = text.chars().next()?;
        assert!(!has_glyph(&window, letter), "{script} is in an own font");
        let there = has_system_font(letter);
        if !there {
            eprintln!("this machine has no font for {script}");
        }
        there.then_some(letter)
    });
    let drawable: Vec<char> = drawable.collect();
    for (letter, script) in [('क', "Hindi"), ('仓', "Chinese"), ('ค', "Thai")] {
        assert!(
            drawable.contains(&letter),
            "{script} is in the set-up's fonts"
        );
    }
    let own = fonts(&window);
    let texts = SCRIPTS.map(|(_, text)| text).join(" ");
    let editing = window.state_mut().editing_mut().expect("a form");
    texts.clone_into(&mut editing.draft.reference1);
    let context = window.ctx.clone();
    window::until(&mut window, "every script is drawn", |_| {
        let font = FontId::proportional(14.0);
        let has = |letter: &char| context.fonts_mut(|fonts| fonts.has_glyph(&font, *letter));
        drawable.iter().all(has).then_some(())
    });
    // Own fonts are not replaced, which would draw every letter again, and further frames find no new fonts.
    let found =
        |window: &Harness<'_, Window>| window.ctx.fonts(|fonts| fonts.discovered_fonts().len());
    let there = found(&window);
    assert!(there > 0, "fonts of the system are used");
    for _ in 0..20 {
        window::rest(&mut window);
        assert_eq!((fonts(&window), found(&window)), (own, there));
    }
}

#[test]
fn n25_the_day_sheet_names_the_letters_that_its_font_lacks() {
    let mut home = Home::new();
    home.settings.bench.name = LACKED.to_owned();
    let (_practice, mut window) = open(&home);
    window.state_mut().push(Command::Show(Screen::Track));
    window::rest(&mut window);
    window.key_press_modifiers(Modifiers::ALT, Key::Y);
    window::until(&mut window, "the day sheet", |window| {
        window.shared()?.track.exports.sheet.value().map(drop)
    });
    must_name_missing(&mut window, "letters-day-sheet");
}

#[test]
fn n25_the_test_label_names_the_letters_that_its_font_lacks() {
    let mut home = Home::new();
    home.settings.printers = vec![printer(LACKED, 9, ["zpl", "a6"])];
    let (_practice, mut window) = open(&home);
    let show = LabelsCommand::ShowTestLabel(LACKED.to_owned());
    window.state_mut().push(Command::Show(Screen::Labels));
    window.state_mut().push(show.into());
    window::until(&mut window, "the test label", |window| {
        window.shared()?.labels.test_label.value().map(drop)
    });
    must_name_missing(&mut window, "letters-test-label");
}

#[test]
fn n25_a_manifest_names_the_letters_that_its_font_lacks_when_it_is_shown_and_when_it_is_printed() {
    let mut home = Home::new();
    let office = Recorder::start();
    home.settings.printers = vec![office_printer(office.port())];
    home.settings
        .assign_printer(engine::DocumentKind::Manifest, "Office");
    let (_practice, mut desk) = home.open_practice();
    desk.type_consignment("SO-1");
    LACKED.clone_into(&mut desk.core.editing.draft.to.name);
    desk.send();
    let made = desk.until_created("SO-1");
    let operation = book(&mut desk, &[made]);
    let mut screen = screens(desk, [1440.0, 900.0], ThemeChoice::Light);
    type_keys(&mut screen, "<F3><Ctrl+M>");
    wait(&mut screen, "the manifest is shown", |core| {
        core.shared.dispatch.groups_view.manifest.value().map(drop)
    });
    screen.get_by_label_contains(MISSING);
    picture(&mut screen, "letters-manifest");
    let mut desk = screen.into_state().desk;
    desk.ask(GroupsCommand::PrintManifest(operation));
    desk.until("the notice", |core| {
        let mut notices = core.shared.notices.shown.iter().map(|(_, notice)| notice);
        let told = |notice: &&app::state::Notice| {
            notice.headline.ends_with("is not printed completely")
                && notice.advice.starts_with(MISSING)
        };
        notices.find(told).map(|_| ())
    });
}
