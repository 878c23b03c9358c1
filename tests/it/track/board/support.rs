//! A depot whose carriers follow the test: consignments are created, booked and moved on without the bench.

use std::time::Duration;

use app::Service;
use app::state::TrackCommand;
use jiff::SignedDuration;
use practice::RunningService;
use serde_json::{Value, json};
use shipping::ConsignmentId;
use storage::TrackStore;

use crate::support::desk::{Desk, Home};
use crate::support::practice::{CREATE, client, order};
use crate::support::wait::{SOON, until};

pub(super) struct Depot {
    pub(super) home: Home,
    practice: RunningService,
}

impl Depot {
    pub(super) fn open() -> Self {
        let home = Home::new();
        let practice = home.practise();
        Self { home, practice }
    }

    fn service(&self) -> Service {
        Home::service(self.practice.base_url(), self.practice.supervisor_token())
    }

    /// A bench of a supervisor here, before it has asked for anything.
    pub(super) fn desk(&self) -> Desk {
        self.home.open(&self.service())
    }

    /// What the service answers whoever may everything.
    pub(super) fn ask(&self, path: &str, body: &Value) -> Value {
        let request = client()
            .post(format!("{}{path}", self.practice.base_url()))
            .header("token", self.practice.supervisor_token())
            .header("content-type", "application/json")
            .timeout(Duration::from_secs(20))
            .body(body.to_string());
        let answer = self.home.runtime.block_on(async {
            let reply = request.send().await.expect("a reply");
            reply.bytes().await.expect("a body")
        });
        let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        answer["object"].take()
    }

    /// So many consignments, unmanifested.
    pub(super) fn make(&self, count: usize) -> Vec<ConsignmentId> {
        let make = |at: usize| {
            let mut order = order();
            order["customerReference"] = json!(format!("SO-{}", 48_000 + at));
            let made = self.ask(CREATE, &order);
            ConsignmentId::new(made["id"].as_i64().expect("an id"))
        };
        (0..count).map(make).collect()
    }

    /// So many, booked with their carrier.
    pub(super) fn book(&self, count: usize) -> Vec<ConsignmentId> {
        let made = self.make(count);
        let ids: Vec<i64> = made.iter().map(|id| id.get()).collect();
        let group = "/apiv2/manifests/groupConsignmentsForManifest";
        let groups = self.ask(group, &json!(ids));
        let results = self.ask("/apiv2/manifests/manifest", &groups);
        assert_eq!(results[0]["bookingSuccessful"], json!(true), "{results}");
        made
    }

    /// Its carrier says so.
    pub(super) fn becomes(&self, id: ConsignmentId, status: i64) {
        let update = json!([{ "consignmentId": id.get(), "status": status }]);
        self.ask("/apiv2/consignments/updateConsignmentStatuses", &update);
    }

    /// Time passes, at the service and at the bench.
    pub(super) fn pass(&self, hours: i64) {
        let time = SignedDuration::from_hours(hours);
        self.practice.clock().advance(time);
        self.home.clock.advance(time);
    }

    /// The one number that `sql` asks the store of what is followed for; nothing while there is none.
    pub(super) fn stored(&self, sql: &str) -> Option<i64> {
        let journal = self.home.places.journal(&self.service().name);
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let db = rusqlite::Connection::open_with_flags(TrackStore::beside(&journal), flags).ok()?;
        db.query_row(sql, [], |row| row.get(0)).ok()
    }

    /// Until the store holds that.
    #[track_caller]
    pub(super) fn until_stored(&self, desk: &mut Desk, sql: &str, wanted: i64) {
        until(sql, SOON, || {
            desk.turn();
            (self.stored(sql) == Some(wanted)).then_some(())
        });
    }
}

/// Syncs the bench, and waits until it has everything.
pub(super) fn look(desk: &mut Desk) {
    desk.until("the companies", |core| core.shared.session.company);
    let before = desk.core.shared.track.mark;
    desk.ask(TrackCommand::Sync { whole: true });
    desk.turn();
    desk.until("the service was looked at", |core| {
        let track = &core.shared.track;
        let changed = before.is_none() || track.mark != before || !track.sync.is_loading();
        (track.mark.is_some() && changed && !track.sync.is_loading()).then_some(())
    });
}
