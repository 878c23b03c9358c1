//! Typing into the form (defects 6 and 24).

use draft::{AddressField, AddressMode, DgField, Field, GoodsField};
use egui::{Event, Id, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use reqwest::StatusCode;
use serde_json::json;
use shipping::UnNumber;
use widgets::field::{Field as Box, OnEnter};
use widgets::hold_button::HoldButton;
use widgets::picker::PickerItem;
use widgets::type_ahead::TypeAhead;

use crate::editor::journeys::{goods, held, must_hold, send};
use crate::journeys::kit::bench;
use crate::support::clerk::Clerk;
use crate::support::keyboard::type_keys;
use crate::support::practice::Bench;

#[derive(Default)]
struct Place {
    text: String,
    picked: Option<usize>,
}

/// A field that offers nine places, or none for other text.
fn place() -> Harness<'static, Place> {
    let mut harness = bench([400.0, 500.0], Place::default(), |ui, state: &mut Place| {
        let field = Box::new("Place", &mut state.text).id(Id::unique("place"));
        let shown = TypeAhead::new(field).show(ui, |typed| {
            let all = (1..=9).map(|at| PickerItem::new(format!("Dock {at}"), ""));
            all.filter(|item| item.text.contains(typed)).collect()
        });
        state.picked = shown.picked.or(state.picked);
    });
    harness.run();
    type_keys(&mut harness, "<Tab>");
    harness
}

fn empty(harness: &mut Harness<'_, Place>) {
    type_keys(harness, "<Ctrl+A><Backspace>");
}

#[test]
fn n24_a_suggestion_list_that_was_emptied_has_room_for_all_its_rows_again() {
    let mut harness = place();
    type_keys(&mut harness, "7");
    type_keys(&mut harness, "x");
    empty(&mut harness);
    let list = Id::unique("place").with("list");
    let area = harness.ctx.memory(|memory| memory.area_rect(list));
    let area = area.expect("the list is open");
    assert!(area.height() >= 9.0 * 30.0, "{area:?}");
}

#[test]
fn n24_down_goes_to_the_first_row() {
    let mut harness = place();
    type_keys(&mut harness, "x");
    empty(&mut harness);
    type_keys(&mut harness, "<Down><Enter>");
    assert_eq!(harness.state().picked, Some(0));
}

#[derive(Default)]
struct Question {
    sent: bool,
    reference: String,
    entered: usize,
}

#[test]
fn n24_a_key_held_too_long_does_not_reach_the_form_behind_the_question() {
    let mut harness = bench(
        [400.0, 300.0],
        Question::default(),
        |ui, state: &mut Question| {
            if !state.sent {
                state.sent = HoldButton::new("Hold to send 3 drafts").show(ui).completed;
                return;
            }
            let field = Box::new("Reference", &mut state.reference).on_enter(OnEnter::Stay);
            let shown = field.show(ui);
            shown.response.request_focus();
            state.entered += usize::from(shown.entered);
        },
    );
    harness.run();
    type_keys(&mut harness, "<Tab>");
    let enter = |pressed| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    // A keyboard repeats a key that is held.
    for _ in 0..200 {
        harness.input_mut().events.push(enter(true));
        harness.step();
    }
    assert!(harness.state().sent);
    assert_eq!(harness.state().entered, 0);
    harness.input_mut().events.push(enter(false));
    harness.run();
    type_keys(&mut harness, "<Enter>");
    assert_eq!(harness.state().entered, 1, "the next press counts");
}

#[test]
fn n24_enter_on_a_name_that_matches_nothing_begins_an_address() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    clerk.keys("<Alt+2>ZZTOP<Enter>");
    let to = &clerk.core().editing.draft.to;
    assert_eq!((to.mode, to.name.as_str()), (AddressMode::Full, "ZZTOP"));
    assert_eq!(to.abbreviation, "");
}

#[test]
fn n24_the_best_matching_country_is_taken_by_tab() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    clerk.keys("<Alt+2><Alt+A><Alt+B>");
    let country = Field::To(AddressField::Country);
    clerk.tab_to(country);
    clerk.keys("new");
    let marked = clerk.window.query_by_label("New Caledonia").is_some();
    assert!(marked, "several countries begin alike");
    clerk.keys("<Tab>");
    let typed = clerk.core().editing.draft.to.country.clone();
    assert!(
        ["NCL", "New Caledonia"].contains(&typed.as_str()),
        "{typed}"
    );
}

#[test]
fn n24_a_picked_dangerous_good_leads_to_its_next_empty_field_in_litres() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sides();
    clerk.keys("<Alt+3><Ctrl+D>1170");
    let number = UnNumber::new(1170).expect("a UN number");
    clerk.until("what the service says of it", |core| {
        core.shared.catalogue.un_numbers.get(&number).map(|_| ())
    });
    clerk.keys("<Down><Enter>");
    clerk.is_at(Field::Dg(0, 0, DgField::Container));
    assert!(clerk.core().editing.draft.goods[0].dangerous[0].litres);
}

/// Half a pallet space, sent, and the form after it.
#[test]
fn n6_half_a_pallet_space_is_sent_and_the_next_form_shows_no_error() {
    let (home, practice, mut clerk) = Clerk::begin();
    clerk.pick_sides();
    clerk.keys("<Alt+3>");
    clerk.fill(&goods([
        "Skid of seals",
        "SE-1",
        "1",
        "14.5",
        "40",
        "30",
        "30",
    ]));
    clerk.tab_to(Field::Goods(0, GoodsField::Spaces));
    clerk.keys("0.5");
    clerk.await_routes();
    clerk.keys("<Ctrl+1>");
    let made = send(&mut clerk);
    let record = held(&home, &practice, made);
    must_hold(&record, &[("/consignmentItems/0/palletSpaces", json!(0.5))]);

    clerk.rest();
    let editing = &clerk.core().editing;
    let problems: Vec<_> = editing.problems().collect();
    assert!(!problems.is_empty(), "the form is not filled in");
    for problem in problems {
        // The list at the right says it once; a field that shows it too says it again.
        let shown = clerk.window.query_all_by_label(&problem.message).count();
        assert!(
            shown <= 1,
            "{:?} is marked: {}",
            problem.field,
            problem.message
        );
    }
}

#[tokio::test]
async fn n6_an_empty_ping_may_have_any_content_type() {
    let bench = Bench::start().await;
    let url = bench.url("/apiv2/authenticate/ping");
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let ping = bench.client.post(&url).header("content-type", kind);
        let reply = ping.header("token", bench.service.token()).send().await;
        assert_eq!(reply.expect("a reply").status(), StatusCode::OK, "{kind}");
    }
}

#[tokio::test]
async fn n6_the_definition_s_page_is_at_its_address_with_a_slash_too() {
    let bench = Bench::start().await;
    let (status, kind, page) = bench.raw("/swagger/", "content-type").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(kind, "text/html; charset=utf-8");
    assert_eq!(page, bench.raw("/swagger", "content-type").await.2);
}
