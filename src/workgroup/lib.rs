//! The benches of a warehouse share a PostgreSQL database: it has the consignments that open operations hold (claims),
//! the states of all benches' operations (events), the orders that were imported, and the benches themselves.
//!
//! The bench's own journal comes first: an operation is in the journal before its claim is taken, and its end is in
//! the journal before the claim is released. Without the database the bench goes on working; only what needs a claim
//! is refused.

mod address;
mod benches;
mod claims;
mod error;
mod events;
mod orders;
mod schema;
mod session;
mod values;
mod waiting;

pub use address::{AddressError, DatabaseAddress};
pub use benches::{BenchActivity, BenchRow, Member};
pub use claims::{Claim, ClaimError, ClaimKey, ClaimingOperation};
pub use error::WorkgroupError;
pub use events::OperationEvent;
pub use orders::{OrderKey, TakenOrder};
pub use schema::SchemaState;
pub use session::{Database, Heard, Workgroup, WorkgroupOptions, WorkgroupState};
pub use values::{SharedValue, SharedVersion};
pub use waiting::{LeftDraft, TakenDraft, WaitingDraft};
