//! A practice database of the first version can be opened, and none of its data is lost.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::support::practice::{Bench, NOW};

/// The tables as the first version made them.
const FIRST_TABLES: &str = "
    CREATE TABLE user (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, company_id INTEGER NOT NULL,
        token TEXT NOT NULL UNIQUE, may_create INTEGER NOT NULL
    ) STRICT;
    INSERT INTO user (id, name, company_id, token, may_create) VALUES
        (1, 'Practice clerk', 1, 'the clerk of old', 1), (2, 'Practice viewer', 1, 'the viewer of old', 0);
    CREATE TABLE manifest (
        id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, carrier_id INTEGER NOT NULL,
        booked_us INTEGER NOT NULL, carrier_reference TEXT, document TEXT NOT NULL
    ) STRICT;
    CREATE TABLE consignment (
        id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, carrier_id INTEGER NOT NULL,
        status INTEGER NOT NULL, manifest_id INTEGER REFERENCES manifest(id), document TEXT NOT NULL
    ) STRICT;
    CREATE INDEX consignment_by_status ON consignment (status, company_id);
    CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT, consignment_id INTEGER NOT NULL REFERENCES consignment(id),
        status INTEGER NOT NULL, at_us INTEGER NOT NULL, by_name TEXT NOT NULL, by_user_id INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX history_by_consignment ON history (consignment_id);
    CREATE INDEX history_by_time ON history (at_us);
    INSERT INTO sqlite_sequence (name, seq) VALUES ('consignment', 200001), ('manifest', 88301);
    PRAGMA user_version = 1;";

/// Friday 20 November 2026, 14:05 in Sydney.
const BOOKED_US: i64 = 1_795_143_900_000_000;

/// A consignment as the first version wrote it.
fn document() -> Value {
    json!({
        "id": 200_001, "company_id": 1, "created": NOW, "created_by": "Practice clerk", "is_test": true,
        "tracking_token": "fa54566805c2ea2ed469b8f3", "carrier_id": 11, "service_id": 1101, "account_id": 3101,
        "company_carrier_account_id": 5101, "carrier_consignment_id": "SCX00200001", "job": job(),
        "price": {
            "freight": "26.01", "fuel_levy": "4.81", "automatic": [], "elective": [], "tax": "3.08", "tax_percent": "10",
            "fuel_levy_percent": "18.5", "margin_percent": "12"
        },
        "despatch": NOW, "eta": "2026-11-24T06:00:00Z"
    })
}

fn job() -> Value {
    json!({
        "company_id": 1,
        "from": {
            "company_location_id": 7001, "name": "Harbour Supplies, Sydney DC", "contact": "Dock office", "phone": "02 5550 0114",
            "email": "dock.sydney@harbour.example", "address_line1": "14 Wharf Road", "address_line2": "",
            "place": {"id": 1002, "suburb": "Alexandria", "postcode": "2015", "state": "NSW", "country": "AUS", "zone": "SYD", "time_zone": "Australia/Sydney"}
        },
        "to": {
            "company_location_id": null, "name": "Ballarat Farm & Garden", "contact": "J. Okafor", "phone": "03 5550 0199",
            "email": "stores@bfg.example", "address_line1": "8 Creswick Road", "address_line2": "",
            "place": {"id": 1022, "suburb": "Ballarat Central", "postcode": "3350", "state": "VIC", "country": "AUS", "zone": "VIC", "time_zone": "Australia/Melbourne"}
        },
        "lines": [{
            "company_item_id": null, "item_type": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 1,
            "weight": "9.0", "length": "40", "width": "40", "height": "30", "pallet_spaces": null, "goods": [],
            "contents": [], "references": ["SCX200001000001"]
        }],
        "international": false, "not_before": NOW, "question_ids": [], "customer_reference": "SO-48213",
        "customer_reference2": null, "special_instructions": "Ring the bell", "receiver_account": "BFG-1",
        "sending_tracking_email": true, "staff_member_name": "J. Okafor", "printer_token": null,
        "custom_values": [{"property_name": "dock", "value": "3"}]
    })
}

#[tokio::test]
async fn a_database_of_the_first_version_opens_and_its_consignments_go_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old = Connection::open(folder.path().join("practice.sqlite")).expect("a database");
    old.execute_batch(FIRST_TABLES).expect("tables");
    old.execute(
        "INSERT INTO manifest (id, company_id, carrier_id, booked_us, carrier_reference, document)
        VALUES (88301, 1, 11, ?1, 'SC-088301', '{\"pickupDateTime\":\"2026-11-20T15:30:00\"}')",
        [BOOKED_US],
    )
    .expect("a manifest");
    old.execute(
        "INSERT INTO consignment (id, company_id, carrier_id, status, manifest_id, document)
        VALUES (200001, 1, 11, 3, 88301, ?1)",
        [document().to_string()],
    )
    .expect("a consignment");
    for status in [2, 3] {
        let event = params![status, BOOKED_US];
        old.execute(
            "INSERT INTO history (consignment_id, status, at_us, by_name, by_user_id)
            VALUES (200001, ?1, ?2, 'Practice clerk', 1)",
            event,
        )
        .expect("a change");
    }
    old.close().expect("closed");

    let bench = Bench::start_at(folder, NOW, 1, 0).await;
    assert_eq!(bench.service.token(), "the clerk of old");
    assert_eq!(bench.service.viewer_token(), "the viewer of old");
    let path = "/apiv2/consignments/getConsignment?id=200001";
    let before = bench.fetched(path).await;
    assert_eq!(before["status"]["id"], json!(3));
    assert_eq!(before["customerReference"], json!("SO-48213"));
    for (option, value) in [
        ("specialInstructions", json!("Ring the bell")),
        ("receiverAccountCode", json!("BFG-1")),
        ("receiverAccountId", Value::Null),
        ("sendingTrackingEmail", json!(true)),
        ("staffMemberName", json!("J. Okafor")),
        (
            "customValues",
            json!([{"propertyName": "dock", "value": "3"}]),
        ),
    ] {
        assert_eq!(before[option], value, "{option}");
    }
    let recent = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";
    let listed = bench
        .fetched(&format!("{recent}?fromDateUtc=2026-11-20T00:00:00"))
        .await;
    assert_eq!(listed[0]["id"], json!(200_001));
    bench.set_clock("2026-11-28T00:00:00Z");
    assert_eq!(bench.fetched(path).await["status"]["id"], json!(7));
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_named_as_such_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("practice.sqlite");
    let newer = Connection::open(&path).expect("a database");
    newer.execute_batch(FIRST_TABLES).expect("tables");
    newer
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA user_version = 9999")
        .expect("a later version");
    newer.close().expect("closed");
    let before = std::fs::read(&path).expect("the database");
    let settings = practice::Settings::at(folder.path().to_owned());
    let refused = practice::start(settings).await.err().expect("refused");
    assert_eq!(
        refused.to_string(),
        "the practice data was written by a newer version of Packbench; install the newer version again"
    );
    assert!(std::fs::read(&path).expect("the database") == before);
}
