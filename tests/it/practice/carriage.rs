//! Simulated carriers: the progress of a booked consignment over time, reported in local time where it
//! happens.

use practice::DeliveryScenario;
use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, FIRST, NOW, booked, order, order_with, seed_for};

const FRIDAY_EVENING: &str = "2026-11-20T10:00:00Z";
const A_WEEK_LATER: &str = "2026-11-27T10:00:00Z";
const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";

fn statuses(fetched: &Value) -> Vec<&str> {
    let events = fetched["statusHistory"].as_array().expect("a history");
    let names = events
        .iter()
        .map(|event| event["consignmentTrackingStatus"]["name"].as_str());
    names.map(|name| name.expect("a name")).collect()
}

/// The history of the first consignment, booked for Friday afternoon, a week later.
async fn after_a_week(fate: DeliveryScenario) -> (Bench, Value) {
    let bench = Bench::start_where(fate).await;
    assert_eq!(booked(&bench, &order()).await, FIRST);
    bench.set_clock(A_WEEK_LATER);
    let fetched = bench.consignment(&FIRST).await;
    (bench, fetched)
}

fn event<'a>(fetched: &'a Value, status: &str) -> &'a Value {
    let events = fetched["statusHistory"].as_array().expect("a history");
    let mut matching = events
        .iter()
        .filter(|event| event["consignmentTrackingStatus"]["name"] == json!(status));
    matching.next().expect("such an event")
}

#[tokio::test]
async fn a_smooth_journey_ends_near_the_eta_with_each_step_told_by_the_carrier() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = booked(&bench, &order()).await;
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(3));
    // The pickup is at 15:30 in Sydney: 04:30 UTC.
    bench.set_clock("2026-11-20T04:29:00Z");
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(3));
    bench.set_clock("2026-11-20T04:51:00Z");
    let collected = bench.consignment(&id).await;
    assert_eq!(collected["status"]["name"], json!("Picked Up"));
    let picked_up = event(&collected, "Picked Up");
    for (field, value) in [
        ("consignmentId", json!(id)),
        ("createdByName", json!("Southern Cross tracking")),
        ("createdByUserId", json!(9011)),
        ("statusIsPartial", json!(false)),
        (
            "consignmentTrackingStatus",
            json!({ "id": 15, "name": "Picked Up", "description": "The driver has taken the goods" }),
        ),
        ("carrierStatus", json!("COL")),
        ("carrierStatusDescription", json!("Collected from sender")),
        ("statusInformation", Value::Null),
        ("itemReference", Value::Null),
    ] {
        assert_eq!(picked_up[field], value, "{field}");
    }
    bench.set_clock(A_WEEK_LATER);
    let delivered = bench.consignment(&id).await;
    assert_eq!(
        statuses(&delivered),
        [
            "Unmanifested",
            "Manifested",
            "Picked Up",
            "In Transit",
            "Scanned Into Depot",
            "On For Delivery",
            "Complete"
        ]
    );
    let eta = delivered["etaUtc"].as_str().expect("an eta");
    let done = delivered["completedDateUtc"].as_str().expect("a date");
    assert_eq!(
        (&eta[..13], &done[..13]),
        ("2026-11-24T06", "2026-11-24T05")
    );
    let complete = event(&delivered, "Complete");
    assert_eq!(complete["statusDateUtc"], json!(done));
    assert_eq!(
        complete["statusInformation"],
        json!("Signed for by J. Okafor")
    );
    assert_eq!(delivered["important"], json!(false));
}

#[tokio::test]
async fn each_step_is_told_in_the_time_of_the_place_where_it_happens() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    // From Sydney (UTC+11) to Perth (UTC+8).
    let west = json!({
        "toName": null, "toContact": null, "toPhone": null, "toEmail": null, "toAddressLine1": null, "toLocation": null,
        "toAddressLine2": null, "toAbbreviation": "KINGS"
    });
    let id = booked(&bench, &order_with(west)).await;
    bench.set_clock(A_WEEK_LATER);
    let fetched = bench.consignment(&id).await;
    let hours_ahead = |status: &str| {
        let event = event(&fetched, status);
        let moment = |field: &str| -> jiff::civil::DateTime {
            event[field]
                .as_str()
                .expect("a time")
                .parse()
                .expect("a time")
        };
        (moment("statusDateLocal") - moment("statusDateUtc")).get_hours()
    };
    assert_eq!(hours_ahead("Picked Up"), 11);
    assert_eq!(hours_ahead("On For Delivery"), 8);
    assert_eq!(hours_ahead("Complete"), 8);
    assert_eq!(
        fetched["completedDate"],
        event(&fetched, "Complete")["statusDateLocal"]
    );
}

#[tokio::test]
async fn what_goes_wrong_is_told_and_made_good_on_a_later_business_day() {
    let way = ["Unmanifested", "Manifested"];
    for (fate, told) in [
        (
            DeliveryScenario::FailedPickup,
            "Failed Pickup, Picked Up, In Transit, Scanned Into Depot, On For Delivery, Complete",
        ),
        (
            DeliveryScenario::Delayed,
            "Picked Up, In Transit, Delayed, Scanned Into Depot, On For Delivery, Complete",
        ),
        (
            DeliveryScenario::Damaged,
            "Picked Up, In Transit, Scanned Into Depot, Damaged, On For Delivery, Complete",
        ),
        (
            DeliveryScenario::DeliveryAttempted,
            "Picked Up, In Transit, Scanned Into Depot, On For Delivery, Delivery Attempted, On For Delivery, Complete",
        ),
        (
            DeliveryScenario::FailedDelivery,
            "Picked Up, In Transit, Scanned Into Depot, On For Delivery, Failed Delivery, Scanned Into Depot, \
             Delivery Time Scheduled, On For Delivery, Complete",
        ),
        (
            DeliveryScenario::PartialDelivery,
            "Picked Up, In Transit, Scanned Into Depot, On For Delivery, Partial Delivery, \
             Partial On For Delivery, Complete",
        ),
    ] {
        let (_bench, fetched) = after_a_week(fate).await;
        let expected: Vec<&str> = way.into_iter().chain(told.split(", ")).collect();
        assert_eq!(statuses(&fetched), expected, "{fate:?}");
        let events = fetched["statusHistory"].as_array().expect("a history");
        let times: Vec<&str> = events
            .iter()
            .map(|event| event["statusDateUtc"].as_str().expect("a time"))
            .collect();
        assert!(times.is_sorted(), "{fate:?}: {times:?}");
        let late = fetched["completedDateUtc"].as_str() > fetched["etaUtc"].as_str();
        assert_eq!(late, fate != DeliveryScenario::Damaged, "{fate:?}");
    }
}

#[tokio::test]
async fn a_part_delivery_says_so_and_counts_the_pieces() {
    let (_bench, fetched) = after_a_week(DeliveryScenario::PartialDelivery).await;
    let part = event(&fetched, "Partial Delivery");
    assert_eq!(
        (&part["statusIsPartial"], &part["statusInformation"]),
        (&json!(true), &json!("1 of 2 pieces delivered"))
    );
    assert_eq!(
        part["carrierStatusDescription"],
        json!("Part delivered, balance to follow")
    );
    let complete = event(&fetched, "Complete");
    assert_eq!(complete["statusIsPartial"], json!(false));
}

#[tokio::test]
async fn damage_names_its_piece_and_asks_for_attention_until_delivery() {
    let bench = Bench::start_where(DeliveryScenario::Damaged).await;
    let id = booked(&bench, &order()).await;
    let mut important = false;
    for hour in 0..24 * 4 {
        let now: jiff::Timestamp = NOW.parse().expect("a moment");
        let later = now + jiff::SignedDuration::from_hours(hour);
        bench.set_clock(&later.to_string());
        let fetched = bench.consignment(&id).await;
        let damaged = fetched["status"]["name"] == json!("Damaged");
        assert_eq!(
            fetched["important"],
            json!(damaged),
            "{}",
            fetched["status"]
        );
        if damaged {
            let piece = &event(&fetched, "Damaged")["itemReference"];
            let pieces = &fetched["consignmentItems"][0]["references"];
            assert!(
                pieces.as_array().expect("references").contains(piece),
                "{piece}"
            );
        }
        important |= damaged;
    }
    assert!(important, "it was damaged for a while");
}

#[tokio::test]
async fn what_happened_while_the_service_was_down_is_told_with_its_own_time() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = booked(&bench, &order()).await;
    bench.set_clock(FRIDAY_EVENING);
    let first = bench.consignment(&id).await;
    assert_eq!(first["status"]["name"], json!("Picked Up"));
    let folder = bench.stop().await;
    let bench = Bench::start_at(folder, A_WEEK_LATER, 1, seed_for(DeliveryScenario::Smooth)).await;
    let (_, list) = bench
        .get(&format!(
            "{RECENT}?fromDateUtc=2026-11-24T05:00:00&toDateUtc=2026-11-24T06:00:00"
        ))
        .await;
    assert_eq!(list["totalItems"], json!(1), "it was delivered on Tuesday");
    let row = &list["object"][0];
    assert_eq!(row["consignmentTrackingStatus"]["name"], json!("Complete"));
    let before = first["statusHistory"].as_array().expect("a history");
    let after = row["consignmentTrackingHistories"]
        .as_array()
        .expect("a history");
    assert_eq!(
        after[..before.len()],
        before[..],
        "the past stays as it was told"
    );
}

#[tokio::test]
async fn looking_often_and_looking_once_tell_the_same() {
    let often = Bench::start_where(DeliveryScenario::FailedDelivery).await;
    let once = Bench::start_where(DeliveryScenario::FailedDelivery).await;
    for bench in [&often, &once] {
        booked(bench, &order()).await;
    }
    for day in 21..=27 {
        for hour in [1, 5, 9, 20] {
            often.set_clock(&format!("2026-11-{day}T{hour:02}:17:00Z"));
            often.consignment(&FIRST).await;
        }
    }
    once.set_clock("2026-11-27T20:17:00Z");
    let history = async |bench: &Bench| bench.consignment(&FIRST).await["statusHistory"].clone();
    assert_eq!(history(&often).await, history(&once).await);
}

#[tokio::test]
async fn at_sixty_a_minute_is_an_hour() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bench = Bench::start_at(folder, NOW, 60, seed_for(DeliveryScenario::Smooth)).await;
    let id = booked(&bench, &order()).await;
    // Pickup would be in 85 to 105 minutes, delivery on Tuesday before five, 99 hours from now.
    bench.set_clock("2026-11-20T03:06:20Z");
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(3));
    bench.set_clock("2026-11-20T03:06:50Z");
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(15));
    bench.set_clock("2026-11-20T04:44:00Z");
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(7));
}

#[tokio::test]
async fn carriers_that_stood_still_go_on_from_the_start_that_moves_them() {
    let bench = Bench::start().await;
    let id = booked(&bench, &order()).await;
    bench.set_clock(A_WEEK_LATER);
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(3));
    let folder = bench.stop().await;
    let bench = Bench::start_at(folder, A_WEEK_LATER, 60, seed_for(DeliveryScenario::Smooth)).await;
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(3));
    bench.set_clock("2026-11-27T10:02:00Z");
    let moved = bench.consignment(&id).await;
    assert_eq!(moved["status"]["id"], json!(15));
    let at = event(&moved, "Picked Up")["statusDateUtc"].clone();
    assert!(at.as_str() > Some("2026-11-27T10:00:00"), "{at}");
}

#[tokio::test]
async fn what_is_not_booked_does_not_move() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = bench.posted(CREATE, &order()).await["id"].as_i64();
    bench.set_clock(A_WEEK_LATER);
    let waiting = bench.consignment(&id.expect("an id")).await;
    assert_eq!(statuses(&waiting), ["Unmanifested"]);
    for field in ["bookedDate", "completedDate", "completedDateUtc"] {
        assert_eq!(waiting[field], Value::Null, "{field}");
    }
}

#[test]
fn most_journeys_go_smoothly_and_every_fate_is_met() {
    let fates: Vec<DeliveryScenario> = (200_001..201_001)
        .map(|id| DeliveryScenario::draw(id, 0))
        .collect();
    let count = |fate: DeliveryScenario| fates.iter().filter(|known| **known == fate).count();
    assert!(
        (600..800).contains(&count(DeliveryScenario::Smooth)),
        "{}",
        count(DeliveryScenario::Smooth)
    );
    for fate in [
        DeliveryScenario::FailedPickup,
        DeliveryScenario::Delayed,
        DeliveryScenario::Damaged,
        DeliveryScenario::DeliveryAttempted,
        DeliveryScenario::FailedDelivery,
        DeliveryScenario::PartialDelivery,
    ] {
        assert!(count(fate) > 10, "{fate:?}: {}", count(fate));
    }
}

#[tokio::test]
async fn what_was_cancelled_does_not_move_any_more() {
    let mut bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = booked(&bench, &order()).await;
    let supervisor = bench.service.supervisor_token().to_owned();
    bench.use_token(&supervisor);
    let cancel = json!([{ "consignmentId": id, "status": 10 }]);
    let (_, reply) = bench
        .post("/apiv2/consignments/updateConsignmentStatuses", &cancel)
        .await;
    assert_eq!(reply["success"], json!(true), "{reply}");
    bench.set_clock(A_WEEK_LATER);
    let fetched = bench.consignment(&id).await;
    assert_eq!(
        statuses(&fetched),
        ["Unmanifested", "Manifested", "Cancelled"]
    );
    assert_eq!(fetched["attachmentCount"], json!(0));
}
