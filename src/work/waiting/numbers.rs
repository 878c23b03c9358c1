//! Which consignments go by a number: a scan is found among 100,000 without a look at each.
//!
//! What always holds: it only proposes; whoever asks compares. A number may lead to a consignment that has it no longer.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::Waiting;
use crate::shipping::ConsignmentId;

/// A number in small letters, as little of it as tells most numbers apart, and who goes by it.
pub(super) type Entry = (u32, ConsignmentId);

/// The numbers of a list, sorted.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<Entry>);

impl Numbers {
    pub(super) fn of(rows: &[Arc<Waiting>]) -> Self {
        let mut entries: Vec<_> = rows.iter().flat_map(|row| entries(row)).collect();
        entries.sort_unstable();
        entries.dedup();
        entries.shrink_to_fit();
        Self(entries)
    }

    /// Those that may go by `number` (in small letters).
    pub(super) fn called(&self, number: &str) -> impl Iterator<Item = ConsignmentId> {
        let wanted = digest(number);
        let from = self.0.partition_point(|(digest, _)| *digest < wanted);
        let rest = self.0[from..].iter();
        rest.take_while(move |(digest, _)| *digest == wanted)
            .map(|(_, id)| *id)
    }
}

/// All that a consignment goes by.
pub(super) fn entries(row: &Waiting) -> impl Iterator<Item = Entry> {
    let id = row.id;
    row.numbers()
        .map(move |number| (digest(&number.to_lowercase()), id))
}

/// The lower half of a hash.
pub(super) fn digest(number: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    let [_, _, _, _, a, b, c, d] = hasher.finish().to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
