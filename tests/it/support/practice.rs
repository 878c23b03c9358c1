//! A practice service for one test, called over a real socket with literal JSON.

use std::fmt::Display;

use jiff::Timestamp;
use practice::{AnswerShapes, Clock, DeliveryScenario, RunningService, Settings, start};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::definition::{Exchange, published};

/// Friday 20 November 2026, 14:05 in Sydney.
pub(crate) const NOW: &str = "2026-11-20T03:05:00Z";

/// The first consignment of a fresh service.
pub(crate) const FIRST: i64 = 200_001;

/// A seed under which this becomes of the first consignment.
pub(crate) fn seed_for(fate: DeliveryScenario) -> u64 {
    let seed = (0..10_000).find(|seed| DeliveryScenario::draw(FIRST, *seed) == fate);
    seed.expect("a seed for each fate")
}

/// A running service with its clock at [`NOW`], its folder, and a client.
pub(crate) struct Bench {
    pub(crate) service: RunningService,
    pub(crate) folder: TempDir,
    pub(crate) client: Client,
    token: String,
}

impl Bench {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::start_in(folder).await
    }

    /// On the data of an earlier one.
    pub(crate) async fn start_in(folder: TempDir) -> Self {
        Self::start_at(folder, NOW, 0, 0).await
    }

    /// With carriers that move.
    pub(crate) async fn start_at(folder: TempDir, moment: &str, speed: u32, luck: u64) -> Self {
        Self::start_with(folder, moment, speed, luck, AnswerShapes::Plain).await
    }

    /// As [`Self::start_where`], with answers in these shapes.
    pub(crate) async fn start_shaped(fate: DeliveryScenario, shapes: AnswerShapes) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::start_with(folder, NOW, 1, seed_for(fate), shapes).await
    }

    async fn start_with(
        folder: TempDir,
        moment: &str,
        speed: u32,
        luck: u64,
        shapes: AnswerShapes,
    ) -> Self {
        let settings = Settings {
            clock: Clock::fixed(moment.parse().expect("a moment")),
            speed,
            seed: luck,
            shapes,
            ..Settings::at(folder.path().to_owned())
        };
        let service = start(settings).await.expect("it starts");
        let token = service.token().to_owned();
        Self {
            service,
            folder,
            client: client(),
            token,
        }
    }

    /// With carriers in real time, and a seed under which this becomes of the first consignment.
    pub(crate) async fn start_where(fate: DeliveryScenario) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::start_at(folder, NOW, 1, seed_for(fate)).await
    }

    /// Stops the service; its folder stays.
    pub(crate) async fn stop(self) -> TempDir {
        self.service.stop().await;
        self.folder
    }

    pub(crate) fn set_clock(&self, moment: &str) {
        self.service
            .clock()
            .set(moment.parse::<Timestamp>().expect("a moment"));
    }

    pub(crate) fn use_token(&mut self, token: &str) {
        token.clone_into(&mut self.token);
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.send(self.client.post(self.url(path)).body(body.to_string()))
            .await
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send(self.client.get(self.url(path))).await
    }

    /// The consignment with this number.
    pub(crate) async fn consignment(&self, id: &impl Display) -> Value {
        let path = format!("/apiv2/consignments/getConsignment?id={id}");
        self.fetched(&path).await
    }

    /// What comes back, whatever it is: the status, a header, and the bytes.
    pub(crate) async fn raw(&self, path: &str, header: &str) -> (StatusCode, String, Vec<u8>) {
        let request = self.client.get(self.url(path));
        self.parts(request.header("token", &self.token), header)
            .await
    }

    /// The same at a whole address, without a token.
    pub(crate) async fn raw_at(&self, url: &str, header: &str) -> (StatusCode, String, Vec<u8>) {
        self.parts(self.client.get(url), header).await
    }

    async fn parts(
        &self,
        request: reqwest::RequestBuilder,
        header: &str,
    ) -> (StatusCode, String, Vec<u8>) {
        let (status, headers, answer) = self.exchange(request).await;
        let said = headers.get(header);
        let said = said.map_or("", |value| value.to_str().expect("text"));
        (status, said.to_owned(), answer)
    }

    /// JSON to a whole address, with these headers alone.
    pub(crate) async fn post_at(
        &self,
        url: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> (StatusCode, Value) {
        let mut request = self.client.post(url).body(body.to_string());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (status, _, answer) = self.exchange(request).await;
        (status, serde_json::from_slice(&answer).expect("JSON"))
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> (StatusCode, Value) {
        let (status, _, bytes) = self.exchange(request.header("token", &self.token)).await;
        (status, serde_json::from_slice(&bytes).expect("JSON"))
    }

    /// One call, held against the published definition.
    pub(crate) async fn exchange(
        &self,
        request: reqwest::RequestBuilder,
    ) -> (StatusCode, HeaderMap, Vec<u8>) {
        let request = request.build().expect("a request");
        let (method, url) = (request.method().clone(), request.url().clone());
        let sent = request
            .body()
            .and_then(reqwest::Body::as_bytes)
            .map(<[u8]>::to_vec);
        let reply = self.client.execute(request).await.expect("a reply");
        let status = reply.status();
        let headers = reply.headers().clone();
        let kind = headers
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        let answer = reply.bytes().await.expect("a body").to_vec();
        let definition = published(&self.client, &self.service.base_url()).await;
        definition.hold(&Exchange {
            method: method.as_str(),
            url: &url,
            sent: sent.as_deref(),
            status: status.as_u16(),
            content_type: kind.unwrap_or_default(),
            answer: &answer,
        });
        (status, headers, answer)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.service.base_url())
    }

    /// The object of a call that must succeed.
    pub(crate) async fn posted(&self, path: &str, body: &Value) -> Value {
        object(self.post(path, body).await)
    }

    pub(crate) async fn fetched(&self, path: &str) -> Value {
        object(self.get(path).await)
    }

    /// The error messages of a call that must be refused.
    pub(crate) async fn refused(&self, path: &str, body: &Value) -> Vec<String> {
        let (status, reply) = self.post(path, body).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        assert_eq!(reply["object"], Value::Null, "{reply}");
        messages(&reply)
    }
}

/// Fails unless the call is refused with exactly these messages.
pub(crate) async fn assert_refused(bench: &Bench, path: &str, body: &Value, expected: &[&str]) {
    assert_eq!(bench.refused(path, body).await, expected, "{body}");
}

/// Starts a service and creates the consignment; gives its id.
pub(crate) async fn created(path: &str, order: &Value) -> (Bench, Value) {
    let bench = Bench::start().await;
    let id = bench.posted(path, order).await["id"].take();
    (bench, id)
}

/// Books this consignment with its carrier, with the pickup that the service suggests.
pub(crate) async fn manifested(bench: &Bench, id: &Value) -> Value {
    let group = "/apiv2/manifests/groupConsignmentsForManifest";
    let groups = bench.posted(group, &json!([id])).await;
    let results = bench.posted("/apiv2/manifests/manifest", &groups).await;
    assert_eq!(results[0]["bookingSuccessful"], json!(true), "{results}");
    results[0].clone()
}

fn object((status, mut reply): (StatusCode, Value)) -> Value {
    assert_eq!(status, StatusCode::OK, "{reply}");
    assert_eq!(reply["errors"], Value::Null, "{reply}");
    reply["object"].take()
}

pub(crate) fn messages(reply: &Value) -> Vec<String> {
    let errors = reply["errors"].as_array().expect("errors");
    errors
        .iter()
        .map(|error| {
            error["errorMessage"]
                .as_str()
                .expect("a message")
                .to_owned()
        })
        .collect()
}

/// Follows no redirect, and goes through no proxy.
pub(crate) fn client() -> Client {
    // A second installation is refused, and the first is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().no_proxy();
    let builder = builder.redirect(reqwest::redirect::Policy::none());
    builder.build().expect("a client")
}

/// The interface's own ways to a consignment that is edited.
pub(crate) const FOR_EDIT: &str = "/apiv2/consignments/getUnmanifestedConsignmentForEdit";
pub(crate) const EDIT: &str = "/apiv2/consignments/editUnmanifestedConsignment";

/// The names of the statuses that a fetched consignment went through.
pub(crate) fn status_names(consignment: &Value) -> Vec<&Value> {
    let history = consignment["statusHistory"].as_array().expect("a history");
    history
        .iter()
        .map(|step| &step["consignmentTrackingStatus"]["name"])
        .collect()
}

pub(crate) const CREATE: &str = "/apiv2/consignments/createConsignment";
pub(crate) const CREATE_COMPLEX: &str = "/apiv2/consignments/createConsignmentwithComplexItems";

/// Two cartons by Southern Cross Road, from the Sydney depot to a full address in Ballarat.
pub(crate) fn order() -> Value {
    json!({
        "fromAbbreviation": "HSYD",
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road", "toAddressLine2": "",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "carrierId": 11, "carrierServiceId": 1101,
        "customerReference": "SO-48213", "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 2,
            "weight": 9.0, "length": 40, "width": 40, "height": 30
        }]
    })
}

/// The same as [`order`], for the complex operation, with one carton of methylated spirits.
pub(crate) fn dangerous_order() -> Value {
    with(
        order(),
        json!({
            "dgsDeclaration": true,
            "items": [{
                "itemType": "Carton", "name": "Methylated spirits, 12 x 1 L", "quantity": 1,
                "standardItem": { "weight": 11.5, "length": 36, "width": 28, "height": 32 },
                "consignmentItemDgItems": [{
                    "unNumber": 1170, "packingGroup": 2, "containerType": 6, "aggregateQuantity": 12,
                    "isAggregateQuantityWeight": false, "numberOfContainers": 12, "isMarinePollutant": false,
                    "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": 5,
                    "hazchem": "2YE", "flashpoint": 13.0
                }]
            }]
        }),
    )
}

/// Two cartons of seals to Singapore, with their customs contents, for the complex operation.
pub(crate) fn international_order() -> Value {
    let mut order = with(
        order(),
        json!({
            "isInternational": true, "toLocation": null, "carrierId": 14, "carrierServiceId": 1403,
            "toPhone": "+65 5550 0199", "internationalToCity": "Singapore", "internationalToPostcode": "018956",
            "internationalToProvince": "Central", "toCountryCode": "SGP",
            "customValues": [{ "propertyName": "AreDutiesPaidByRecipient", "value": true }],
        }),
    );
    order["items"] = json!([{
        "itemType": "Carton", "name": "Seals", "quantity": 2, "palletSpaces": 0.5,
        "standardItem": { "weight": 2.5, "length": 30, "width": 20, "height": 15 },
        "consignmentItemContents": [{
            "description": "Rubber seals", "reference1": "SO-48213", "quantity": 40, "purpose": "sale",
            "countryOfManufactureCode": "AUS", "dollarValue": 180.5
        }]
    }]);
    order
}

/// A consignment with something in every field that can hold something.
pub(crate) fn full_order() -> Value {
    with(
        dangerous_order(),
        json!({
            "toAddressLine2": "Shed 4", "customerReference2": "PO 77", "specialInstructions": "Ring bell at gate 2",
            "questionIds": ["13"], "printerToken": "bench-3", "sendingTrackingEmail": true,
            "customValues": [{ "propertyName": "palletSpaces", "value": "2" }], "receiverAccountCode": "BFG-1",
            "staffMemberName": "Kiri", "carrierConsignmentId": "HARB-0001",
            "dispatchDateTimeUtc": "2026-11-23T02:00:00.000Z"
        }),
    )
}

/// Creates and books the order; gives its id.
pub(crate) async fn booked(bench: &Bench, order: &Value) -> i64 {
    let id = bench.posted(CREATE, order).await["id"].clone();
    manifested(bench, &id).await;
    id.as_i64().expect("an id")
}

/// [`order`] with these fields in place of its own; null takes a field away.
pub(crate) fn order_with(fields: Value) -> Value {
    with(order(), fields)
}

/// The order with these fields in place of its own; null takes a field away.
pub(crate) fn with(mut order: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("fields are an object")
    };
    for (name, value) in fields {
        if value.is_null() {
            order.as_object_mut().expect("an object").remove(&name);
        } else {
            order[name] = value;
        }
    }
    order
}

/// The dangerous order with these fields of its one dangerous good changed.
pub(crate) fn dangerous_with(fields: Value) -> Value {
    let mut order = dangerous_order();
    let good = order["items"][0]["consignmentItemDgItems"][0].take();
    order["items"][0]["consignmentItemDgItems"][0] = with(good, fields);
    order
}
