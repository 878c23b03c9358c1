//! Records recent-updates pages from a practice service whose consignments have travelled, one page per line,
//! unchanged.

use std::io;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use practice::{Clock, RunningService, Settings, start};
use serde_json::{Value, json};

/// Friday 20 November 2026, 14:05 in Sydney.
const NOW: &str = "2026-11-20T03:05:00Z";

const CREATE: &str = "/apiv2/consignments/createConsignment";
const GROUP: &str = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
const MANIFEST: &str = "/apiv2/manifests/manifest";
const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";

/// Records `pages` pages of `size` consignments; answers how many bytes they are.
pub(crate) fn record(path: &Path, pages: usize, size: usize) -> io::Result<usize> {
    let runtime = tokio::runtime::Runtime::new()?;
    let bytes = runtime.block_on(recorded(pages, size))?;
    std::fs::write(path, &bytes)?;
    Ok(bytes.len())
}

async fn recorded(pages: usize, size: usize) -> io::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let now: Timestamp = NOW.parse().map_err(io::Error::other)?;
    let clock = Clock::fixed(now);
    let settings = Settings {
        clock: clock.clone(),
        speed: 1,
        ..Settings::at(folder.path().to_owned())
    };
    let service = start(settings).await.map_err(io::Error::other)?;
    let wire = Wire::to(&service)?;
    for number in 0..pages * size {
        wire.post(CREATE, &order(number)).await?;
    }
    let mut groups = wire.post(GROUP, &json!("1")).await?["object"].take();
    for group in groups.as_array_mut().into_iter().flatten() {
        group["pickupAlreadyBooked"] = json!(true);
        wire.post(MANIFEST, &json!([group.take()])).await?;
    }
    // Most have arrived by then, some are late.
    clock.set(now + SignedDuration::from_hours(24 * 5));
    let mut recorded = Vec::new();
    for page in 0..pages {
        let start = page * size + 1;
        let query = format!("{RECENT}?fromDateUtc={NOW}&startIndex={start}&retrieveSize={size}");
        recorded.extend(wire.get(&query).await?);
        recorded.push(b'\n');
    }
    service.stop().await;
    Ok(recorded)
}

struct Wire {
    client: reqwest::Client,
    base_url: String,
    token: String,
}

impl Wire {
    fn to(service: &RunningService) -> io::Result<Self> {
        // A second installation is refused, and the first is as good.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build();
        Ok(Self {
            client: client.map_err(io::Error::other)?,
            base_url: service.base_url(),
            token: service.token().to_owned(),
        })
    }

    async fn post(&self, path: &str, body: &Value) -> io::Result<Value> {
        let request = self.client.post(format!("{}{path}", self.base_url));
        let answer: Value = self.send(request.body(body.to_string())).await?;
        if answer["errors"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
        {
            return Err(io::Error::other(format!("{path} was refused: {answer}")));
        }
        Ok(answer)
    }

    async fn get(&self, path: &str) -> io::Result<Vec<u8>> {
        let request = self.client.get(format!("{}{path}", self.base_url));
        let answer = request.header("token", &self.token).send().await;
        let body = answer.map_err(io::Error::other)?.bytes().await;
        Ok(body.map_err(io::Error::other)?.to_vec())
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> io::Result<Value> {
        let request = request
            .header("content-type", "application/json")
            .header("token", &self.token);
        let body = request
            .send()
            .await
            .map_err(io::Error::other)?
            .bytes()
            .await;
        serde_json::from_slice(&body.map_err(io::Error::other)?).map_err(io::Error::other)
    }
}

fn order(number: usize) -> Value {
    let carriers = [(11, 1101), (12, 1201), (14, 1402)];
    let (carrier, service) = carriers[number % carriers.len()];
    json!({
        "fromAbbreviation": "HSYD",
        "toName": format!("Receiver {number}"), "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road", "toAddressLine2": "Gate 3",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "carrierId": carrier, "carrierServiceId": service,
        "customerReference": format!("SO-{number:05}"), "customerReference2": format!("Bench4-{number:08}"),
        "specialInstructions": "Leave with the yard, not the shop", "questionIds": ["13"], "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 1 + number % 4,
            "weight": 9.25, "length": 40, "width": 40.5, "height": 30
        }]
    })
}
