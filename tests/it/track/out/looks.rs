//! The export dialog: pictures, and the commands of its keys.

use app::state::{
    Board, Command, DrillDown, Exception, ExportFormat, ExportRows, ListExport, ListField, Metric,
    PathQuestion, Remote, SaveCommand, SaveRequest, Screen, Shared, ThemeChoice,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, data, open_in};
use crate::support::keyboard::{click, type_keys};
use crate::track::list;

fn shared(screen: Screen) -> Shared {
    let mut shared = data::shared();
    shared.screen = screen;
    shared
}

fn open_screen(screen: Screen) -> Harness<'static, Desk> {
    open_in(shared(screen), [1440.0, 900.0], ThemeChoice::Light)
}

fn exports<'a>(harness: &'a Harness<'_, Desk>) -> impl Iterator<Item = &'a ListExport> {
    let asked = harness.state().asked.iter();
    asked.filter_map(|command| match command {
        Command::Save(SaveCommand::Save(SaveRequest::List(list), _)) => Some(&**list),
        _ => None,
    })
}

fn exported(harness: &Harness<'_, Desk>) -> Vec<(String, ExportFormat, usize)> {
    exports(harness)
        .map(|list| (list.name.clone(), list.form, list.rows.count()))
        .collect()
}

#[test]
fn what_waits_is_exported_with_the_columns_that_are_shown() {
    let mut harness = open_screen(Screen::Dispatch);
    type_keys(&mut harness, "<Ctrl+Shift+E>");
    click(&mut harness, "Text (CSV)");
    click(&mut harness, "Save…");
    assert_eq!(
        exported(&harness),
        [("Unmanifested".to_owned(), ExportFormat::Csv, 1_208)]
    );
    let (columns, _) = cells(&harness).expect("columns");
    assert_eq!(columns[0], ListField::Number.key());
}

#[test]
fn operations_are_exported_as_they_are_listed() {
    let mut harness = open_screen(Screen::Operations);
    type_keys(&mut harness, "<Ctrl+Shift+E>");
    click(&mut harness, "Save…");
    let exported = exported(&harness);
    assert_eq!(exported.len(), 1);
    assert!(exported[0].2 > 0, "{exported:?}");
}

/// The heads of the cells, or the keys of the columns, with the number of rows.
fn cells(harness: &Harness<'_, Desk>) -> Option<(Vec<String>, usize)> {
    let list = exports(harness).next()?;
    Some(match &list.rows {
        ExportRows::Cells(table) => (table.heads.clone(), table.rows.len()),
        ExportRows::Tracked { columns, .. } | ExportRows::NeedsAttention { columns, .. } => {
            let keys = columns.iter().map(|column| column.key().to_owned());
            (keys.collect(), list.rows.count())
        }
    })
}

#[test]
fn what_is_saved_are_the_rows_that_the_dialog_counted() {
    let mut harness = open_screen(Screen::Operations);
    let before = harness.state().shared.operations.list.len();
    type_keys(&mut harness, "<Ctrl+Shift+E>");
    let said = |harness: &Harness<'_, Desk>, words: &str| {
        harness.query_all_by_label_contains(words).count()
    };
    let (_, rows) = {
        click(&mut harness, "Save…");
        cells(&harness).expect("it is saved")
    };
    assert_eq!(said(&harness, &format!("All {rows} rows: ")), 1);
    harness.state_mut().asked.clear();
    harness
        .state_mut()
        .shared
        .operations
        .list
        .truncate(before / 2);
    harness.run();
    click(&mut harness, "Save…");
    assert_eq!(cells(&harness).map(|(_, rows)| rows), Some(rows));
}

/// Track's table with so many rows, its export in front.
fn of_table(rows: i64) -> Harness<'static, Desk> {
    let mut window = list::open(list::shared(rows));
    type_keys(&mut window, "<Ctrl+Shift+E>");
    window.state_mut().asked.clear();
    window
}

#[test]
fn what_a_workbook_cannot_hold_is_saved_as_text_only() {
    let mut window = of_table(1_048_576);
    window.get_by_label_contains("All 1,048,576 rows, ticked or not: Number, ");
    window.get_by_label("A workbook holds only 1,048,575 rows. Save as CSV instead");
    click(&mut window, "Save…");
    assert_eq!(exported(&window), []);
    click(&mut window, "Text (CSV)");
    click(&mut window, "Save…");
    assert_eq!(exported(&window)[0].2, 1_048_576);
    let mut window = of_table(1_048_575);
    click(&mut window, "Save…");
    assert_eq!(exported(&window)[0].1, ExportFormat::Xlsx);
}

fn of_board(theme: ThemeChoice, size: [f32; 2]) -> Harness<'static, Desk> {
    let mut shared = shared(Screen::Track);
    data::board::put_into(&mut shared);
    let mut board = Board::clone(shared.track.board.value().expect("a board"));
    // More than it lists.
    let late = Exception::Late;
    board.by_exception.push(Metric {
        name: late.label().to_owned(),
        drill_down: DrillDown::Exception(late),
        count: 2_000,
    });
    shared.track.board = Remote::ready(board.into());
    let mut window = open_in(shared, size, theme);
    type_keys(&mut window, "<Ctrl+Shift+E>");
    window
}

#[test]
fn all_that_needs_a_person_is_saved_however_many_the_board_lists() {
    let mut window = of_board(ThemeChoice::Light, [1440.0, 900.0]);
    window
        .get_by_label_contains("Receiver, Suburb, State, Carrier, Carrier con. number, Reference");
    let board = window.state().shared.track.board.value().expect("a board");
    let (listed, all) = (board.exceptions.len(), board.needs_attention());
    assert!(listed < all);
    let words = format!("All {},{:03} rows: ", all / 1_000, all % 1_000);
    window.get_by_label_contains(&words);
    click(&mut window, "Save…");
    let (columns, rows) = cells(&window).expect("it is saved");
    assert_eq!((columns[8].as_str(), rows), ("carrier-number", all));
}

#[test]
fn the_export_is_drawn_in_both_themes() {
    for (theme, size) in [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ] {
        let name = |what: &str| format!("export-{what}-{theme:?}").to_lowercase();
        let mut harness = open_in(shared(Screen::Dispatch), size, theme);
        type_keys(&mut harness, "<Ctrl+Shift+E>");
        picture_showing(&mut harness, &name("dialog"), &["Text (CSV)", "Save…"]);
        let mut harness = open_in(shared(Screen::Dispatch), size, theme);
        type_keys(&mut harness, "<Ctrl+Shift+E>");
        click(&mut harness, "Save…");
        let request = SaveRequest::List(Box::new(exports(&harness).next().expect("it").clone()));
        let problem = "This folder doesn't exist. Create it first, or choose another".to_owned();
        harness.state_mut().shared.path_question = Some(PathQuestion {
            request,
            problem: Some(problem),
        });
        harness.run();
        picture_showing(&mut harness, &name("typed"), &["This folder doesn't exist"]);
        picture_showing(&mut of_board(theme, size), &name("board"), &["All 2,"]);
        if theme == ThemeChoice::Light {
            picture_showing(
                &mut of_table(1_048_576),
                &name("too-many"),
                &["A workbook holds only 1,048,575 rows"],
            );
        }
    }
}
