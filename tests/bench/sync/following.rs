//! Ours: the first look of a new bench, as the window asks for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use packbench::client::{Client, Connection};
use packbench::journal::{Journal, SyncScope};
use packbench::printing::renderer::Renderer;
use packbench::printing::service::{PrintService, Server};
use packbench::shipping::{Clock, CompanyId};
use packbench::work::{ListProgress, Parts, Remote, SyncOrder, Work};
use tokio::runtime::Runtime;

/// Between two looks at how far it is.
const GLANCE: Duration = Duration::from_millis(5);

/// Follows everything there is; answers how many were new, and how long that took.
pub(crate) fn follow(
    runtime: &Runtime,
    home: &Path,
    address: &str,
    token: &str,
    mut watch: impl FnMut(ListProgress),
) -> (usize, Duration) {
    let connection = Connection::new(address, token.to_owned().into()).expect("an address");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
    let clock = Clock::system();
    let spool = home.join("spool");
    std::fs::create_dir_all(&spool).expect("a folder");
    let journal = Journal::open_or_restore(&home.join("journal.db"), clock.now());
    let work = Work::start(Parts {
        runtime: runtime.handle().clone(),
        client: Client::new(&connection).expect("a client"),
        journal: journal.expect("a journal").journal,
        renderer: Renderer::new(program.clone()),
        print_service: PrintService::new(program, Server::of_this_system()),
        spool,
        clock,
        bench: "Bench4".to_owned(),
        settle_after: vec![Duration::from_secs(2)],
        repaint: Arc::new(|| ()),
        witness: Arc::new(|_| ()),
    });
    let work = work.expect("the lanes");
    let order = SyncOrder {
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
    runtime.block_on(work.closed(Duration::from_secs(10)));
    (rows, took)
}
