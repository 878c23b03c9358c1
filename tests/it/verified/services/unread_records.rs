//! Defect 14: which records of a list are unreadable, and how they are reported.

use client::{Client, Connection, RecentUpdates};
use serde_json::json;
use shipping::{Consignment, Envelope, PartialList, read_list};

use crate::reading::pages::List;

/// What stands where something else is expected; it must be told nowhere.
const SECRET: &str = "Jean Okafor";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n14_pages_are_counted_rightly_with_records_that_cannot_be_read() {
    // At the ends of pages, alone and in a row, with and without an id.
    let list = List::of(None, |id| match id {
        1 | 39 | 40 | 41 | 76 | 100 => json!({ "id": id, "toLocation": SECRET }),
        50 | 51 => json!({ "id": { "no": id }, "consignmentNumber": SECRET }),
        _ => json!({ "id": id, "consignmentNumber": format!("MS{id}") }),
    });
    let address = format!("http://{}", list.address);
    let connection = Connection::new(&address, "token".into()).expect("an address");
    let client = Client::new(&connection).expect("a client");
    let since = RecentUpdates::since("2026-11-19T00:00:00Z".parse().expect("a moment"));
    let mut pages = client.recent_pages(since);
    let mut all: PartialList<Consignment> = PartialList::default();
    while let Some(page) = pages.next().await.expect("a page") {
        all.rows.extend(page.rows);
        all.unreadable.extend(page.unreadable);
    }
    assert_eq!((all.rows.len(), all.unreadable.len()), (92, 8));
    assert_eq!(pages.received_rows(), 100);
    let mut ids: Vec<_> = all.unreadable.iter().filter_map(|one| one.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 39, 40, 41, 76, 100]);
}

#[test]
fn n14_what_is_told_of_a_record_is_no_value_of_it() {
    for (field, value, told) in [
        (
            "toLocation",
            json!(SECRET),
            "toLocation, where a record was expected",
        ),
        (
            "isTest",
            json!(SECRET),
            "isTest, where a boolean was expected",
        ),
        (
            "totalWeight",
            json!(SECRET),
            "totalWeight, where another value was expected",
        ),
        (
            "etaUtc",
            json!(SECRET),
            "etaUtc, where another value was expected",
        ),
        (
            "consignmentItems",
            json!([{ "quantity": 1 }, { "quantity": SECRET }]),
            "consignmentItems[1].quantity, where a whole number, or one as text was expected",
        ),
    ] {
        let mut record = json!({ "id": 7, "consignmentNumber": "MS7" });
        record[field] = value;
        let body = json!({ "object": [{ "id": 6 }, record], "errors": null }).to_string();
        let list = match read_list::<Consignment>(body.as_bytes()) {
            Ok(Envelope::Done(Some(list))) => list,
            other => panic!("{other:?}"),
        };
        assert_eq!(list.rows.len(), 1, "{field}");
        assert_eq!(list.unreadable[0].to_string(), format!("MS7: {told}"));
        assert_eq!(list.unreadable[0].at, 1);
    }
}
