//! Clicks, and keys as a clerk presses them, written as text: `BALFG<Enter><Alt+3>` is a word, Enter, and Alt with 3.

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// What a clerk does at once: types a text, or presses a key with its modifiers.
pub(crate) enum Stroke<'a> {
    Text(&'a str),
    Key(Modifiers, Key),
}

/// Reads a script of texts and keys. A number repeats a key: `<Tab*3>`.
///
/// # Panics
/// If the script names a key that does not exist.
pub(crate) fn strokes(script: &str) -> Vec<Stroke<'_>> {
    let mut strokes = Vec::new();
    let mut rest = script;
    while let Some((text, after)) = rest.split_once('<') {
        if !text.is_empty() {
            strokes.push(Stroke::Text(text));
        }
        let (chord, after) = after.split_once('>').expect("a closing angle bracket");
        let (chord, times) = chord.split_once('*').unwrap_or((chord, "1"));
        let (modifiers, key) = read_chord(chord);
        for _ in 0..times.parse().expect("a number of times") {
            strokes.push(Stroke::Key(modifiers, key));
        }
        rest = after;
    }
    if !rest.is_empty() {
        strokes.push(Stroke::Text(rest));
    }
    strokes
}

fn read_chord(chord: &str) -> (Modifiers, Key) {
    let (held, key) = chord.rsplit_once('+').unwrap_or(("", chord));
    let mut modifiers = Modifiers::NONE;
    for name in held.split('+').filter(|name| !name.is_empty()) {
        modifiers |= match name {
            "Alt" => Modifiers::ALT,
            "Ctrl" => Modifiers::COMMAND,
            "Shift" => Modifiers::SHIFT,
            _ => panic!("{name} is not a modifier"),
        };
    }
    let key = Key::from_name(key).unwrap_or_else(|| panic!("{key} is not a key"));
    (modifiers, key)
}

/// Types a script into the widgets, with a pause after each text and each key.
pub(crate) fn type_keys<S>(harness: &mut Harness<'_, S>, script: &str) {
    for stroke in strokes(script) {
        burst(harness, stroke.events());
    }
}

/// Types a whole script within one frame, as a scanner does or a clerk whose window is slow.
pub(crate) fn type_at_once<S>(harness: &mut Harness<'_, S>, script: &str) {
    burst(harness, keys(script));
}

/// Types a script as [`type_keys`] does, and then finds this label.
#[track_caller]
pub(crate) fn type_and_see<S>(harness: &mut Harness<'_, S>, script: &str, label: &str) {
    type_keys(harness, script);
    harness.get_by_label(label);
}

/// Clicks the widget with this label.
#[track_caller]
pub(crate) fn click<S>(harness: &mut Harness<'_, S>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

/// Clicks the widget whose label contains these words.
#[track_caller]
pub(crate) fn click_containing<S>(harness: &mut Harness<'_, S>, words: &str) {
    harness.get_by_label_contains(words).click();
    harness.run();
}

/// Holds one key down for so many frames.
pub(crate) fn hold_key<S>(harness: &mut Harness<'_, S>, script: &str, frames: usize) {
    let events = keys(script);
    let (down, up) = events.split_at(events.len() / 2);
    harness.input_mut().events.extend_from_slice(down);
    harness.run_steps(frames);
    burst(harness, up.to_vec());
}

/// The events of a whole script.
pub(crate) fn keys(script: &str) -> Vec<Event> {
    strokes(script).iter().flat_map(Stroke::events).collect()
}

/// Puts all of these events into one frame, as a burst arrives, and runs until nothing more is asked for.
pub(crate) fn burst<S>(harness: &mut Harness<'_, S>, events: impl IntoIterator<Item = Event>) {
    harness.input_mut().events.extend(events);
    harness.run();
}

impl Stroke<'_> {
    fn events(&self) -> Vec<Event> {
        match *self {
            Self::Text(text) => typed(text),
            Self::Key(modifiers, key) => chord(modifiers, key),
        }
    }
}

/// Text as a keyboard or a scanner sends it: key down, text, key up, for each character.
pub(crate) fn typed(text: &str) -> Vec<Event> {
    text.chars()
        .flat_map(|c| {
            let key = Key::from_name(&c.to_uppercase().to_string());
            let event = |pressed| key.map(|key| key_event(Modifiers::NONE, key, pressed));
            let text = Event::Text(c.to_string());
            event(true).into_iter().chain([text]).chain(event(false))
        })
        .collect()
}

/// A key with its modifiers, if any, as the window system sends them.
pub(crate) fn chord(modifiers: Modifiers, key: Key) -> Vec<Event> {
    let mut events = vec![
        key_event(modifiers, key, true),
        key_event(modifiers, key, false),
    ];
    if modifiers != Modifiers::NONE {
        events.insert(0, Event::ModifiersChanged(modifiers));
        events.push(Event::ModifiersChanged(Modifiers::NONE));
    }
    events
}

/// One key, pressed or let go.
pub(crate) fn key_event(modifiers: Modifiers, key: Key, pressed: bool) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    }
}
