//! The field that suggests saved places.

use egui::Key;
use egui::ThemePreference;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use widgets::field::Field;
use widgets::picker::PickerItem;
use widgets::type_ahead::TypeAhead;

use super::{Role, bench, burst, pressed, typed};

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
        ThemePreference::Light,
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
    burst(&mut harness, pressed(Key::Tab));
    harness
}

#[test]
fn a_scan_of_an_abbreviation_picks_the_place_and_goes_on() {
    let mut harness = receiver(true);
    burst(
        &mut harness,
        [typed("bpu"), pressed(Key::Enter), typed("03")].concat(),
    );
    assert_eq!(harness.state().picked, Some("Ballarat Pumps"));
    assert_eq!(harness.state().name, "Ballarat Pumps");
    assert_eq!(harness.state().phone, "03");
}

#[test]
fn a_new_name_that_begins_like_an_old_one_stays_as_typed() {
    let mut harness = receiver(true);
    burst(
        &mut harness,
        [typed("ballarat"), pressed(Key::Tab), typed("03")].concat(),
    );
    assert_eq!(harness.state().picked, None);
    assert_eq!(harness.state().name, "ballarat");
    assert_eq!(harness.state().phone, "03");
}

#[test]
fn tab_picks_where_only_what_is_offered_will_do() {
    let mut harness = receiver(false);
    burst(
        &mut harness,
        [
            typed("ball"),
            pressed(Key::ArrowDown),
            pressed(Key::Tab),
            typed("03"),
        ]
        .concat(),
    );
    assert_eq!(harness.state().name, "Ballarat Pumps");
    assert_eq!(harness.state().phone, "03");
}

#[test]
fn escape_closes_the_list_and_keeps_the_text_and_the_focus() {
    let mut harness = receiver(true);
    burst(&mut harness, typed("twe"));
    assert!(
        harness
            .query_by_role_and_label(Role::ListBoxOption, "Tweed Marine")
            .is_some()
    );
    burst(&mut harness, pressed(Key::Escape));
    assert!(harness.query_by_role(Role::ListBoxOption).is_none());
    burst(&mut harness, typed("d"));
    assert_eq!(harness.state().name, "twed");
}

#[test]
fn pressing_a_line_picks_it() {
    let mut harness = receiver(true);
    burst(&mut harness, typed("tweed"));
    harness
        .get_by_role_and_label(Role::ListBoxOption, "Tweed Marine")
        .click();
    harness.run();
    assert_eq!(harness.state().picked, Some("Tweed Marine"));
}
