//! The list of unmanifested consignments for screens without the program behind them, and the rows of lists
//! in sight.

use std::convert::Infallible;
use std::sync::Arc;

use app::state::{
    Command, ConsignmentHistory, ConsignmentRow, DispatchCommand, LabelsCommand, ListCommand,
    ListOrder, Remote, RowsToCopy, Shared, TrackList, TrackQuery, ViewedList, WindowMarks,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shipping::{Consignment, ConsignmentId};
use storage::{FilterTexts, parse_filter, put_in_order};

use crate::journeys::kit::Role;

/// The rows of consignments as the service gave them.
pub(crate) fn rows_of(consignments: &[Consignment]) -> Vec<ConsignmentRow> {
    let rows = consignments
        .iter()
        .map(|one| ConsignmentHistory::of(one, None).row);
    rows.collect()
}

/// Returns the height and the words of the third row in sight.
pub(crate) fn third_row<S>(window: &Harness<'_, S>) -> (f32, Option<String>) {
    let rows = window.get_all_by_role(Role::Row);
    let mut rows: Vec<_> = rows
        .map(|row| (row.rect().top().round(), row.accesskit_node().label()))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.swap_remove(2)
}

/// Fails unless the third row in sight stays what it was, less than a row away from where it was.
#[track_caller]
pub(crate) fn assert_third_row_stays<S>(
    window: &mut Harness<'_, S>,
    before: &(f32, Option<String>),
) {
    window.run_steps(3);
    let after = third_row(window);
    assert_eq!(after.1, before.1);
    assert!((after.0 - before.0).abs() < 29.0, "{before:?} {after:?}");
}

/// Lists these rows, and no others.
pub(crate) fn list_rows(shared: &mut Shared, rows: impl IntoIterator<Item = ConsignmentRow>) {
    shared.rows = { rows.into_iter() }
        .map(|row| (row.id, Arc::new(row)))
        .collect::<std::collections::HashMap<_, _>>()
        .into();
    list_ids(shared, shared.rows.keys().copied().collect());
}

/// Lists another row, or the row as it is now.
pub(crate) fn put_row(shared: &mut Shared, row: ConsignmentRow) {
    let mut ids = listed(shared);
    ids.retain(|id| *id != row.id);
    ids.push(row.id);
    Arc::make_mut(&mut shared.rows).insert(row.id, Arc::new(row));
    list_ids(shared, ids);
}

/// Keeps only these rows in the list.
pub(crate) fn retain_rows(shared: &mut Shared, stays: impl Fn(ConsignmentId) -> bool) {
    let mut ids = listed(shared);
    ids.retain(|id| stays(*id));
    list_ids(shared, ids);
}

/// The ids in the list, newest first.
pub(crate) fn listed(shared: &Shared) -> Vec<ConsignmentId> {
    let list = shared.dispatch.unmanifested.value();
    list.map_or_else(Vec::new, |list| list.to_vec())
}

fn list_ids(shared: &mut Shared, mut ids: Vec<ConsignmentId>) {
    ids.sort_unstable_by(|one, other| other.cmp(one));
    shared.dispatch.unmanifested = Remote::ready(ids.into());
}

/// Answers the queries of lists, as the program does from its store.
#[derive(Default)]
pub(crate) struct ListService {
    texts: FilterTexts,
    of: Option<(Rows, Arc<[ConsignmentId]>)>,
    answered: Option<(TrackQuery, TrackQuery, WindowMarks)>,
}

type Rows = Arc<std::collections::HashMap<ConsignmentId, Arc<ConsignmentRow>>>;

impl ListService {
    /// Takes over the queries and the rows to copy that were asked for. Returns whether nothing else is
    /// to be done for the command.
    pub(crate) fn take(shared: &mut Shared, command: &Command) -> bool {
        match command {
            Command::Dispatch(DispatchCommand::Query(words, order)) => {
                shared.dispatch.query = query(words, *order);
            }
            Command::Labels(LabelsCommand::Filter(words)) => {
                shared.labels.query = query(words, ListOrder::default());
            }
            Command::List(ListCommand::CopyRows(of)) => {
                let rows = of.iter().filter_map(|id| shared.rows.get(id).cloned());
                let (of, rows) = (of.clone(), rows.collect());
                shared.to_copy = Some(Arc::new(RowsToCopy { of, rows }));
                return false;
            }
            Command::List(ListCommand::NeedRows(ids)) => {
                return ids.iter().all(|id| shared.rows.contains_key(id));
            }
            _ => return false,
        }
        true
    }

    /// Runs the queries if they or the rows have changed.
    pub(crate) fn answer(&mut self, shared: &mut Shared) {
        let queries = (&shared.dispatch.query, &shared.labels.query);
        if queries.0.is_plain() && queries.1.is_plain() {
            shared.dispatch.found.clear();
            shared.labels.found.clear();
            self.answered = None;
            return;
        }
        let list = shared
            .dispatch
            .unmanifested
            .value()
            .cloned()
            .unwrap_or_default();
        let is_same = self
            .of
            .as_ref()
            .is_some_and(|(rows, ids)| Arc::ptr_eq(rows, &shared.rows) && Arc::ptr_eq(ids, &list));
        if !is_same {
            self.texts = FilterTexts::default();
            for row in list.iter().filter_map(|id| shared.row(*id)) {
                self.texts.push(row);
            }
            self.of = Some((Arc::clone(&shared.rows), list));
        }
        let asked = (queries.0.clone(), queries.1.clone(), shared.marks());
        if is_same && self.answered.as_ref() == Some(&asked) {
            return;
        }
        let answer = |query: &TrackQuery| {
            if query.is_plain() {
                Remote::default()
            } else {
                Remote::ready(self.list(shared, query, &asked.2))
            }
        };
        (shared.dispatch.found, shared.labels.found) = (answer(&asked.0), answer(&asked.1));
        self.answered = Some(asked);
    }

    fn list(&self, shared: &Shared, query: &TrackQuery, marks: &WindowMarks) -> TrackList {
        let words = parse_filter(&query.words, ViewedList::Dispatch);
        let key = |id: &ConsignmentId| shared.rows[id].field(query.order.column).sort_key();
        let stored = |ids: &[ConsignmentId]| Ok::<_, Infallible>(ids.iter().map(key).collect());
        let Ok(ids) = put_in_order(self.texts.find(&words, marks), query.order, marks, stored);
        TrackList {
            query: query.clone(),
            ids: ids.into(),
            ..TrackList::default()
        }
    }
}

fn query(words: &str, order: ListOrder) -> TrackQuery {
    TrackQuery {
        words: words.to_owned(),
        order,
        ..TrackQuery::default()
    }
}
