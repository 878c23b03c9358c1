//! Recent changes, page by page ("getRecentlyCreatedOrUpdatedConsignments query parameters", "Limits"; the
//! list's envelope and names from the field notes).

use client::RecentUpdates;
use shipping::{CarrierId, CompanyId};

use super::only_made;
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        a_page_is_asked_for_by_period_start_and_size, pages_are_read_until_one_is_not_full;
    Practises:
        every_filter_goes_under_its_own_name, two_hundred_and_one_rows_are_two_pages,
        without_a_size_a_page_is_forty, a_page_is_forty_rows_to_two_hundred,
        the_period_must_be_said_and_is_ten_days_at_the_most, rows_beyond_the_last_are_none,
        what_waits_for_a_manifest_has_a_list_of_its_own_where_served;
}

const RECENT: &str = "GET /apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";
const TOTALS: &str = r#", "totalItems?": 1, "startIndex?": 1, "retrievalSize?": 200"#;

fn since(stage: &Stage) -> RecentUpdates {
    RecentUpdates::since(stage.text("since").parse().expect("a moment"))
}

async fn a_page_is_asked_for_by_period_start_and_size(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let page = stage.client().recent_page(&since(stage), 1).await;
    let answer = r#"{
        "object": [{
            "id": "<id>", "consignmentNumber": "MS200001", "carrierConsignmentId|null": "SCX00200001",
            "consignmentTrackingStatus?": {
                "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet"
            },
            "consignmentTrackingHistories?": [{
                "consignmentId": "<id>", "createdByName": "<text>", "createdByUserId": "<integer>",
                "statusIsPartial": false,
                "consignmentTrackingStatus": {
                    "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet"
                },
                "statusDateLocal": "2026-11-20T14:05:00", "statusDateUtc|null": "2026-11-20T03:05:00",
                "carrierStatus|null": null, "carrierStatusDescription|null": null, "statusInformation|null": null,
                "itemReference?": null
            }],
            "isTest?": false, "attachmentCount?": 0, "important?": false,
            "...": "..."
        }],
        "errors": null, "totalItems?": 1, "startIndex?": 1, "retrievalSize?": 200
    }"#;
    let asked = format!("{RECENT}?fromDateUtc=<text:since>&startIndex=1&retrieveSize=200");
    stage.answered(&asked, "", answer);
    let rows = page.expect("a page").rows;
    assert!(rows.iter().any(|row| row.id.get() == stage.id("made")));
    assert!(
        rows.iter()
            .all(|row| row.status().is_some() && row.items().is_empty())
    );
    Ok(())
}

async fn every_filter_goes_under_its_own_name(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let updates = RecentUpdates {
        to: Some("2026-11-21T00:00:00Z".parse().expect("a moment")),
        company: Some(CompanyId::new(1)),
        children: true,
        carrier: Some(CarrierId::new(11)),
        ..since(stage)
    };
    let page = stage.client().recent_page(&updates, 1).await;
    let asked = format!(
        "{RECENT}?fromDateUtc=2026-11-20T00:00:00.000Z&toDateUtc=2026-11-21T00:00:00.000Z&companyId=1&carrierId=11\
         &includeChildCompanies=true&startIndex=1&retrieveSize=200"
    );
    stage.answered(&asked, "", &only_made(TOTALS));
    assert_eq!(page.expect("a page").rows.len(), 1);
    Ok(())
}

async fn pages_are_read_until_one_is_not_full(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let all = stage.client().recently_updated(&since(stage)).await;
    let answer = r#"{ "object": [{ "id": "<id>", "...": "..." }], "errors": null, "...": "..." }"#;
    let mut start = 1;
    while stage.has_more() {
        let page = format!("{RECENT}?fromDateUtc=<text:since>&startIndex={start}&retrieveSize=200");
        stage.answered(&page, "", answer);
        start += 190;
    }
    assert!(start > 1 && all.is_ok());
    Ok(())
}

async fn two_hundred_and_one_rows_are_two_pages(stage: &mut Stage) -> Held {
    for _ in 0..201 {
        stage.make("made").await?;
    }
    let all = stage.client().recently_updated(&since(stage)).await;
    let page = r#"{
        "object": [{ "id": "<id>", "...": "..." }, "..."], "errors": null,
        "totalItems": 201, "startIndex": START, "retrievalSize": 200
    }"#;
    // The second begins a little before the end of the first: rows may have moved up meanwhile.
    for start in ["1", "191"] {
        let asked =
            format!("{RECENT}?fromDateUtc=<text:since>&startIndex={start}&retrieveSize=200");
        stage.answered(&asked, "", &page.replace("START", start));
    }
    assert_eq!(all.expect("all of them").len(), 201);
    Ok(())
}

async fn without_a_size_a_page_is_forty(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let totals = r#", "totalItems": 1, "startIndex": 1, "retrievalSize": 40"#;
    let asked = format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00Z");
    stage.said(&asked, "", &only_made(totals)).await;
    Ok(())
}

async fn a_page_is_forty_rows_to_two_hundred(stage: &mut Stage) {
    let refusal = refusal("retrieveSize", "RetrieveSize must be from 40 to 200");
    for size in ["39", "201"] {
        let asked = format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00Z&retrieveSize={size}");
        stage.said_in_vain(&asked, "", &refusal).await;
    }
    for size in ["40", "200"] {
        let asked = format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00Z&retrieveSize={size}");
        let answer = format!(
            r#"{{ "object": [], "errors": null, "totalItems": 0, "startIndex": 1, "retrievalSize": {size} }}"#
        );
        stage.said(&asked, "", &answer).await;
    }
}

async fn the_period_must_be_said_and_is_ten_days_at_the_most(stage: &mut Stage) {
    stage
        .said_in_vain(
            RECENT,
            "",
            &refusal("fromDateUtc", "fromDateUtc is required"),
        )
        .await;
    let too_far = refusal(
        "fromDateUtc",
        "You cannot go back further than 10 days for this query",
    );
    stage
        .said_in_vain(
            &format!("{RECENT}?fromDateUtc=2026-11-10T03:04:59Z"),
            "",
            &too_far,
        )
        .await;
    let none = r#"{ "object": [], "errors": null, "totalItems": 0, "startIndex": 1, "retrievalSize": 40 }"#;
    stage
        .said(
            &format!("{RECENT}?fromDateUtc=2026-11-10T03:05:00Z"),
            "",
            none,
        )
        .await;
}

async fn rows_beyond_the_last_are_none(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let page = stage.client().recent_page(&since(stage), 2).await;
    let asked = format!("{RECENT}?fromDateUtc=<text:since>&startIndex=2&retrieveSize=200");
    let none = r#"{ "object": [], "errors": null, "totalItems": 1, "startIndex": 2, "retrievalSize": 200 }"#;
    stage.answered(&asked, "", none);
    assert!(page.expect("a page").rows.is_empty());
    Ok(())
}

async fn what_waits_for_a_manifest_has_a_list_of_its_own_where_served(stage: &mut Stage) -> Held {
    stage.book("booked").await?;
    stage.make("made").await?;
    let listed = stage.client().unmanifested(None).await;
    let asked = "GET /apiv2/consignments/getUnmanifested?startIndex=1&retrieveSize=200";
    stage.answered(asked, "", &only_made(TOTALS));
    let rows = listed.expect("what waits");
    assert!(rows.iter().all(shipping::Consignment::is_unmanifested));
    Ok(())
}
