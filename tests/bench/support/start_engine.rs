//! Starts the engine with a journal in a folder, as the window does.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use client::{Client, Connection};
use engine::{Engine, EngineParts};
use printing::renderer::Renderer;
use printing::service::{PrintService, ServerAddress};
use shipping::Clock;
use storage::Journal;
use tokio::runtime::Runtime;
use workgroup::Workgroup;

/// Starts the engine on the journal in `home`, for the service at this address.
pub(crate) fn start(
    runtime: &Runtime,
    home: &Path,
    clock: Clock,
    address: &str,
    token: &str,
) -> Engine {
    start_in(runtime, home, clock, (address, token), None)
}

/// Starts the engine of a bench that may belong to a workgroup.
pub(crate) fn start_in(
    runtime: &Runtime,
    home: &Path,
    clock: Clock,
    (address, token): (&str, &str),
    workgroup: Option<Workgroup>,
) -> Engine {
    let connection = Connection::new(address, token.to_owned().into()).expect("an address");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
    let spool = home.join("spool");
    std::fs::create_dir_all(&spool).expect("a folder");
    let journal = Journal::open_or_restore(&home.join("journal.db"), clock.now());
    let work = Engine::start(EngineParts {
        runtime: runtime.handle().clone(),
        client: Client::new(&connection).expect("a client"),
        journal: journal.expect("a journal").journal,
        renderer: Renderer::new(program.clone()),
        print_service: PrintService::new(program, ServerAddress::of_this_system()),
        spool,
        clock,
        bench: "Bench4".to_owned(),
        settle_after: vec![Duration::from_secs(2)],
        workgroup,
        repaint: Arc::new(|| ()),
        fault_hook: Arc::new(|_| ()),
    });
    work.expect("the queues")
}
