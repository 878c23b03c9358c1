//! Keyboard shortcuts from the table of actions: each does one thing wherever it is pressed.

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
        .filter(|entry| !entry.action.has_local_shortcut())
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
