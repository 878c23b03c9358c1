//! The rows that the list shows and their order, recomputed when something changed, not in every frame.
//!
//! Invariant: the result equals that of searching every column of every row. The texts of a new list are
//! built a batch in each frame, so that 100,000 rows don't delay a frame. If a filter or sort needs the
//! texts, all are built at once.

mod order;
mod row_texts;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::state::{
    LabelState, ListField, ListOrder, Shared, UnmanifestedList, UnmanifestedRow, ViewedList,
};
use crate::ui::lists::{ListedRows, label_text};
use row_texts::RowTexts;
use shipping::ConsignmentId;
use storage::{FilterWord, narrows, parse_filter};

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
    hits: Option<FixedBitSet>,
    sort: Option<ListOrder>,
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
    pub(super) fn row_at(&self, place: usize) -> Option<&UnmanifestedRow> {
        let row = *self.rows.get(place)? as usize;
        self.list.rows().get(row).map(|one| &**one)
    }

    /// Returns the list that the indices refer to.
    pub(super) fn list(&self) -> &UnmanifestedList {
        &self.list
    }

    /// Returns a number that changes when the list is replaced.
    pub(super) const fn list_version(&self) -> u64 {
        self.list_version
    }

    /// Returns true while the texts of some rows are still to be built in later frames.
    pub fn is_reading(&self) -> bool {
        !self.texts.is_read()
    }

    fn row(&self, id: ConsignmentId) -> Option<u32> {
        let found = self.list.rows().binary_search_by(|one| id.cmp(&one.id));
        u32::try_from(found.ok()?).ok()
    }

    /// Recomputes the rows if the list, the filter, the order or relevant label states and holds changed.
    /// `seconds` is the time of the window's clock.
    pub fn refresh(
        &mut self,
        shared: &Shared,
        filter: &str,
        sort: Option<ListOrder>,
        seconds: f64,
    ) {
        let new_list = self.adopt(shared);
        let new_filter = self.filter != filter;
        let before = if new_filter {
            filter.clone_into(&mut self.filter);
            std::mem::replace(&mut self.words, parse_filter(filter, ViewedList::Dispatch))
        } else {
            Vec::new()
        };
        let needs_text = !self.words.is_empty() || sort.is_some_and(|sort| sort.column.is_text());
        self.texts
            .read(if needs_text { usize::MAX } else { ROWS_A_FRAME });
        let by_label =
            sort.is_some_and(|sort| matches!(sort.column, ListField::Label | ListField::OnHold));
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
        let list = shared.dispatch.unmanifested.value().unwrap_or(&none);
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
        let mut changed = !Arc::ptr_eq(&self.held, &shared.dispatch.on_hold);
        self.held = Arc::clone(&shared.dispatch.on_hold);
        if (seconds - self.labels_at).abs() >= LABELS_SECONDS {
            self.labels_at = seconds;
            let hasher = BuildHasherDefault::<DefaultHasher>::default();
            let states = shared.labels.states.iter();
            let labels = states.fold(1, |sum: u64, (id, state)| {
                sum.wrapping_add(hasher.hash_one((id, label_text(state))))
            });
            changed |= std::mem::replace(&mut self.labels, labels) != labels;
        }
        changed
    }

    fn search(&self, shared: &Shared, among: Option<FixedBitSet>) -> Option<FixedBitSet> {
        let mut left = among;
        for word in &self.words {
            left = Some(match left {
                Some(hits) if hits.count_ones(..) * FEW <= self.list.len() => {
                    let mut fewer = FixedBitSet::with_capacity(self.list.len());
                    let matching = hits
                        .ones()
                        .filter(|row| self.row_matches(shared, *row, word));
                    fewer.extend(matching);
                    fewer
                }
                Some(mut hits) => {
                    hits.intersect_with(&self.find(shared, word));
                    hits
                }
                None => self.find(shared, word),
            });
        }
        left.filter(|_| !self.words.is_empty())
    }

    fn row_matches(&self, shared: &Shared, row: usize, word: &FilterWord) -> bool {
        let id = self.list.rows()[row].id;
        match word.field {
            Some(ListField::OnHold) => {
                return shared.dispatch.on_hold.contains(&id) == word.wants_mark();
            }
            Some(ListField::Label) => return label_matches(shared.labels.state(id), word),
            None => {
                let by_label = label_matches(shared.labels.state(id), word);
                let by_hold =
                    ON_HOLD_TEXT.contains(&word.text) && shared.dispatch.on_hold.contains(&id);
                if by_label || by_hold {
                    return true;
                }
            }
            Some(_) => {}
        }
        self.texts.holds(row, word)
    }

    fn find(&self, shared: &Shared, word: &FilterWord) -> FixedBitSet {
        let mut hits = FixedBitSet::with_capacity(self.list.len());
        let insert_id = |hits: &mut FixedBitSet, id: ConsignmentId| {
            if let Some(row) = self.row(id) {
                hits.insert(row as usize);
            }
        };
        if matches!(word.field, None | Some(ListField::Label)) {
            // Labels that are not in `label_states` are waiting.
            let waiting = label_matches(&LabelState::Waiting, word);
            let states = shared.labels.states.iter();
            for (id, _) in states.filter(|(_, state)| label_matches(state, word) != waiting) {
                insert_id(&mut hits, *id);
            }
            if waiting {
                hits.toggle_range(..);
                return hits;
            }
        }
        if word.field == Some(ListField::OnHold)
            || (word.field.is_none() && ON_HOLD_TEXT.contains(&word.text))
        {
            for id in shared.dispatch.on_hold.iter() {
                insert_id(&mut hits, *id);
            }
        }
        match word.field {
            Some(ListField::OnHold) if !word.wants_mark() => hits.toggle_range(..),
            Some(ListField::OnHold | ListField::Label) => {}
            _ => self.texts.find(word, |row| hits.insert(row as usize)),
        }
        hits
    }

    fn compose(&mut self) {
        let count = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let shown = |row: &u32| {
            self.hits
                .as_ref()
                .is_none_or(|hits| hits.contains(*row as usize))
        };
        self.rows = match &self.order {
            Some(order) => order.iter().copied().filter(shown).collect(),
            None => (0..count).filter(shown).collect(),
        };
        self.version += 1;
    }
}

impl ListedRows for Index {
    fn version(&self) -> u64 {
        self.version
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn id_at(&self, place: usize) -> Option<ConsignmentId> {
        self.row_at(place).map(|row| row.id)
    }

    fn place(&self, id: ConsignmentId) -> Option<usize> {
        let row = self.row(id)?;
        if self.order.is_none() {
            return self.rows.binary_search(&row).ok();
        }
        self.rows.iter().position(|shown| *shown == row)
    }

    fn shows(&self, id: ConsignmentId) -> bool {
        let is_hit = |row| { self.hits.as_ref() }.is_none_or(|hits| hits.contains(row as usize));
        self.row(id).is_some_and(is_hit)
    }
}

/// Returns whether a label's state matches a word. "Waiting" matches only with the column's name, as in
/// `label:waiting`: most labels are waiting, and a half-typed receiver's name must not match all of them.
fn label_matches(state: &LabelState, word: &FilterWord) -> bool {
    let is_meant = word.field == Some(ListField::Label) || *state != LabelState::Waiting;
    is_meant && label_text(state).contains(&word.text)
}
