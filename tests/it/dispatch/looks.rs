//! Pictures of the list with 100,000 rows, for a person to look at.

use std::sync::Arc;

use app::state::{ConsignmentLock, LabelState, ListView, PendingDeletion, Shared, ThemeChoice};
use shipping::ConsignmentId;

use super::screen::{Window, filter, shared, sized, to_the_list};
use crate::journeys::kit::picture_showing;
use crate::support::keyboard::{click, type_at_once, type_keys};
use crate::support::lists::listed;

/// Enough for every state, where length is not what is looked at.
const FEW: usize = 400;

/// A busy list: labels in every state, some rows on hold, some locked, some about to be deleted.
fn busy(rows: usize) -> Shared {
    let mut shared = shared(rows);
    let newest = listed(&shared)[0];
    let id = |back: i64| ConsignmentId::new(newest.get() - back);
    let now = shared.now;
    for back in 0..200 {
        let state = match back % 9 {
            0 => LabelState::Waiting,
            1 => LabelState::Failed("out of labels".to_owned()),
            2 => LabelState::Stale,
            3 => LabelState::Printed(now),
            4 => continue,
            5 => LabelState::Uncertain(String::new()),
            _ => LabelState::Sent(now),
        };
        shared.labels.states.insert(id(back), state);
    }
    shared.dispatch.on_hold = Arc::new([3, 8, 40].map(id).into());
    let at = now + jiff::SignedDuration::from_secs(6);
    let ids = vec![id(5), id(6)];
    shared.operations.locked = ids
        .iter()
        .map(|id| (*id, ConsignmentLock::Deleting))
        .collect();
    shared.dispatch.deleting = Some(PendingDeletion { ids, at });
    let today = ListView {
        name: "today".to_owned(),
        ..ListView::default()
    };
    shared.dispatch.views = Arc::new(vec![today]);
    shared
}

fn ticked(window: &mut Window) {
    to_the_list(window);
    type_at_once(window, "<Space><Down*2><Space>");
    type_at_once(window, "<Down*3><Right>");
}

#[test]
fn the_list_is_drawn_with_a_hundred_thousand_rows() {
    let (light, dark) = (ThemeChoice::Light, ThemeChoice::Dark);
    for (rows, size, scale, theme, name) in [
        (100_000, [1440.0, 900.0], 1.0, light, "usual-light"),
        (FEW, [1440.0, 900.0], 1.0, dark, "usual-dark"),
        (FEW, [1024.0, 700.0], 1.0, light, "small-light"),
        (FEW, [1280.0, 720.0], 1.5, light, "scaled-light"),
    ] {
        let mut window = sized(busy(rows), size, scale, theme);
        ticked(&mut window);
        picture_showing(
            &mut window,
            &format!("list-{name}"),
            &["2 ticked", "on hold"],
        );
    }
}

#[test]
fn what_opens_over_the_list_is_drawn() {
    // Each in one theme: what they are made of is seen in both elsewhere.
    let open = |theme| {
        let mut window = sized(busy(FEW), [1440.0, 900.0], 1.0, theme);
        ticked(&mut window);
        window
    };
    let mut window = open(ThemeChoice::Light);
    type_keys(&mut window, "<Shift+F10>");
    picture_showing(&mut window, "list-menu", &["Copy"]);
    type_keys(&mut window, "<Esc><Alt+C>");
    picture_showing(&mut window, "list-columns", &["Reference"]);
    let mut window = open(ThemeChoice::Dark);
    filter(&mut window, "carrier:southern vic");
    type_keys(&mut window, "<Delete>");
    picture_showing(&mut window, "list-delete-hidden", &["Delete"]);
    type_keys(&mut window, "<Esc><Alt+V>");
    click(&mut window, "Save view…");
    picture_showing(&mut window, "list-save", &["Save view"]);
}
