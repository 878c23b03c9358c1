//! The data of a service that literals refer to by name: a company, a place to send from, a carrier that goes
//! to Ballarat.
//!
//! For the practice service these are known. Another service is asked through its own listings, and missing
//! data is reported.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use practice::Clock;

use super::literal::{Known, filled};
use super::wiretap::client;
use super::{Held, Json, Skipped};

/// A service that is not the practice service.
#[derive(Clone)]
pub(crate) struct Elsewhere {
    pub(crate) base_url: String,
    pub(crate) token: String,
    /// Whether anything may be made or changed there.
    pub(crate) write: bool,
}

/// The names, and why some have no value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) known: Known,
    missing: BTreeMap<&'static str, String>,
}

/// Two cartons to a full address in Ballarat, by a named service.
pub(crate) const ORDER: &str = r#"{
    $BY_ROAD, "dgsDeclaration": false,
    $HOSE_REELS
}"#;

/// Who would carry that.
const ROUTES: &str = r#"{
    "fromAbbreviation": "<text:sender>",
    "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
    $HOSE_REELS
}"#;

/// The members that many literals share, each group with the word that a literal names it by.
const FRAGMENTS: [(&str, &str); 6] = [
    (
        "$BY_ROAD",
        r#""fromAbbreviation": "<text:sender>", $RECEIVER, "carrierId": "<id:carrier>",
        "carrierServiceId": "<id:service>", "customerReference": "SO-48213""#,
    ),
    (
        "$CREATED",
        r#"{
            "consignmentId": "<id:made>", "createdByName": "<text>", "createdByUserId": "<integer>",
            "statusIsPartial": false,
            "consignmentTrackingStatus": {
                "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet"
            },
            "statusDateLocal": "2026-11-20T14:05:00", "statusDateUtc|null": "2026-11-20T03:05:00",
            "carrierStatus|null": null, "carrierStatusDescription|null": null, "statusInformation|null": null,
            "itemReference?": null
        }"#,
    ),
    (
        "$RECEIVER",
        r#""toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" }"#,
    ),
    (
        "$HOSE_REELS",
        r#""items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2,
            "weight": 9, "length": 40, "width": 40, "height": 30
        }]"#,
    ),
    (
        "$SPIRITS",
        r#""items": [{
            "itemType": "Carton", "name": "Methylated spirits, 12 x 1 L", "quantity": 1,
            "standardItem": { "weight": 11.5, "length": 36, "width": 28, "height": 32 },
            "consignmentItemDgItems": [{
                "unNumber": 1170, "packingGroup": 2, "containerType": 6, "aggregateQuantity": 12,
                "isAggregateQuantityWeight": false, "numberOfContainers": 12, "isMarinePollutant": false,
                "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": 5,
                "hazchem": "2YE", "flashpoint": 13.5
            }]
        }]"#,
    ),
    (
        "$ABROAD",
        r#""isInternational": true,
        "internationalToCity": "Portland", "internationalToPostcode": "97201", "internationalToProvince": "OR",
        "toCountryCode": "USA",
        "toName": "Rose City Tools", "toContact": "D. Lee", "toPhone": "+1 503 555 0100",
        "toEmail": "orders@rosecity.example", "toAddressLine1": "100 SW Main Street""#,
    ),
];

/// Writes out the shared members that a literal names.
pub(crate) fn expanded(literal: &str) -> String {
    let mut written = literal.to_owned();
    for (name, members) in FRAGMENTS {
        written = written.replace(name, members);
    }
    written
}

impl Surroundings {
    /// The practice service's.
    pub(crate) fn of_practice() -> Self {
        let known = r#"{
            "company": 1, "company text": "1", "sender": "HSYD", "sender id": 7001,
            "carrier": 11, "service": 1101, "since": "2026-11-20T00:00:00.000Z"
        }"#;
        let Ok(Json::Object(members)) = Json::read(known) else {
            panic!("an object, just above");
        };
        Self {
            known: members.into_iter().collect(),
            missing: BTreeMap::new(),
        }
    }

    /// Those of a service that nobody here knows.
    pub(crate) async fn of(elsewhere: &Elsewhere) -> Self {
        let mut found = Self::default();
        let since = Clock::system().now() - (9 * 24).hours();
        let since = since.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string();
        found.know("since", Json::Text(since));
        let companies = ask(elsewhere, "GET", "/apiv2/companies/getAll", "").await;
        let company = first(companies.as_ref(), |_| true).and_then(|company| company.get("id"));
        found.keep("company", company, "lists no company");
        let text = company.map(|id| Json::Text(id.as_whole().unwrap_or_default().to_string()));
        found.keep("company text", text.as_ref(), "lists no company");
        let places = ask(elsewhere, "GET", "/apiv2/companyLocations", "").await;
        let place = first(places.as_ref(), |place| {
            let short = place.get("abbreviation").and_then(Json::as_text);
            let kind = place.get("locationType").and_then(Json::as_whole);
            short.is_some_and(|short| !short.is_empty()) && kind != Some(2)
        });
        let words = "lists no saved location with an abbreviation to send from";
        found.keep(
            "sender",
            place.and_then(|place| place.get("abbreviation")),
            words,
        );
        found.keep("sender id", place.and_then(|place| place.get("id")), words);
        let mut routes = None;
        if found.needs(&["sender"]).is_ok() {
            let question = filled(&Json::read(&expanded(ROUTES)).expect("JSON"), &found.known);
            routes = ask(
                elsewhere,
                "POST",
                "/apiv2/routes/returnRoutes",
                &question.to_string(),
            )
            .await;
        }
        let routes = routes
            .as_ref()
            .and_then(|answer| answer.get("routes"))
            .cloned();
        let route = first(routes.as_ref(), |_| true);
        let of = |name: &str| route.and_then(|route| route.get(name)?.get("id"));
        let words = "has no route from its saved location to Ballarat";
        found.keep("carrier", of("carrier"), words);
        found.keep("service", of("carrierService"), words);
        found
    }

    /// Nothing where all of these are known; else why one is not.
    pub(crate) fn needs(&self, names: &[&str]) -> Held {
        let missing = names.iter().find_map(|name| self.missing.get(name));
        missing.map_or(Ok(()), |words| Err(Skipped(format!("the service {words}"))))
    }

    fn keep(&mut self, name: &'static str, value: Option<&Json>, otherwise: &str) {
        match value {
            Some(value) => self.know(name, value.clone()),
            None => {
                self.missing.insert(name, otherwise.to_owned());
            }
        }
    }

    fn know(&mut self, name: &str, value: Json) {
        self.known.insert(name.to_owned(), value);
    }
}

fn first(list: Option<&Json>, fits: impl Fn(&Json) -> bool) -> Option<&Json> {
    let elements = list.map(Json::elements).unwrap_or_default();
    elements.iter().find(|element| fits(element))
}

/// The object of an answer; nothing where there is none that can be read.
pub(crate) async fn ask(at: &Elsewhere, method: &str, address: &str, body: &str) -> Option<Json> {
    let method = method.parse().expect("a method");
    let url = format!("{}{address}", at.base_url.trim_end_matches('/'));
    let mut request = client(&at.base_url)
        .request(method, url)
        .header("token", &at.token);
    if !body.is_empty() {
        let kind = "application/json";
        request = request.header("content-type", kind).body(body.to_owned());
    }
    let text = request.send().await.ok()?.text().await.ok()?;
    Json::read(&text).ok()?.get("object").cloned()
}
