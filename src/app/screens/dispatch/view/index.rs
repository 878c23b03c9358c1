//! The rows that the list shows and their order, recomputed when something changed, not in every frame.
//!
//! Invariant: the result equals that of searching every column of every row. The texts of a new list are
//! built a batch in each frame, so that 100,000 rows don't delay a frame. If a filter or sort needs the
//! texts, all are built at once.

mod filter_words;
mod fold;
mod order;
mod row_set;
mod row_texts;
mod text_writer;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use super::columns::{Col, label_text};
use crate::state::{LabelState, Shared, UnmanifestedList, UnmanifestedRow};
use filter_words::{FilterWord, narrows, parse_filter};
pub use order::Order;
use row_set::RowSet;
use row_texts::RowTexts;
use shipping::ConsignmentId;
pub(super) use text_writer::column_text;

/// Number of rows whose texts are built in a frame while no filter or sort needs them.
const ROWS_A_FRAME: usize = 2_000;
/// Minimum time between two checks for changed label states, in seconds.
const LABELS_SECONDS: f64 = 0.5;
/// If at most one in this many rows is left, the rows are checked one by one instead of searching all texts.
const FEW: usize = 6;
/// The text by which the filter finds rows on hold.
const ON_HOLD_TEXT: &str = "on hold";

/// Indices into the unmanifested consignments, filtered and sorted.
#[derive(Debug, Default)]
pub struct Index {
    list: UnmanifestedList,
    texts: RowTexts,
    held: Arc<HashSet<ConsignmentId>>,
    labels: u64,
    labels_at: f64,
    filter: String,
    words: Vec<FilterWord>,
    /// The rows that match all words; `None` if the filter has no word.
    hits: Option<RowSet>,
    sort: Option<Order>,
    order: Option<Vec<u32>>,
    rows: Vec<u32>,
    version: u64,
    list_version: u64,
}

impl Index {
    /// Returns the indices of the rows to show, in order.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the consignment at a position of the shown list.
    pub(super) fn consignment_at(&self, place: usize) -> Option<&UnmanifestedRow> {
        let row = *self.rows.get(place)? as usize;
        self.list.rows().get(row).map(|one| &**one)
    }

    /// Returns the list that the indices refer to.
    pub(super) fn list(&self) -> &UnmanifestedList {
        &self.list
    }

    /// Returns a number that changes when the shown rows or their order change.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Returns a number that changes when the list is replaced.
    pub(super) const fn list_version(&self) -> u64 {
        self.list_version
    }

    /// Returns true while the texts of some rows are still to be built in later frames.
    pub fn is_reading(&self) -> bool {
        !self.texts.is_read()
    }

    /// Returns the position at which a consignment is shown.
    pub(super) fn place(&self, id: ConsignmentId) -> Option<usize> {
        let row = self.row(id)?;
        if self.order.is_none() {
            return self.rows.binary_search(&row).ok();
        }
        self.rows.iter().position(|shown| *shown == row)
    }

    /// Returns whether a consignment is shown.
    pub(super) fn shows(&self, id: ConsignmentId) -> bool {
        self.row(id)
            .is_some_and(|row| self.hits.as_ref().is_none_or(|hits| hits.has(row)))
    }

    fn row(&self, id: ConsignmentId) -> Option<u32> {
        let found = self.list.rows().binary_search_by(|one| id.cmp(&one.id));
        u32::try_from(found.ok()?).ok()
    }

    /// Recomputes the rows if the list, the filter, the order or relevant label states and holds changed.
    /// `seconds` is the time of the window's clock.
    pub fn refresh(&mut self, shared: &Shared, filter: &str, sort: Option<Order>, seconds: f64) {
        let new_list = self.adopt(shared);
        let new_filter = self.filter != filter;
        let before = if new_filter {
            filter.clone_into(&mut self.filter);
            std::mem::replace(&mut self.words, parse_filter(filter))
        } else {
            Vec::new()
        };
        let needs_text =
            !self.words.is_empty() || sort.is_some_and(|sort| order::is_text_column(sort.col));
        self.texts
            .read(if needs_text { usize::MAX } else { ROWS_A_FRAME });
        let by_label = sort.is_some_and(|sort| matches!(sort.col, Col::Label | Col::OnHold));
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
            self.order = sort.map(|sort| order::sorted_rows(shared, &self.list, &self.texts, sort));
        }
        if look || arrange {
            self.compose();
        }
    }

    fn adopt(&mut self, shared: &Shared) -> bool {
        let none = UnmanifestedList::default();
        let list = shared.unmanifested.value().unwrap_or(&none);
        if self.list.is_same(list) || (list.is_empty() && self.list.is_empty()) {
            return false;
        }
        self.texts.adopt(list);
        self.list = list.clone();
        self.list_version += 1;
        true
    }

    /// Returns whether holds or label states changed since the last call. Label states are compared at most
    /// every [`LABELS_SECONDS`].
    fn marks_changed(&mut self, shared: &Shared, seconds: f64) -> bool {
        let mut changed = !Arc::ptr_eq(&self.held, &shared.on_hold);
        self.held = Arc::clone(&shared.on_hold);
        if (seconds - self.labels_at).abs() >= LABELS_SECONDS {
            self.labels_at = seconds;
            let hasher = BuildHasherDefault::<DefaultHasher>::default();
            let states = shared.label_states.iter();
            let labels = states.fold(1, |sum: u64, (id, state)| {
                sum.wrapping_add(hasher.hash_one((id, label_text(state))))
            });
            changed |= std::mem::replace(&mut self.labels, labels) != labels;
        }
        changed
    }

    fn search(&self, shared: &Shared, among: Option<RowSet>) -> Option<RowSet> {
        let mut left = among;
        for word in &self.words {
            left = Some(match left {
                Some(hits) if hits.count * FEW <= self.list.len() => {
                    hits.filtered(|row| self.row_matches(shared, row, word))
                }
                Some(hits) => hits.and(&self.find(shared, word)),
                None => self.find(shared, word),
            });
        }
        left.filter(|_| !self.words.is_empty())
    }

    fn row_matches(&self, shared: &Shared, row: u32, word: &FilterWord) -> bool {
        let id = self.list.rows()[row as usize].id;
        match word.col {
            Some(Col::OnHold) => return shared.on_hold.contains(&id) == word.wants_mark(),
            Some(Col::Label) => return label_matches(shared.label_state(id), word),
            None => {
                let by_label = label_matches(shared.label_state(id), word);
                let by_hold = ON_HOLD_TEXT.contains(&word.text) && shared.on_hold.contains(&id);
                if by_label || by_hold {
                    return true;
                }
            }
            Some(_) => {}
        }
        self.texts.holds(row, word)
    }

    fn find(&self, shared: &Shared, word: &FilterWord) -> RowSet {
        let mut hits = RowSet::none(self.list.len());
        let put_id = |hits: &mut RowSet, id: ConsignmentId| {
            if let Some(row) = self.row(id) {
                hits.put(row);
            }
        };
        if matches!(word.col, None | Some(Col::Label)) {
            // Labels that are not in `label_states` are waiting.
            let waiting = label_matches(&LabelState::Waiting, word);
            let states = shared.label_states.iter();
            for (id, _) in states.filter(|(_, state)| label_matches(state, word) != waiting) {
                put_id(&mut hits, *id);
            }
            if waiting {
                return hits.complement(self.list.len()).counted();
            }
        }
        if word.col == Some(Col::OnHold)
            || (word.col.is_none() && ON_HOLD_TEXT.contains(&word.text))
        {
            for id in shared.on_hold.iter() {
                put_id(&mut hits, *id);
            }
        }
        match word.col {
            Some(Col::OnHold) if !word.wants_mark() => hits = hits.complement(self.list.len()),
            Some(Col::OnHold | Col::Label) => {}
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

/// Returns whether a label's state matches a word. "Waiting" matches only with the column's name, as in
/// `label:waiting`: most labels are waiting, and a half-typed receiver's name must not match all of them.
fn label_matches(state: &LabelState, word: &FilterWord) -> bool {
    let is_meant = word.col == Some(Col::Label) || *state != LabelState::Waiting;
    is_meant && label_text(state).contains(&word.text)
}
