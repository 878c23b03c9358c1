//! The first sync of a new bench, as the window requests it.

use std::path::Path;
use std::time::{Duration, Instant};

use engine::{ListProgress, Remote, SyncRequest};
use shipping::{Clock, CompanyId};
use storage::SyncScope;
use tokio::runtime::Runtime;

use crate::support::start_engine;

/// Time between two checks of the progress.
const GLANCE: Duration = Duration::from_millis(5);

/// Follows everything there is; answers how many were new, and how long that took.
pub(crate) fn follow(
    runtime: &Runtime,
    home: &Path,
    address: &str,
    token: &str,
    mut watch: impl FnMut(ListProgress),
) -> (usize, Duration) {
    let work = start_engine::start(runtime, home, Clock::system(), address, token);
    let order = SyncRequest {
        scope: SyncScope {
            company: Some(CompanyId::new(1)),
            children: true,
            carrier: None,
        },
        whole: true,
    };
    let started = Instant::now();
    let mut look = Remote::default();
    look.start(work.reads().sync(order));
    while look.is_loading() {
        look.poll();
        if let Some(progress) = work.reads().sync_progress() {
            watch(progress);
        }
        std::thread::sleep(GLANCE);
    }
    let took = started.elapsed();
    if let Some(problem) = look.problem() {
        panic!("the look failed: {problem}");
    }
    let synced = look.value().expect("no problem, so a value");
    let rows = synced.changed.len();
    drop(look);
    runtime.block_on(work.close(Duration::from_secs(10)));
    (rows, took)
}
