//! Fills a practice service with consignments.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};
use serde_json::json;
use shipping::Clock;
use tokio::runtime::Runtime;

use crate::support::practice_service::PracticeService;

const CREATE: &str = "/apiv2/consignments/createConsignment";

/// Copies of one that was made by the interface, the statuses in turn, each changed at a moment of the last eight days.
const COPIES: &str = "
INSERT INTO consignment (id, company_id, carrier_id, status, document)
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
SELECT 300000 + n, 1, c.carrier_id, CASE n % 5 WHEN 0 THEN 5 WHEN 1 THEN 16 WHEN 2 THEN 13 ELSE 7 END,
    json_set(c.document, '$.id', 300000 + n, '$.tracking_token', printf('%024x', n * 2654435761),
        '$.carrier_consignment_id', printf('SCX%09d', n), '$.job.customer_reference', printf('SO-%06d', n),
        '$.job.customer_reference2', printf('Bench4-%08X', n * 104729),
        '$.job.to.name', printf('Receiver %d', n % 9973))
FROM number JOIN (SELECT carrier_id, document FROM consignment ORDER BY id LIMIT 1) c";

/// Four steps each.
const HISTORIES: &str = "
INSERT INTO history (consignment_id, status, at_us, by_name, by_user_id, carrier_status, carrier_words)
SELECT c.id, s.status, ?1 - (c.id % 11000) * 60000000 + s.place * 1000000, 'Practice clerk', 1,
    CASE WHEN s.place > 1 THEN 'OFD' END, CASE WHEN s.place > 1 THEN 'On board for delivery' END
FROM consignment c JOIN (SELECT 0 place, 2 status UNION ALL SELECT 1, 3 UNION ALL SELECT 2, 16 UNION ALL SELECT 3, 13) s
WHERE c.id > 300000";

/// Makes the service hold this number of consignments, and no others.
pub(crate) fn fill(service: &PracticeService, runtime: &Runtime, rows: usize) {
    let _already = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build();
    let request = client
        .expect("a client")
        .post(format!("{}{CREATE}", service.address))
        .header("token", &service.token)
        .header("content-type", "application/json")
        .body(order().to_string());
    let answer = runtime.block_on(request.send()).expect("an answer");
    let text = runtime.block_on(answer.text()).expect("text");
    assert!(text.contains("\"errors\":null"), "{text}");
    let file =
        Connection::open(service.data.join("practice/practice.sqlite")).expect("its database");
    let rows = i64::try_from(rows).expect("a count");
    let now = now().as_microsecond();
    file.execute_batch("BEGIN").expect("begun");
    file.execute(COPIES, params![rows]).expect("copies");
    file.execute(HISTORIES, params![now]).expect("histories");
    file.execute_batch(
        "DELETE FROM history WHERE consignment_id <= 300000; DELETE FROM consignment WHERE id <= 300000; COMMIT;
         PRAGMA wal_checkpoint(TRUNCATE);",
    )
    .expect("only these");
}

/// As far back as the list goes.
pub(crate) fn furthest() -> String {
    let from = now() - SignedDuration::from_hours(239);
    from.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn now() -> Timestamp {
    Clock::system().now()
}

fn order() -> serde_json::Value {
    json!({
        "fromAbbreviation": "HSYD",
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road", "toAddressLine2": "Gate 3",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "carrierId": 11, "carrierServiceId": 1101, "customerReference": "SO-48213", "dgsDeclaration": false,
        "specialInstructions": "Leave with the yard, not the shop",
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 2,
            "weight": 9.25, "length": 40, "width": 40.5, "height": 30
        }]
    })
}
