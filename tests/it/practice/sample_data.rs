//! The entries of the sample data refer only to entries that exist.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/practice/");

fn file(name: &str) -> Value {
    let text = std::fs::read_to_string(format!("{ASSETS}{name}")).expect("a file");
    if let Some((table, "csv")) = name.rsplit_once('.') {
        let delimiter = if table == "un-numbers" { ';' } else { ',' };
        let mut lines = text.lines().map(|line| line.split(delimiter));
        let heads: Vec<_> = lines.next().expect("a head").collect();
        let row = |line: std::str::Split<'_, char>| -> Value {
            let fields = heads.iter().zip(line);
            Value::Object(
                fields
                    .map(|(head, field)| ((*head).to_owned(), json!(field)))
                    .collect(),
            )
        };
        return lines.map(row).collect();
    }
    serde_json::from_str(&text).expect("JSON")
}

/// Every value at this place of a file. Each part of the place is a member; of a list, the member of every element.
fn values(place: &str) -> BTreeSet<String> {
    let (name, path) = place.split_once(' ').expect("a file and a path");
    let mut found = vec![file(name)];
    for member in path.split('.') {
        let each = found.into_iter().flat_map(|value| match value {
            Value::Array(list) => list,
            other => vec![other],
        });
        found = each.map(|value| value[member].clone()).collect();
    }
    let each = found.into_iter().flat_map(|value| match value {
        Value::Array(list) => list,
        other => vec![other],
    });
    each.filter(|value| !value.is_null())
        .map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
        .collect()
}

#[test]
fn every_reference_of_the_sample_data_leads_somewhere() {
    for (references, entries) in [
        ("places.csv zone", "zones.json zones.code"),
        ("places.csv country", "zones.json countries.code"),
        ("zones.json countries.zone", "zones.json zones.code"),
        (
            "locations.json locations.companyId",
            "companies.json companies.id",
        ),
        (
            "companies.json companies.itemPrinterId",
            "printers.json printers.id",
        ),
        (
            "companies.json companies.a4PrinterId",
            "printers.json printers.id",
        ),
        (
            "companies.json companies.accounts.carrierId",
            "carriers.json carriers.id",
        ),
        ("printers.json rules.printerId", "printers.json printers.id"),
        (
            "stored-goods.json stored.companyId",
            "companies.json companies.id",
        ),
    ] {
        let (references, entries) = (values(references), values(entries));
        let lost: Vec<_> = references.difference(&entries).collect();
        assert!(!references.is_empty() && lost.is_empty(), "{lost:?}");
    }
}

#[test]
fn every_saved_location_of_the_sample_data_is_in_a_known_place() {
    let town = |record: &Value| [&record["suburb"], &record["postcode"]].map(ToString::to_string);
    let places = file("places.csv");
    let places: BTreeSet<_> = places.as_array().expect("rows").iter().map(town).collect();
    let locations = file("locations.json");
    let locations = locations["locations"].as_array().expect("locations");
    assert!(!locations.is_empty());
    for location in locations {
        assert!(places.contains(&town(location)), "{location}");
    }
}

#[test]
fn un_numbers_and_stored_goods_of_the_sample_data_exist() {
    let known = values("un-numbers.csv unNumber");
    let known: BTreeSet<u32> = { known.iter() }
        .map(|number| number.parse().expect("a number"))
        .collect();
    for number in values("stored-goods.json stored.unNumber") {
        assert!(
            known.contains(&number.parse().expect("a number")),
            "{number}"
        );
    }
    let stored = values("stored-goods.json stored.id");
    for item in file("items.json")["items"].as_array().expect("items") {
        for good in item["consignmentItemDgItems"]
            .as_array()
            .into_iter()
            .flatten()
        {
            assert!(
                stored.contains(&good["companyDgItemId"].to_string()),
                "{item}"
            );
        }
    }
}

#[test]
fn every_time_zone_of_the_sample_data_is_known() {
    let zones = values("places.csv time_zone");
    let of_countries = values("zones.json countries.timeZone");
    assert!(!zones.is_empty() && !of_countries.is_empty());
    for zone in zones.union(&of_countries) {
        assert!(TimeZone::get(zone).is_ok(), "{zone}");
    }
}
