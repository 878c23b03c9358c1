//! Settings files: those of an older Packbench can be read, and none ever contains a token.

use app::config::{BoardSettings, ChosenService, DataFolder, Settings};
use draft::ServiceKind;
use serde_json::Value;
use shipping::CompanyId;
use tempfile::TempDir;

fn written(text: &str) -> (TempDir, DataFolder) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places = DataFolder::open(Some(folder.path().to_owned())).expect("a data folder");
    std::fs::write(places.settings(), text).expect("a settings file");
    (folder, places)
}

fn read(text: &str) -> Settings {
    let (_folder, places) = written(text);
    Settings::read(&places).expect("settings that are read")
}

#[test]
fn a_bench_that_had_one_connection_still_has_it_and_works_with_it() {
    let settings = read(
        r#"{"bench": "Bench 4", "staff": "Kiri", "company": 7, "printers": [], "auto_print": true, "theme": "dark",
            "connection": {"name": "Depot", "kind": "live", "address": "https://ship.example"}}"#,
    );
    assert_eq!(
        settings.chosen,
        Some(ChosenService::Connection("Depot".to_owned()))
    );
    let connection = settings.connection().expect("the connection");
    assert_eq!(connection.kind, ServiceKind::Live);
    assert_eq!(connection.address, "https://ship.example");
    assert_eq!(connection.company, Some(CompanyId::new(7)));
    assert_eq!(settings.company(), Some(CompanyId::new(7)));
    assert_eq!(
        (settings.bench.name.as_str(), settings.bench.auto_print),
        ("Bench 4", true)
    );
}

#[test]
fn a_bench_that_practised_goes_on_practising_and_a_new_one_is_asked() {
    let practised = read(r#"{"bench": "Bench 4", "connection": null, "company": 1}"#);
    assert_eq!(practised.chosen, Some(ChosenService::Practice));
    assert_eq!(practised.company(), Some(CompanyId::new(1)));
    assert_eq!(read(r#"{"bench": "Bench 4"}"#).chosen, None);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places = DataFolder::open(Some(folder.path().to_owned())).expect("a data folder");
    let fresh = Settings::read(&places).expect("no file is no fault");
    assert_eq!(fresh.chosen, None);
}

#[test]
fn what_is_written_is_read_again_and_each_connection_has_its_own_company() {
    let mut settings = read(
        r#"{"chosen": {"connection": "B"}, "connections": [
            {"name": "A", "kind": "test", "address": "https://a.example", "company": 1},
            {"name": "B", "kind": "live", "address": "https://b.example", "authority": "/etc/ca.pem",
             "proxy": "http://proxy.example:3128", "dialect": {"despatch": "despatch"},
             "tracking": {"v2": "https://track.example"},
             "middleware": {"address": "https://prices.example", "platform": "shop"}}]}"#,
    );
    settings.set_company(CompanyId::new(9));
    let (_folder, places) = written("{}");
    settings.write(&places).expect("it can be written");
    let again = Settings::read(&places).expect("it can be read");
    assert_eq!(again, settings);
    let companies: Vec<_> = again.connections.iter().map(|one| one.company).collect();
    assert_eq!(
        companies,
        [Some(CompanyId::new(1)), Some(CompanyId::new(9))]
    );
    let file = std::fs::read_to_string(places.settings()).expect("the file");
    let keys = words(&serde_json::from_str(&file).expect("JSON"));
    for secret in ["token", "integrationId", "integration_id", "password"] {
        assert!(
            !keys.iter().any(|key| key == secret),
            "settings have a place for {secret}"
        );
    }
}

#[test]
fn a_file_that_is_not_ours_is_set_aside() {
    let (_folder, places) = written(r#"{"connections": 7}"#);
    assert!(Settings::read(&places).is_err());
    assert!(places.settings().with_extension("bad").exists());
}

#[test]
fn a_file_in_a_newer_format_is_refused_and_left_as_it_is() {
    let newer = r#"{"format": 4, "bench": ["Bench 4"]}"#;
    let (_folder, places) = written(newer);
    let error = Settings::read(&places).expect_err("a newer format");
    assert!(error.to_string().contains("newer version"), "{error}");
    let file = std::fs::read_to_string(places.settings()).expect("the file");
    assert_eq!(file, newer);
}

/// Every key, however deep.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| {
                let mut inside = words(value);
                inside.push(key.clone());
                inside
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_number_that_cannot_be_is_as_it_is_at_first_and_spoils_nothing_else() {
    let typed = r#"{ "days": 70000, "late_hours": -1, "not_collected_hours": "soon", "no_scan_hours": 12, "children": false }"#;
    let read: BoardSettings = serde_json::from_str(typed).expect("it is read");
    let expected = BoardSettings {
        no_scan_hours: 12,
        children: false,
        ..BoardSettings::default()
    };
    assert_eq!(read, expected);
}
