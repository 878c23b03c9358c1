//! The rows of the list: ticks, ranges, sort orders and columns by keyboard, through sorting, filtering and
//! refreshes.

use app::state::{Command, ConsignmentLock, DispatchCommand, LabelState, PendingDeletion};
use egui::accesskit::Toggled;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::ConsignmentId;

use super::screen::{
    Window, asked, at_the_list, filter, kept, one_more, open, printed, shared, to_the_list,
};
use crate::journeys::kit::Role;
use crate::support::keyboard::{burst, click, keys, type_and_see, type_at_once, type_keys};
use crate::support::lists::{assert_third_row_stays, retain_rows, third_row};

fn heads(window: &Window) -> Vec<String> {
    let mut heads: Vec<_> = window
        .get_all_by_role(Role::ColumnHeader)
        .map(|node| {
            (
                node.rect().left(),
                node.accesskit_node().label().unwrap_or_default(),
            )
        })
        .collect();
    heads.sort_by(|a, b| a.0.total_cmp(&b.0));
    heads.into_iter().map(|(_, title)| title).collect()
}

#[test]
fn ticks_survive_order_filter_and_refresh_and_the_hidden_are_counted() {
    let mut window = at_the_list(2_000);
    type_at_once(&mut window, "<Space><Shift+Down*2>");
    assert_eq!(printed(&mut window), [201_999, 201_998, 201_997]);
    // By receiver: the ticked ones are printed as they are listed now.
    type_at_once(&mut window, "<Right*2>");
    type_at_once(&mut window, "<Right><Alt+Up>");
    let mut by_receiver = printed(&mut window);
    assert_eq!(by_receiver[0], 201_998, "{by_receiver:?}");
    by_receiver.sort_unstable();
    assert_eq!(by_receiver, [201_997, 201_998, 201_999]);
    filter(&mut window, "ms201999");
    window.get_by_label("1 of 2,000, 3 ticked, 2 hidden");
    assert_eq!(printed(&mut window), [201_999, 201_998, 201_997]);
    one_more(&mut window, 300_000);
    window.get_by_label("1 of 2,001, 3 ticked, 2 hidden");
    // One is booked elsewhere: it is ticked no more.
    let shared = &mut window.state_mut().shared;
    retain_rows(shared, |id| id != ConsignmentId::new(201_998));
    window.run();
    window.get_by_label("1 of 2,000, 2 ticked, 1 hidden");
}

#[test]
fn a_range_goes_on_from_where_it_began_after_a_refresh() {
    let mut window = at_the_list(100);
    type_at_once(&mut window, "<Down><Shift+Down>");
    one_more(&mut window, 300_000);
    type_keys(&mut window, "<Shift+Down>");
    assert_eq!(printed(&mut window), [200_098, 200_097, 200_096]);
    // After an arrow alone the next one begins at the cursor.
    type_at_once(&mut window, "<Down><Shift+Down>");
    assert_eq!(printed(&mut window), [200_095, 200_094]);
}

#[test]
fn what_is_in_sight_stays_there_while_others_arrive() {
    let mut window = at_the_list(5_000);
    type_at_once(&mut window, "<End><PageUp*2>");
    window.run_steps(12);
    let before = third_row(&window);
    for id in 300_000..300_003 {
        one_more(&mut window, id);
    }
    assert_third_row_stays(&mut window, &before);
}

#[test]
fn all_of_a_hundred_thousand_are_ticked_and_unticked_by_a_key() {
    let mut window = at_the_list(100_000);
    type_and_see(&mut window, "<Ctrl+A>", "100,000, 100,000 ticked");
    type_and_see(&mut window, "<Ctrl+A>", "100,000");
}

#[test]
fn columns_are_moved_widened_and_chosen_by_keyboard() {
    let mut window = at_the_list(20);
    assert_eq!(heads(&window)[..3], ["Number", "Reference", "To"]);
    type_at_once(&mut window, "<Right*2><Alt+Right>");
    assert_eq!(heads(&window)[..3], ["Number", "To", "Reference"]);
    type_at_once(&mut window, "<Alt+Shift+Right*2>");
    let view = kept(&mut window).expect("how the list is left");
    assert_eq!(
        (view.columns[2].column.as_str(), view.columns[2].width),
        ("reference", Some(104.0))
    );
    // In the dialog: the first is hidden, the second goes down.
    type_keys(&mut window, "<Alt+C>");
    type_at_once(&mut window, "<Space><Tab>");
    type_keys(&mut window, "<Alt+Down><Esc>");
    assert_eq!(heads(&window)[..2], ["Reference", "To"]);
}

#[test]
fn rows_are_held_back_and_let_go_and_say_so() {
    let mut window = at_the_list(20);
    type_at_once(&mut window, "<Space><Ctrl+H>");
    let first = vec![ConsignmentId::new(200_019)];
    assert_eq!(
        asked(&mut window),
        [DispatchCommand::SetOnHold(first.clone(), true).into()]
    );
    let held = first.iter().copied().collect();
    window.state_mut().shared.dispatch.on_hold = std::sync::Arc::new(held);
    window.run();
    let said = window.query_all_by_label_contains("on hold").count();
    assert!(said > 0, "its row says so");
    type_keys(&mut window, "<Ctrl+H>");
    assert_eq!(
        asked(&mut window),
        [DispatchCommand::SetOnHold(first, false).into()]
    );
    filter(&mut window, "held:no");
    window.get_by_label("19 of 20, 1 ticked, hidden");
}

#[test]
fn a_few_are_deleted_at_once_with_a_way_back_and_many_after_a_question() {
    let mut window = at_the_list(20);
    type_keys(&mut window, "<Delete>");
    let one = vec![ConsignmentId::new(200_019)];
    assert_eq!(
        asked(&mut window),
        [DispatchCommand::Delete(one.clone()).into()]
    );
    let at = window.state().shared.now + jiff::SignedDuration::from_millis(5_500);
    window.state_mut().shared.dispatch.deleting = Some(PendingDeletion { ids: one, at });
    window.run();
    assert!(
        window
            .query_all_by_label_contains("Deleting MS200019")
            .next()
            .is_some()
    );
    // In a field the key is the field's.
    type_and_see(&mut window, "<Ctrl+F>1<Ctrl+Z>", "20");
    assert_eq!(asked(&mut window), []);
    type_keys(&mut window, "<Enter><Ctrl+Z>");
    click(&mut window, "Undo deletion");
    let undo: Command = DispatchCommand::UndoDelete.into();
    assert_eq!(asked(&mut window), [undo.clone(), undo]);
    window.state_mut().shared.dispatch.deleting = None;
    to_the_list(&mut window);
    type_at_once(&mut window, "<Ctrl+A><Delete>");
    window.get_by_role_and_label(Role::Dialog, "Delete 20 consignments");
    assert_eq!(asked(&mut window), []);
}

#[test]
fn delete_once_more_takes_only_what_was_ticked_since() {
    let mut window = at_the_list(20);
    let ids = |ids: &[i64]| -> Vec<_> { ids.iter().map(|id| ConsignmentId::new(*id)).collect() };
    type_at_once(&mut window, "<Space><Down><Space><Down>");
    // Held down: one key that goes down again and again.
    let held = keys("<Delete>")[..1].to_vec();
    burst(&mut window, held.clone());
    let first = ids(&[200_019, 200_018]);
    let delete = |ids: &[ConsignmentId]| Command::Dispatch(DispatchCommand::Delete(ids.to_vec()));
    assert_eq!(asked(&mut window), [delete(&first)]);
    let shared = &mut window.state_mut().shared;
    let at = shared.now + jiff::SignedDuration::from_secs(8);
    shared.operations.locked = first
        .iter()
        .map(|id| (*id, ConsignmentLock::Deleting))
        .collect();
    shared.dispatch.deleting = Some(PendingDeletion { ids: first, at });
    burst(&mut window, held);
    assert_eq!(asked(&mut window), [], "the key is held down");
    type_keys(&mut window, "<Delete*2>");
    assert_eq!(asked(&mut window), [], "nothing is ticked");
    window.get_by_label("Tick the other rows that you want to delete");
    type_at_once(&mut window, "<Space><Delete>");
    assert_eq!(asked(&mut window), [delete(&ids(&[200_017]))]);
}

#[test]
fn what_the_filter_hides_is_deleted_only_after_a_question_that_names_it() {
    let mut window = at_the_list(20);
    type_at_once(&mut window, "<Space><Shift+Down>");
    filter(&mut window, "ms200018");
    type_keys(&mut window, "<Delete>");
    assert_eq!(asked(&mut window), []);
    window.get_by_role_and_label(Role::Dialog, "Delete 2 consignments");
    window.get_by_label("Hidden by the filter:");
    let named = |number: &str| window.query_all_by_label(number).count() > 0;
    assert!(named("MS200018") && named("MS200019"));
}

#[test]
fn the_same_number_scanned_twice_is_put_in_sight_twice() {
    let mut window = open(shared(2_000));
    let id = ConsignmentId::new(200_007);
    for count in 1..3 {
        filter(&mut window, "ms201999");
        window.get_by_label_contains("1 of 2,000");
        window.state_mut().shared.search.found = Some((count, id));
        window.run();
        window.get_by_label("2,000, 1 ticked");
        assert_eq!(printed(&mut window), [200_007]);
    }
}

#[test]
fn the_tick_of_all_rows_is_about_those_that_are_shown() {
    let mut window = at_the_list(20);
    type_keys(&mut window, "<Space>");
    let all = |window: &Window| {
        let tick = window.get_by_role_and_label(Role::CheckBox, "All rows");
        tick.accesskit_node().toggled()
    };
    filter(&mut window, "ms200018");
    window.get_by_label("1 of 20, 1 ticked, hidden");
    assert_eq!(all(&window), Some(Toggled::False));
    type_and_see(&mut window, "<Ctrl+A>", "1 of 20, 2 ticked, 1 hidden");
    assert_eq!(all(&window), Some(Toggled::True));
    type_and_see(&mut window, "<Ctrl+A>", "1 of 20, 1 ticked, hidden");
}

#[test]
fn a_label_that_was_never_printed_says_that_it_waits() {
    let mut shared = shared(3);
    let now = shared.now;
    let states = &mut shared.labels.states;
    states.insert(ConsignmentId::new(200_001), LabelState::Printed(now));
    states.insert(
        ConsignmentId::new(200_000),
        LabelState::FailedVerification(String::new()),
    );
    let mut window = open(shared);
    filter(&mut window, "label:waiting");
    window.get_by_label("1 of 3");
    type_keys(&mut window, "<Ctrl+A>");
    assert_eq!(printed(&mut window), [200_002]);
}

#[test]
fn the_menu_of_a_row_is_worked_by_keys_and_by_the_pointer() {
    let mut window = at_the_list(20);
    type_and_see(&mut window, "<Shift+F10>", "Clone");
    type_at_once(&mut window, "<Down*3>");
    type_keys(&mut window, "<Enter>");
    let print =
        |id: i64| Command::Dispatch(DispatchCommand::PrintLabels(vec![ConsignmentId::new(id)]));
    assert_eq!(asked(&mut window), [print(200_019)]);
    // The keys are the list's again.
    type_at_once(&mut window, "<Down><Menu>");
    type_keys(&mut window, "<Esc>");
    assert!(window.query_by_label("Clone").is_none());
    window.get_by_label_contains("MS200015").click_secondary();
    window.run();
    click(&mut window, "Put on hold");
    let held = DispatchCommand::SetOnHold(vec![ConsignmentId::new(200_015)], true);
    assert_eq!(asked(&mut window), [held.into()]);
}

#[test]
fn all_of_one_carrier_and_state_are_printed_with_few_keys() {
    let mut shared = shared(100_000);
    let failed = LabelState::Failed("out of labels".to_owned());
    let states = &mut shared.labels.states;
    states.insert(ConsignmentId::new(200_000), failed);
    let mut window = open(shared);
    let words = "c:southern state:vic label:not".replace("c:", "carrier:");
    filter(&mut window, &words);
    type_keys(&mut window, "<Ctrl+A>");
    assert_eq!(printed(&mut window), [200_000]);
    // Ctrl+F, Enter, Ctrl+A and Ctrl+P, besides the words.
}
