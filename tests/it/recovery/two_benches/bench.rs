//! One of several benches: opened, sent requests, and read until the requests have ended.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use app::state::Operation;
use engine::FaultHook;
use shipping::{Consignment, ConsignmentId};

use crate::support::desk::SETTLE;
use crate::support::lanes::{Lanes, Place, QUICK, Site, client};

/// How long one waits for the other: who is refused before does not come.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where two wait for each other, once.
#[derive(Default)]
pub(super) struct Meeting {
    came: Mutex<usize>,
    both: Condvar,
}

impl Meeting {
    /// Until the other is here too.
    pub(super) fn wait(&self) {
        // The service lives on the same runtime: it must not wait for this thread.
        tokio::task::block_in_place(|| {
            let mut came = self.came.lock().expect("nobody panicked");
            *came += 1;
            self.both.notify_all();
            let together = |came: &mut usize| *came < 2;
            drop(self.both.wait_timeout_while(came, PATIENCE, together));
        });
    }

    pub(super) fn took_place(&self) -> bool {
        *self.came.lock().expect("nobody panicked") == 2
    }
}

/// Opens a bench with this name and a fault hook.
pub(super) fn open(site: &Site, name: &str, witness: FaultHook) -> Lanes {
    let place = Place {
        home: site.home(name),
        name: name.to_owned(),
        clock: site.clock.clone(),
        settle_after: SETTLE.map(Duration::from_millis).to_vec(),
        workgroup: None,
    };
    let client = client(&site.practice.base_url(), &site.token(), QUICK);
    let mut lanes = Lanes::open(&site.runtime, place, client, witness);
    lanes.until("restored", |lanes| lanes.restored.then_some(()));
    lanes
}

/// Hears it until the operation that was just asked for has ended, and gives that.
#[track_caller]
pub(super) fn ended(lanes: &mut Lanes) -> Operation {
    let before = lanes.operations.len();
    lanes.until("it has ended", |lanes| {
        let newest = lanes.newest().filter(|newest| !newest.state.is_open());
        newest.filter(|_| lanes.operations.len() > before).cloned()
    })
}

/// Waits until its list shows what the other bench did, as the words of the refusal have it.
#[track_caller]
pub(super) fn is_told_of(lanes: &mut Lanes, refused: &Operation) {
    let what = format!("its list is put right after: {}", refused.message);
    lanes.until(&what, |lanes| {
        let gone = |id: &ConsignmentId| lanes.gone.contains(id);
        let booked =
            |id: &ConsignmentId| lanes.seen.get(id).is_some_and(Consignment::is_manifested);
        let shown = |id: &&ConsignmentId| {
            let says = |words| refused.message.contains(words);
            if says("was not found") {
                gone(id)
            } else if says("already manifested") {
                booked(id)
            } else if says("No longer unmanifested") {
                gone(id) || booked(id)
            } else {
                lanes.seen.contains_key(*id)
            }
        };
        refused.consignments.iter().find(shown).map(drop)
    });
}

/// How many manifests it is in, by its history.
pub(super) fn manifests_of(site: &Site, id: ConsignmentId) -> u32 {
    let sql = "SELECT count(*) FROM history WHERE consignment_id = ?1 AND status = 3";
    site.truth().count(sql, id.get())
}
