//! The field that suggests saved places.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::field::Field;
use widgets::picker::PickerItem;
use widgets::type_ahead::TypeAhead;

use super::{Role, bench};
use crate::support::keyboard::{type_at_once, type_keys};

const PLACES: [(&str, &str); 3] = [
    ("Ballarat Farm & Garden", "BFG"),
    ("Ballarat Pumps", "BPU"),
    ("Tweed Marine", "TWM"),
];

#[derive(Default)]
struct Receiver {
    name: String,
    phone: String,
    picked: Option<&'static str>,
}

fn find(typed: &str) -> Vec<(&'static str, &'static str)> {
    let typed = typed.to_lowercase();
    let fits = |(name, short): &(&str, &str)| {
        name.to_lowercase().contains(&typed) || short.to_lowercase() == typed
    };
    PLACES.into_iter().filter(fits).collect()
}

fn receiver(free: bool) -> Harness<'static, Receiver> {
    let mut harness = bench(
        [400.0, 300.0],
        Receiver::default(),
        move |ui, state: &mut Receiver| {
            let before = find(&state.name);
            let field = Field::new("Name", &mut state.name);
            let ahead = if free {
                TypeAhead::new(field).free_text()
            } else {
                TypeAhead::new(field)
            };
            let shown = ahead.show(ui, |typed| {
                let exact = |short: &str| short.eq_ignore_ascii_case(typed);
                find(typed)
                    .into_iter()
                    .map(|(name, short)| PickerItem {
                        exact: exact(short),
                        ..PickerItem::new(name, short)
                    })
                    .collect()
            });
            if let Some(picked) = shown.picked {
                state.picked = Some(before[picked].0);
                before[picked].0.clone_into(&mut state.name);
            }
            Field::new("Phone", &mut state.phone).show(ui);
        },
    );
    harness.run();
    type_keys(&mut harness, "<Tab>");
    harness
}

#[test]
fn a_place_is_picked_by_enter_or_tab_and_what_follows_lands_in_the_next_field() {
    let pumps = Some("Ballarat Pumps");
    for (case, free, typed, picked, name) in [
        (
            "a scan of an abbreviation",
            true,
            "bpu<Enter>03",
            pumps,
            "Ballarat Pumps",
        ),
        (
            "a new name that begins like an old one",
            true,
            "ballarat<Tab>03",
            None,
            "ballarat",
        ),
        (
            "Tab where only what is offered will do",
            false,
            "ball<Down><Tab>03",
            pumps,
            "Ballarat Pumps",
        ),
    ] {
        let mut harness = receiver(free);
        type_at_once(&mut harness, typed);
        let state = harness.state();
        assert_eq!(
            (state.picked, &*state.name, &*state.phone),
            (picked, name, "03"),
            "{case}"
        );
    }
}

#[test]
fn escape_closes_the_list_and_keeps_the_text_and_the_focus() {
    let mut harness = receiver(true);
    type_keys(&mut harness, "twe");
    assert!(
        harness
            .query_by_role_and_label(Role::ListBoxOption, "Tweed Marine")
            .is_some()
    );
    type_keys(&mut harness, "<Esc>");
    assert!(harness.query_by_role(Role::ListBoxOption).is_none());
    type_keys(&mut harness, "d");
    assert_eq!(harness.state().name, "twed");
}

#[test]
fn pressing_a_line_picks_it() {
    let mut harness = receiver(true);
    type_keys(&mut harness, "tweed");
    harness
        .get_by_role_and_label(Role::ListBoxOption, "Tweed Marine")
        .click();
    harness.run();
    assert_eq!(harness.state().picked, Some("Tweed Marine"));
}
