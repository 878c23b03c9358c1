//! A service that only lists: any number of consignments, with its own clock, changed by the test at any
//! time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use app::Service;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use client::Client;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shipping::ConsignmentId;
use tokio::runtime::Runtime;

use crate::support::desk::Home;
use crate::support::lanes::{QUICK, client};
use crate::support::runtime::serve;

/// A consignment there.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) status: i64,
    pub(super) to: String,
    pub(super) changed: Timestamp,
}

type Hook = Box<dyn FnMut(&mut Inside, usize) + Send>;

/// What it holds.
pub(super) struct Inside {
    pub(super) rows: BTreeMap<i64, Held>,
    pub(super) now: Timestamp,
    /// It knows `getUnmanifested`.
    pub(super) has_list: bool,
    /// It answers with this status where it is asked to group all.
    pub(super) no_groups: Option<StatusCode>,
    asked: Vec<String>,
    /// Called with each page of a list that is asked for, with its start.
    on_page: Option<Hook>,
}

/// The service, while it is not dropped.
pub(super) struct Depot {
    address: String,
    inside: Arc<Mutex<Inside>>,
    _runtime: Runtime,
}

impl Depot {
    /// With so many waiting, one made a minute, the last an hour ago.
    pub(super) fn holding(count: i64, now: Timestamp) -> Self {
        let rows = (1..=count).map(|id| {
            let since = now - SignedDuration::from_mins(60 + count - id);
            (id, waiting(id, since))
        });
        let inside = Arc::new(Mutex::new(Inside {
            rows: rows.collect(),
            now,
            has_list: false,
            no_groups: None,
            asked: Vec::new(),
            on_page: None,
        }));
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&inside));
        let (address, runtime) = serve(router);
        Self {
            address,
            inside,
            _runtime: runtime,
        }
    }

    pub(super) fn service(&self) -> Service {
        Home::service(self.address.clone(), "any")
    }

    pub(super) fn client(&self) -> Client {
        client(&self.address, "any", QUICK)
    }

    pub(super) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("nobody panicked")
    }

    /// Changes something now.
    pub(super) fn change(&self, id: i64, change: impl FnOnce(&mut Held)) {
        let mut inside = self.inside();
        let now = inside.now;
        let row = inside.rows.entry(id).or_insert_with(|| waiting(id, now));
        row.changed = now;
        change(row);
    }

    pub(super) fn on_page(&self, hook: impl FnMut(&mut Inside, usize) + Send + 'static) {
        self.inside().on_page = Some(Box::new(hook));
    }

    /// How many requests came whose path holds this; forgets all.
    pub(super) fn count(&self, path: &str) -> usize {
        let asked = std::mem::take(&mut self.inside().asked);
        asked.iter().filter(|one| one.contains(path)).count()
    }

    /// The ids that wait there, newest first.
    pub(super) fn waiting(&self) -> Vec<ConsignmentId> {
        let inside = self.inside();
        let waiting = inside.rows.iter().rev().filter(|(_, row)| row.status == 2);
        waiting.map(|(id, _)| ConsignmentId::new(*id)).collect()
    }
}

pub(super) fn waiting(id: i64, since: Timestamp) -> Held {
    Held {
        status: 2,
        to: format!("Receiver {id}"),
        changed: since,
    }
}

async fn answer(State(inside): State<Arc<Mutex<Inside>>>, uri: Uri, body: Bytes) -> Response {
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let mut inside = inside.lock().expect("nobody panicked");
    inside.asked.push(format!("{path}?{query}"));
    let object = match path.rsplit('/').next().unwrap_or_default() {
        "ping" => json!(true),
        "getAll" => json!([{"id": 1, "name": "Harbour Supplies"}]),
        "companyLocations" => json!([]),
        "returnConsignments" => {
            let asked: Value = serde_json::from_slice(&body).expect("JSON");
            let ids = asked["ids"].as_array().expect("ids");
            let found = ids.iter().filter_map(|id| {
                let id = id.as_i64()?;
                Some(record(id, inside.rows.get(&id)?))
            });
            found.collect()
        }
        "groupAllUnmanifestedConsignmentsForManifest" => {
            if let Some(status) = inside.no_groups {
                return status.into_response();
            }
            let ids = inside.rows.iter().filter(|(_, row)| row.status == 2);
            let ids: Vec<_> = ids.map(|(id, _)| *id).collect();
            json!([{"consignmentIds": ids, "companyId": 1, "carrierName": "Northline"}])
        }
        "getRecentlyCreatedOrUpdatedConsignments" => return recent(&mut inside, query),
        "getUnmanifested" if inside.has_list => {
            return page(&mut inside, query, |row| row.status == 2);
        }
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    json_of(&json!({"object": object, "errors": null}))
}

fn recent(inside: &mut Inside, query: &str) -> Response {
    let from = value(query, "fromDateUtc").expect("a period");
    let from: Timestamp = from.replace("%3A", ":").parse().expect("a moment");
    if inside.now.duration_since(from) > SignedDuration::from_hours(240) {
        let words = "You cannot go back further than 10 days for this query";
        let error = json!({"validationType": 1, "memberNames": [], "errorMessage": words});
        return json_of(&json!({"object": null, "errors": [error]}));
    }
    page(inside, query, |row| row.changed >= from)
}

fn page(inside: &mut Inside, query: &str, listed: impl Fn(&Held) -> bool) -> Response {
    let number = |name| value(query, name).and_then(|text| text.parse::<usize>().ok());
    let start = number("startIndex").expect("a start");
    if let Some(mut hook) = inside.on_page.take() {
        hook(inside, start);
        inside.on_page = Some(hook);
    }
    let all: Vec<_> = inside.rows.iter().filter(|(_, row)| listed(row)).collect();
    let size = number("retrieveSize").expect("a size");
    let rows = all.iter().skip(start - 1).take(size);
    let rows: Vec<_> = rows.map(|(id, row)| record(**id, row)).collect();
    json_of(&json!({"object": rows, "errors": null, "totalItems": all.len()}))
}

fn value<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn record(id: i64, row: &Held) -> Value {
    json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "companyId": 1,
        "customerReference": format!("SO-{id}"), "trackingPageAccessToken": format!("token-{id}"),
        "consignmentTrackingStatus": {"id": row.status, "name": "As it is"},
        "consignmentTrackingHistories": [{"consignmentTrackingStatus": {"id": row.status, "name": "As it is"},
            "statusDateUtc": row.changed.strftime("%Y-%m-%dT%H:%M:%S").to_string()}],
        "toName": row.to, "totalItemCount": 2, "totalWeight": 18.5,
        "toLocation": {"suburb": "Ballarat Central", "postcode": "3350", "state": "VIC",
            "timeZone": "Australia/Melbourne", "country": "AU"},
        "carrier": {"id": 3, "name": "Northline", "displayName": "Northline"},
        "despatchDateLocal": "2026-11-20T15:30:00", "consignmentTotal": {"totalSellPrice": 38.4},
    })
}

fn json_of(value: &Value) -> Response {
    let text = value.to_string();
    ([("content-type", "application/json")], text).into_response()
}
