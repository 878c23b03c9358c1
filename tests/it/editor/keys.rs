//! Keyboard shortcuts from the table of actions: each does one thing wherever it is pressed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use app::state::Screen;
use app::ui::actions::{ACTIONS, ActionEntry};
use egui::{Key, Modifiers};

/// Can both be asked for on some screen?
fn meet(one: &ActionEntry, other: &ActionEntry) -> bool {
    one.screen.is_none() || other.screen.is_none() || one.screen == other.screen
}

/// Every two actions that meet and have keys, in the order of the table.
fn pairs() -> impl Iterator<Item = (&'static ActionEntry, &'static ActionEntry)> {
    let later = |at: usize| ACTIONS.iter().skip(at + 1);
    let all = ACTIONS.iter().enumerate();
    let all = all.flat_map(move |(at, one)| later(at).map(move |other| (one, other)));
    all.filter(|(one, other)| meet(one, other))
}

#[test]
fn no_two_actions_that_meet_share_a_key() {
    let shared: Vec<_> = pairs()
        .filter(|(one, other)| one.shortcut.is_some() && one.shortcut == other.shortcut)
        .map(|(one, other)| format!("{}: {} and {}", one.action.key(), one.name, other.name))
        .collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

/// egui lets Ctrl+Shift+L pass for Ctrl+L: whoever asks first has it.
#[test]
fn a_key_with_shift_stands_before_the_same_without() {
    let hidden: Vec<_> = pairs()
        .filter_map(|(one, other)| {
            let (first, later) = (one.shortcut?, other.shortcut?);
            let hides = first.logical_key == later.logical_key
                && later.modifiers == first.modifiers.plus(Modifiers::SHIFT);
            (hides && first != later).then(|| format!("{} after {}", other.name, one.name))
        })
        .collect();
    assert!(hidden.is_empty(), "{hidden:#?}");
}

#[test]
fn no_action_takes_a_key_that_typing_or_choosing_a_route_needs() {
    let editing = [Key::A, Key::C, Key::V, Key::X];
    let digits = [
        Key::Num0,
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    let taken: Vec<_> = ACTIONS
        .iter()
        // Taken only where nothing is typed.
        .filter(|entry| !entry.has_local_shortcut)
        .filter(|entry| {
            entry.shortcut.is_some_and(|shortcut| {
                let key = shortcut.logical_key;
                let plain = shortcut.modifiers.is_none() || shortcut.modifiers.shift_only();
                let typed = plain && key.symbol_or_name().chars().count() == 1;
                let command = shortcut.modifiers == Modifiers::COMMAND;
                typed || command && (editing.contains(&key) || digits.contains(&key))
            })
        })
        .map(|entry| entry.name)
        .collect();
    assert!(taken.is_empty(), "{taken:?}");
}

/// Chords that have other names on other screens, but one meaning.
const ONE_MEANING: [(&str, &str); 5] = [
    ("Ctrl ↵", "the main action of the screen"),
    ("Ctrl S", "save what is shown"),
    ("Ctrl P", "print what is chosen"),
    ("Ctrl N", "begin a new one"),
    ("F8", "refresh what is shown"),
];

#[test]
fn a_chord_without_alt_has_one_meaning_on_every_screen() {
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for entry in ACTIONS {
        let shortcut = entry.shortcut.filter(|shortcut| !shortcut.modifiers.alt);
        if shortcut.is_some() {
            names
                .entry(entry.action.key())
                .or_default()
                .insert(entry.name);
        }
    }
    names.retain(|key, names| {
        names.len() > 1 && ONE_MEANING.iter().all(|(listed, _)| listed != key)
    });
    assert!(names.is_empty(), "{names:#?}");
}

/// The rows of the guide's tables of keys: for each screen, and for all screens, the keys and the whole row.
fn documented() -> HashMap<Option<Screen>, Vec<(&'static str, &'static str)>> {
    let chapter = include_str!("../../../assets/guide/src/keys.md");
    let (mut at, mut rows) = (None, HashMap::<_, Vec<_>>::new());
    for line in chapter.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let of = |screen: &Screen| heading == screen.action().entry().name;
            at = Screen::ALL.into_iter().find(of);
        } else if let Some(row) = line.strip_prefix("| ") {
            let keys = row.split(" | ").next().unwrap_or_default();
            rows.entry(at).or_default().push((keys, row));
        }
    }
    rows
}

/// How the guide writes a key: `Ctrl+Shift+E`.
pub(crate) fn written(entry: &ActionEntry) -> String {
    let shortcut = entry.shortcut.expect("a key");
    let key = match shortcut.logical_key {
        Key::Enter => "Enter".to_owned(),
        Key::PageDown => "Page Down".to_owned(),
        Key::PageUp => "Page Up".to_owned(),
        Key::Plus => "+".to_owned(),
        Key::Minus => "−".to_owned(),
        Key::Comma => "Comma".to_owned(),
        _ => entry
            .action
            .key()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    let modifiers = shortcut.modifiers;
    let held = [
        (modifiers.command, "Ctrl+"),
        (modifiers.alt, "Alt+"),
        (modifiers.shift, "Shift+"),
    ];
    let held: String = held
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| *name)
        .collect();
    held + &key
}

/// True if a row names this key, alone or within a range such as `Alt+5 … Alt+9`.
fn names(row: &str, key: &str) -> bool {
    let cut = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '|');
    let row = row
        .replace("Page Down", "Page_Down")
        .replace("Page Up", "Page_Up")
        .replace("Ctrl+,", "Ctrl+Comma");
    let parts: Vec<&str> = row.split(cut).filter(|part| !part.is_empty()).collect();
    let key = key.replace(' ', "_");
    let is_between = |first: &str, last: &str| {
        let digit = |text: &str| text.chars().last().and_then(|last| last.to_digit(10));
        let prefix = |text: &str| text[..text.len() - 1].to_owned();
        match (digit(first), digit(&key), digit(last)) {
            (Some(from), Some(at), Some(to)) => {
                prefix(first) == prefix(&key) && (from..=to).contains(&at)
            }
            _ => false,
        }
    };
    parts.contains(&key.as_str())
        || parts
            .windows(3)
            .any(|part| part[1] == "…" && is_between(part[0], part[2]))
}

#[test]
fn the_guide_names_each_key_in_the_part_of_its_screen() {
    let rows = documented();
    let missing: Vec<_> = ACTIONS
        .iter()
        .filter(|entry| entry.shortcut.is_some())
        .filter(|entry| {
            let key = written(entry);
            let everywhere = rows[&None].iter().any(|(keys, _)| names(keys, &key));
            let mut of_screen = rows.get(&entry.screen).into_iter().flatten();
            !everywhere && !of_screen.any(|(_, row)| names(row, &key))
        })
        .map(|entry| format!("{} {}", written(entry), entry.name))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_guide_names_no_chord_that_does_nothing() {
    /// Chords that are no actions: they choose a route or a preset, or one of the listed choices.
    const OTHERS: [&str; 4] = ["Ctrl+1", "Ctrl+9", "Ctrl+Shift+1", "Ctrl+Shift+9"];
    let known: Vec<_> = { ACTIONS.iter() }
        .filter(|entry| entry.shortcut.is_some())
        .map(written)
        .collect();
    let rows = documented();
    let cut = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')');
    let stale: Vec<_> = { rows.values().flatten() }
        .flat_map(|(keys, _)| keys.split(cut))
        .filter(|part| part.starts_with("Ctrl+") && !part.ends_with("Page"))
        .filter(|part| *part != "Ctrl+Shift+Z" && !OTHERS.contains(part))
        .filter(|part| *part != "Ctrl+" && !known.iter().any(|key| key == part))
        .collect();
    assert!(stale.is_empty(), "{stale:?}");
}
