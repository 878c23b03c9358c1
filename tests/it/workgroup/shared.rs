//! Presets, views, printers and consignments on hold are the same on all benches of a workgroup, through their windows.

use std::path::Path;

use app::state::{
    DocumentKind, LabelsCommand, ListView, OrdersCommand, PrinterForm, Screen, Shared, ViewedList,
};
use draft::Preset;
use engine::Request;

use super::bench;
use super::window::{Warehouse, send_one};
use crate::journeys::kit::picture_showing;
use crate::support::front::Front;
use crate::support::wait::{SOON, until};

/// A preset with these pieces in its only line.
fn save_preset(front: &mut Front, name: &str, quantity: &str) {
    let mut preset = Preset {
        name: name.to_owned(),
        goods: vec![draft::GoodsLine::default()],
        ..Preset::default()
    };
    quantity.clone_into(&mut preset.goods[0].quantity);
    front.ask(OrdersCommand::SavePreset {
        preset: Box::new(preset),
        was: None,
    });
}

fn quantity(shared: &Shared, name: &str) -> Option<String> {
    let mut presets = shared.catalogue.presets.iter();
    let preset = presets.find(|preset| preset.name == name)?;
    Some(preset.goods.first()?.quantity.clone())
}

fn until_quantity(front: &mut Front, name: &str, expected: Option<&str>) {
    front.until(&format!("{name} has {expected:?}"), |shared| {
        (quantity(shared, name).as_deref() == expected).then_some(())
    });
    front.rest();
}

#[test]
fn the_newest_change_of_a_preset_counts_on_all_benches_and_names_its_bench() {
    let (warehouse, mut first, mut second) = Warehouse::with_two();
    save_preset(&mut first, "Pallets", "2");
    until_quantity(&mut second, "Pallets", Some("2"));
    second.keys("<F2><Ctrl+Shift+P>");
    picture_showing(
        second.widgets(),
        "workgroup-preset",
        &["Pallets", "changed by Bench 1"],
    );
    second.keys("<Esc>");
    save_preset(&mut second, "pallets", "3");
    until_quantity(&mut first, "pallets", Some("3"));
    assert_eq!(quantity(first.shared(), "Pallets"), None, "one only");

    // While the database is away, the change made last is kept and told later.
    warehouse
        .server
        .stop(crate::support::postgres::Stop::Immediately);
    save_preset(&mut first, "Pallets", "4");
    until_quantity(&mut first, "Pallets", Some("4"));
    warehouse.server.start_again();
    until_quantity(&mut second, "Pallets", Some("4"));

    second.ask(OrdersCommand::RemovePreset("Pallets".to_owned()));
    until_quantity(&mut first, "Pallets", None);
}

#[test]
fn a_bench_that_joins_brings_its_presets_and_loses_none_of_them() {
    let warehouse = Warehouse::open();
    let mut first = warehouse.member("Bench 1");
    save_preset(&mut first, "Pallets", "2");
    let mut second = warehouse.bench("Bench 2");
    for (name, quantity) in [("Pallets", "7"), ("Cartons", "1")] {
        save_preset(&mut second, name, quantity);
        until_quantity(&mut second, name, Some(quantity));
    }
    warehouse.join(&mut second);
    for front in [&mut first, &mut second] {
        until_quantity(front, "Pallets (Bench 2)", Some("7"));
        until_quantity(front, "Cartons", Some("1"));
        until_quantity(front, "Pallets", Some("2"));
    }
}

#[test]
fn a_view_saved_on_one_bench_is_there_on_the_other_but_not_how_its_list_was_left() {
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    let view = |name: &str| ListView {
        name: name.to_owned(),
        list: ViewedList::Dispatch,
        filter: "late".to_owned(),
        ..ListView::default()
    };
    for name in ["", "Late"] {
        first.ask(app::state::DispatchCommand::SaveView(view(name)));
    }
    second.until("the view", |shared| {
        let mut views = shared.dispatch.views.iter();
        views.any(|view| view.name == "Late").then_some(())
    });
    let views = &second.shared().dispatch.views;
    let left = views.iter().find(|view| view.name.is_empty());
    assert!(left.is_none_or(|view| view.filter.is_empty()));
    second.keys("<F3><Alt+V>");
    picture_showing(
        second.widgets(),
        "workgroup-view",
        &["Late, changed by Bench 1"],
    );
}

#[test]
fn what_one_bench_puts_on_hold_is_left_out_by_the_others_until_any_releases_it() {
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    let id = send_one(&mut first);
    second.keys("<F3><F8>");
    second.until("it is listed", |shared| {
        let listed = shared.dispatch.unmanifested.value()?;
        listed.contains(&id).then_some(())
    });
    second.rest();
    first.keys("<Ctrl+H>");
    second.until("it is on hold", |shared| {
        shared.dispatch.on_hold.contains(&id).then_some(())
    });
    second.rest();
    picture_showing(second.widgets(), "workgroup-hold", &["on hold by Bench 1"]);
    second.keys("<Ctrl+G>");
    second.rest();
    let groups = second.shared().dispatch.groups.value();
    assert!(groups.is_none_or(Vec::is_empty));
    second.keys("<Ctrl+H>");
    first.until("it is released", |shared| {
        shared.dispatch.on_hold.is_empty().then_some(())
    });
}

fn save_printer(front: &mut Front, form: &PrinterForm) {
    front.ask(LabelsCommand::SavePrinter(Box::new(form.clone())));
    front.rest();
    assert_eq!(front.shared().labels.printer_problem, None);
}

fn printer<'a>(shared: &'a Shared, name: &str) -> Option<&'a app::state::PrinterView> {
    let mut printers = shared.labels.printers.value()?.iter();
    printers.find(|printer| printer.set_up && printer.name == name)
}

fn route(shared: &Shared, kind: DocumentKind) -> Option<&str> {
    let mut routes = shared.labels.documents.iter();
    Some(routes.find(|rule| rule.document == kind)?.printer.as_str())
}

#[test]
fn a_printer_of_the_network_is_set_up_once_and_no_bench_prints_on_it_that_has_its_own() {
    let (_warehouse, mut first, mut second) = Warehouse::with_two();
    let form = |name: &str, destination: &str| PrinterForm {
        name: name.to_owned(),
        destination: destination.to_owned(),
        dots_per_mm: "8".to_owned(),
        documents: vec![DocumentKind::ItemLabels],
        ..PrinterForm::default()
    };
    save_printer(&mut first, &form("Dock", "127.0.0.1:9"));
    second.until("the printer", |shared| {
        printer(shared, "Dock")?;
        (route(shared, DocumentKind::ItemLabels) == Some("Dock")).then_some(())
    });
    second.keys("<F4>");
    assert_eq!(second.shared().screen, Screen::Labels);

    // The second bench gets its own printer, which the first knows but doesn't use.
    save_printer(&mut second, &form("Own", "127.0.0.1:19"));
    first.until("the other printer", |shared| {
        printer(shared, "Own").map(|_| ())
    });
    first.rest();
    assert_eq!(
        route(first.shared(), DocumentKind::ItemLabels),
        Some("Dock")
    );
    assert_eq!(
        route(second.shared(), DocumentKind::ItemLabels),
        Some("Own")
    );

    // A change of the profile reaches the bench that uses it, and its documents stay.
    let changed = PrinterForm {
        was: Some("Dock".to_owned()),
        offset_x: "2".to_owned(),
        documents: Vec::new(),
        ..form("Dock", "127.0.0.1:9")
    };
    save_printer(&mut second, &changed);
    first.until("it is moved", |shared| {
        (printer(shared, "Dock")?.form.offset_x == "2").then_some(())
    });
    first.rest();
    assert_eq!(
        route(first.shared(), DocumentKind::ItemLabels),
        Some("Dock")
    );
    first.keys("<F4>");
    picture_showing(
        first.widgets(),
        "workgroup-printer",
        &["changed by Bench 2"],
    );
}

/// The presets in a bench's journal, by name, with the pieces of their first line.
#[test]
fn a_rule_that_was_removed_is_not_given_to_a_bench_that_joins_later() {
    let (warehouse, mut first, mut second) = Warehouse::with_two();
    let form = PrinterForm {
        name: "Office".to_owned(),
        destination: "127.0.0.1:9".to_owned(),
        dots_per_mm: "8".to_owned(),
        documents: vec![DocumentKind::ItemLabels, DocumentKind::PackingSlip],
        ..PrinterForm::default()
    };
    save_printer(&mut first, &form);
    let mut rules = first.shared().labels.documents.clone();
    rules.retain(|rule| rule.document != DocumentKind::PackingSlip);
    assert_eq!(rules.len(), 1);
    first.ask(LabelsCommand::SetDocumentRules(rules));
    first.rest();
    // What is shared later is there, so what was shared before is there too.
    save_preset(&mut first, "Reels", "4");
    until_quantity(&mut second, "Reels", Some("4"));
    let mut third = warehouse.member("Bench 3");
    third.until("the rule that is left", |shared| {
        route(shared, DocumentKind::ItemLabels).map(|_| ())
    });
    third.rest();
    assert_eq!(route(third.shared(), DocumentKind::PackingSlip), None);
}

fn saved_presets(path: &Path) -> Vec<(String, String)> {
    let journal = rusqlite::Connection::open(path).expect("a journal");
    let mut query = journal
        .prepare("SELECT body FROM presets ORDER BY name")
        .expect("a query");
    let bodies = query.query_map([], |row| row.get::<_, String>(0));
    let presets = bodies.expect("presets").map(|body| {
        let preset: Preset = serde_json::from_str(&body.expect("a text")).expect("JSON");
        (preset.name, preset.goods[0].quantity.clone())
    });
    presets.collect()
}

#[test]
fn a_change_whose_answer_was_lost_does_not_replace_a_newer_one() {
    let warehouse = bench::Warehouse::open();
    let preset = |quantity: &str| {
        let mut preset = Preset {
            name: "Pallets".to_owned(),
            goods: vec![draft::GoodsLine::default()],
            ..Preset::default()
        };
        quantity.clone_into(&mut preset.goods[0].quantity);
        Request::SavePreset(Box::new(preset), None)
    };
    let [first, second] = ["Bench 1", "Bench 2"].map(|name| warehouse.site.journal(name));
    let has = |path: &Path, quantity: &str| {
        until(&format!("{quantity} pieces"), SOON, || {
            let saved = saved_presets(path);
            (saved == [("Pallets".to_owned(), quantity.to_owned())]).then_some(())
        });
    };
    let one = warehouse.bench("Bench 1");
    let two = warehouse.bench("Bench 2");
    one.ask(preset("1"));
    has(&second, "1");
    one.close(&warehouse.site.runtime);
    // As if the first bench had ended before it knew that its change is shared.
    rusqlite::Connection::open(&first)
        .and_then(|journal| journal.execute("UPDATE shared_values SET change = 1", []))
        .expect("changed");
    two.ask(preset("2"));
    has(&second, "2");
    let asking = warehouse.member("Bench 9");
    until("it is shared", SOON, || {
        let newest = asking.wait(asking.workgroup.newest_value());
        newest.is_ok_and(|newest| newest.version == 2).then_some(())
    });
    let _one = warehouse.bench("Bench 1");
    has(&first, "2");
    has(&second, "2");
}
