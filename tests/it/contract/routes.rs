//! Prices and options (`routes/returnRoutes` and its counterpart for complex items; shapes from the field
//! notes).

use client::Failure;
use shipping::{CarrierId, ConsignmentRequest, RouteRequest, Routes};

use super::orders;
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        prices_are_asked_without_anybodys_name, an_own_request_id_comes_back,
        dangerous_goods_are_priced_by_the_complex_twin, international_goods_without_contents_are_refused;
    Practises:
        only_the_carriers_asked_for_are_answered, routes_are_at_a_lower_case_address_too,
        what_nobody_carries_has_no_prices;
}

const ROUTES: &str = "POST /apiv2/routes/returnRoutes";
const COMPLEX: &str = "POST /apiv2/routes/returnrouteswithcomplexitems";

/// Everything that is known of one route.
const ANSWER: &str = r#"{
    "object": {
        "id?": "<text>",
        "routes": [
            {
                "requestId?": "<text>", "companyId?": 1,
                "carrier": { "id": 11, "name": "Southern Cross", "abbreviation": "SCX", "displayName": "Southern Cross" },
                "carrierService": { "id": 1101, "name": "Road", "abbreviation": "ROAD", "displayName": "Road" },
                "carrierAccount?": {
                    "id": 3101, "name": "Harbour Supplies road", "accountCode": "HS-1101", "carrierId": 11,
                    "displayName": "Harbour Supplies road"
                },
                "companyCarrierAccountId?": 5101,
                "consignmentTotal": {
                    "sellPricesCleared": false, "totalSellPrice": 26.08, "totalCostPrice": 22.95,
                    "totalBaseSellPrice": 20.01, "totalBaseCostPrice": 17.61, "totalTaxSellPrice": 2.37,
                    "totalTaxCostPrice": 2.09, "sellFuelLevyPrice": 3.7, "consignmentRouteSellPrice": 23.71,
                    "totalSellBeforeTax": 23.71
                },
                "despatchOptions": [
                    {
                        "despatchDateLocal": "2026-11-23T09:00:00", "despatchDateUtc": "2026-11-22T22:00:00",
                        "etaLocal": "2026-11-25T17:00:00", "etaUtc": "2026-11-25T06:00:00",
                        "durationInMinutes?": 3360, "isTimeWindow?": false, "totalDays?": 2, "totalHours?": 56,
                        "totalBusinessDays?": 2, "etaAffectedByPublicHolidays?": false,
                        "despatchDateAffectedByPublicHolidays?": false, "businessDaysOnly?": true,
                        "customEtaString?": null, "carrierAcceptsDespatchTimes?": true
                    },
                    "..."
                ],
                "fuelLevyPercentage?": 18.5, "taxPercentage?": 10, "electiveSurcharges?": [], "automaticSurcharges?": [],
                "totalWeight?": 18, "totalCubic?": 0.096, "totalVolume?": 0.096, "carrierLogoFileName?": null,
                "priceDisplay?": "$26.08", "isHourly?": false
            },
            "..."
        ],
        "results?": [{
            "carrier": { "id": "<id>", "name": "<text>", "abbreviation": "<text>", "displayName": "<text>" },
            "carrierService?": { "id": 1203, "name": "Crane", "abbreviation": "CRN", "displayName": "Crane" },
            "errorMessage": "<text>"
        }, "..."]
    },
    "errors": null
}"#;

/// Asks for the prices of this consignment.
async fn routes_of(stage: &Stage, order: &ConsignmentRequest) -> Result<Routes, Failure> {
    let request = RouteRequest::for_consignment(order);
    stage.client().routes(&request).await
}

async fn prices_are_asked_without_anybodys_name(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let mut order = orders::order(stage);
    order.set_despatch(Some(orders::utc("2026-11-22T22:00:00Z")));
    let routes = routes_of(stage, &order).await;
    let request = r#"{
        "fromAbbreviation": "<text:sender>", "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "despatchDateTimeUtc": "2026-11-22T22:00:00.000Z", "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    stage.answered(ROUTES, request, ANSWER);
    let routes = routes.expect("routes");
    if stage.practice().is_ok() {
        let road = &routes.routes[0];
        assert_eq!(
            road.consignment_total.total_sell_price.map(|price| price.0),
            Some(orders::number("26.08"))
        );
        assert!(road.eta().is_some());
    }
    Ok(())
}

async fn an_own_request_id_comes_back(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let mut request = RouteRequest::for_consignment(&orders::order(stage));
    request.0.request_id = orders::some("6f1a9d0e-0a3f-4a35-9d0e-6f1a9d0e0a3f");
    let routes = stage.client().routes(&request).await;
    let request = r#"{
        "fromAbbreviation": "<text:sender>", "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "dgsDeclaration": false, "requestId": "6f1a9d0e-0a3f-4a35-9d0e-6f1a9d0e0a3f",
        $HOSE_REELS
    }"#;
    let answer = r#"{
        "object": { "id?": "6f1a9d0e-0a3f-4a35-9d0e-6f1a9d0e0a3f", "routes": [{ "...": "..." }, "..."], "...": "..." },
        "errors": null
    }"#;
    stage.answered(ROUTES, request, answer);
    assert!(routes.is_ok());
    Ok(())
}

async fn only_the_carriers_asked_for_are_answered(stage: &mut Stage) {
    let mut request = RouteRequest::for_consignment(&orders::between_saved_places());
    request.0.carrier_ids = vec![CarrierId::new(15), CarrierId::new(11)];
    let routes = stage.client().routes(&request).await;
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "dgsDeclaration": false, "carrierIds": [15, 11],
        $HOSE_REELS
    }"#;
    let answer = r#"{ "object": { "routes": ["<anything>", "<anything>", "<anything>", "<anything>"], "...": "..." }, "errors": null }"#;
    stage.answered(ROUTES, request, answer);
    let routes = routes.expect("routes").routes;
    assert!(
        routes
            .iter()
            .all(|route| matches!(route.carrier.id.get(), 11 | 15))
    );
}

async fn dangerous_goods_are_priced_by_the_complex_twin(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let order = orders::dangerous(stage);
    let routes = routes_of(stage, &order).await;
    stage.may_refuse(&routes)?;
    let request = r#"{
        "fromAbbreviation": "<text:sender>", "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "dgsDeclaration": true,
        $SPIRITS
    }"#;
    let answer = r#"{
        "object": {
            "routes": [{
                "carrier": { "id": 11, "...": "..." },
                "automaticSurcharges?": [{ "questionId?": null, "name": "dangerous goods", "sellPrice?": 12.5 }],
                "...": "..."
            }, "..."],
            "results?": [{ "...": "..." }, "..."], "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, request, answer);
    assert!(routes.is_ok_and(|routes| !routes.routes.is_empty()));
    Ok(())
}

async fn routes_are_at_a_lower_case_address_too(stage: &mut Stage) {
    let lower = "/apiv2/routes/returnroutes";
    stage.speak(|dialect| lower.clone_into(&mut dialect.paths.routes));
    let request = RouteRequest::for_consignment(&orders::order(stage));
    let routes = stage.client().routes(&request).await;
    let request = r#"{
        "fromAbbreviation": "HSYD", "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    let answer =
        r#"{ "object": { "routes": [{ "...": "..." }, "..."], "...": "..." }, "errors": null }"#;
    stage.answered(&format!("POST {lower}"), request, answer);
    assert!(routes.is_ok());
}

async fn international_goods_without_contents_are_refused(stage: &mut Stage) -> Held {
    stage.needs(&["sender"])?;
    let request = r#"{
        "fromAbbreviation": "<text:sender>", "isInternational": true, "internationalToCity": "Portland",
        "internationalToPostcode": "97201", "internationalToProvince": "OR", "toCountryCode": "USA",
        "items": [{
            "itemType": "Carton", "name": "Hand tools", "quantity": 1,
            "standardItem": { "weight": 8.2, "length": 40, "width": 30, "height": 25 }
        }]
    }"#;
    let refusal = refusal(
        "",
        "International routes require that customs information be provided for all items. Please specify the contents on each item",
    );
    stage.said_in_vain(COMPLEX, request, &refusal).await;
    Ok(())
}

async fn what_nobody_carries_has_no_prices(stage: &mut Stage) {
    let mut order = orders::order(stage);
    order.items[0].weight = Some(shipping::Kilograms(orders::number("9000")));
    let routes = routes_of(stage, &order).await;
    let request = r#"{
        "fromAbbreviation": "HSYD", "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2,
            "weight": 9000, "length": 40, "width": 40, "height": 30
        }]
    }"#;
    let refusal = r#"{
        "object": null,
        "errors": [
            { "validationType": 1, "memberNames": [], "errorMessage": "No prices were found" },
            { "validationType": 2, "memberNames": ["carrierId"], "errorMessage": "<text>" },
            "..."
        ]
    }"#;
    stage.refused(ROUTES, request, refusal);
    assert!(
        matches!(routes, Err(Failure::Refused(errors)) if errors[0].error_message == "No prices were found")
    );
}
