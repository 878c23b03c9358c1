//! Screen readers, fonts, notices, small windows and columns (defects 20, 23, 25 and 26).

use std::time::Duration;

use app::state::{Editing, Notice, NoticeId, Screen, Shared, ThemeChoice, Tone, TrackPane};
use egui::accesskit::Action as Does;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::dispatch::screen as list;
use crate::journeys::kit::Role;
use crate::journeys::screens::{Desk, data, desk};
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::{click, type_keys};

type Screens = Harness<'static, Desk>;

fn at(screen: Screen, shared: Shared, size: [f32; 2], editing: Editing) -> Screens {
    let mut shared = shared;
    shared.screen = screen;
    desk(size, 1.0, ThemeChoice::Light, Desk::new(shared, editing))
}

/// Nodes that take the focus and have no name.
fn unnamed<S>(window: &Harness<'_, S>) -> Vec<String> {
    let all = window.query_all_by(|node| node.data().supports_action(Does::Focus));
    all.filter_map(|node| {
        let node = node.accesskit_node();
        let name = node.label().unwrap_or_default();
        let is_unnamed = name.trim().is_empty();
        is_unnamed.then(|| format!("{:?} {:?}", node.role(), node.id()))
    })
    .collect()
}

#[test]
fn n23_no_node_that_takes_the_focus_is_without_a_name() {
    for screen in Screen::ALL {
        let window = at(screen, data::shared(), [1440.0, 900.0], data::editing());
        assert_eq!(unnamed(&window), Vec::<String>::new(), "{screen:?}");
    }
    let mut shared = crate::track::list::shared(50);
    shared.track.pane = TrackPane::Table;
    let window = at(Screen::Track, shared, [1440.0, 900.0], Editing::default());
    assert_eq!(unnamed(&window), Vec::<String>::new(), "Track's table");
}

#[test]
fn n23_the_row_that_the_cursor_moves_to_is_read_with_its_cells() {
    let mut window = list::open(list::shared(20));
    list::to_the_list(&mut window);
    let read = |window: &list::Window| {
        let table = window.get_by_role_and_label(Role::Table, "Unmanifested");
        let row = table.accesskit_node().active_descendant();
        row.and_then(|row| row.label()).unwrap_or_default()
    };
    assert!(read(&window).contains("MS200019"), "{}", read(&window));
    type_keys(&mut window, "<Down>");
    assert!(read(&window).contains("MS200018"), "{}", read(&window));
    let cells = window.query_all_by_role(Role::Cell);
    let cells: Vec<_> = cells
        .filter_map(|cell| cell.accesskit_node().label())
        .collect();
    let number = "Number: MS200018".to_owned();
    assert!(cells.contains(&number), "{cells:?}");
}

#[test]
fn n20_confirmations_leave_into_the_messages_and_decisions_stay() {
    let home = Home::new();
    let (_practice, mut desk) = home.open_practice();
    let notice = |id, tone, words: &str| (NoticeId(id), Notice::new(tone, words, ""));
    desk.core.shared.notices.shown = vec![
        notice(1, Tone::Ok, "MS1 updated"),
        notice(2, Tone::Unknown, "Is MS2 booked?"),
    ];
    desk.pass(Duration::from_secs(1));
    assert_eq!(
        desk.core.shared.notices.shown.len(),
        2,
        "there is time to read it"
    );
    desk.pass(Duration::from_secs(9));
    let words = |notices: &[(NoticeId, Notice)]| -> Vec<String> {
        notices
            .iter()
            .map(|(_, one)| one.headline.clone())
            .collect()
    };
    let shared = &desk.core.shared;
    assert_eq!(words(&shared.notices.shown), ["Is MS2 booked?"]);
    assert_eq!(words(&shared.notices.past), ["MS1 updated"]);
}

#[test]
fn n20_the_newest_notice_is_in_sight_and_more_opens_all() {
    let mut shared = data::shared();
    shared.notices.shown = (1..=6)
        .map(|id| {
            let words = format!("Notice number {id}");
            (NoticeId(id), Notice::new(Tone::Warning, words, ""))
        })
        .collect();
    let mut window = at(
        Screen::Dispatch,
        shared,
        [1440.0, 900.0],
        Editing::default(),
    );
    let says = |window: &Screens, words: &str| window.query_all_by_label(words).next().is_some();
    assert!(says(&window, "Notice number 6"), "the newest");
    assert!(!says(&window, "Notice number 1"));
    click(&mut window, "3 more");
    window.get_by_role_and_label(Role::Dialog, "Messages");
    assert!(says(&window, "Notice number 1"));
}

#[test]
fn n20_the_routes_keep_their_room_in_a_low_window_with_a_success_card() {
    for size in [[1024.0, 700.0], [1028.0, 643.0]] {
        let mut shared = data::shared();
        let list = shared.dispatch.unmanifested.value().expect("a list");
        let number = shared.number(list[0]);
        let created = serde_json::json!({
            "id": 200_431, "consignmentNumber": number, "toName": "Ballarat Farm & Garden",
            "carrier": {"id": 1, "displayName": "Southern Cross"},
        });
        let created = serde_json::from_str(&created.to_string());
        shared.consign.last_created = Some(created.expect("a consignment"));
        let words = "The label of MS200430 was not sent to the printer";
        shared.notices.shown = vec![(NoticeId(1), Notice::new(Tone::Bad, words, "Try again"))];
        let window = at(Screen::Consign, shared, size, data::editing());
        let top = window.get_by_label("Routes").rect().top();
        let send = window.get_by_role_and_label(Role::Button, "Send").rect();
        assert!(send.bottom() < size[1] - 28.0, "{size:?}: Send is in sight");
        let problems = window.get_by_label("Before you send").rect();
        let room = problems.top() - top;
        assert!(room >= 130.0, "{size:?}: {room} points for the routes");
    }
}

#[test]
fn n25_a_long_name_does_not_widen_the_button_that_brings_it_back() {
    let mut shared = data::shared();
    let mut gone = data::editing().draft;
    gone.reference1 =
        "An order with a reference that nobody would want to type again by hand".repeat(2);
    gone.to.name = gone.reference1.clone();
    shared.consign.discarded = vec![gone];
    let window = at(Screen::Consign, shared, [1920.0, 1080.0], data::editing());
    let all = window.query_all_by_label_contains("Restore");
    let widths: Vec<f32> = all.map(|button| button.rect().width()).collect();
    assert!(!widths.is_empty(), "the button is there");
    assert!(widths.iter().all(|width| *width < 330.0), "{widths:?}");
}

/// Every text that is drawn, and whether it is whole: neither shortened nor cut at the edge of what it is in.
fn drawn<S>(window: &Harness<'_, S>) -> Vec<(String, bool)> {
    let shapes = &window.output().shapes;
    let texts = shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => Some((text, clipped.clip_rect)),
        _ => None,
    });
    let whole = |(text, clip): (&egui::epaint::TextShape, egui::Rect)| {
        let ends = text.visual_bounding_rect().right() <= clip.right() + 0.5;
        (text.galley.text().to_owned(), ends && !text.galley.elided)
    };
    texts.map(whole).collect()
}

/// Which of the texts that hold one of these words are not whole.
fn cut<S>(window: &Harness<'_, S>, words: &[&str]) -> Vec<String> {
    let drawn = drawn(window);
    for word in words {
        let is_there = drawn.iter().any(|(text, _)| text.contains(word));
        assert!(is_there, "{word} is nowhere: {drawn:?}");
    }
    let ours = drawn
        .into_iter()
        .filter(|(text, whole)| !whole && words.iter().any(|word| text.contains(word)));
    ours.map(|(text, _)| text).collect()
}

#[test]
fn n26_the_carrier_column_shows_the_service_whole_in_a_small_window() {
    let window = list::sized(list::shared(20), [1024.0, 700.0], 1.0, ThemeChoice::Light);
    let words = ["Southern Cross", "Northline Express", "Tasman", "Road"];
    assert_eq!(cut(&window, &words), Vec::<String>::new());
}

#[test]
fn n26_the_saved_item_column_shows_a_sku_whole() {
    for (width, sku) in [(1024.0, "REEL-20M"), (1440.0, "REEL-20M-BLU")] {
        let mut editing = data::editing();
        editing.draft.goods[0].sku = sku.to_owned();
        let window = at(Screen::Consign, data::shared(), [width, 1500.0], editing);
        assert_eq!(cut(&window, &[sku]), Vec::<String>::new(), "{width}");
    }
}

#[test]
fn n26_prices_are_shown_in_dollars() {
    let window = at(
        Screen::Consign,
        data::shared(),
        [1440.0, 900.0],
        data::editing(),
    );
    let drawn = drawn(&window);
    let is_price = |text: &str| {
        let digits = text.trim_start_matches('$');
        digits.len() >= 4
            && digits.split_once('.').is_some_and(|(whole, cents)| {
                cents.len() == 2
                    && [whole, cents]
                        .iter()
                        .all(|part| part.bytes().all(|one| one.is_ascii_digit()))
            })
    };
    let prices: Vec<_> = { drawn.iter() }
        .map(|(text, _)| text)
        .filter(|text| is_price(text))
        .collect();
    assert!(prices.len() >= 4, "{prices:?}");
    assert!(
        prices.iter().all(|text| text.starts_with('$')),
        "{prices:?}"
    );
}

#[test]
fn n23_the_window_has_a_name() {
    let (home, practice) = Home::with_practice();
    let front = Front::at_practice(&home, &practice);
    assert!(front.title().contains("Packbench"), "{}", front.title());
}
