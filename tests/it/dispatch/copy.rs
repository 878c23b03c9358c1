//! Copying from the list.

use egui::{Event, OutputCommand};

use super::screen::{Window, open, shared, to_the_list};
use crate::support::keyboard::{keys, type_at_once, type_keys};
use crate::support::lists::{listed, put_row};

/// What the next frames put on the clipboard.
fn copied(window: &mut Window, events: Vec<Event>) -> Option<String> {
    window.input_mut().events.extend(events);
    for _ in 0..6 {
        window.step();
        let commands = &window.output().platform_output.commands;
        let text = commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        if text.is_some() {
            return text;
        }
    }
    None
}

#[test]
fn a_cell_and_rows_are_copied_and_formulas_are_text() {
    let mut shared = shared(20);
    let mut one = shared.row(listed(&shared)[0]).expect("a row").clone();
    one.to = "=HYPERLINK(\"http://x\",\"y\")\tz".to_owned();
    put_row(&mut shared, one);
    let mut window = open(shared);
    to_the_list(&mut window);
    assert_eq!(
        copied(&mut window, vec![Event::Copy]).as_deref(),
        Some("MS200019")
    );
    type_at_once(&mut window, "<Right*2>");
    assert_eq!(
        copied(&mut window, vec![Event::Copy]).as_deref(),
        Some("SO-48057")
    );
    type_keys(&mut window, "<Shift+Down>");
    let rows = keys("<Ctrl+Shift+C>");
    let table = copied(&mut window, rows).expect("two rows");
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert_eq!(lines[0][..3], ["Number", "Reference", "Receiver"]);
    assert_eq!(lines[1][2], "'=HYPERLINK(\"http://x\",\"y\") z");
    assert_eq!(lines[2][..2], ["MS200018", "SO-48054"]);
    assert!(
        lines.iter().all(|line| line.len() == lines[0].len()),
        "{table}"
    );
}
