//! The folder at the real window: set up in Settings, watched and sent on Orders, by keyboard.

use std::fs;

use app::config::ThemeChoice;
use app::state::{Screen, SettingsCommand, Shared};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use super::{Folders, csv_order};
use crate::connections::switching::use_depot;
use crate::editor::orders;
use crate::journeys::kit::picture_showing;
use crate::support::clerk::Clerk;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::click;

fn cheapest(text: &str) -> String {
    let mut lines = text.split("\r\n");
    let header = lines.next().unwrap_or_default();
    let rows: Vec<_> = lines.map(|row| format!("cheapest,{row}")).collect();
    format!("Service,{header}\r\n{}", rows.join("\r\n"))
}

#[test]
fn a_clerk_sets_the_folder_up_and_sends_what_came_with_one_key() {
    let folders = Folders::new();
    let (home, practice) = Home::with_practice();
    let mut front = Front::at_practice(&home, &practice);
    front.until("the saved locations", |shared| {
        shared.catalogue.locations.value().map(|_| ())
    });
    front.keys("<F11>");
    assert!(front.shows("No folder is watched"));
    click(front.widgets(), "Set up a folder…");
    front.until("Settings", |shared| {
        (shared.screen == Screen::Settings).then_some(())
    });
    click(front.widgets(), "Order folder");
    front.focus("Watched folder");
    front.text("orders");
    assert!(front.shows("Enter the full path, starting with the drive or /"));
    front.keys("<Ctrl+A>");
    front.text(folders.watched().to_str().expect("a path"));
    front.focus("Outbox folder");
    front.text(folders.watched().to_str().expect("a path"));
    assert!(front.shows("Choose another folder: results here would be taken for orders"));
    front.keys("<Ctrl+A>");
    front.text(folders.outbox().to_str().expect("a path"));
    picture_showing(front.widgets(), "orders-settings", &["Watched folder"]);
    front.keys("<Ctrl+S>");
    front.until("the folder is watched", |shared| {
        let settings = shared.order_folder.settings.as_ref()?;
        (settings.folder == folders.watched()).then_some(())
    });
    front.until("the settings are saved", |_| {
        let saved = fs::read_to_string(home.places.settings()).ok()?;
        saved.contains("order_folders").then_some(())
    });
    // The saved sender of the practice service.
    let sender = front.until("a sender", |shared| {
        shared
            .catalogue
            .locations
            .value()?
            .first()
            .map(|one| one.abbreviation.clone())
    });
    let from = |text: &str| {
        let text = text.replacen("Service,", "Service,From,", 1);
        text.replace("\ncheapest,", &format!("\ncheapest,{sender},"))
    };
    front.keys("<F11>");
    folders.put("good.csv", &from(&cheapest(&csv_order("SO-1"))));
    let mixed = orders::file(&[
        orders::row("SO-2", "Ballarat Farm", "1", "9"),
        orders::row("SO-3", "Ballarat Farm", "none", "9"),
    ]);
    folders.put("mixed.csv", &from(&cheapest(&mixed)));
    front.until("two orders", |shared| {
        (shared.folder_orders().count() == 2).then_some(())
    });
    front.until("they are ready", |shared| {
        let mut orders = shared.folder_orders();
        orders
            .all(|order| shared.is_ready_order(order))
            .then_some(())
    });
    front.rest();
    picture_showing(front.widgets(), "orders-waiting", &["2 orders waiting"]);
    front.keys("<Ctrl+Enter>");
    front.until("the results", |_| {
        (folders.results().len() == 2).then_some(())
    });
    front.until("they are told", |shared| {
        (shared.order_folder.results.written == 2).then_some(())
    });
    front.rest();
    picture_showing(front.widgets(), "orders-sent", &["No orders are waiting"]);
    front.close();
}

#[test]
fn the_orders_screen_is_readable_in_both_themes_and_in_a_small_window() {
    for (theme, word) in [(ThemeChoice::Light, "light"), (ThemeChoice::Dark, "dark")] {
        let folders = Folders::new();
        let mut home = Home::new();
        home.settings.bench.theme = theme;
        home.settings
            .order_folders
            .insert(String::new(), folders.settings());
        let practice = home.practise();
        let mut clerk = Clerk::new(&home, &practice);
        clerk.pick_sender();
        clerk.keys("<F11>");
        folders.put("good.csv", &cheapest(&csv_order("SO-1")));
        folders.put("no-carrier.csv", &csv_order("SO-2"));
        folders.put("bad.csv", &csv_order("SO-3").replace(",3350,", ",,"));
        clerk.until("three files", |core| {
            (core.shared.order_folder.files.len() == 3).then_some(())
        });
        clerk.until("the orders are checked", |core| {
            let shared = &core.shared;
            let orders = shared
                .folder_orders()
                .filter(|order| shared.consign.checked.contains_key(&order.id));
            (orders.count() == 2).then_some(())
        });
        clerk.rest();
        clerk.picture(&format!("orders-{word}"));
        for text in [
            "2 orders waiting",
            "Choose a route",
            "Orders wait until you send them",
        ] {
            assert!(
                clerk
                    .window
                    .query_all_by_label_contains(text)
                    .next()
                    .is_some(),
                "{text}"
            );
        }
        let bad = clerk
            .window
            .query_by_label_contains("bad.csv, 0 taken, 1 rejected");
        assert!(bad.is_some(), "the failed file is listed");
    }
}

#[test]
fn each_service_takes_the_orders_of_its_own_folder() {
    let [ours, theirs] = [Folders::new(), Folders::new()];
    let home = Home::new();
    let other = Home::new();
    let (practice, depot) = (home.practise(), other.practise());
    let settings = json!({
        "chosen": "practice",
        "connections": [{"name": "Depot", "kind": "test", "address": depot.base_url()}],
        "order_folders": {"": ours.settings(), "Depot": theirs.settings()},
    });
    fs::write(home.places.settings(), settings.to_string()).expect("a settings file");
    ours.put("ours.csv", &csv_order("SO-1"));
    theirs.put("theirs.csv", &csv_order("SO-2"));
    let mut front = Front::start_open(&home, &practice);
    let references = |shared: &Shared| -> Vec<String> {
        let orders = shared.folder_orders();
        orders.map(|order| order.reference1.clone()).collect()
    };
    let until = |front: &mut Front, wanted: &str| {
        front.until(wanted, |shared| {
            (references(shared) == [wanted]).then_some(())
        });
    };
    until(&mut front, "SO-1");
    use_depot(&mut front, depot.token());
    until(&mut front, "SO-2");
    front.ask(SettingsCommand::Practise);
    front.until_open("practice");
    until(&mut front, "SO-1");
    assert_eq!(theirs.names("done"), ["theirs.csv"]);
    front.close();
}
