//! Measures the cost of the journal: 1,000 consignments created through the service queue, compared with the
//! same 1,000 sent by bare `reqwest`. The baseline uses the same connection rules and makes the synced writes
//! that safety needs: the intent and the start of sending before the request leaves, and the result before it
//! is reported.
//!
//! Run with `cargo bench -- journal`. The two sides alternate in rounds of 100 at one practice service in its
//! own process, so that a disturbance or the growing database affects both.

pub(crate) mod bare;
pub(crate) mod ours;

use std::io::{self, Write as _};
use std::time::Duration;

use shipping::{ConsignmentRequest, RouteSelection};

use crate::support::practice_service::PracticeService;
use crate::support::report::verdict;
use crate::support::requests::to_ballarat;
use crate::support::runtime::runtime;
use bare::Bare;
use ours::Ours;

/// Creates of one turn, and turns; the first turn of each is not counted.
const A_TURN: usize = 100;
const TURNS: usize = 10;

/// How many times as long the service queue may take.
const AIM: f64 = 1.15;

pub(crate) fn run() -> io::Result<()> {
    let runtime = runtime(2);
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

/// The consignment that both sides create, with references of its own.
pub(crate) fn order(number: usize, key: &str) -> ConsignmentRequest {
    let mut order = to_ballarat();
    order.from.abbreviation = Some("HSYD".to_owned());
    order.customer_reference = Some(format!("SO-{number}"));
    order.customer_reference2 = Some(key.to_owned());
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order
}
