//! Properties of our types: requests survive a round trip, and any answer either gives a value or an error
//! that names the place without quoting the answer.
//!
//! `PROPTEST_CASES=100000 cargo test --test it reading::properties` runs longer.

use proptest::collection::vec;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shipping::{
    Attachment, AvailablePrinters, Carrier, Company, CompanyLocation, Consignment,
    ConsignmentRequest, EditForm, LabelFile, LivePricingRequest, LivePricingResponse,
    ManifestGroup, ManifestResult, PendingConsignment, PendingConsignmentRequest,
    PrintLabelsRequest, RouteRequest, Routes, StatusUpdate, UnLookupEntry, read_envelope,
    read_list, read_without_envelope,
};

use super::shapes::{
    CANARY, addressed, all, anything, decimal, flag, id, item, list, moment, one_of, pending_item,
    raw, shared, some, spoilt, text, wall,
};

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Reads it, writes it, reads and writes it again: nothing is lost, added or spelt otherwise.
fn survives<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(
    given: &Value,
) -> Result<(), TestCaseError> {
    let read: T = serde_json::from_str(&given.to_string())
        .map_err(|error| TestCaseError::fail(format!("{error}: {given}")))?;
    let written = serde_json::to_string(&read).expect("it can be written");
    let value: Value = serde_json::from_str(&written).expect("JSON");
    prop_assert_eq!(&value, given);
    let again: T = serde_json::from_str(&written).expect("what we wrote");
    prop_assert_eq!(&again, &read);
    prop_assert_eq!(serde_json::to_string(&again).expect("written"), written);
    Ok(())
}

/// With the fields that are never left out.
fn with(mut value: Value, name: &str, given: Value) -> Value {
    value[name] = given;
    value
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_consignment_request_survives(
        fields in all([addressed(), vec![
            some(text(), &["printerToken", "receiverAccountCode", "carrierConsignmentId"]),
            some(id(), &["receiverAccountId"]),
            some(flag(), &["sendingTrackingEmail", "dgsDeclaration"]),
            some(moment(), &["dispatchDateTimeUtc"]),
            some(list(id()), &["linkedPendingConsignmentIds"]),
        ]].concat()),
        items in list(item()),
    ) {
        survives::<ConsignmentRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_pending_request_survives(
        fields in all([addressed(), vec![
            some(flag(), &["sendTrackingEmail"]),
            some(moment(), &["despatchDateTimeLocal"]),
        ]].concat()),
        items in list(pending_item()),
    ) {
        survives::<PendingConsignmentRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_routes_request_survives(
        fields in all([shared(), vec![
            some(text(), &["requestId"]),
            some(list(id()), &["carrierIds"]),
            some(flag(), &["dgsDeclaration"]),
            some(moment(), &["despatchDateTimeUtc"]),
        ]].concat()),
        items in list(item()),
    ) {
        survives::<RouteRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_manifest_group_survives_with_what_else_was_said_of_it(
        fields in all(vec![
            some(id(), &["companyId"]),
            some((0_i64..100).prop_map(Value::from), &["palletSpaces"]),
            some(wall(), &["pickupDateTime", "pickupClosingTime"]),
            some(text(), &["pickupSpecialInstructions", "carrierName", "fromLocationName"]),
            some(flag(), &["dgsDeclaration"]),
            some(anything(), &["serviceOwn"]),
        ]),
        ids in list(id()),
        booked in flag(),
    ) {
        let group = with(with(fields, "consignmentIds", ids), "pickupAlreadyBooked", booked);
        survives::<ManifestGroup>(&group)?;
    }

    #[test]
    fn the_smaller_requests_survive(
        update in all(vec![
            some(wall(), &["statusDateTimeLocal"]),
            some(text(), &["itemReference", "extraInformation"]),
        ]),
        consignment in id(),
        labels in (list(id()), id(), flag(), one_of(&[1, 2, 3, 4, 5, 7, 8])),
        basket in vec(all(vec![
            some(text(), &["name", "sku"]),
            some(decimal(), &["weight", "price", "length", "width", "height"]),
        ]), 1..3),
    ) {
        survives::<StatusUpdate>(&with(with(update, "consignmentId", consignment), "status", json!(10)))?;
        let (ids, printer, a4, kind) = labels;
        survives::<PrintLabelsRequest>(&json!({
            "consignmentIds": ids, "labelType": kind, "printerId": printer, "printA4": a4
        }))?;
        let basket: Vec<Value> = basket.into_iter().map(|item| with(item, "quantity", json!(2))).collect();
        survives::<LivePricingRequest>(&json!({
            "quote": { "warehouse": {}, "shipping_address": {}, "shipping_options": {}, "items": basket }
        }))?;
    }

    #[test]
    fn the_editable_form_goes_back_with_every_field_that_nobody_changed(
        names in vec("[a-zA-Z]{1,10}", 0..8),
        values in vec(raw(), 8),
    ) {
        let fields: std::collections::BTreeMap<_, _> = names.into_iter().zip(values).collect();
        let given = fields.iter().map(|(name, value)| format!("\"{name}\":{value}"));
        let given = format!("{{{}}}", given.collect::<Vec<_>>().join(","));
        let mut form: EditForm = serde_json::from_str(&given).expect("an object");
        prop_assert_eq!(serde_json::to_string(&form).expect("written"), given, "to the last digit");
        form.set("zzzzzzzzzzz", &1);
        form.remove("zzzzzzzzzzz");
        let untouched: EditForm = serde_json::from_str(&serde_json::to_string(&form).expect("written"))
            .expect("what we wrote");
        prop_assert_eq!(untouched, form);
    }

    #[test]
    fn any_answer_gives_a_value_or_says_where_it_does_not_fit(answer in spoilt(), cut in any::<prop::sample::Index>()) {
        let text = answer.to_string();
        read_everything(text.as_bytes())?;
        read_everything(&text.as_bytes()[..cut.index(text.len() + 1)])?;
    }
}

fn read_everything(body: &[u8]) -> Result<(), TestCaseError> {
    reads::<bool>(body)?;
    reads::<Consignment>(body)?;
    reads::<Vec<Consignment>>(body)?;
    reads::<Vec<Company>>(body)?;
    reads::<Vec<CompanyLocation>>(body)?;
    reads::<Vec<Carrier>>(body)?;
    reads::<Routes>(body)?;
    reads::<Vec<ManifestGroup>>(body)?;
    reads::<Vec<ManifestResult>>(body)?;
    reads::<LabelFile>(body)?;
    reads::<Vec<Attachment>>(body)?;
    reads::<Vec<UnLookupEntry>>(body)?;
    reads::<EditForm>(body)?;
    reads::<PendingConsignment>(body)?;
    reads::<AvailablePrinters>(body)?;
    says_nothing(read_list::<Consignment>(body))?;
    says_nothing(read_without_envelope::<LivePricingResponse>(body))
}

fn reads<T: DeserializeOwned>(body: &[u8]) -> Result<(), TestCaseError> {
    says_nothing(read_envelope::<T>(body))
}

/// A value, or a place; never what stood there.
fn says_nothing<T>(read: Result<T, shipping::DecodeError>) -> Result<(), TestCaseError> {
    if let Err(misfit) = read {
        let said = misfit.to_string();
        prop_assert!(!misfit.path.is_empty(), "{}", said);
        for word in CANARY.split(' ') {
            prop_assert!(!said.contains(word), "{}", said);
        }
    }
    Ok(())
}

#[test]
fn an_answer_as_deep_as_it_likes_is_refused_and_not_fallen_into() {
    for (open, close) in [("[", "]"), (r#"{"object":"#, "}")] {
        let deep = open.repeat(200_000) + "1" + &close.repeat(200_000);
        assert!(
            read_envelope::<Consignment>(deep.as_bytes()).is_err(),
            "{open}"
        );
        // A form keeps what it does not know: it may take it, and must not fall.
        let _kept = read_envelope::<EditForm>(deep.as_bytes());
    }
}
