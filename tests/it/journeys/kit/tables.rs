//! Tables by keyboard and by pointer, with a hundred thousand rows.

use egui::Modifiers;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::table::{Cell, Column, Rows, Sort, Table, TableState};

use super::{Role, bench};
use crate::support::keyboard::type_keys;

const COLUMNS: [Column; 3] = [
    Column::new("Number", 100.0),
    Column::new("To", 160.0).grow(1.0),
    Column::new("kg", 60.0).right(),
];

struct Numbers(usize);

impl Rows for Numbers {
    fn count(&self) -> usize {
        self.0
    }
    fn key(&self, index: usize) -> u64 {
        index as u64
    }
    fn name(&self, index: usize) -> String {
        format!("MS{index:06}")
    }
    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        match column {
            0 => cell.mono(&format!("MS{index:06}")),
            1 => cell.text("Ballarat Farm & Garden"),
            _ => cell.text(&format!("{}.5", index % 90)),
        }
    }
}

#[derive(Default)]
struct Seen {
    table: TableState,
    opened: Option<usize>,
}

fn table(rows: usize) -> Harness<'static, Seen> {
    let mut harness = bench(
        [600.0, 400.0],
        Seen::default(),
        move |ui, seen: &mut Seen| {
            let shown = Table::new("Unmanifested", &COLUMNS).ticks().show(
                ui,
                &mut seen.table,
                &mut Numbers(rows),
            );
            seen.opened = shown.opened.or(seen.opened);
        },
    );
    harness.run();
    harness
}

fn chosen(harness: &Harness<'_, Seen>) -> Vec<u64> {
    let mut keys: Vec<u64> = harness.state().table.selection.keys().collect();
    keys.sort_unstable();
    keys
}

#[test]
fn a_hundred_thousand_rows_can_be_walked_and_chosen_by_keyboard() {
    let mut harness = table(100_000);
    type_keys(&mut harness, "<Tab><End>");
    assert_eq!(harness.state().table.selection.cursor(), Some(99_999));
    assert!(
        harness.query_by_label("MS099999").is_some(),
        "the last row is not in view"
    );
    type_keys(&mut harness, "<Up><Space>");
    assert_eq!(chosen(&harness), [99_998]);
    type_keys(&mut harness, "<Shift+Up*2>");
    assert_eq!(chosen(&harness), [99_996, 99_997, 99_998]);
    type_keys(&mut harness, "<Home><PageDown>");
    let cursor = harness.state().table.selection.cursor().expect("a cursor");
    assert!((8..16).contains(&cursor), "a page is {cursor} rows");
    type_keys(&mut harness, "<Ctrl+A>");
    assert_eq!(harness.state().table.selection.len(), 100_000);
    type_keys(&mut harness, "<Ctrl+A>");
    assert!(harness.state().table.selection.is_empty());
    type_keys(&mut harness, "<Enter>");
    assert_eq!(harness.state().opened, usize::try_from(cursor).ok());
}

#[test]
fn clicks_choose_one_a_range_or_one_more() {
    let mut harness = table(50);
    let click = |harness: &mut Harness<'_, Seen>, name: &str, modifiers: Modifiers| {
        harness
            .get_by_role_and_label(Role::Row, name)
            .click_modifiers(modifiers);
        harness.run();
    };
    click(&mut harness, "MS000002", Modifiers::NONE);
    click(&mut harness, "MS000005", Modifiers::SHIFT);
    assert_eq!(chosen(&harness), [2, 3, 4, 5]);
    click(&mut harness, "MS000003", Modifiers::COMMAND);
    assert_eq!(chosen(&harness), [2, 4, 5]);
    click(&mut harness, "MS000007", Modifiers::NONE);
    assert_eq!(chosen(&harness), [7]);
}

#[test]
fn an_order_is_asked_for_by_its_header_or_by_keyboard() {
    let mut harness = table(50);
    for descending in [false, true] {
        harness
            .get_by_role_and_label(Role::ColumnHeader, "To")
            .click();
        harness.run();
        assert_eq!(
            harness.state().table.sort,
            Some(Sort {
                column: 1,
                descending
            })
        );
    }
    type_keys(&mut harness, "<Tab><Right><Alt+Up>");
    assert_eq!(
        harness.state().table.sort,
        Some(Sort {
            column: 0,
            descending: false
        })
    );
}
