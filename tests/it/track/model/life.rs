//! The bench's side of a run: it syncs, is closed, killed and reopened, and is compared with the service.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::Client;
use engine::{DrillDown, Remote, SyncRequest, SyncResult, Thresholds, TrackScope};
use jiff::{SignedDuration, Timestamp};
use shipping::{CarrierId, CompanyId, ConsignmentId};
use storage::{ConsignmentHistory, SyncMark, SyncScope, TrackStore};
use tokio::runtime::Runtime;

use super::ground::Ground;
use super::road::Trick;
use super::world::World;
use crate::support::lanes::{Lanes, Place, QUICK, client};
use crate::support::runtime::runtime;

/// A look that takes longer stands still.
const LIMIT: Duration = Duration::from_mins(1);

/// What is done to the bench on purpose, for the model to notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::track) enum Broken {
    /// A difference begins where the last look ended.
    NoOverlap,
    /// A look counts as having seen what happened while it ran.
    MarkTooEarly,
}

/// A bench in one run.
pub(in crate::track) struct Life<'a> {
    ground: &'a Ground,
    name: String,
    pub(in crate::track) scope: SyncScope,
    pub(in crate::track) world: Arc<Mutex<World>>,
    /// The bench's own, so that a killed bench does nothing more.
    runtime: Runtime,
    lanes: Option<Lanes>,
    broken: Option<Broken>,
    /// When the last look began that succeeded, by the service's clock; nothing before the first.
    looked: Option<Timestamp>,
    /// What the service's lists never told.
    unknown: Vec<(Timestamp, Timestamp)>,
    /// What the last look brought that succeeded.
    pub(in crate::track) last: Option<SyncResult>,
}

impl<'a> Life<'a> {
    pub(in crate::track) fn new(ground: &'a Ground, seed: u64, broken: Option<Broken>) -> Self {
        let mut world = World::empty(ground, seed);
        let company = Some(CompanyId::new(1));
        let (company, children, carrier) = match world.rng.u32(0..8) {
            0..4 => (company, true, None),
            4 | 5 => (company, false, None),
            6 => (None, true, None),
            _ => (company, true, Some(CarrierId::new(11))),
        };
        let scope = SyncScope {
            company,
            children,
            carrier,
        };
        let name = format!("Model{seed}{}", broken.map_or("", |_| "x"));
        Self::with(ground, name, world, scope, broken)
    }

    /// A bench that follows this scope, on a service that is still empty. Both have the right time.
    pub(in crate::track) fn plain(ground: &'a Ground, scope: SyncScope) -> Self {
        let mut world = World::empty(ground, 1);
        let now = world.clock.now();
        world.bench_clock.set(now);
        world.plain();
        Self::with(ground, "Plain".to_owned(), world, scope, None)
    }

    fn with(
        ground: &'a Ground,
        name: String,
        world: World,
        scope: SyncScope,
        broken: Option<Broken>,
    ) -> Self {
        let mut life = Self {
            ground,
            name,
            scope,
            world: Arc::new(Mutex::new(world)),
            runtime: runtime(2),
            lanes: None,
            broken,
            looked: None,
            unknown: Vec::new(),
            last: None,
        };
        life.open();
        life
    }

    /// Up to when the scope is known, as it is on disk.
    pub(in crate::track) fn mark(&self) -> Option<SyncMark> {
        let reader = self.store().reader().expect("a reader");
        reader.mark(self.scope).expect("read")
    }

    pub(in crate::track) fn world(&self) -> std::sync::MutexGuard<'_, World> {
        self.world.lock().expect("nobody panicked")
    }

    fn home(&self) -> std::path::PathBuf {
        self.ground.folder.path().join(&self.name)
    }

    pub(in crate::track) fn client(&self) -> Client {
        let service = &self.ground.service;
        client(&service.base_url(), service.supervisor_token(), QUICK)
    }

    fn open(&mut self) {
        let home = self.home();
        std::fs::create_dir_all(home.join("spool")).expect("a folder");
        let place = Place {
            home,
            name: "Model".to_owned(),
            clock: self.world().bench_clock.clone(),
            settle_after: vec![Duration::from_millis(50)],
            workgroup: None,
        };
        let token = self.ground.service.supervisor_token();
        let client = client(&self.ground.road.address, token, QUICK);
        let lanes = Lanes::open(&self.runtime, place, client, Arc::new(|_| ()));
        self.lanes = Some(lanes);
    }

    /// Closes the bench in order and opens it again.
    pub(in crate::track) fn restart(&mut self) {
        self.world().note("restarted");
        if let Some(lanes) = self.lanes.take() {
            lanes.close(&self.runtime);
        }
        self.open();
    }

    /// One look; where the road is guarded, the guard sees its requests. True where it succeeded.
    pub(in crate::track) fn look(&mut self, whole: bool) -> Result<bool, String> {
        let began = self.world().clock.now();
        self.world().note(if whole { "whole look" } else { "look" });
        // A full sync has reported all backdated steps by now.
        let dated_back = std::mem::take(&mut self.world().dated_back);
        let mut remote = Remote::default();
        let scope = self.scope;
        let order = SyncRequest { scope, whole };
        remote.start(self.lanes().reads().sync(order));
        let started = Instant::now();
        while remote.is_loading() {
            remote.poll();
            if started.elapsed() > LIMIT {
                return Err("a look stands still".to_owned());
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        if let Some(problem) = remote.problem() {
            let words = format!("failed: {problem}");
            self.world().note(words);
            self.world().dated_back.extend(dated_back);
            return Ok(false);
        }
        let synced = remote.value().expect("no problem, so a value").clone();
        if synced.mark.whole_at != synced.mark.at {
            self.world().dated_back.extend(dated_back);
        }
        self.looked_at(began, &synced);
        Ok(true)
    }

    fn looked_at(&mut self, began: Timestamp, synced: &SyncResult) {
        let words = format!("seen to {}, gap {}", synced.mark.seen_to, synced.gap);
        self.world().note(words);
        if self.looked.is_none() || synced.gap {
            self.leaves_a_gap(began);
        }
        self.looked = Some(began);
        self.last = Some(synced.clone());
        let ahead = match self.broken {
            None => return,
            Some(Broken::NoOverlap) => SignedDuration::from_mins(10),
            Some(Broken::MarkTooEarly) => SignedDuration::from_mins(20),
        };
        let mark = SyncMark {
            seen_to: self.world().clock.now() + ahead,
            ..synced.mark
        };
        let mut store = self.store();
        store.set_mark(self.scope, mark).expect("a mark");
    }

    /// What changed longer ago than the list goes back, and since the last look.
    fn leaves_a_gap(&mut self, began: Timestamp) {
        let hours = SignedDuration::from_hours;
        let before = { self.looked }.map_or(Timestamp::UNIX_EPOCH, |at| at - hours(1));
        self.unknown.push((before, began - hours(214)));
    }

    fn lanes(&self) -> &Lanes {
        self.lanes.as_ref().expect("it is open")
    }

    pub(in crate::track) fn store_path(&self) -> std::path::PathBuf {
        TrackStore::beside(&self.home().join("journal.db"))
    }

    fn store(&self) -> TrackStore {
        TrackStore::open(&self.store_path()).expect("the store")
    }

    /// The bench ends in the middle of a look, at this request of it. What nobody can foresee is how much of it is done.
    pub(in crate::track) fn kill_at(&mut self, request: usize) {
        let reached = Arc::new(AtomicBool::new(false));
        let (flag, mut count) = (Arc::clone(&reached), 0);
        self.ground.road.guard(move |_| {
            count += 1;
            if count == request {
                flag.store(true, Ordering::Release);
                return Trick::Wait;
            }
            Trick::Pass
        });
        let mut remote = Remote::default();
        let order = SyncRequest {
            scope: self.scope,
            whole: true,
        };
        remote.start(self.lanes().reads().sync(order));
        while remote.is_loading() && !reached.load(Ordering::Acquire) {
            remote.poll();
            std::thread::sleep(Duration::from_micros(500));
        }
        self.world().note(format!("killed at request {request}"));
        // A page that is on its way ahead may not be needed in the end: then the look may have ended all the same, unheard.
        let now = self.world().clock.now();
        self.leaves_a_gap(now);
        drop(remote);
        // Nothing is closed in order.
        drop(self.lanes.take());
        std::mem::replace(&mut self.runtime, runtime(2)).shutdown_timeout(LIMIT);
        self.ground.road.free();
        self.ground.road.open();
        self.open();
    }

    /// What is followed, as the store has it.
    pub(in crate::track) fn kept(&self) -> BTreeMap<i64, ConsignmentHistory> {
        let reader = self.store().reader().expect("a reader");
        let ids = kept_ids(&self.store_path());
        let rows = reader.rows(&ids).expect("rows").into_iter().map(|row| {
            let history = reader.history(row.id).expect("a history");
            (row.id.get(), ConsignmentHistory { row, history })
        });
        rows.collect()
    }

    /// Holds the store against the service: ids, statuses and histories, and with `whole` every column.
    pub(in crate::track) fn compare(&self, whole: bool) -> Result<(), String> {
        let kept = self.kept();
        self.compare_counts(&kept)?;
        let all = self.world().all();
        let truth = self.truth(&all)?;
        let dated_back = self.world().dated_back.clone();
        let mut wrong = String::new();
        let ids: BTreeSet<_> = kept.keys().chain(truth.keys()).copied().collect();
        for id in ids {
            let said = match (kept.get(&id), truth.get(&id)) {
                (Some(_), None) => "is not there".to_owned(),
                (None, Some(_)) if self.is_unknown(all[&id].2) || dated_back.contains(&id) => {
                    continue;
                }
                (None, Some(true_one)) => format!("is missing: {:?}", true_one.row.status.name),
                (Some(ours), Some(theirs)) => {
                    let open = !ours.row.status.id.is_final();
                    if is_same(ours, theirs, whole)
                        || dated_back.contains(&id)
                        || (!open && self.is_unknown(all[&id].2))
                    {
                        continue;
                    }
                    format!("differs:\n  ours {ours:?}\n  theirs {theirs:?}")
                }
                (None, None) => continue,
            };
            let _ = writeln!(wrong, "{id} {said}");
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Holds what the bench counts in memory against the store: every consignment, by its present status.
    fn compare_counts(&self, kept: &BTreeMap<i64, ConsignmentHistory>) -> Result<(), String> {
        let scope = TrackScope {
            days: 7_300,
            ..TrackScope::default()
        };
        let mut board = Remote::default();
        board.start(self.lanes().reads().board(scope, Thresholds::default()));
        let started = Instant::now();
        while board.is_loading() && started.elapsed() < LIMIT {
            board.poll();
            std::thread::sleep(Duration::from_micros(500));
        }
        let board = board.value().ok_or("the board is not counted")?;
        let counted: BTreeMap<_, _> = { board.by_status.iter() }
            .filter_map(|metric| match metric.drill_down {
                DrillDown::Status(status) => Some((status, metric.count)),
                _ => None,
            })
            .collect();
        let mut stored = BTreeMap::new();
        for one in kept.values() {
            *stored.entry(one.row.status.id).or_insert(0) += 1;
        }
        if counted == stored {
            Ok(())
        } else {
            Err(format!("counted {counted:?}, stored {stored:?}"))
        }
    }

    fn is_unknown(&self, last: Timestamp) -> bool {
        let within = |(from, to): &(Timestamp, Timestamp)| *from <= last && last <= *to;
        self.unknown.iter().any(within)
    }

    /// What the service has of the scope, asked for by ids and without any list.
    fn truth(
        &self,
        all: &BTreeMap<i64, (i64, i64, Timestamp)>,
    ) -> Result<BTreeMap<i64, ConsignmentHistory>, String> {
        let is_of = |company: i64, carrier: i64| {
            (self.scope.children || company == 1)
                && self
                    .scope
                    .carrier
                    .is_none_or(|wanted| wanted.get() == carrier)
        };
        let ids = all
            .iter()
            .filter(|(_, (company, carrier, _))| is_of(*company, *carrier));
        let ids: Vec<_> = ids.map(|(id, _)| ConsignmentId::new(*id)).collect();
        let client = self.client();
        let found = self.ground.runtime.block_on(client.consignments(&ids));
        let found = found.map_err(|failure| format!("the service does not answer: {failure}"))?;
        let followed = found
            .iter()
            .map(|one| (one.id.get(), ConsignmentHistory::of(one, None)));
        Ok(followed.collect())
    }
}

impl Drop for Life<'_> {
    fn drop(&mut self) {
        if let Some(lanes) = self.lanes.take() {
            lanes.close(&self.runtime);
        }
        let _gone = std::fs::remove_dir_all(self.home());
    }
}

/// The ids of all that a store follows.
pub(in crate::track) fn kept_ids(store: &std::path::Path) -> Vec<ConsignmentId> {
    let file = rusqlite::Connection::open(store).expect("the store");
    let mut rows = file
        .prepare("SELECT id FROM tracked ORDER BY id")
        .expect("a query");
    let ids = rows.query_map([], |row| row.get(0)).expect("rows");
    ids.map(|id| ConsignmentId::new(id.expect("an id")))
        .collect()
}

fn is_same(ours: &ConsignmentHistory, theirs: &ConsignmentHistory, whole: bool) -> bool {
    if whole {
        return ours == theirs;
    }
    ours.row.status == theirs.row.status && ours.history == theirs.history
}
