//! The dialog that exports a list, as it looks and what its keys ask for.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use packbench::state::{
    Command, Editing, OutCommand, OutForm, OutRows, Screen, Shared, ThemeChoice, TrackCommand,
};

use crate::journeys::kit::{burst, chord, picture};
use crate::journeys::screens::{Desk, data, desk};

fn shared(screen: Screen) -> Shared {
    let mut shared = data::shared();
    shared.screen = screen;
    shared
}

fn at(shared: Shared, size: [f32; 2], theme: ThemeChoice) -> Harness<'static, Desk> {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

fn exported(harness: &Harness<'_, Desk>) -> Vec<(String, OutForm, usize)> {
    let asked = harness.state().asked.iter();
    asked
        .filter_map(|command| match command {
            Command::Track(TrackCommand::Out(OutCommand::Export(list, _))) => {
                Some((list.name.clone(), list.form, list.rows.count()))
            }
            _ => None,
        })
        .collect()
}

const EXPORT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

#[test]
fn what_waits_is_exported_with_the_columns_that_are_shown() {
    let mut harness = at(
        shared(Screen::Dispatch),
        [1440.0, 900.0],
        ThemeChoice::Light,
    );
    burst(&mut harness, chord(EXPORT, Key::E));
    harness.get_by_label("Text (CSV)").click();
    harness.run();
    harness.get_by_label("Save…").click();
    harness.run();
    assert_eq!(
        exported(&harness),
        [("Unmanifested".to_owned(), OutForm::Csv, 1_208)]
    );
    let asked = harness
        .state()
        .asked
        .iter()
        .find_map(|command| match command {
            Command::Track(TrackCommand::Out(OutCommand::Export(list, _))) => match &list.rows {
                OutRows::Cells(table) => Some(table.heads.clone()),
                OutRows::Followed { .. } | OutRows::InNeed { .. } => None,
            },
            _ => None,
        });
    assert_eq!(asked.expect("heads")[0], "Number");
}

#[test]
fn operations_are_exported_as_they_are_listed() {
    let mut harness = at(
        shared(Screen::Operations),
        [1440.0, 900.0],
        ThemeChoice::Light,
    );
    burst(&mut harness, chord(Modifiers::COMMAND, Key::E));
    harness.get_by_label("Save…").click();
    harness.run();
    let exported = exported(&harness);
    assert_eq!(exported.len(), 1);
    assert!(exported[0].2 > 0, "{exported:?}");
}

#[test]
fn pictures_of_the_export() {
    for (theme, size) in [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ] {
        let name = |what: &str| format!("export-{what}-{theme:?}").to_lowercase();
        let mut harness = at(shared(Screen::Dispatch), size, theme);
        burst(&mut harness, chord(EXPORT, Key::E));
        picture(&mut harness, &name("dialog"));
        let mut typed = shared(Screen::Dispatch);
        typed.no_file_dialog = true;
        typed.track.out.problem =
            Some("There is no such folder. Make it first, or choose another".to_owned());
        let mut harness = at(typed, size, theme);
        burst(&mut harness, chord(EXPORT, Key::E));
        picture(&mut harness, &name("typed"));
    }
}
