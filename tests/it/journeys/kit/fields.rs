//! Fields, drop-downs and checkboxes.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::select::Select;

use super::{Role, bench};
use crate::support::keyboard::type_keys;

#[test]
fn arriving_by_keyboard_selects_the_text_so_that_typing_replaces_it() {
    let fields = ("one".to_owned(), "two".to_owned());
    let mut harness = bench(
        [400.0, 200.0],
        fields,
        |ui, fields: &mut (String, String)| {
            Field::new("First", &mut fields.0).show(ui);
            Field::new("Second", &mut fields.1).show(ui);
        },
    );
    harness.run();
    type_keys(&mut harness, "<Tab*2>new");
    assert_eq!(harness.state().1, "new");
    type_keys(&mut harness, "<Shift+Tab>newer");
    assert_eq!(harness.state().0, "newer");
}

#[test]
fn a_field_is_named_by_its_label_and_described_by_its_error() {
    let mut harness = bench([400.0, 200.0], String::new(), |ui, text: &mut String| {
        Field::new("Pickup", text)
            .error(Some("13:30 has passed"))
            .show(ui);
    });
    harness.run();
    let field = harness.get_by_role_and_label(Role::TextInput, "Pickup");
    assert_eq!(
        field.accesskit_node().description().as_deref(),
        Some("13:30 has passed")
    );
}

#[test]
fn a_drop_down_answers_to_letters_and_arrows_and_enter() {
    const OPTIONS: [&str; 4] = ["Carton", "Pallet", "Plastic drum", "Satchel"];
    let mut harness = bench([400.0, 300.0], None, |ui, picked: &mut Option<usize>| {
        if let Some(at) = Select::new("Type", *picked, &OPTIONS).show(ui).picked {
            *picked = Some(at);
        }
    });
    harness.run();
    type_keys(&mut harness, "<Tab>pl");
    assert_eq!(*harness.state(), Some(2));
    type_keys(&mut harness, "<Up>");
    assert_eq!(*harness.state(), Some(1));
    type_keys(&mut harness, "<Space><Down*2>");
    assert_eq!(
        *harness.state(),
        Some(1),
        "an open list picks nothing before Enter"
    );
    type_keys(&mut harness, "<Enter>");
    assert_eq!(*harness.state(), Some(3));
}

#[test]
fn a_drop_down_picks_what_is_pressed() {
    let mut harness = bench([400.0, 300.0], None, |ui, picked: &mut Option<usize>| {
        if let Some(at) = Select::new("Type", *picked, &["Carton", "Pallet"])
            .show(ui)
            .picked
        {
            *picked = Some(at);
        }
    });
    harness.run();
    harness
        .get_by_role_and_label(Role::ComboBox, "Type")
        .click();
    harness.run();
    harness
        .get_by_role_and_label(Role::ListBoxOption, "Pallet")
        .click();
    harness.run();
    assert_eq!(*harness.state(), Some(1));
    assert!(
        harness.query_by_role(Role::ListBoxOption).is_none(),
        "the list is still open"
    );
}

#[test]
fn a_checkbox_and_a_button_answer_to_space() {
    let mut harness = bench([400.0, 200.0], (false, 0), |ui, state: &mut (bool, u32)| {
        checkbox(ui, &mut state.0, "Tailgate");
        if ui.add(Button::new("Line")).clicked() {
            state.1 += 1;
        }
    });
    harness.run();
    type_keys(&mut harness, "<Tab><Space><Tab><Space>");
    assert_eq!(*harness.state(), (true, 1));
}
