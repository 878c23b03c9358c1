//! Routes: prices by the stated rate, despatch options after the requested time, and the reasons for which
//! carriers decline.

use serde_json::{Value, json};

use crate::support::practice::{Bench, assert_refused, dangerous_order, order_with, with};

const ROUTES: &str = "/apiv2/routes/returnRoutes";
const COMPLEX: &str = "/apiv2/routes/returnrouteswithcomplexitems";

fn lane() -> Value {
    order_with(json!({ "carrierId": null, "carrierServiceId": null, "dgsDeclaration": null }))
}

fn named(route: &Value) -> String {
    let name = |what: &str| route[what]["name"].as_str().unwrap_or_default().to_owned();
    format!("{} {}", name("carrier"), name("carrierService"))
}

#[tokio::test]
async fn the_price_is_the_stated_rate() {
    let bench = Bench::start().await;
    let answer = bench.posted(ROUTES, &lane()).await;
    let route = answer["routes"].as_array().and_then(|all| {
        all.iter()
            .find(|route| named(route) == "Southern Cross Road")
    });
    let route = route.expect("Southern Cross Road carries it");
    // Dead weight 18 kg, cubic 0.096 m3 x 250 = 24 kg: 24 are charged. Far, into a zone of 1.15:
    // (8.40 + 0.150 x 24) x 1.45 x 1.15 = 20.01; levy 18.5 % = 3.70; tax 10 % of 23.71 = 2.37.
    assert_eq!(
        route["consignmentTotal"],
        json!({
            "sellPricesCleared": false, "totalSellPrice": 26.08, "totalCostPrice": 22.95,
            "totalBaseSellPrice": 20.01, "totalBaseCostPrice": 17.61, "totalTaxSellPrice": 2.37, "totalTaxCostPrice": 2.09,
            "sellFuelLevyPrice": 3.7, "consignmentRouteSellPrice": 23.71, "totalSellBeforeTax": 23.71
        })
    );
    assert_eq!(route["carrier"]["id"], json!(11));
    assert_eq!(route["carrierService"]["id"], json!(1101));
    assert_eq!(route["carrierAccount"]["id"], json!(3101));
    assert_eq!(route["companyCarrierAccountId"], json!(5101));
    assert_eq!(route["fuelLevyPercentage"], json!(18.5));
    assert_eq!(route["taxPercentage"], json!(10));
    assert_eq!(route["totalWeight"], json!(18));
    assert_eq!(route["totalCubic"], json!(0.096));
}

#[tokio::test]
async fn the_cheapest_comes_first_and_is_not_the_fastest() {
    let bench = Bench::start().await;
    for path in [ROUTES, "/apiv2/routes/returnroutes"] {
        let answer = bench.posted(path, &lane()).await;
        let routes = answer["routes"].as_array().expect("routes");
        let price = |route: &Value| {
            route["consignmentTotal"]["totalSellPrice"]
                .as_f64()
                .expect("a price")
        };
        assert!(
            routes
                .windows(2)
                .all(|pair| price(&pair[0]) <= price(&pair[1]))
        );
        let eta = |route: &&Value| {
            route["despatchOptions"][0]["etaUtc"]
                .as_str()
                .expect("an eta")
                .to_owned()
        };
        let fastest = routes.iter().min_by_key(eta).expect("a route");
        assert_ne!(named(fastest), named(&routes[0]));
        assert!(routes.len() >= 8, "{}", routes.len());
    }
}

#[tokio::test]
async fn despatch_options_follow_the_time_asked_for_and_count_business_days() {
    let bench = Bench::start().await;
    let asked = with(
        lane(),
        json!({ "despatchDateTimeLocal": "2026-11-20T15:30:00.000Z", "carrierIds": [11], "carrierServiceId": 1101 }),
    );
    let answer = bench.posted(ROUTES, &asked).await;
    let options = &answer["routes"][0]["despatchOptions"];
    assert_eq!(
        options[0],
        json!({
            "despatchDateLocal": "2026-11-20T15:30:00", "despatchDateUtc": "2026-11-20T04:30:00",
            "etaLocal": "2026-11-24T17:00:00", "etaUtc": "2026-11-24T06:00:00",
            "durationInMinutes": 5850, "isTimeWindow": false, "totalDays": 4, "totalHours": 97, "totalBusinessDays": 2,
            "etaAffectedByPublicHolidays": false, "despatchDateAffectedByPublicHolidays": false, "businessDaysOnly": true,
            "customEtaString": null, "carrierAcceptsDespatchTimes": true
        })
    );
    assert_eq!(
        options[1]["despatchDateLocal"],
        json!("2026-11-23T07:00:00")
    );
    assert_eq!(answer["routes"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn outside_the_carriers_hours_the_next_business_day_is_offered() {
    let bench = Bench::start().await;
    let late = with(
        lane(),
        json!({ "despatchDateTimeUtc": "2026-11-20T08:00:00.000Z", "carrierIds": [11] }),
    );
    let answer = bench.posted(ROUTES, &late).await;
    assert_eq!(
        answer["routes"][0]["despatchOptions"][0]["despatchDateLocal"],
        json!("2026-11-23T07:00:00")
    );
}

#[tokio::test]
async fn carriers_that_cannot_take_it_say_why() {
    let bench = Bench::start().await;
    let answer = bench
        .posted(
            COMPLEX,
            &with(
                dangerous_order(),
                json!({ "carrierId": null, "carrierServiceId": null }),
            ),
        )
        .await;
    let results = answer["results"].as_array().expect("results");
    let kookaburra = results
        .iter()
        .find(|result| result["carrier"]["name"] == json!("Kookaburra Air"))
        .expect("a result");
    assert_eq!(
        kookaburra["errorMessage"],
        json!("takes no dangerous goods")
    );
    assert_eq!(kookaburra["carrierService"], Value::Null);
    let routes = answer["routes"].as_array().expect("routes");
    assert!(
        routes
            .iter()
            .all(|route| route["carrier"]["name"] != json!("Kookaburra Air"))
    );
    assert_eq!(
        routes[0]["automaticSurcharges"][0]["name"],
        json!("dangerous goods")
    );
}

#[tokio::test]
async fn without_any_price_the_reasons_stand_beside_the_error() {
    let bench = Bench::start().await;
    let crane = with(
        lane(),
        json!({ "questionIds": ["8"], "carrierIds": [11, 14] }),
    );
    let messages = bench.refused(ROUTES, &crane).await;
    assert_eq!(
        messages,
        [
            "No prices were found",
            "Southern Cross: offers no crane truck",
            "Kookaburra Air: offers no crane truck",
        ]
    );
}

#[tokio::test]
async fn options_asked_for_are_elective_surcharges() {
    let bench = Bench::start().await;
    let asked = with(
        lane(),
        json!({ "questionIds": [7, "13"], "carrierIds": [11], "carrierServiceId": 1101 }),
    );
    let route = bench.posted(ROUTES, &asked).await["routes"][0].clone();
    assert_eq!(
        route["electiveSurcharges"],
        json!([
            { "questionId": 7, "name": "hydraulic tailgate", "sellPrice": 38 },
            { "questionId": 13, "name": "residential delivery", "sellPrice": 6.5 }
        ])
    );
    // (20.01 + 3.70 + 38.00 + 6.50) x 1.1 = 75.03
    assert_eq!(route["consignmentTotal"]["totalSellPrice"], json!(75.03));
    let order = with(lane(), json!({ "questionIds": [99] }));
    assert_refused(&bench, ROUTES, &order, &["Question 99 is not known"]).await;
}

#[tokio::test]
async fn each_rate_card_has_its_own_price() {
    let bench = Bench::start().await;
    let asked = with(
        lane(),
        json!({ "carrierIds": [13], "carrierServiceId": 1301 }),
    );
    let answer = bench.posted(ROUTES, &asked).await;
    let accounts: Vec<&Value> = answer["routes"]
        .as_array()
        .expect("routes")
        .iter()
        .map(|route| &route["carrierAccount"]["id"])
        .collect();
    assert_eq!(
        accounts,
        [&json!(3104), &json!(3103)],
        "the contract is the cheaper one"
    );
    let one = bench
        .posted(
            ROUTES,
            &with(asked, json!({ "companyCarrierAccountId": 5103 })),
        )
        .await;
    assert_eq!(one["routes"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn new_zealand_has_its_own_carriers_and_tax() {
    let bench = Bench::start().await;
    let asked = json!({
        "companyId": 2, "fromAbbreviation": "HAKL", "toAbbreviation": "AROHA",
        "items": [{ "sku": "CS-1", "quantity": 3 }]
    });
    let answer = bench.posted(ROUTES, &asked).await;
    assert_eq!(answer["routes"][0]["carrier"]["name"], json!("Moa Express"));
    assert_eq!(answer["routes"][0]["taxPercentage"], json!(15));
    assert_eq!(answer["routes"][0]["totalWeight"], json!(13.2));
}

#[tokio::test]
async fn a_price_needs_both_locations_and_goods_but_no_names() {
    let bench = Bench::start().await;
    let bare = json!({
        "fromLocation": { "suburb": "sydney", "postcode": 2000 }, "toLocation": { "suburb": "Perth", "postcode": "6000" },
        "items": [{ "itemType": 1, "quantity": "1", "weight": "4.5", "length": 30, "width": 20, "height": 10 }]
    });
    assert_eq!(
        bench.posted(ROUTES, &bare).await["routes"][0]["totalWeight"],
        json!(4.5)
    );
    let wrong = with(
        bare,
        json!({ "toLocation": { "suburb": "Perth", "postcode": "6001" }, "items": [] }),
    );
    let expected = [
        "To location suburb and postcode combination is invalid",
        "Items are required",
    ];
    assert_refused(&bench, ROUTES, &wrong, &expected).await;
}
