//! What the journal costs: 1,000 consignments created through the dispatch lane, beside the same 1,000 sent by bare `reqwest`
//! under the same rules of connection with the bare synced writes that safety needs: the intent and the sending before
//! the request leaves, the end before anybody hears of it.
//!
//! `cargo bench -- journal`. Both take turns of 100 at one practice service in a process of its own, so that a disturbance
//! and a growing database hit both.

mod bare;

mod order;
mod ours;

use std::io::{self, Write as _};
use std::time::Duration;

use crate::support::practice_service::PracticeService;
use crate::support::report::verdict;
use crate::support::start_engine;
use bare::Bare;
use ours::Ours;

/// Creates of one turn, and turns; the first turn of each is not counted.
const A_TURN: usize = 100;
const TURNS: usize = 10;

/// How many times as long the lane may take.
const AIM: f64 = 1.15;

pub(crate) fn run() -> io::Result<()> {
    let runtime = start_engine::runtime();
    let folder = tempfile::tempdir()?;
    let service = PracticeService::start(&folder.path().join("practice"));
    let mut with_journal = Ours::open(&runtime, folder.path(), &service);
    let mut bare = Bare::open(folder.path(), &service)?;
    with_journal.create(A_TURN);
    bare.create(&runtime, A_TURN)?;
    let (mut ours, mut rival) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        ours += with_journal.create(A_TURN);
        rival += bare.create(&runtime, A_TURN)?;
    }
    let mut out = io::stdout();
    let creates = A_TURN * TURNS;
    let each = |all: Duration| all.as_secs_f64() * 1_000.0 / creates as f64;
    writeln!(
        out,
        "{creates} creates: {:.2} ms each with the journal, {:.2} ms bare, of which {:.2} ms in {} synced writes",
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
        verdict(ratio <= AIM)
    )
}
