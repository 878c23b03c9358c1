//! The dangerous goods lookup, and the data behind it: entries of 49 CFR 172.101, and Hazchem codes tied to some of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::practice::{Bench, messages};

const LOOKUP: &str = "/api/DangerousGoods/GetUnNumberInformation";
const TABLE: &str = include_str!("../../../assets/practice/un-numbers.csv");
const HAZCHEM: &str = include_str!("../../../assets/practice/hazchem.json");

/// The interface's class enum, from 2 to 49.
const CLASSES: [&str; 48] = [
    "2.1", "2.2", "2.3", "3", "4.1", "4.2", "4.3", "5.1", "5.2", "6.1", "6.2", "7", "8", "9",
    "1.1A", "1.1B", "1.1C", "1.1D", "1.1E", "1.1F", "1.1G", "1.1J", "1.1L", "1.2B", "1.2C", "1.2D",
    "1.2E", "1.2F", "1.2G", "1.2H", "1.2J", "1.2K", "1.2L", "1.3C", "1.3G", "1.3H", "1.3J", "1.3K",
    "1.3L", "1.4B", "1.4C", "1.4D", "1.4E", "1.4F", "1.4G", "1.4S", "1.5D", "1.6N",
];

/// The interface's Hazchem ids and codes.
const CODES: &str = "311 1W; 312 1X; 313 1Y; 314 1Z; 315 2P; 316 2RE; 317 2SE; 318 2T; 319 2TE; 320 2WE; 321 2XE; \
    322 2YE; 323 3W; 324 3WE; 325 3X; 326 3Y; 327 3YE; 328 3Z; 329 4W; 330 4WE; 331 4Y; 332 dot-2W; 333 dot-2WE; \
    334 dot-3W; 335 dot-3WE; 336 dot-2Y; 337 dot-2YE; 338 dot-3Y; 339 dot-3YE; 340 -2; 341 -3";

#[tokio::test]
async fn an_entry_holds_all_that_a_dangerous_goods_item_needs() {
    let bench = Bench::start().await;
    let (_, reply) = bench.get(&format!("{LOOKUP}?unNumbers=1017")).await;
    let chlorine = json!({ "class": "2.3", "classType": 4, "division": "3", "label": "Class 2.3 Toxic Gas", "subRisk": false });
    let oxidizing = json!({ "class": "5.1", "classType": 9, "division": "1", "label": "Class 5.1 Oxidizing Substances", "subRisk": true });
    let corrosive = json!({ "class": "8", "classType": 14, "division": null, "label": "Class 8 Corrosive Substances", "subRisk": true });
    assert_eq!(
        reply,
        json!({
            "object": [{
                "unNumber": 1017, "name": "CHLORINE", "packingGroupName": "Pack Group N/A", "packingGroup": 4,
                "classes": [chlorine, oxidizing, corrosive], "class": chlorine, "subClasses": [oxidizing, corrosive],
                "requiresTechnicalName": false, "classesForDisplay": "2.3", "subClassesForDisplay": "5.1, 8"
            }],
            "errors": null, "refreshSession": false
        })
    );
}

#[tokio::test]
async fn each_packing_group_is_an_entry_and_the_parameter_repeats() {
    let bench = Bench::start().await;
    let found = bench
        .fetched(&format!(
            "{LOOKUP}?unNumbers=1993&unNumbers=0012&unNumbers=9999&unNumbers=1993"
        ))
        .await;
    let rows: Vec<Value> = found
        .as_array()
        .expect("entries")
        .iter()
        .map(|row| {
            json!([
                row["unNumber"],
                row["packingGroupName"],
                row["requiresTechnicalName"],
                row["class"]["class"]
            ])
        })
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            [1993, "Pack Group 1", true, "3"],
            [1993, "Pack Group 2", true, "3"],
            [1993, "Pack Group 3", true, "3"],
            [12, "Pack Group N/A", false, "1.4S"]
        ])
    );
    assert_eq!(found[0]["subClassesForDisplay"], Value::Null);
}

#[tokio::test]
async fn a_number_that_is_not_four_digits_is_refused_in_words() {
    let bench = Bench::start().await;
    for wrong in ["12", "UN0012", "00012", "12a4", "-123"] {
        let (_, reply) = bench
            .get(&format!("{LOOKUP}?unNumbers=1170&unNumbers={wrong}"))
            .await;
        assert_eq!(
            (&reply["object"], &reply["refreshSession"]),
            (&Value::Null, &json!(false))
        );
        let wording = format!("UN number {wrong} must be written with four digits, such as 0012");
        assert_eq!(messages(&reply), [wording]);
        assert_eq!(reply["errors"][0]["memberNames"], json!(["unNumbers"]));
    }
    assert_eq!(
        messages(&bench.get(LOOKUP).await.1),
        ["unNumbers is required"]
    );
    let many = "&unNumbers=1170".repeat(101);
    assert_eq!(
        messages(&bench.get(&format!("{LOOKUP}?x=1{many}")).await.1),
        ["At most 100 UN numbers can be looked up at once"]
    );
}

#[test]
fn the_table_is_large_unique_and_covers_every_class() {
    let (mut numbers, mut entries, mut classes) =
        (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for line in TABLE.lines().skip(1) {
        let fields: Vec<&str> = line.split(';').collect();
        let [number, name, class, subsidiary, groups, symbol] = fields[..] else {
            panic!("six fields: {line}")
        };
        assert!(number.len() == 4 && number.parse::<u32>().is_ok(), "{line}");
        numbers.insert(number);
        assert_eq!(name, name.trim(), "{line}");
        assert_eq!(name, name.to_uppercase(), "{line}");
        assert!(!name.is_empty() && !name.contains("  "), "{line}");
        *classes.entry(class).or_insert(0) += 1;
        for other in subsidiary.split_whitespace() {
            assert!(CLASSES.contains(&other) && other != class, "{line}");
        }
        for group in groups.split(' ') {
            assert!(["I", "II", "III", "-"].contains(&group), "{line}");
            assert!(entries.insert((number, group)), "twice: {line}");
        }
        assert!(["", "G"].contains(&symbol), "{line}");
        if symbol == "G" && class.starts_with("1.") {
            assert!(
                name.contains("N.O.S.") || name.starts_with("CONTRIVANCES"),
                "{line}"
            );
        }
    }
    assert!(numbers.len() >= 300, "{} UN numbers", numbers.len());
    assert!(entries.len() > numbers.len());
    let missing: Vec<&&str> = CLASSES
        .iter()
        .filter(|class| !classes.contains_key(**class))
        .collect();
    assert!(missing.is_empty(), "no UN number of {missing:?}");
    assert_eq!(classes.len(), CLASSES.len(), "a class outside the enum");
}

#[test]
fn the_hazchem_codes_are_the_interfaces_and_tied_to_known_numbers() {
    let file: Value = serde_json::from_str(HAZCHEM).expect("JSON");
    let expected: BTreeMap<&str, String> = CODES
        .split("; ")
        .map(|pair| {
            let (id, code) = pair.split_once(' ').expect("id and code");
            (id, code.replace("dot-", "•"))
        })
        .collect();
    assert_eq!(file["codes"], json!(expected));
    let known: BTreeSet<i64> = TABLE
        .lines()
        .skip(1)
        .map(|line| line[..4].parse().expect("a number"))
        .collect();
    let mut used = BTreeSet::new();
    for (number, codes) in file["ties"].as_object().expect("ties") {
        assert!(
            known.contains(&number.parse().expect("a number")),
            "{number}"
        );
        for code in codes.as_array().expect("codes") {
            assert!(
                expected.values().any(|known| code == known),
                "{number}: {code}"
            );
            used.insert(code.to_string());
        }
    }
    assert_eq!(used.len(), 31, "every code can be met");
    let notes = file["notes"].to_string();
    assert!(notes.contains("invented for practice"), "{notes}");
}
