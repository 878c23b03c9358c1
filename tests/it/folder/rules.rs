//! Orders that are sent by themselves, and the results in the outbox folder.

use std::fs;
use std::time::Duration;

use app::state::{
    Command, ConsignCommand, OrderFolderCommand, OrderStage, OrdersCommand, SettingsCommand,
    WindowCommand,
};
use draft::{Preset, Routing};
use engine::ResultFormat;
use rust_decimal::Decimal;
use serde_json::Value;
use shipping::{CompanyId, Dollars, Question, TrackingBases};

use super::{Folders, csv_order, open};
use crate::editor::orders;
use crate::support::desk::{Desk, Home, notice};
use crate::support::wire::{Fault, Wire};

/// Waits until this many results are in the outbox folder.
#[track_caller]
fn until_results(desk: &mut Desk, folders: &Folders, count: usize) -> Vec<Value> {
    desk.until(&format!("{count} results"), |_| {
        let results = folders.results();
        (results.len() == count).then_some(results)
    })
}

fn cheapest() -> Preset {
    Preset {
        name: "Cheapest".to_owned(),
        routing: Routing::Cheapest,
        ..Preset::default()
    }
}

/// Opens the program with the preset `Cheapest` for orders that are sent by themselves.
fn open_sending(
    folders: &Folders,
    limit: Option<Dollars>,
) -> (Home, practice::RunningService, Desk) {
    open_with(folders, limit, |_| ())
}

fn open_with(
    folders: &Folders,
    limit: Option<Dollars>,
    change: impl FnOnce(&mut app::config::OrderFolderSettings),
) -> (Home, practice::RunningService, Desk) {
    let (home, practice, mut desk) = open(folders, |settings| {
        settings.sends = true;
        "Cheapest".clone_into(&mut settings.preset);
        settings.price_limit = limit;
        change(settings);
    });
    let preset = OrdersCommand::SavePreset {
        preset: Box::new(cheapest()),
        was: None,
    };
    desk.ask(preset);
    desk.until("the preset", |core| {
        (!core.shared.catalogue.presets.is_empty()).then_some(())
    });
    (home, practice, desk)
}

/// Opens the program behind a wire, with orders that are sent by themselves and choose their carrier.
fn open_wired(
    folders: &Folders,
    price_limit: Option<Dollars>,
) -> (Home, practice::RunningService, Wire, Desk) {
    let mut home = Home::new();
    let settings = app::config::OrderFolderSettings {
        sends: true,
        price_limit,
        ..folders.settings()
    };
    home.settings.order_folders.insert(String::new(), settings);
    let (practice, wire, desk) = home.open_behind_wire();
    (home, practice, wire, desk)
}

/// An order for the cheapest route.
fn cheapest_order(reference: &str) -> String {
    let order = csv_order(reference).replacen("Reference,", "Service,Reference,", 1);
    order.replace(
        &format!("\n{reference}"),
        &format!("\ncheapest,{reference}"),
    )
}

/// Waits until this many orders wait.
#[track_caller]
fn until_waiting(desk: &mut Desk, count: usize) {
    desk.until(&format!("{count} orders"), |core| {
        (core.shared.folder_orders().count() == count).then_some(())
    });
}

/// Returns why the order with this reference waits.
#[track_caller]
fn until_attention(desk: &mut Desk, reference: &str) -> String {
    desk.until("an order that needs attention", |core| {
        let mut orders = core.shared.folder_orders();
        let order = orders.find(|order| order.reference1 == reference)?;
        match core.shared.order_stage(order) {
            OrderStage::NeedsAttention(reason) => Some(reason),
            _ => None,
        }
    })
}

#[test]
fn orders_are_sent_by_themselves_and_each_has_one_result() {
    let folders = Folders::new();
    let (_home, practice, mut desk) = open_sending(&folders, None);
    for number in 1..=5 {
        folders.put(
            &format!("{number}.csv"),
            &csv_order(&format!("SO-{number}")),
        );
    }
    let results = until_results(&mut desk, &folders, 5);
    let mut references: Vec<_> = results
        .iter()
        .map(|line| line["orderReference"].as_str().expect("text"))
        .collect();
    references.sort_unstable();
    assert_eq!(references, ["SO-1", "SO-2", "SO-3", "SO-4", "SO-5"]);
    for line in &results {
        let number = line["consignmentNumber"].as_str().expect("a number");
        assert!(number.starts_with("MS"), "{line}");
        assert!(
            !line["carrier"].as_str().expect("text").is_empty(),
            "{line}"
        );
        let price: Decimal = line["price"]
            .as_str()
            .expect("text")
            .parse()
            .expect("a price");
        assert!(price > Decimal::ZERO);
    }
    desk.until("the screen says so", |core| {
        (core.shared.order_folder.results.written == 5).then_some(())
    });
    desk.pass(Duration::from_secs(10));
    assert_eq!(folders.results().len(), 5, "no result is written again");
    drop(practice);
}

#[test]
fn without_the_rule_orders_wait_and_one_key_sends_what_is_ready() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_with(&folders, None, |settings| settings.sends = false);
    folders.put("1.csv", &csv_order("SO-1"));
    folders.put("2.csv", &csv_order("SO-2"));
    desk.until("two ready orders", |core| {
        let shared = &core.shared;
        let ready = shared
            .folder_orders()
            .filter(|order| shared.is_ready_order(order));
        (ready.count() == 2).then_some(())
    });
    desk.pass(Duration::from_mins(5));
    assert_eq!(
        desk.core.shared.folder_orders().count(),
        2,
        "nothing is sent by itself"
    );
    desk.ask(OrderFolderCommand::SendReady);
    until_results(&mut desk, &folders, 2);
}

#[test]
fn an_order_above_the_price_limit_waits_with_its_price() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_sending(&folders, Some(Dollars(Decimal::ONE)));
    folders.put("1.csv", &csv_order("SO-1"));
    let reason = until_attention(&mut desk, "SO-1");
    assert!(
        reason.starts_with("Costs $") && reason.ends_with("more than the limit of $1.00"),
        "{reason}"
    );
    assert!(notice(&desk.core.shared, "0 of 1 sent").is_some());
    assert_eq!(folders.results().len(), 0);
    desk.pass(Duration::from_mins(5));
    assert_eq!(
        desk.core.shared.folder_orders().count(),
        1,
        "it still waits"
    );
    // The clerk may send it nevertheless.
    desk.ask(OrderFolderCommand::SendReady);
    let results = until_results(&mut desk, &folders, 1);
    assert_eq!(results[0]["orderReference"], "SO-1");
}

#[test]
fn a_higher_limit_lets_an_order_go_that_has_waited() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_sending(&folders, Some(Dollars(Decimal::ONE)));
    folders.put("1.csv", &csv_order("SO-1"));
    until_attention(&mut desk, "SO-1");
    let mut settings = desk
        .core
        .shared
        .order_folder
        .settings
        .clone()
        .expect("settings");
    settings.price_limit = Some(Dollars(Decimal::ONE_THOUSAND));
    desk.ask(SettingsCommand::SaveOrderFolder(Some(Box::new(settings))));
    until_results(&mut desk, &folders, 1);
}

#[test]
fn prices_that_do_not_come_are_asked_for_again() {
    let folders = Folders::new();
    let limit = Some(Dollars(Decimal::ONE_THOUSAND));
    let (_home, _practice, wire, mut desk) = open_wired(&folders, limit);
    let answer = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";
    wire.fail("/routes", Fault::Answer(answer.to_owned()));
    folders.put("1.csv", &cheapest_order("SO-1"));
    desk.until("the run has stopped", |core| {
        notice(&core.shared, "0 of 1 sent")
    });
    wire.heal();
    desk.pass(Duration::from_secs(31));
    until_results(&mut desk, &folders, 1);
}

#[test]
fn an_order_up_to_the_price_limit_is_sent() {
    let folders = Folders::new();
    let limit = Dollars(Decimal::ONE_THOUSAND);
    let (_home, _practice, mut desk) = open_sending(&folders, Some(limit));
    folders.put("1.csv", &csv_order("SO-1"));
    folders.put("2.csv", &csv_order("SO-2"));
    until_results(&mut desk, &folders, 2);
}

#[test]
fn an_order_without_a_carrier_choice_waits_and_the_others_are_sent() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) =
        open_with(&folders, None, |settings| settings.preset.clear());
    folders.put("1.csv", &csv_order("SO-1"));
    let choice = csv_order("SO-2").replacen("Reference,", "Service,Reference,", 1);
    folders.put("2.csv", &choice.replace("\nSO-2", "\ncheapest,SO-2"));
    let results = until_results(&mut desk, &folders, 1);
    assert_eq!(results[0]["orderReference"], "SO-2");
    let reason = until_attention(&mut desk, "SO-1");
    assert_eq!(reason, "Choose a route");
}

#[test]
fn a_preset_that_is_gone_and_another_company_stop_the_taking_until_it_is_mended() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |settings| {
        settings.preset = "Gone".to_owned();
    });
    folders.put("1.csv", &csv_order("SO-1"));
    let advice = |desk: &mut Desk, words: &str| {
        desk.until(words, |core| {
            let problem = core.shared.order_folder.problem.as_ref()?;
            problem.advice.contains(words).then_some(())
        });
    };
    advice(&mut desk, "preset no longer exists");
    let mut settings = desk
        .core
        .shared
        .order_folder
        .settings
        .clone()
        .expect("settings");
    settings.preset.clear();
    settings.company = Some(CompanyId::new(2));
    desk.ask(SettingsCommand::SaveOrderFolder(Some(Box::new(
        settings.clone(),
    ))));
    advice(&mut desk, "another company");
    assert_eq!(
        folders.names(""),
        ["1.csv", "1.csv.ready"],
        "nothing was taken"
    );
    settings.company = desk.core.shared.session.company;
    desk.ask(SettingsCommand::SaveOrderFolder(Some(Box::new(settings))));
    until_waiting(&mut desk, 1);
}

#[test]
fn a_preset_gives_only_what_the_order_does_not_say() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |settings| {
        "Tailgate".clone_into(&mut settings.preset);
    });
    let preset = Preset {
        name: "Tailgate".to_owned(),
        routing: Routing::Fastest,
        questions: [Question::Tailgate, Question::Residential].into(),
        ..Preset::default()
    };
    desk.ask(OrdersCommand::SavePreset {
        preset: Box::new(preset),
        was: None,
    });
    let order = csv_order("SO-1").replacen("Reference,", "Tailgate,Service,Reference,", 1);
    folders.put("1.csv", &order.replace("\nSO-1", "\nno,cheapest,SO-1"));
    folders.put("2.csv", &csv_order("SO-2"));
    until_waiting(&mut desk, 2);
    let order = |reference: &str| {
        let mut orders = desk.core.shared.folder_orders();
        orders
            .find(|order| order.reference1 == reference)
            .expect("the order")
            .clone()
    };
    let (first, second) = (order("SO-1"), order("SO-2"));
    assert_eq!(
        first.questions,
        [Question::Residential].into(),
        "the order says no tailgate"
    );
    assert_eq!(first.routing, Routing::Cheapest);
    assert_eq!(second.questions.len(), 2);
    assert_eq!(second.routing, Routing::Fastest);
}

#[test]
fn what_the_clerk_stopped_goes_on_only_when_the_clerk_resumes() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_sending(&folders, None);
    let orders = ["SO-1", "SO-2", "SO-3", "SO-4"];
    let rows = orders.map(|order| orders::row(order, "Ballarat Farm", "1", "9"));
    folders.put("orders.csv", &orders::file(&rows));
    desk.until("a run", |core| {
        core.shared.consign.run.is_some().then_some(())
    });
    desk.ask(OrdersCommand::StopSending);
    desk.until("it is paused", |core| {
        core.shared.order_folder.is_paused.then_some(())
    });
    let waiting = desk.core.shared.folder_orders().count();
    assert!(waiting > 0, "at least one order was not sent");
    desk.pass(Duration::from_mins(5));
    assert_eq!(desk.core.shared.folder_orders().count(), waiting);
    desk.ask(OrderFolderCommand::ResumeSending);
    until_results(&mut desk, &folders, 4);
}

#[test]
fn a_lost_answer_gives_one_consignment_and_one_result() {
    let folders = Folders::new();
    let (_home, _practice, wire, mut desk) = open_wired(&folders, None);
    wire.fail("/consignments/createConsignment", Fault::LoseAnswer);
    folders.put("1.csv", &cheapest_order("SO-1"));
    let results = until_results(&mut desk, &folders, 1);
    assert_eq!(results[0]["orderReference"], "SO-1");
    assert_eq!(wire.count("/consignments/createConsignment"), 1);
}

#[test]
fn results_as_json_name_the_label_file_and_the_tracking_page() {
    let folders = Folders::new();
    let (_home, practice, mut desk) = open_with(&folders, None, |settings| {
        settings.result_format = ResultFormat::Json;
        settings.saves_labels = true;
    });
    desk.core.shared.session.tracking = TrackingBases {
        v2: Some(format!("{}/track", practice.base_url())),
        ..TrackingBases::default()
    };
    folders.put("1.csv", &csv_order("SO-1"));
    let line = until_results(&mut desk, &folders, 1).remove(0);
    assert!(line["price"].as_f64().expect("a price") > 0.0, "{line}");
    let address = line["trackingAddress"].as_str().expect("an address");
    assert!(address.starts_with(&practice.base_url()), "{line}");
    let label = fs::read(line["labelFile"].as_str().expect("a path")).expect("the label file");
    assert!(label.starts_with(b"%PDF"));
    let names = super::names(&folders.outbox());
    assert!(
        names.iter().all(|name| name.starts_with("results-")),
        "no temporary file stays: {names:?}"
    );
}

#[test]
fn an_outbox_folder_that_can_not_be_written_is_told_and_nothing_is_lost() {
    let folders = Folders::new();
    fs::write(folders.outbox(), "in the way").expect("a file");
    let (_home, _practice, mut desk) = open_sending(&folders, None);
    folders.put("1.csv", &csv_order("SO-1"));
    let problem = desk.until("the problem", |core| {
        core.shared.order_folder.results_problem.clone()
    });
    assert_eq!(problem.headline, "Couldn't write the results");
    fs::remove_file(folders.outbox()).expect("the file");
    desk.pass(Duration::from_secs(6));
    until_results(&mut desk, &folders, 1);
    desk.until("the problem is over", |core| {
        core.shared
            .order_folder
            .results_problem
            .is_none()
            .then_some(())
    });
}

#[test]
fn an_order_that_a_clerk_has_opened_is_sent_only_by_a_person() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_with(&folders, None, |settings| {
        settings.preset.clear();
    });
    folders.put("1.csv", &csv_order("SO-1"));
    until_attention(&mut desk, "SO-1");
    let id = desk
        .core
        .shared
        .folder_orders()
        .next()
        .expect("the order")
        .id
        .clone();
    desk.ask(ConsignCommand::OpenDraft(id));
    desk.until("it is open", |core| {
        (core.editing.draft.reference1 == "SO-1").then_some(())
    });
    desk.core.editing.draft.routing = Routing::Cheapest;
    desk.begin_draft();
    desk.until("it is ready", |core| {
        let shared = &core.shared;
        let mut orders = shared.folder_orders();
        orders
            .any(|order| shared.is_ready_order(order))
            .then_some(())
    });
    desk.pass(Duration::from_mins(5));
    assert_eq!(
        desk.core.shared.folder_orders().count(),
        1,
        "it is not sent by itself"
    );
    desk.ask(OrderFolderCommand::SendReady);
    until_results(&mut desk, &folders, 1);
}

#[test]
fn a_waiting_order_opens_when_it_is_scanned() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open_with(&folders, None, |settings| settings.sends = false);
    folders.put("1.csv", &csv_order("SO-1"));
    folders.put("2.csv", &csv_order("SO-2"));
    until_waiting(&mut desk, 2);
    desk.ask(Command::Window(WindowCommand::Find("so-1".to_owned())));
    desk.until("the order is open", |core| {
        (core.editing.draft.reference1 == "SO-1").then_some(())
    });
    desk.send();
    let results = until_results(&mut desk, &folders, 1);
    assert_eq!(results[0]["orderReference"], "SO-1");
}
