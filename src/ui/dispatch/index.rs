//! Which rows the list shows, and in which order: worked out when something changed, not in every frame.
//!
//! What always holds: what is shown is what a plain look at every row and column would show. Rows are read into
//! [`texts`](self) some in each frame, so that a new list of 100,000 never holds a frame up, unless a word waits for them.

mod describe;
mod fold;
mod hits;
mod order;
mod texts;
mod words;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use super::columns::{Col, label_word};
use crate::shipping::ConsignmentId;
use crate::state::{LabelState, Shared, Waiting, WaitingList};
pub(super) use describe::text;
use hits::Hits;
pub use order::Order;
use texts::Texts;
use words::{Word, narrows, words};

/// Rows read in a frame, while nobody waits for them.
const ROWS_A_FRAME: usize = 2_000;
/// How long labels may have changed before rows are looked for by them again.
const LABELS_SECONDS: f64 = 0.5;
/// Where fewer rows than one in so many are left, they are looked at one by one.
const FEW: usize = 6;
/// What the filter finds held rows by.
const HELD: &str = "held back";

/// Indices into the unmanifested consignments, filtered and in order.
#[derive(Debug, Default)]
pub struct Index {
    list: WaitingList,
    texts: Texts,
    held: Arc<HashSet<ConsignmentId>>,
    labels: u64,
    labels_at: f64,
    filter: String,
    words: Vec<Word>,
    /// Which rows hold all words; nothing where there is no word.
    hits: Option<Hits>,
    sort: Option<Order>,
    order: Option<Vec<u32>>,
    rows: Vec<u32>,
    version: u64,
    list_version: u64,
}

impl Index {
    /// The rows to show.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The row at a place of the list.
    pub(super) fn one(&self, place: usize) -> Option<&Waiting> {
        let row = *self.rows.get(place)? as usize;
        self.list.rows().get(row).map(|one| &**one)
    }

    /// The list that it is about.
    pub(super) fn list(&self) -> &WaitingList {
        &self.list
    }

    /// Another one where other rows are shown, or in another order.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Another one where the list is another one.
    pub(super) const fn list_version(&self) -> u64 {
        self.list_version
    }

    /// True while rows are left to be read in frames to come.
    pub fn is_reading(&self) -> bool {
        !self.texts.is_read()
    }

    /// The place that a consignment is shown at.
    pub(super) fn place(&self, id: ConsignmentId) -> Option<usize> {
        let row = self.row(id)?;
        if self.order.is_none() {
            return self.rows.binary_search(&row).ok();
        }
        self.rows.iter().position(|shown| *shown == row)
    }

    /// Is this consignment shown?
    pub(super) fn shows(&self, id: ConsignmentId) -> bool {
        self.row(id)
            .is_some_and(|row| self.hits.as_ref().is_none_or(|hits| hits.has(row)))
    }

    fn row(&self, id: ConsignmentId) -> Option<u32> {
        let found = self.list.rows().binary_search_by(|one| id.cmp(&one.id));
        u32::try_from(found.ok()?).ok()
    }

    /// Looks again, where the list, the filter or the order is another one. `seconds` are the window's own clock.
    pub fn refresh(&mut self, shared: &Shared, filter: &str, sort: Option<Order>, seconds: f64) {
        let new_list = self.adopt(shared);
        let new_filter = self.filter != filter;
        let before = if new_filter {
            filter.clone_into(&mut self.filter);
            std::mem::replace(&mut self.words, words(filter))
        } else {
            Vec::new()
        };
        let needs_text =
            !self.words.is_empty() || sort.is_some_and(|sort| order::is_text(sort.col));
        self.texts
            .read(if needs_text { usize::MAX } else { ROWS_A_FRAME });
        let by_label = sort.is_some_and(|sort| matches!(sort.col, Col::Label | Col::Held));
        let new_marks = (by_label || !self.words.is_empty()) && self.marks_changed(shared, seconds);
        let look = new_list || new_filter || (new_marks && !self.words.is_empty());
        let arrange = new_list || self.sort != sort || (new_marks && by_label);
        if look {
            let among = (!new_list && !new_marks && narrows(&before, &self.words))
                .then(|| self.hits.take())
                .flatten();
            self.hits = self.search(shared, among);
        }
        if arrange {
            self.sort = sort;
            self.order = sort.map(|sort| order::order(shared, &self.list, &self.texts, sort));
        }
        if look || arrange {
            self.compose();
        }
    }

    fn adopt(&mut self, shared: &Shared) -> bool {
        let none = WaitingList::default();
        let list = shared.unmanifested.value().unwrap_or(&none);
        if self.list.is_same(list) || (list.is_empty() && self.list.is_empty()) {
            return false;
        }
        self.texts.adopt(list);
        self.list = list.clone();
        self.list_version += 1;
        true
    }

    /// Were rows held back or let go, or labels printed, since the last look?
    fn marks_changed(&mut self, shared: &Shared, seconds: f64) -> bool {
        let mut changed = !Arc::ptr_eq(&self.held, &shared.held_back);
        self.held = Arc::clone(&shared.held_back);
        if (seconds - self.labels_at).abs() >= LABELS_SECONDS {
            self.labels_at = seconds;
            let hasher = BuildHasherDefault::<DefaultHasher>::default();
            let states = shared.label_states.iter();
            let labels = states.fold(1, |sum: u64, (id, state)| {
                sum.wrapping_add(hasher.hash_one((id, label_word(state))))
            });
            changed |= std::mem::replace(&mut self.labels, labels) != labels;
        }
        changed
    }

    fn search(&self, shared: &Shared, among: Option<Hits>) -> Option<Hits> {
        let mut left = among;
        for word in &self.words {
            left = Some(match left {
                Some(hits) if hits.count * FEW <= self.list.len() => {
                    hits.only(|row| self.fits(shared, row, word))
                }
                Some(hits) => hits.and(&self.find(shared, word)),
                None => self.find(shared, word),
            });
        }
        left.filter(|_| !self.words.is_empty())
    }

    fn fits(&self, shared: &Shared, row: u32, word: &Word) -> bool {
        let id = self.list.rows()[row as usize].id;
        match word.col {
            Some(Col::Held) => return shared.held_back.contains(&id) == word.wants_mark(),
            Some(Col::Label) => return says(shared.label_state(id), word),
            None => {
                let by_label = says(shared.label_state(id), word);
                let by_hold = HELD.contains(&word.text) && shared.held_back.contains(&id);
                if by_label || by_hold {
                    return true;
                }
            }
            Some(_) => {}
        }
        self.texts.holds(row, word)
    }

    fn find(&self, shared: &Shared, word: &Word) -> Hits {
        let mut hits = Hits::none(self.list.len());
        let put_id = |hits: &mut Hits, id: ConsignmentId| {
            if let Some(row) = self.row(id) {
                hits.put(row);
            }
        };
        if matches!(word.col, None | Some(Col::Label)) {
            // All the others wait.
            let waiting = says(&LabelState::Waiting, word);
            let states = shared.label_states.iter();
            for (id, _) in states.filter(|(_, state)| says(state, word) != waiting) {
                put_id(&mut hits, *id);
            }
            if waiting {
                return hits.turned(self.list.len()).counted();
            }
        }
        if word.col == Some(Col::Held) || (word.col.is_none() && HELD.contains(&word.text)) {
            for id in shared.held_back.iter() {
                put_id(&mut hits, *id);
            }
        }
        match word.col {
            Some(Col::Held) if !word.wants_mark() => hits = hits.turned(self.list.len()),
            Some(Col::Held | Col::Label) => {}
            _ => self.texts.find(word, |row| hits.put(row)),
        }
        hits.counted()
    }

    fn compose(&mut self) {
        let count = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let shown = |row: &u32| self.hits.as_ref().is_none_or(|hits| hits.has(*row));
        self.rows = match &self.order {
            Some(order) => order.iter().copied().filter(shown).collect(),
            None => (0..count).filter(shown).collect(),
        };
        self.version += 1;
    }
}

/// Does a label's state say this word? That it waits is found by the column's name alone: most labels do, and a word that
/// is typed for a receiver is not to find all of them on its way.
fn says(state: &LabelState, word: &Word) -> bool {
    let is_meant = word.col == Some(Col::Label) || *state != LabelState::Waiting;
    is_meant && label_word(state).contains(&word.text)
}
