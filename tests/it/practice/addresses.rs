//! The address modes of a create: a saved location or a full address for each party.

use serde_json::json;

use crate::support::practice::{Bench, CREATE, assert_refused, order_with};

#[tokio::test]
async fn each_side_has_its_own_address_mode() {
    let bench = Bench::start().await;
    let saved = order_with(
        json!({ "fromAbbreviation": null, "fromCompanyLocationId": 7002, "toAbbreviation": "tweed" }),
    );
    let id = bench.posted(CREATE, &saved).await["id"].clone();
    let made = bench.consignment(&id).await;
    assert_eq!(made["fromName"], json!("Harbour Supplies, Melbourne DC"));
    assert_eq!(made["fromCompanyLocationId"], json!(7002));
    assert_eq!(
        made["toName"],
        json!("Tweed Marine"),
        "the saved location stands for a full address"
    );
    let unknown = order_with(json!({ "fromAbbreviation": "NOWHERE", "toCompanyLocationId": 7010 }));
    let expected = [
        "From abbreviation NOWHERE is not known",
        "To company location 7010 is not known",
    ];
    assert_refused(&bench, CREATE, &unknown, &expected).await;
}

#[tokio::test]
async fn everything_missing_from_a_full_address_is_named_at_once() {
    let bench = Bench::start().await;
    let bare = order_with(json!({
        "toName": null, "toContact": " ", "toPhone": null, "toEmail": null, "toAddressLine1": null,
        "toLocation": { "suburb": "Ballarat", "postcode": "9999" }
    }));
    let (_, reply) = bench.post(CREATE, &bare).await;
    let error = |member: &str, message: &str| json!({ "validationType": 1, "memberNames": [member], "errorMessage": message });
    assert_eq!(
        reply,
        json!({ "object": null, "errors": [
            error("toLocation", "To location suburb and postcode combination is invalid"),
            error("toName", "To name is required"), error("toContact", "To contact is required"),
            error("toPhone", "To phone is required"), error("toEmail", "To email is required"),
            error("toAddressLine1", "To address line 1 is required"),
        ]})
    );
    let nowhere = order_with(
        json!({ "fromAbbreviation": null, "fromLocation": { "suburb": "Sydney", "postcode": "3000" } }),
    );
    assert_eq!(
        bench.refused(CREATE, &nowhere).await[0],
        "From location suburb and postcode combination is invalid"
    );
    let order = order_with(json!({ "toLocation": null }));
    assert_refused(&bench, CREATE, &order, &["To location is required"]).await;
}

#[tokio::test]
async fn an_email_address_must_be_one() {
    let bench = Bench::start().await;
    for wrong in "stores; stores@; @bfg.example; a b@bfg.example; stores@example".split("; ") {
        let messages = bench
            .refused(CREATE, &order_with(json!({ "toEmail": wrong })))
            .await;
        assert_eq!(messages, ["String is not a valid email address"], "{wrong}");
    }
}
