//! The cards of groups by keyboard: a day's work takes few key presses, each refusal appears at its field,
//! and no typed text is lost.

use app::state::{DispatchCommand, OperationState, ThemeChoice};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::bench::{Screen, booking_of, by, hold, send_by, text, wait, window};
use super::support::{bench, bench_with, listed, send};
use crate::journeys::kit::picture;
use crate::support::desk::{Desk, Home};
use crate::support::keyboard::{click_containing, type_keys};

const WINDOW: [f32; 2] = [1440.0, 900.0];

/// Dispatch with all consignments in one group.
fn grouped(mut desk: Desk, size: [f32; 2], theme: ThemeChoice) -> Screen {
    listed(&mut desk);
    desk.ask(DispatchCommand::GroupAll);
    let mut screen = window(desk, size, theme);
    type_keys(&mut screen, "<F3>");
    wait(&mut screen, "grouped", |core| {
        (core.shared.dispatch.groups.value()?.len() == 1).then_some(())
    });
    screen
}

#[test]
fn all_is_grouped_one_time_is_changed_and_all_is_booked_with_three_chords() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    send_by(&mut desk, "SO-1", by(11, "Southern Cross"));
    send_by(&mut desk, "SO-2", by(12, "Bluegum"));
    listed(&mut desk);
    let mut screen = window(desk, WINDOW, ThemeChoice::Light);
    type_keys(&mut screen, "<F3>");
    wait(&mut screen, "listed", |core| {
        (core.shared.dispatch.unmanifested.value()?.len() == 2).then_some(())
    });
    // One: group all.
    type_keys(&mut screen, "<Ctrl+G>");
    wait(&mut screen, "grouped", |core| {
        (core.shared.dispatch.groups.value()?.len() == 2).then_some(())
    });
    // Two: to the first pickup, where typing replaces what is there.
    type_keys(&mut screen, "<Alt+P>");
    text(&mut screen, "4pm");
    screen.get_by_label_contains("Fri 20 Nov 16:00 to 17:00 AEDT");
    picture(&mut screen, "groups-typed");
    // Three: book all.
    hold(&mut screen, Modifiers::COMMAND, Key::Enter);
    wait(&mut screen, "both are booked", |core| {
        let done = |state| state == OperationState::Done;
        let booked = core.shared.dispatch.bookings.iter();
        let states = booked.filter_map(|one| core.shared.operations.by_id(one.operation));
        (states.filter(|one| done(one.state)).count() == 2).then_some(())
    });
    picture(&mut screen, "groups-booked");
    let core = &screen.state().desk.core;
    let times: Vec<_> = core
        .shared
        .dispatch
        .bookings
        .iter()
        .map(|one| {
            one.group
                .pickup_date_time
                .expect("a time")
                .0
                .strftime("%H:%M")
                .to_string()
        })
        .collect();
    assert!(times.contains(&"16:00".to_owned()), "{times:?}");
}

#[test]
fn a_pickup_time_that_the_service_refuses_is_said_at_its_field_and_mended_there() {
    let (_home, _practice, _wire, desk, ids) = bench_with(&["SO-1"]);
    let mut screen = grouped(desk, WINDOW, ThemeChoice::Light);
    type_keys(&mut screen, "<Alt+P>");
    // No carrier comes so late: the bench finds it odd, the service refuses it.
    text(&mut screen, "9pm");
    type_keys(&mut screen, "<Tab>");
    text(&mut screen, "10pm");
    screen.get_by_label("This location usually closes at 17:00");
    hold(&mut screen, Modifiers::COMMAND, Key::Enter);
    wait(&mut screen, "refused", |core| {
        booking_of(core, &ids).filter(|one| one.state == OperationState::Rejected)
    });
    let field = screen.get_by_label("Pickup (Sydney, AEDT)");
    assert_eq!(
        field.accesskit_node().description().as_deref(),
        Some("Invalid pickup time")
    );
    assert!(
        screen.query_by_label_contains("What happened").is_none(),
        "it is said in one place"
    );
    picture(&mut screen, "groups-invalid-time");
    type_keys(&mut screen, "<Alt+P>");
    text(&mut screen, "15:45");
    type_keys(&mut screen, "<Tab>");
    text(&mut screen, "1700");
    hold(&mut screen, Modifiers::COMMAND, Key::Enter);
    wait(&mut screen, "booked", |core| {
        booking_of(core, &ids).filter(|one| one.state == OperationState::Done)
    });
}

#[test]
fn what_is_in_a_group_is_listed_on_demand_and_taken_out_with_what_was_typed_kept() {
    let (_home, _practice, _wire, desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    let mut screen = grouped(desk, WINDOW, ThemeChoice::Light);
    type_keys(&mut screen, "<Alt+P>");
    text(&mut screen, "16.15");
    click_containing(&mut screen, "Show consignments: 3 consignments");
    picture(&mut screen, "groups-members");
    let number = format!("MS{}", ids[0]);
    let out = format!("Take {number} out of the group");
    screen.get_by_label(&out).click();
    wait(&mut screen, "taken out", |core| {
        (core.shared.dispatch.groups.value()?[0]
            .consignment_ids
            .len()
            == 2)
            .then_some(())
    });
    screen.get_by_label_contains("Fri 20 Nov 16:15 to 17:00 AEDT");
    screen.get_by_label(&format!("{number} is back in the list"));
    screen.get_by_label_contains("Hide consignments: 2 consignments");
    type_keys(&mut screen, "<Alt+Z>");
    wait(&mut screen, "put back", |core| {
        (core.shared.dispatch.groups.value()?[0].consignment_ids == ids).then_some(())
    });
    screen.get_by_label_contains("Fri 20 Nov 16:15 to 17:00 AEDT");
    // Grouped anew by the service, it is the same group.
    type_keys(&mut screen, "<Ctrl+G>");
    wait(&mut screen, "grouped again", |core| {
        (!core.shared.dispatch.groups.is_loading()).then_some(())
    });
    screen.get_by_label_contains("Fri 20 Nov 16:15 to 17:00 AEDT");
}

#[test]
fn a_bench_elsewhere_sees_both_clocks() {
    let mut home = Home::new();
    "Australia/Perth".clone_into(&mut home.surroundings.zone);
    let (_practice, _wire, mut desk) = bench(&home);
    send(&mut desk, &["SO-1"]);
    let mut screen = grouped(desk, [1024.0, 700.0], ThemeChoice::Dark);
    screen.get_by_label("Pickup (Sydney, AEDT)");
    screen.get_by_label("Fri 20 Nov 15:30 to 17:00 AEDT · 12:30 AWST at the bench");
    picture(&mut screen, "groups-elsewhere");
}
