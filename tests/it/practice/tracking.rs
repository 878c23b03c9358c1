//! The public tracking pages: two designs, long and short addresses, and the data that they never show.

use practice::DeliveryScenario;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::practice::{Bench, CREATE, FIRST, booked, order, order_with};

/// Status, content type and text of a page, asked for without any token of a user.
async fn page(bench: &Bench, path: &str) -> (u16, String, String) {
    let url = format!("{}{path}", bench.service.base_url());
    let (status, kind, body) = bench.raw_at(&url, "content-type").await;
    let text = String::from_utf8(body).expect("text");
    (status.as_u16(), kind, text)
}

/// The text of the page in each design.
async fn both_designs(bench: &Bench, token: &str) -> [String; 2] {
    let traditional = page(bench, &format!("/v1/track/{token}")).await;
    let modern = page(bench, &format!("/v2/track/{token}")).await;
    [traditional.2, modern.2]
}

async fn token_of(bench: &Bench, id: i64) -> String {
    let fetched = bench.consignment(&id).await;
    let token = fetched["trackingPageAccessToken"].as_str();
    token.expect("a token").to_owned()
}

#[tokio::test]
async fn both_designs_show_status_history_and_when_it_should_be_there() {
    let bench = Bench::start_where(DeliveryScenario::PartialDelivery).await;
    booked(&bench, &order()).await;
    let token = token_of(&bench, FIRST).await;
    let (status, kind, before) = page(&bench, &format!("/v2/track/{token}")).await;
    assert_eq!((status, kind.as_str()), (200, "text/html; charset=utf-8"));
    assert!(before.contains("<h1>Manifested</h1>"), "{before}");
    assert!(
        before.contains("Tuesday 24 November 2026, 17:00"),
        "the ETA: {before}"
    );
    bench.set_clock("2026-11-24T10:00:00Z");
    let shown = "Consignment MS200001; Partial Delivery; Part of the consignment; Part delivered, balance to follow; \
        Picked Up; Collected from sender; Alexandria, NSW, AUS; Ballarat Central, VIC, AUS; Southern Cross, Road; SO-48213; \
        SCX00200001; Friday 20 November 2026, 14:05";
    for text in both_designs(&bench, &token).await {
        for said in shown.split("; ") {
            assert!(text.contains(said), "not said: {said}: {text}");
        }
    }
    bench.set_clock("2026-11-27T10:00:00Z");
    let (_, _, after) = page(&bench, &format!("/v1/track/{token}")).await;
    assert!(
        after.contains("Delivered") && !after.contains("Expected"),
        "{after}"
    );
}

#[tokio::test]
async fn nobody_reads_a_price_a_street_a_phone_number_or_a_name_there() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = booked(&bench, &order()).await;
    let token = token_of(&bench, id).await;
    bench.set_clock("2026-11-27T10:00:00Z");
    for text in both_designs(&bench, &token).await {
        // The style is ours and the same for all.
        let content = text.split_once("</style>").expect("a style").1;
        for private in "$; 5550; Creswick; Wharf Road; Okafor; @; Practice clerk".split("; ") {
            assert!(!content.contains(private), "{private}: {content}");
        }
        for loaded in [
            "<script", "<link", "<img", "http://", "https://", "url(", "@import",
        ] {
            assert!(!text.contains(loaded), "{loaded} is loaded: {text}");
        }
    }
}

#[tokio::test]
async fn what_others_wrote_is_text_and_never_markup() {
    let bench = Bench::start().await;
    let hostile =
        order_with(json!({ "customerReference": "<script>alert('x')</script> & \"so\"" }));
    bench.posted(CREATE, &hostile).await;
    let token = token_of(&bench, FIRST).await;
    for design in ["v1", "v2"] {
        let (_, _, text) = page(&bench, &format!("/{design}/track/{token}")).await;
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("&lt;script&gt;alert("), "{text}");
        assert!(text.contains("&amp; &quot;so&quot;"), "{text}");
    }
    let url = format!("{}/v1/track/{token}", bench.service.base_url());
    let (_, policy, _) = bench.raw_at(&url, "content-security-policy").await;
    assert_eq!(policy, "default-src 'none'; style-src 'unsafe-inline'");
}

#[tokio::test]
async fn short_addresses_lead_to_long_ones() {
    let bench = Bench::start().await;
    bench.posted(CREATE, &order()).await;
    let token = token_of(&bench, FIRST).await;
    let bases = bench.service.tracking_bases();
    for (short, long) in [
        (bases.traditional_short, bases.traditional),
        (bases.modern_short, bases.modern),
    ] {
        let address = format!("{short}/{token}");
        let (status, leads, _) = bench.raw_at(&address, "location").await;
        assert_eq!(status, StatusCode::FOUND);
        let host = bench.service.base_url();
        assert_eq!(format!("{host}{leads}"), format!("{long}/{token}"));
        let (status, _, _) = bench.raw_at(&format!("{host}{leads}"), "location").await;
        assert_eq!(status, StatusCode::OK);
    }
}

#[tokio::test]
async fn an_unknown_token_is_a_page_that_says_so() {
    let bench = Bench::start().await;
    bench.posted(CREATE, &order()).await;
    let long = ["/v1/track/", "/v2/track/"];
    // Neither the carrier's number nor the consignment's own opens a page.
    for token in ["SCX00200001", "MS200001", "200001", "%3Cscript%3E", "0"] {
        for path in long {
            let (status, kind, text) = page(&bench, &format!("{path}{token}")).await;
            assert_eq!((status, kind.as_str()), (404, "text/html; charset=utf-8"));
            assert!(text.contains("Nothing to track here"), "{text}");
            assert!(!text.contains("<script"), "{text}");
        }
    }
    let (status, _, text) = page(&bench, "/t2/a%0Ab").await;
    assert_eq!(status, 404);
    assert!(text.contains("Nothing to track here"), "{text}");
}
