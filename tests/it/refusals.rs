//! The errors table of the interface, row by row: each error is provoked at the practice service by literal
//! JSON through the client, and appears at the field of the draft or group that it concerns.

use std::future::Future;

use client::{Client, Connection, Failure, Middleware};
use draft::{
    AddressField, AddressMode, DgField, DgLine, Draft, Field, GoodsLine, PickupField, Severity,
    pickup_field_from_error, problems_from_errors,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shipping::{
    CompanyId, ConsignmentId, ConsignmentRequest, LivePricingRequest, ManifestGroup,
    PendingConsignmentRequest, RouteRequest, ServiceError,
};

use crate::support::practice::{Bench, dangerous_order, dangerous_with, order, with};

fn client(bench: &Bench) -> Client {
    client_with(bench, bench.service.token())
}

fn client_with(bench: &Bench, token: &str) -> Client {
    let connection = Connection::new(&bench.service.base_url(), token.to_owned().into());
    Client::new(&connection.expect("an address")).expect("a client")
}

fn read<T: DeserializeOwned>(literal: &Value) -> T {
    serde_json::from_str(&literal.to_string()).expect("what the interface shows")
}

/// What a clerk would have typed: one line, a saved sender and a full address.
fn typed() -> Draft {
    let mut draft = Draft::default();
    draft.to.mode = AddressMode::Full;
    draft
}

/// The same with one dangerous good in the line.
fn typed_dangerous() -> Draft {
    let mut draft = typed();
    draft.goods[0].dangerous.push(DgLine::default());
    draft
}

/// Errors as problems: the service's words, and where they stand.
fn placed(errors: &[ServiceError], draft: &Draft) -> Vec<(Field, String)> {
    problems_from_errors(errors, draft)
        .into_iter()
        .filter(|problem| problem.severity == Severity::Error)
        .map(|problem| (problem.field, problem.message))
        .collect()
}

/// Fails unless these words at this field are the only problem.
#[track_caller]
fn assert_placed(errors: &[ServiceError], draft: &Draft, field: Field, words: &str) {
    assert_eq!(placed(errors, draft), [(field, words.to_owned())]);
}

async fn errors<T: std::fmt::Debug>(
    call: impl Future<Output = Result<T, Failure>>,
) -> Vec<ServiceError> {
    match call.await {
        Err(Failure::Refused(errors)) => errors,
        other => panic!("it was to be refused: {other:?}"),
    }
}

/// The fields at which these errors stand.
fn places(errors: &[ServiceError], draft: &Draft) -> Vec<Field> {
    let placed = placed(errors, draft).into_iter();
    placed.map(|(field, _)| field).collect()
}

async fn created(bench: &Bench, order: &Value) -> Vec<ServiceError> {
    let request: ConsignmentRequest = read(order);
    errors(client(bench).create(&request)).await
}

#[tokio::test]
async fn a_missing_declaration_lands_at_the_declaration() {
    let bench = Bench::start().await;
    let errors = created(&bench, &with(order(), json!({ "dgsDeclaration": null }))).await;
    assert!(
        errors[0].member_names.is_empty(),
        "found by its words alone"
    );
    let words = "Dangerous Goods / No Dangerous Goods must be declared";
    assert_placed(&errors, &typed(), Field::Declaration, words);
}

#[tokio::test]
async fn a_carrier_that_takes_no_dangerous_goods_lands_at_the_route() {
    let bench = Bench::start().await;
    // Kookaburra's overnight air takes none.
    let order = with(
        dangerous_order(),
        json!({ "carrierId": 14, "carrierServiceId": 1402 }),
    );
    let errors = created(&bench, &order).await;
    let words = "Route is not Dangerous Goods route yet Dangerous Goods have been declared";
    assert_placed(&errors, &typed_dangerous(), Field::Route, words);
}

#[tokio::test]
async fn an_error_of_a_dangerous_good_lands_at_its_field() {
    let bench = Bench::start().await;
    for (fields, field) in [
        (json!({ "unNumber": 3599 }), DgField::UnNumber),
        (json!({ "packingGroup": 4 }), DgField::PackingGroup),
        // Both Hazchem fields, and neither among several codes that are known.
        (
            json!({ "hazchem": "2YE", "dgHazchemId": 322 }),
            DgField::Hazchem,
        ),
        (
            json!({ "unNumber": 1760, "packingGroup": 2, "dgClassType": 14, "hazchem": null, "flashpoint": null,
                "TechnicalOrChemicalGroupNames": "cupric chloride" }),
            DgField::Hazchem,
        ),
    ] {
        let errors = created(&bench, &dangerous_with(fields.clone())).await;
        assert_eq!(
            places(&errors, &typed_dangerous()),
            [Field::Dg(0, 0, field)],
            "{fields}"
        );
    }
}

#[tokio::test]
async fn missing_customs_contents_land_at_the_lines_customs() {
    let bench = Bench::start().await;
    let order = with(
        order(),
        json!({
            "isInternational": true, "toCountryCode": "NZL", "internationalToCity": "Auckland",
            "internationalToPostcode": "1010", "internationalToProvince": "Auckland", "toLocation": null,
            "carrierId": 13, "carrierServiceId": 1301, "companyCarrierAccountId": 5103,
            "items": [{
                "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2,
                "standardItem": { "weight": 9.0, "length": 40, "width": 40, "height": 30 }
            }]
        }),
    );
    let request: ConsignmentRequest = read(&order);
    let words = "International routes require that customs information be provided for all items. \
                 Please specify the contents on each item";
    let refused = errors(client(&bench).create(&request)).await;
    assert_eq!(
        placed(&refused, &typed()),
        [(Field::Customs(0), words.to_owned())]
    );
    let mut question = RouteRequest::for_consignment(&request);
    question.0.carrier_ids.clear();
    let refused = errors(client(&bench).routes(&question)).await;
    let places = placed(&refused, &typed());
    assert_eq!(places, [(Field::Customs(0), words.to_owned())]);
    let mut two = typed();
    two.goods.push(GoodsLine::default());
    assert_eq!(
        placed(&refused, &two)[0].0,
        if refused[0].member_names.is_empty() {
            Field::AllGoods
        } else {
            Field::Customs(0)
        },
        "of several lines, nobody knows which is meant unless it is said"
    );
}

#[tokio::test]
async fn an_unknown_company_lands_at_the_company() {
    let bench = Bench::start().await;
    let refused = created(&bench, &with(order(), json!({ "companyId": 77 }))).await;
    assert_eq!(
        placed(&refused, &typed()),
        [(Field::Company, "Invalid Company ID".to_owned())]
    );
    let refused = errors(client(&bench).group_all(CompanyId::new(77))).await;
    assert_eq!(refused[0].error_message, "Invalid Company ID");
}

#[tokio::test]
async fn a_manifest_without_ids_is_refused_as_a_whole() {
    let bench = Bench::start().await;
    let client = client(&bench);
    let group: ManifestGroup = read(&json!({ "consignmentIds": [] }));
    for refused in [
        errors(client.manifest(&[group])).await,
        errors(client.group(&[])).await,
    ] {
        assert_eq!(refused[0].error_message, "ConsignmentIds are required");
        assert_eq!(pickup_field_from_error(&refused[0].error_message), None);
    }
}

#[tokio::test]
async fn a_consignment_that_is_manifested_already_stops_its_group() {
    let bench = Bench::start().await;
    let client = client(&bench);
    let made = client.create(&read(&order())).await.expect("made");
    let groups = client.group(&[made.id]).await.expect("grouped");
    client.manifest(&groups).await.expect("booked");
    for refused in [
        errors(client.manifest(&groups)).await,
        errors(client.group(&[made.id])).await,
    ] {
        assert_eq!(refused[0].error_message, "Consignment already manifested");
    }
    let form = errors(client.edit_form(made.id)).await;
    assert_eq!(form[0].error_message, "Consignment already manifested");
    let deleted = errors(client.delete(&[made.id])).await;
    assert_eq!(deleted[0].error_message, "Consignment already manifested");
}

#[tokio::test]
async fn a_pickup_that_is_past_or_outside_hours_lands_at_the_pickup_time() {
    let bench = Bench::start().await;
    let client = client(&bench);
    let made = client.create(&read(&order())).await.expect("made");
    let groups = client.group(&[made.id]).await.expect("grouped");
    for time in ["2026-11-20T09:00:00", "2026-11-23T03:00:00"] {
        let mut group = groups[0].clone();
        group.pickup_date_time = Some(read(&json!(time)));
        let refused = errors(client.manifest(&[group])).await;
        assert_eq!(refused[0].error_message, "Invalid pickup time");
        assert_eq!(
            pickup_field_from_error(&refused[0].error_message),
            Some(PickupField::Pickup)
        );
    }
}

#[tokio::test]
async fn what_a_pending_consignment_lacks_lands_at_its_field() {
    let bench = Bench::start().await;
    for (fields, field, words) in [
        (
            json!({ "fromAbbreviation": null, "fromName": "Dock", "fromContact": "Dock office", "fromPhone": "02 5550 0114",
                "fromAddressLine1": "14 Wharf Road", "fromLocation": { "suburb": "Alexandria", "postcode": "3350" } }),
            Field::From(AddressField::Place),
            "From location suburb and postcode combination is invalid",
        ),
        (
            json!({ "toContact": null }),
            Field::To(AddressField::Contact),
            "To contact is required",
        ),
        (
            json!({ "carrierId": 16 }),
            Field::Route,
            "Selected carrier is not available for this company",
        ),
    ] {
        let order = with(
            with(
                order(),
                json!({ "dgsDeclaration": null, "carrierServiceId": null }),
            ),
            fields,
        );
        let request: PendingConsignmentRequest = read(&order);
        let refused = errors(client(&bench).create_pending(&request)).await;
        assert_eq!(refused[0].validation_type, "1");
        assert_eq!(placed(&refused, &typed()), [(field, words.to_owned())]);
        // Some services name no field: the words lead there all the same.
        let bare = ServiceError {
            member_names: Vec::new(),
            ..refused[0].clone()
        };
        assert_eq!(placed(&[bare], &typed()), [(field, words.to_owned())]);
    }
}

#[tokio::test]
async fn a_carrier_that_the_company_does_not_have_lands_at_the_route() {
    let bench = Bench::start().await;
    let errors = created(
        &bench,
        &with(
            order(),
            json!({ "carrierId": 16, "carrierServiceId": null }),
        ),
    )
    .await;
    assert_eq!(errors[0].member_names, ["carrierId"]);
    assert_eq!(
        placed(&errors, &typed()),
        [(
            Field::Route,
            "Selected carrier is not available for this company".to_owned()
        )]
    );
}

#[tokio::test]
async fn a_wrong_token_is_told_apart_from_every_refusal() {
    let bench = Bench::start().await;
    let client = client_with(&bench, "not-a-token");
    assert_eq!(client.ping().await, Err(Failure::Unauthorised));
    let failure = client
        .consignment(ConsignmentId::new(1))
        .await
        .expect_err("401");
    assert_eq!(failure, Failure::Unauthorised);
}

#[tokio::test]
async fn a_failure_of_the_middleware_is_in_its_own_words() {
    let bench = Bench::start().await;
    let service = &bench.service;
    let middleware = Middleware::new(
        &service.middleware_url(),
        "shop",
        service.integration_id().to_owned().into(),
        service.token().to_owned().into(),
    );
    let connection = Connection::new(&service.base_url(), service.token().to_owned().into());
    let mut connection = connection.expect("an address");
    connection.middleware = middleware.ok();
    let client = Client::new(&connection).expect("a client");
    let request: LivePricingRequest = read(&json!({ "quote": {
        "warehouse": { "country": "AU", "postal_code": "2015", "city": "Alexandria" },
        "shipping_address": { "country": "AU", "postal_code": "0000", "city": "Nowhere" },
        "shipping_options": {},
        "items": [{ "name": "Hose", "quantity": 1, "weight": 9, "length": 40, "width": 40, "height": 30 }]
    } }));
    let refused = errors(client.live_prices(&request)).await;
    assert!(
        refused[0].error_message.to_lowercase().contains("location"),
        "{refused:?}"
    );
    let places = placed(&refused, &typed());
    assert!(
        matches!(places[..], [(Field::To(AddressField::Place), _)]),
        "{places:?}"
    );
}

#[test]
fn information_and_warnings_do_not_block() {
    for kind in ["2", "3", "Information", "Warning"] {
        let errors = [ServiceError {
            validation_type: kind.to_owned(),
            member_names: vec!["carrierId".to_owned()],
            error_message: "Bluegum: no service there".to_owned(),
        }];
        assert!(placed(&errors, &typed()).is_empty(), "{kind}");
        assert_eq!(
            problems_from_errors(&errors, &typed())[0].field,
            Field::Route
        );
    }
}
