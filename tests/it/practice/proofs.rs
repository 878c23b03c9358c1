//! Proofs of delivery of a completed consignment: listed and fetched.

use std::io::{Cursor, Read};

use practice::DeliveryScenario;
use reqwest::StatusCode;
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::support::practice::{Bench, FIRST, booked, messages, order, order_with};

const LIST: &str = "/apiv2/consignments/getAttachments";
const FILES: &str = "/apiv2/attachments/getAttachmentsByConsignmentIds";
const DELIVERED: &str = "2026-11-27T10:00:00Z";

/// A carrier that takes no picture.
fn by_bluegum() -> Value {
    order_with(json!({ "carrierId": 12, "carrierServiceId": 1201 }))
}

async fn delivered(order: &Value) -> Bench {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    assert_eq!(booked(&bench, order).await, FIRST);
    bench.set_clock(DELIVERED);
    bench
}

#[tokio::test]
async fn a_delivered_consignment_counts_and_lists_what_the_carrier_brought_back() {
    let bench = delivered(&order()).await;
    let fetched = bench.consignment(&FIRST).await;
    assert_eq!(fetched["attachmentCount"], json!(2));
    let completed = fetched["completedDateUtc"].clone();
    let listed = json!([
        { "id": 2_000_011, "fileName": "MS200001-POD.pdf", "dateAdded": completed },
        { "id": 2_000_012, "fileName": "MS200001-photo.jpg", "dateAdded": completed },
    ]);
    let in_body = bench.posted(LIST, &json!({ "consignmentId": FIRST })).await;
    assert_eq!(in_body, listed);
    let in_query = format!("{LIST}?consignmentId={FIRST}");
    assert_eq!(bench.posted(&in_query, &json!({})).await, listed);
    let as_text = json!({ "consignmentId": "200001" });
    assert_eq!(bench.posted(&in_query, &as_text).await, listed);
}

#[tokio::test]
async fn before_delivery_there_is_nothing() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    let id = booked(&bench, &order()).await;
    let listed = bench.posted(LIST, &json!({ "consignmentId": id })).await;
    assert_eq!(listed, json!([]));
    let (status, reply) = bench.get(&format!("{FILES}?ids={id}")).await;
    assert_eq!((status, &reply["object"]), (StatusCode::OK, &Value::Null));
    assert_eq!(messages(&reply), ["No attachments were found"]);
}

#[tokio::test]
async fn one_document_comes_as_itself() {
    let bench = delivered(&by_bluegum()).await;
    let path = format!("{FILES}?ids={FIRST}");
    let (status, kind, pdf) = bench.raw(&path, "content-type").await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "application/pdf"));
    assert!(pdf.starts_with(b"%PDF-"));
    let (_, name, again) = bench.raw(&path, "content-disposition").await;
    assert_eq!(name, "attachment; filename=\"MS200001-POD.pdf\"");
    assert_eq!(again, pdf, "the same to the byte each time");
}

#[tokio::test]
async fn several_documents_come_as_a_zip_of_them() {
    let bench = delivered(&order()).await;
    let (_, kind, bytes) = bench
        .raw(&format!("{FILES}?ids={FIRST}&ids={FIRST}"), "content-type")
        .await;
    assert_eq!(kind, "application/zip");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a ZIP");
    let names: Vec<String> = archive
        .file_names()
        .map(|name| name.expect("a name").into_owned())
        .collect();
    assert_eq!(names, ["MS200001-POD.pdf", "MS200001-photo.jpg"]);
    let mut photo = Vec::new();
    let mut file = archive.by_name("MS200001-photo.jpg").expect("the photo");
    file.read_to_end(&mut photo).expect("its bytes");
    let photo = image::load_from_memory_with_format(&photo, image::ImageFormat::Jpeg);
    let photo = photo.expect("a JPEG");
    assert_eq!((photo.width(), photo.height()), (640, 480));
    let colours: std::collections::HashSet<_> = photo.to_rgb8().pixels().copied().collect();
    assert!(colours.len() > 20, "something is drawn");
}

#[tokio::test]
async fn what_is_asked_for_is_checked() {
    let bench = delivered(&by_bluegum()).await;
    let refused = async |query: String| messages(&bench.get(&format!("{FILES}{query}")).await.1);
    assert_eq!(refused(String::new()).await, ["ids are required"]);
    assert_eq!(
        refused("?ids=7".into()).await,
        ["Consignment 7 was not found"]
    );
    let many: Vec<String> = (1..=41).map(|id| format!("ids={id}")).collect();
    assert_eq!(
        refused(format!("?{}", many.join("&"))).await,
        ["At most 40 consignment ids can be asked for at once"]
    );
    let (status, _) = bench.get(&format!("{FILES}?ids=all")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let unnamed = bench.refused(LIST, &json!({})).await;
    assert_eq!(unnamed, ["consignmentId is required"]);
    let unknown = bench.refused(LIST, &json!({ "consignmentId": 7 })).await;
    assert_eq!(unknown, ["Consignment 7 was not found"]);
}
