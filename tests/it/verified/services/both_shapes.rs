//! Defect 13: the shapes that live services publish are read like those of the specification.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shipping::{
    CarrierId, CompanyLocation, Consignment, Envelope, Route, read_envelope, read_list,
};

/// Every record of the list, as the specification has it and as live services publish it.
const FIXTURE: &str = include_str!("both_shapes.json");

pub(super) fn fixture(record: &str) -> [Value; 2] {
    let all: Vec<Value> = serde_json::from_str(FIXTURE).expect("JSON");
    let found = all.iter().find(|one| one["record"] == record);
    let found = found.unwrap_or_else(|| panic!("no {record}"));
    [found["plain"].clone(), found["published"].clone()]
}

fn read<T: DeserializeOwned>(record: &Value) -> T {
    let body = json!({ "object": record, "errors": null }).to_string();
    match read_envelope(body.as_bytes()) {
        Ok(Envelope::Done(Some(read))) => read,
        Ok(_) => panic!("no payload: {record}"),
        Err(misfit) => panic!("{misfit}: {record}"),
    }
}

/// Both shapes give the same values, field by field, and every field of the plain one is read.
fn the_same<T: DeserializeOwned + Serialize>(record: &str) -> T {
    let [plain, published] = fixture(record);
    let [ours, theirs]: [T; 2] = [read(&plain), read(&published)];
    let ours_written = serde_json::to_value(&ours).expect("a value");
    let theirs_written = serde_json::to_value(&theirs).expect("a value");
    same_fields(&ours_written, &theirs_written, record);
    holds(&ours_written, &plain, record);
    theirs
}

fn same_fields(ours: &Value, theirs: &Value, place: &str) {
    match (ours, theirs) {
        (Value::Object(fields), Value::Object(others)) => {
            assert_eq!(fields.len(), others.len(), "{place}");
            for (name, value) in fields {
                same_fields(value, &others[name], &format!("{place}.{name}"));
            }
        }
        (Value::Array(list), Value::Array(others)) => {
            assert_eq!(list.len(), others.len(), "{place}");
            for (at, (one, other)) in list.iter().zip(others).enumerate() {
                same_fields(one, other, &format!("{place}[{at}]"));
            }
        }
        _ => assert_eq!(theirs, ours, "{place}"),
    }
}

/// Fields that nothing in the program needs, so that they are not read.
const NOT_READ: [&str; 1] = ["isHourly"];

/// All that the plain record says is in what was read of it. A price to show loses its sign, which the screen adds.
fn holds(read: &Value, plain: &Value, place: &str) {
    match (read, plain) {
        (Value::Object(fields), Value::Object(given)) => {
            for (name, value) in given {
                if NOT_READ.contains(&name.as_str()) {
                    continue;
                }
                let field = fields.get(name);
                let field = field.unwrap_or_else(|| panic!("{place}.{name} is not read"));
                holds(field, value, &format!("{place}.{name}"));
            }
        }
        (Value::Array(list), Value::Array(given)) => {
            assert_eq!(list.len(), given.len(), "{place}");
            for (at, (one, value)) in list.iter().zip(given).enumerate() {
                holds(one, value, &format!("{place}[{at}]"));
            }
        }
        (Value::Number(number), Value::String(text)) => {
            assert_eq!(number.to_string(), text.trim_start_matches('$'), "{place}");
        }
        (Value::Number(number), Value::Number(given)) => {
            assert_eq!(number.as_f64(), given.as_f64(), "{place}");
        }
        // A list of one text is written as the text.
        (Value::String(text), Value::Array(given)) if matches!(given.as_slice(), [Value::String(one)] if one == text) =>
            {}
        // Times are written with their zone's letter.
        (Value::String(text), Value::String(given)) if text.starts_with(given.as_str()) => {}
        _ => assert_eq!(read, plain, "{place}"),
    }
}

#[test]
fn n13_the_main_job_is_done_at_a_service_of_the_published_shapes() {
    crate::journeys::main_job::main_job_in(practice::AnswerShapes::Published);
}

#[test]
fn n13_a_saved_location_is_read_in_both_shapes() {
    let location: CompanyLocation = the_same("saved location");
    let at = &location.location;
    assert_eq!(
        [&*at.state, &at.country, &at.time_zone, &at.postcode],
        ["NSW", "AUS", "Australia/Sydney", "2015"]
    );
    let times = [location.default_pickup_time, location.default_closing_time];
    let times = times.map(|time| time.expect("a time").to_string());
    assert_eq!(times, ["15:30:00", "17:00:00"]);
}

#[test]
fn n13_a_route_is_read_in_both_shapes() {
    let route: Route = the_same("route");
    let price = route.price_display.expect("a price");
    assert_eq!(price.to_string(), "26.08");
    assert_eq!(route.despatch_options[0].duration_in_minutes, Some(3360));
    assert_eq!(route.automatic_surcharges[0].name, "Fuel");
}

#[test]
fn n13_a_consignment_is_read_in_both_shapes() {
    let one: Consignment = the_same("consignment");
    let place = one.to_location.as_ref().expect("a place");
    assert_eq!([&*place.state, &place.country], ["VIC", "AUS"]);
    let item = &one.items()[0];
    assert_eq!(item.references, ["SCX200001-1", "SCX200001-2"]);
    let good = &item.consignment_item_dg_items[0];
    assert_eq!(good.technical_or_chemical_group_names, ["toluene"]);
    assert_eq!(good.hazchem.as_deref(), Some("3YE"));
    let inside = &item.consignment_item_contents[0];
    assert_eq!(inside.country_of_manufacture_code.as_deref(), Some("NZL"));
}

#[test]
fn n13_a_row_of_a_grid_is_read_by_its_own_names() {
    let one: Consignment = the_same("row");
    assert_eq!(one.pieces(), 2);
    assert_eq!(one.carrier_name(), "Southern Cross Road");
    assert_eq!(one.dangerous_goods(), Some(false));
}

#[test]
fn n13_a_list_in_a_grid_is_a_list() {
    let [_, row] = fixture("row");
    for body in [
        json!({ "object": { "total": 3, "data": [row] }, "errors": null }),
        json!({ "object": [row], "errors": null, "totalItems": 3 }),
    ] {
        let page = read_list::<Consignment>(body.to_string().as_bytes());
        let Ok(Envelope::Done(Some(page))) = page else {
            panic!("{page:?}")
        };
        assert_eq!((page.rows.len(), page.total), (1, Some(3)));
    }
}

/// What a place, a carrier, a status, a time of day or a country can come as, one after the other.
#[test]
fn n13_text_a_number_and_a_record_are_each_read() {
    for (state, read_as) in [
        (json!("VIC"), "VIC"),
        (json!({ "id": 7, "code": "VIC" }), "VIC"),
        (
            json!({ "id": 7, "code": null, "name": "Victoria" }),
            "Victoria",
        ),
        (json!({ "code": { "odd": [1] } }), ""),
        (json!(7), "7"),
        (json!(null), ""),
    ] {
        let one: Consignment = read(&json!({ "id": 1, "toLocation": { "state": state } }));
        assert_eq!(one.to_location.expect("a place").state, read_as, "{state}");
    }
    for (country, read_as) in [
        (json!("Australia"), "Australia"),
        (json!({ "code2": "AU", "name": "Australia" }), "AU"),
        (json!({ "name": "Australia" }), "Australia"),
        (json!(13), "13"),
    ] {
        let one: Consignment = read(&json!({ "id": 1, "toLocation": { "country": country } }));
        assert_eq!(one.to_location.expect("a place").country, read_as);
    }
    for (status, id) in [
        (json!(5), 5),
        (json!("5"), 5),
        (json!("InTransit"), 5),
        (json!({ "id": "5" }), 5),
    ] {
        let one: Consignment = read(&json!({ "id": 1, "status": status }));
        assert_eq!(one.status().map(|status| status.id.get()), Some(id));
    }
    for (carrier, name, id) in [
        (json!("Southern Cross"), "Southern Cross", None),
        (json!(11), "", Some(11)),
        (json!({ "id": 11, "displayName": "SCX" }), "SCX", Some(11)),
    ] {
        let one: Consignment = read(&json!({ "id": 1, "carrier": carrier }));
        assert_eq!(one.carrier_name(), name);
        assert_eq!(one.carrier_id().map(CarrierId::get), id);
    }
    for (time, read_as) in [
        (json!("07:05:00"), Some("07:05:00")),
        (json!("07:05"), Some("07:05:00")),
        (json!({ "hours": 7, "minutes": 5 }), Some("07:05:00")),
        (json!({ "ticks": 255_000_000_000_i64 }), Some("07:05:00")),
        (
            json!({ "totalHours": 7.083_333_333_333_333 }),
            Some("07:05:00"),
        ),
        (json!(""), None),
        (json!(null), None),
    ] {
        let place: CompanyLocation = read(&json!({ "id": 1, "defaultPickupTime": time }));
        let read = place.default_pickup_time.map(|time| time.to_string());
        assert_eq!(read.as_deref(), read_as, "{time}");
    }
}
