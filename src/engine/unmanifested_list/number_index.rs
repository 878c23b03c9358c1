//! Index of numbers and references, so that a scanned number is found among 100,000 consignments without
//! comparing each. The index returns candidates, because it stores hashes and may be outdated:
//! the caller compares.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::UnmanifestedRow;
use shipping::ConsignmentId;

/// The lower half of the hash of a lower-case number, and the consignment that has the number.
pub(super) type Entry = (u32, ConsignmentId);

/// The numbers of a list, sorted by hash.
#[derive(Debug, Default)]
pub(super) struct NumberIndex(Vec<Entry>);

impl NumberIndex {
    pub(super) fn of(rows: &[Arc<UnmanifestedRow>]) -> Self {
        let mut entries: Vec<_> = rows.iter().flat_map(|row| entries(row)).collect();
        entries.sort_unstable();
        entries.dedup();
        entries.shrink_to_fit();
        Self(entries)
    }

    /// Returns the consignments that may have `number`, which must be in lower case.
    pub(super) fn candidates(&self, number: &str) -> impl Iterator<Item = ConsignmentId> {
        let wanted = digest(number);
        let from = self.0.partition_point(|(digest, _)| *digest < wanted);
        let rest = self.0[from..].iter();
        rest.take_while(move |(digest, _)| *digest == wanted)
            .map(|(_, id)| *id)
    }
}

/// Returns the entries of all numbers of a consignment.
pub(super) fn entries(row: &UnmanifestedRow) -> impl Iterator<Item = Entry> {
    let id = row.id;
    row.numbers()
        .map(move |number| (digest(&number.to_lowercase()), id))
}

/// Returns the lower half of a hash, which is enough to tell most numbers apart.
pub(super) fn digest(number: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    let [_, _, _, _, a, b, c, d] = hasher.finish().to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
