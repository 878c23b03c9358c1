//! The draft on the Consign screen, which the screen edits and the program watches, and its problems.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;

use crate::state::RouteChange;
use draft::{Check, CheckContext, Draft, Field, Problem, Severity};

/// Whether the draft is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SaveState {
    /// The draft has nothing worth saving.
    #[default]
    Blank,
    /// Not saved yet. A draft is saved within a second.
    Pending,
    /// Saved at this time.
    At(Timestamp),
}

#[derive(Debug)]
pub struct Editing {
    /// The draft; the screen edits it.
    pub draft: Draft,
    /// The service's problems from the last Send; removed as soon as the draft is changed.
    pub refusals: Vec<Problem>,
    /// The service's problems from the last request for prices; removed as soon as the draft is changed
    /// or priced again.
    pub price_refusals: Vec<Problem>,
    /// True once Send was pressed: every field then shows its problems, not only the fields that the clerk
    /// has visited.
    pub show_all: bool,
    /// The question about a high price, asked before sending. If Send is pressed again without a change,
    /// the answer is yes.
    pub price_question: Option<String>,
    /// Changes of the chosen route, until they are acknowledged or another route is chosen.
    pub route_change: Option<RouteChange>,
    pub saved: SaveState,
    /// The draft as it was opened or last saved.
    last_saved: Draft,
    /// The draft at the last call of [`Editing::notice_change`].
    seen: Option<Draft>,
    check: Option<Check>,
    listed: Option<Arc<ProblemList>>,
}

impl Default for Editing {
    fn default() -> Self {
        Self::of(Draft::default())
    }
}

impl Editing {
    pub fn of(draft: Draft) -> Self {
        Self {
            last_saved: draft.clone(),
            draft,
            refusals: Vec::new(),
            price_refusals: Vec::new(),
            show_all: false,
            price_question: None,
            route_change: None,
            saved: SaveState::Blank,
            seen: None,
            check: None,
            listed: None,
        }
    }

    /// Returns true if the draft was changed since it was opened or last saved.
    pub fn is_dirty(&self) -> bool {
        self.draft != self.last_saved
    }

    /// Marks the draft as saved, or as having nothing to save.
    pub fn mark_kept(&mut self) {
        self.last_saved = self.draft.clone();
    }

    /// Returns true if the draft was changed since the last call. If so, removes the service's problems.
    pub fn notice_change(&mut self) -> bool {
        let changed = self.is_changed();
        if changed {
            self.price_question = None;
            // A new price for the chosen route does not answer a refusal.
            let typed = self.seen.take().is_some_and(|seen| {
                Draft {
                    routing: self.draft.routing.clone(),
                    ..seen
                } != self.draft
            });
            if typed {
                self.refusals.clear();
                self.price_refusals.clear();
            }
            self.seen = Some(self.draft.clone());
            self.check = None;
            self.listed = None;
        }
        changed
    }

    /// Returns true if the draft was changed since the last call of [`Editing::notice_change`].
    pub fn is_changed(&self) -> bool {
        self.seen.as_ref() != Some(&self.draft)
    }

    /// Checks the draft if it was changed, or if `fresh` is true, because some rules depend on the time.
    pub fn refresh_check(&mut self, context: &CheckContext, fresh: bool) -> &Check {
        if fresh {
            self.check = None;
        }
        self.check.get_or_insert_with(|| {
            self.listed = None;
            self.draft.check_change(context)
        })
    }

    pub const fn check(&self) -> Option<&Check> {
        self.check.as_ref()
    }

    /// Returns all problems by field. The list is built again only if they have changed.
    pub fn problem_list(&mut self) -> Arc<ProblemList> {
        let told: Vec<Problem> = self.service_problems().cloned().collect();
        match &self.listed {
            Some(listed) if listed.refusals() == told => Arc::clone(listed),
            _ => {
                let own = self.check.as_ref().map(|check| check.problems.as_slice());
                let listed = Arc::new(ProblemList::new(own.unwrap_or_default(), &told));
                Arc::clone(self.listed.insert(listed))
            }
        }
    }

    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let own = self.check.iter().flat_map(|check| &check.problems);
        own.chain(self.service_problems())
    }

    /// Returns the service's problems without duplicates.
    fn service_problems(&self) -> impl Iterator<Item = &Problem> {
        let priced = &self.price_refusals;
        let of_prices = priced.iter().filter(|one| !self.refusals.contains(one));
        self.refusals.iter().chain(of_prices)
    }
}

/// The problems of the open draft, in the order of the form. The bench's own problems come before the service's.
///
/// The list is built once for each check, so that a form with two thousand fields can look up each of them quickly.
#[derive(Debug, Default)]
pub struct ProblemList {
    all: Vec<Problem>,
    /// Number of problems found by the bench, which come before the service's.
    own: usize,
    /// Index of the first error of each field.
    errors_at: HashMap<Field, usize>,
}

impl Deref for ProblemList {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.all
    }
}

impl ProblemList {
    /// Builds the list from the bench's own problems and the service's refusals.
    pub fn new(own: &[Problem], refusals: &[Problem]) -> Self {
        let all = [own, refusals].concat();
        let mut errors_at = HashMap::new();
        for (at, problem) in all.iter().enumerate() {
            if problem.severity == Severity::Error {
                errors_at.entry(problem.field).or_insert(at);
            }
        }
        Self {
            own: own.len(),
            all,
            errors_at,
        }
    }

    pub fn refusals(&self) -> &[Problem] {
        &self.all[self.own..]
    }

    /// Returns true if the service refused the value of a field.
    pub fn is_refused(&self, field: Field) -> bool {
        let mut told = self.refusals().iter();
        told.any(|one| one.field == field && one.severity == Severity::Error)
    }

    /// Returns the problems that block sending.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        let is_error = |problem: &&Problem| problem.severity == Severity::Error;
        self.iter().filter(is_error)
    }

    /// Returns the message of the first error at a field.
    pub fn error_at(&self, field: Field) -> Option<&str> {
        let at = *self.errors_at.get(&field)?;
        Some(self.all[at].message.as_str())
    }
}
