//! The public tracking pages: two designs, each at a long and a short address ("Operation rules" 8, "Versioning").

use shipping::{TrackingBases, TrackingDesign};

use crate::contract::orders::FETCH;
use crate::support::contract::{Held, Skipped, Stage, cases};

cases! {
    Practises:
        both_designs_are_pages_that_need_no_token, short_addresses_lead_to_the_long_ones,
        an_address_is_a_base_and_the_token_that_every_retrieval_gives, the_carriers_number_opens_nothing;
}

/// The token of a consignment, bound to `page`.
async fn page_of(stage: &mut Stage) -> Result<String, Skipped> {
    stage.make("made").await?;
    Ok(stage
        .bind_text_of_made("page", "trackingPageAccessToken")
        .await)
}

async fn both_designs_are_pages_that_need_no_token(stage: &mut Stage) -> Held {
    page_of(stage).await?;
    for address in ["/v1/track/<text:page>", "/v2/track/<text:page>"] {
        let page = stage.visit(&format!("GET {address}")).await;
        assert_eq!(
            (page.status, page.content_type()),
            (200, "text/html; charset=utf-8")
        );
        let text = String::from_utf8(page.answer).expect("text");
        assert!(
            text.contains("MS200001") && text.contains("Unmanifested"),
            "{text}"
        );
    }
    Ok(())
}

async fn short_addresses_lead_to_the_long_ones(stage: &mut Stage) -> Held {
    let token = page_of(stage).await?;
    for (short, long) in [("t1", "v1"), ("t2", "v2")] {
        let page = stage.visit(&format!("GET /{short}/<text:page>")).await;
        assert!((300..400).contains(&page.status), "{}", page.status);
        let location = page
            .answer_headers
            .get("location")
            .and_then(|location| location.to_str().ok());
        assert!(
            location.is_some_and(|location| location.ends_with(&format!("/{long}/track/{token}")))
        );
    }
    Ok(())
}

async fn an_address_is_a_base_and_the_token_that_every_retrieval_gives(stage: &mut Stage) -> Held {
    let token = page_of(stage).await?;
    let bases = TrackingBases {
        v1: Some("https://track.example/v1/".to_owned()),
        v1_short: Some("https://t.example".to_owned()),
        ..TrackingBases::default()
    };
    let id = stage.consignment("made");
    let fetched = stage.client().consignment(id).await;
    let answer = r#"{ "object": { "trackingPageAccessToken": "<text:page>", "...": "..." }, "errors": null }"#;
    stage.answered(FETCH, "", answer);
    let listed = stage.client().consignments(&[id]).await;
    let rows = r#"{ "object": [{ "trackingPageAccessToken": "<text:page>", "...": "..." }], "errors": null }"#;
    stage.answered(
        "POST /apiv2/consignments/returnConsignments",
        r#"{ "ids": ["<id:made>"] }"#,
        rows,
    );
    for read in [fetched.expect("it"), listed.expect("it").remove(0)] {
        let read = read.tracking_page_access_token.expect("a token");
        let page = bases.browser_url(TrackingDesign::Traditional, &read);
        assert_eq!(page, Ok(format!("https://track.example/v1/{token}")));
        let short = TrackingBases {
            v1: None,
            ..bases.clone()
        };
        let short = short.browser_url(TrackingDesign::Traditional, &read);
        assert_eq!(short, Ok(format!("https://t.example/{token}")));
    }
    Ok(())
}

async fn the_carriers_number_opens_nothing(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    for address in ["/v1/track/SCX00200001", "/v2/track/SCX00200001"] {
        assert_eq!(stage.visit(&format!("GET {address}")).await.status, 404);
    }
    Ok(())
}
