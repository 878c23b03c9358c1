//! What the journal costs: 1,000 consignments created through the dispatch lane, beside the same 1,000 sent by bare `reqwest`
//! under the same rules of connection with the bare synced writes that safety needs: the intent and the sending before
//! the request leaves, the end before anybody hears of it.
//!
//! `cargo bench --bench journal`. Both take turns of 100 at one practice service in a process of its own, so that a disturbance
//! and a growing database hit both.

#[path = "journal/bare.rs"]
mod bare;
#[path = "journal/lane.rs"]
mod lane;
#[path = "journal/service.rs"]
mod service;

use std::io::{self, Write as _};
use std::time::Duration;

use bare::Bare;
use lane::Lane;
use service::Service;

/// Creates of one turn, and turns; the first turn of each is not counted.
const A_TURN: usize = 100;
const TURNS: usize = 10;

/// How many times as long the lane may take.
const AIM: f64 = 1.15;

fn main() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let folder = tempfile::tempdir()?;
    let service = Service::start(&folder.path().join("practice"));
    let mut lane = Lane::open(&runtime, folder.path(), &service);
    let mut bare = Bare::open(folder.path(), &service)?;
    lane.create(A_TURN);
    bare.create(&runtime, A_TURN)?;
    let (mut ours, mut rival) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        ours += lane.create(A_TURN);
        rival += bare.create(&runtime, A_TURN)?;
    }
    let mut out = io::stdout();
    let creates = A_TURN * TURNS;
    let each = |all: Duration| all.as_secs_f64() * 1_000.0 / creates as f64;
    writeln!(
        out,
        "{creates} creates: {:.2} ms each through the lane, {:.2} ms bare, of which {:.2} ms in {} synced writes",
        each(ours),
        each(rival),
        each(bare.synced()),
        bare::SYNCS
    )?;
    let ratio = ours.as_secs_f64() / rival.as_secs_f64();
    writeln!(
        out,
        "aim journal_creates ours={:.2}ms rival={:.2}ms ratio={ratio:.2} aim={AIM} {}",
        each(ours),
        each(rival),
        if ratio <= AIM { "met" } else { "missed" }
    )
}
