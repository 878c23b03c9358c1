//! What the board counts by, of all that is followed, in memory: 48 bytes a consignment.
//!
//! What always holds: it is what the store has, less names; a state of it that somebody reads does not change under them,
//! and costs the writer at most the parts that it changes.
//! What it must not know: what is counted.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::journal::{Gist, JournalError, Seconds, TrackReader};
use crate::shipping::{CarrierId, CompanyId, ConsignmentId, StatusId};

/// Figures that lie together, and are copied together where a reader holds them while they are changed.
const TOGETHER: usize = 512;

/// A consignment's figures. What it is of is a place in the [`Places`] of its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) id: ConsignmentId,
    pub(crate) despatch: Seconds,
    pub(crate) eta: Seconds,
    pub(crate) changed: Seconds,
    pub(crate) scanned: Seconds,
    pub(crate) booked: Seconds,
    pub(crate) ended: Seconds,
    pub(crate) company: u32,
    pub(crate) carrier: u32,
    pub(crate) status: u32,
    pub(crate) eta_day: u16,
}

const _: () = assert!(size_of::<Figure>() <= 48, "a million are to fit in 60 MB");

/// The companies, carriers and statuses that there are, each at its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub(crate) companies: Interned<Option<CompanyId>>,
    pub(crate) carriers: Interned<Option<CarrierId>>,
    pub(crate) statuses: Interned<StatusId>,
}

/// Values, each at a place of its own.
#[derive(Debug, Clone)]
pub(crate) struct Interned<T> {
    values: Vec<T>,
    places: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Interned<T> {
    pub(crate) fn place(&self, value: T) -> Option<u32> {
        self.places.get(&value).copied()
    }

    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    fn put(&mut self, value: T) -> u32 {
        // There are fewer values than consignments, and fewer of these than places.
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        *self.places.entry(value).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }
}

/// A state of all figures; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    /// In parts, the lowest ids first; no part is empty.
    parts: Vec<Arc<Vec<Figure>>>,
    places: Arc<Places>,
    count: usize,
}

impl Figures {
    /// Reads those of a store.
    pub(crate) fn load(reader: &TrackReader) -> Result<Self, JournalError> {
        let (mut figures, mut some) = (Self::default(), Vec::with_capacity(TOGETHER));
        reader.each(|gist| {
            some.push(gist);
            if some.len() == TOGETHER {
                figures.put(&some);
                some.clear();
            }
        })?;
        figures.put(&some);
        Ok(figures)
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// All, the lowest id first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Figure> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// Parts, the lowest ids first: who looks at all of them can give up between two.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[Figure]> {
        self.parts.iter().map(|part| part.as_slice())
    }

    pub(crate) fn get(&self, id: ConsignmentId) -> Option<&Figure> {
        let part = self.parts.get(self.part_of(id))?;
        let at = part.binary_search_by_key(&id, |one| one.id).ok()?;
        part.get(at)
    }

    /// Puts these in, in the place of what there is of them.
    pub(crate) fn put(&mut self, gists: &[Gist]) {
        let mut new = Vec::new();
        for gist in gists {
            let figure = self.figure(gist);
            if !self.replace(figure) {
                new.push(figure);
            }
        }
        // Of one that is told twice, the later word counts.
        new.reverse();
        new.sort_by_key(|one| one.id);
        new.dedup_by_key(|one| one.id);
        let mut rest = new.as_slice();
        while let Some(first) = rest.first() {
            let at = self.part_of(first.id);
            let bound = self.parts.get(at + 1).map(|next| next[0].id);
            let here = rest.partition_point(|one| bound.is_none_or(|bound| one.id < bound));
            self.add(at, &rest[..here]);
            rest = &rest[here..];
        }
    }

    /// Takes these out.
    pub(crate) fn forget(&mut self, ids: &[ConsignmentId]) {
        for id in ids {
            let at = self.part_of(*id);
            let Some(part) = self.parts.get_mut(at) else {
                continue;
            };
            let Ok(place) = part.binary_search_by_key(id, |one| one.id) else {
                continue;
            };
            self.count -= 1;
            if part.len() == 1 {
                self.parts.remove(at);
            } else {
                Arc::make_mut(part).remove(place);
            }
        }
    }

    fn figure(&mut self, gist: &Gist) -> Figure {
        let places = &self.places;
        let known = places.companies.place(gist.company).is_some()
            && places.carriers.place(gist.carrier).is_some()
            && places.statuses.place(gist.status).is_some();
        let (company, carrier, status) = if known {
            (
                places.companies.place(gist.company).unwrap_or_default(),
                places.carriers.place(gist.carrier).unwrap_or_default(),
                places.statuses.place(gist.status).unwrap_or_default(),
            )
        } else {
            let places = Arc::make_mut(&mut self.places);
            (
                places.companies.put(gist.company),
                places.carriers.put(gist.carrier),
                places.statuses.put(gist.status),
            )
        };
        Figure {
            id: gist.id,
            despatch: gist.despatch,
            eta: gist.eta,
            changed: gist.changed,
            scanned: gist.scanned,
            booked: gist.booked,
            ended: gist.ended,
            company,
            carrier,
            status,
            eta_day: gist.eta_day,
        }
    }

    /// The part that holds an id, or that it would go into.
    fn part_of(&self, id: ConsignmentId) -> usize {
        let after = self.parts.partition_point(|part| part[0].id <= id);
        after.saturating_sub(1)
    }

    /// True where there was one.
    fn replace(&mut self, figure: Figure) -> bool {
        let at = self.part_of(figure.id);
        let Some(part) = self.parts.get_mut(at) else {
            return false;
        };
        let Ok(place) = part.binary_search_by_key(&figure.id, |one| one.id) else {
            return false;
        };
        Arc::make_mut(part)[place] = figure;
        true
    }

    /// Adds new ones that go into one part; a part that grows too large is cut.
    fn add(&mut self, at: usize, new: &[Figure]) {
        self.count += new.len();
        let old = self.parts.get(at).map_or(&[][..], |part| part.as_slice());
        let is_behind = old.last().is_none_or(|last| last.id < new[0].id);
        let mut all = Vec::with_capacity(old.len() + new.len());
        all.extend_from_slice(old);
        all.extend_from_slice(new);
        if !is_behind {
            all.sort_unstable_by_key(|one| one.id);
        }
        // What comes behind everything fills parts; what comes between leaves room for more.
        let size = match () {
            () if all.len() <= TOGETHER => all.len(),
            () if is_behind => TOGETHER,
            () => all.len().div_ceil(all.len().div_ceil(TOGETHER)),
        };
        let cut = all.chunks(size.max(1)).map(|part| Arc::new(part.to_vec()));
        let until = (at + 1).min(self.parts.len());
        self.parts.splice(at.min(until)..until, cut);
    }
}

#[cfg(test)]
mod tests;
