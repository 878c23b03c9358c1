//! The commands that keys send, without the mouse.

use app::state::{
    Command, ConsignCommand, DispatchCommand, Editing, LabelsCommand, SaveRequest, Screen, Shared,
    ThemeChoice, WindowCommand,
};
use draft::Routing;
use egui_kittest::kittest::Queryable as _;

use super::super::kit::picture;
use super::{Desk, data, desk};
use crate::support::keyboard::{click_containing, hold_key, type_at_once, type_keys};

fn at(screen: Screen, editing: Editing) -> egui_kittest::Harness<'static, Desk> {
    let mut shared: Shared = data::shared();
    shared.screen = screen;
    desk(
        [1440.0, 900.0],
        1.0,
        ThemeChoice::Light,
        Desk::new(shared, editing),
    )
}

#[test]
fn function_keys_change_the_screen_from_any_field() {
    let mut harness = at(Screen::Consign, Editing::default());
    type_at_once(&mut harness, "twe<F3><F4><F2>");
    let shown = [Screen::Dispatch, Screen::Labels, Screen::Consign].map(Command::Show);
    assert_eq!(harness.state().asked, shown);
}

#[test]
fn two_scans_in_one_burst_are_both_looked_for() {
    let mut harness = at(Screen::Dispatch, Editing::default());
    type_at_once(&mut harness, "<F9>ms200431<Enter>so-48210<Enter>");
    let find = |text: &str| Command::Window(WindowCommand::Find(text.to_owned()));
    assert_eq!(harness.state().asked, [find("ms200431"), find("so-48210")]);
}

#[test]
fn a_consignment_is_typed_and_sent_by_keyboard_alone() {
    let mut harness = at(Screen::Consign, Editing::default());

    // The sender comes first on a new bench, by its abbreviation; then the receiver, by a part of the name.
    type_at_once(&mut harness, "hsyd<Enter>");
    type_keys(&mut harness, "<Alt+2>");
    type_at_once(&mut harness, "tweed<Down><Enter>");
    type_at_once(
        &mut harness,
        "<Tab>so-48213<Alt+3>hose reels<Tab>hr-20<Tab>",
    );
    type_at_once(&mut harness, "2<Tab>9,5<Tab>40<Tab>40<Tab>30");
    type_keys(&mut harness, "<Ctrl+2><Ctrl+Enter>");
    let desk = harness.state();
    let draft = &desk.editing.draft;
    assert_eq!(
        (draft.from.title(), draft.to.title()),
        ("Harbour Supplies, Sydney DC", "Tweed Marine")
    );
    let line = &draft.goods[0];
    let typed: Vec<&str> = [
        &line.name,
        &line.sku,
        &line.quantity,
        &line.weight,
        &line.length,
        &line.width,
        &line.height,
    ]
    .into_iter()
    .map(String::as_str)
    .collect();
    assert_eq!(typed, ["hose reels", "hr-20", "2", "9,5", "40", "40", "30"]);
    assert!(
        matches!(&draft.routing, Routing::Chosen(route) if route.carrier == "Bluegum"),
        "{:?}",
        draft.routing
    );
    assert_eq!(desk.asked, [Command::Consign(ConsignCommand::Send)]);
}

#[test]
fn the_next_draft_begins_at_the_receiver() {
    let mut harness = at(Screen::Consign, data::editing());
    let next = harness.state().editing.draft.next();
    harness.state_mut().editing = Editing::of(next);
    harness.run();
    type_keys(&mut harness, "aroha");
    let draft = &harness.state().editing.draft;
    assert_eq!(
        (draft.from.title(), draft.to.search.as_str()),
        ("Harbour Supplies, Sydney DC", "aroha")
    );
}

#[test]
fn lines_are_added_and_taken_away_by_key() {
    let mut harness = at(Screen::Consign, Editing::default());
    type_keys(&mut harness, "<Alt+3><Ctrl+L>");
    assert_eq!(harness.state().editing.draft.goods.len(), 2);
    type_keys(&mut harness, "pal");
    assert_eq!(harness.state().editing.draft.goods[1].item_type, "Pallet");
    type_keys(&mut harness, "<Ctrl+Shift+L>");
    assert_eq!(harness.state().editing.draft.goods.len(), 1);
    assert_eq!(harness.state().editing.draft.goods[0].item_type, "Carton");
}

#[test]
fn dangerous_goods_are_typed_in_their_line() {
    let mut harness = at(Screen::Consign, Editing::default());
    type_keys(&mut harness, "<Alt+3><Ctrl+D>");
    type_at_once(&mut harness, "1170<Tab>3 fl<Tab>ii");
    let good = &harness.state().editing.draft.goods[0].dangerous[0];
    assert_eq!(good.un_number, "1170");
    assert_eq!(good.class, Some(shipping::DgClass::FlammableLiquid));
    assert_eq!(good.packing_group, Some(shipping::PackingGroup::II));
}

#[test]
fn any_action_is_found_by_name() {
    let mut harness = at(Screen::Consign, Editing::default());
    type_at_once(&mut harness, "<Ctrl+K>find rou<Enter>");
    assert_eq!(
        harness.state().asked,
        [Command::Consign(ConsignCommand::FindRoutes)]
    );
}

#[test]
fn groups_are_booked_by_a_key_that_is_held_and_not_by_one_that_is_pressed() {
    let mut harness = at(Screen::Dispatch, Editing::default());
    type_keys(&mut harness, "<Ctrl+Enter>");
    assert_eq!(harness.state().asked, []);
    // Of the two groups one has a pickup that has passed, and the other holds undeclared dangerous goods.
    hold_key(&mut harness, "<Ctrl+Enter>", 120);
    assert_eq!(harness.state().asked, []);
}

#[test]
fn what_is_ticked_is_grouped_and_printed() {
    let mut harness = at(Screen::Dispatch, Editing::default());
    type_keys(&mut harness, "<Ctrl+F>");
    type_at_once(&mut harness, "so-48207<Tab>");
    type_at_once(&mut harness, "<Home><Space><Ctrl+G><Ctrl+P>");
    let id = shipping::ConsignmentId::new(200_429);
    let asked = [
        DispatchCommand::Group(vec![id]),
        DispatchCommand::PrintLabels(vec![id]),
    ]
    .map(Command::Dispatch);
    // How the list is left is kept all the while.
    let is_view =
        |command: &Command| matches!(command, Command::Dispatch(DispatchCommand::SaveView(_)));
    harness
        .state_mut()
        .asked
        .retain(|command| !is_view(command));
    assert_eq!(harness.state().asked, asked);
}

#[test]
fn pages_and_printing_have_their_keys() {
    let mut harness = at(Screen::Labels, Editing::default());
    type_at_once(&mut harness, "<Ctrl+PageDown><Ctrl+PageUp><Ctrl+P><Ctrl+S>");
    let id = shipping::ConsignmentId::new(200_431);
    let asked: [Command; 4] = [
        LabelsCommand::Page(2).into(),
        LabelsCommand::Page(0).into(),
        LabelsCommand::Print(vec![id]).into(),
        SaveRequest::Labels(vec![id]).into(),
    ];
    assert_eq!(harness.state().asked, asked);
}

#[test]
fn a_reprint_wants_a_reason() {
    let mut harness = at(Screen::Labels, Editing::default());
    type_at_once(&mut harness, "<Ctrl+Shift+R><Enter><Ctrl+Shift+R>");
    assert_eq!(harness.state().asked, []);
    type_at_once(&mut harness, "<Esc><Ctrl+Shift+R>torn<Enter>");
    let id = shipping::ConsignmentId::new(200_431);
    assert_eq!(
        harness.state().asked,
        [Command::Labels(LabelsCommand::Reprint(
            vec![id],
            "torn".to_owned()
        ))]
    );
}

#[test]
fn a_service_that_is_away_is_asked_again_by_its_key_and_by_its_button() {
    let mut shared = data::troubled();
    shared.screen = Screen::Dispatch;
    let desk_of = Desk::new(shared, Editing::default());
    let mut harness = desk([1440.0, 900.0], 1.0, ThemeChoice::Light, desk_of);
    type_keys(&mut harness, "<F7>");
    click_containing(&mut harness, "Reconnect");
    let again = Command::Window(WindowCommand::Reconnect);
    assert_eq!(harness.state().asked, [again.clone(), again]);
}

#[test]
fn f1_lists_the_shortcuts_of_the_screen_that_is_shown() {
    for (screen, own, other) in [
        (Screen::Dispatch, "Book groups", "Day sheet"),
        (Screen::Track, "Day sheet", "Book groups"),
    ] {
        let mut harness = at(screen, Editing::default());
        type_keys(&mut harness, "<F1>");
        harness.run();
        assert!(harness.query_all_by_label("Find an action").count() > 0);
        assert!(harness.query_all_by_label(own).count() > 0, "{own}");
        let tooltip = app::ui::actions::ACTIONS.iter();
        let tooltip = tooltip.filter(|entry| entry.name == other);
        for entry in tooltip {
            assert_eq!(
                harness.query_all_by_label(entry.tooltip).count(),
                0,
                "{other}"
            );
        }
        picture(
            &mut harness,
            &format!("shortcuts-{screen:?}").to_lowercase(),
        );
        type_keys(&mut harness, "<Esc>");
        harness.run();
        assert_eq!(harness.query_all_by_label("Find an action").count(), 0);
    }
}
