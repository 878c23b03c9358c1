//! Shared by all runs of the model: one practice service, the proxy in front of it, and a folder.

use std::path::PathBuf;

use jiff::Timestamp;
use practice::{self, Clock, RunningService};
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::road::Road;
use crate::support::practice::{CREATE, NOW, client, order, with};
use crate::support::runtime::runtime;

/// The carriers that consignments go with.
const CARRIERS: [(i64, i64); 3] = [(11, 1101), (12, 1201), (14, 1402)];

/// What all runs share.
pub(in crate::track) struct Ground {
    pub(in crate::track) runtime: Runtime,
    pub(in crate::track) service: RunningService,
    pub(in crate::track) road: Road,
    pub(in crate::track) folder: TempDir,
    /// A consignment of each carrier.
    pub(super) templates: Vec<(i64, String)>,
}

impl Ground {
    pub(in crate::track) fn new() -> Self {
        let runtime = runtime(2);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = practice::Settings {
            clock: Clock::fixed(start()),
            speed: 1,
            ..practice::Settings::at(folder.path().join("practice"))
        };
        let service = runtime.block_on(practice::start(settings));
        let service = service.expect("the practice service starts");
        let road = Road::before(&runtime, service.base_url());
        let mut ground = Self {
            runtime,
            service,
            road,
            folder,
            templates: Vec::new(),
        };
        ground.templates = ground.make_templates();
        ground
    }

    /// One consignment a carrier, by the interface: what all others are copies of.
    fn make_templates(&self) -> Vec<(i64, String)> {
        let url = format!("{}{CREATE}", self.service.base_url());
        for (carrier, service) in CARRIERS {
            let order = with(
                order(),
                json!({"carrierId": carrier, "carrierServiceId": service}),
            );
            let request = client()
                .post(&url)
                .header("token", self.service.token())
                .header("content-type", "application/json")
                .body(order.to_string());
            let answer = self.runtime.block_on(request.send()).expect("an answer");
            let text = self.runtime.block_on(answer.text()).expect("text");
            assert!(text.contains("\"errors\":null"), "{text}");
        }
        let sql = self.sql();
        let mut rows = sql
            .prepare("SELECT carrier_id, document FROM consignment")
            .expect("a query");
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.expect("rows")
            .collect::<Result<_, _>>()
            .expect("templates")
    }

    pub(super) fn sql(&self) -> Connection {
        let file: PathBuf = self.folder.path().join("practice/practice.sqlite");
        let sql = Connection::open(file).expect("the service's database");
        sql.pragma_update(None, "synchronous", "OFF")
            .expect("a pragma");
        sql
    }
}

pub(super) fn start() -> Timestamp {
    NOW.parse().expect("a moment")
}
