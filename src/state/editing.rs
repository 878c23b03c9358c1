//! The draft on the Consign screen: typed into by the screen, watched by the program.

use std::sync::Arc;

use jiff::Timestamp;

use super::ProblemList;
use crate::draft::{Check, CheckContext, Draft, Problem};

/// Whether the draft is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Saved {
    /// Nothing worth keeping is typed.
    #[default]
    Blank,
    /// Typed, and not on disk yet (a second at the most).
    Pending,
    /// On disk since then.
    At(Timestamp),
}

/// The draft being typed.
#[derive(Debug)]
pub struct Editing {
    /// What is typed; the screen edits it.
    pub draft: Draft,
    /// What the service said of it when it was last sent; forgotten as soon as it is changed.
    pub refusals: Vec<Problem>,
    /// What the service said of it when prices were asked for; forgotten as soon as it is changed or priced.
    pub price_refusals: Vec<Problem>,
    /// True once Send was pressed: problems show at every field, not only at those that were left.
    pub show_all: bool,
    /// What was asked of the price before Send: sending again, unchanged, is the answer.
    pub price_question: Option<String>,
    /// Whether it is on disk.
    pub saved: Saved,
    /// The draft as it was put on the screen or last given to the disk.
    kept: Draft,
    /// The draft that the last check looked at.
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
    /// Edits `draft`.
    pub fn of(draft: Draft) -> Self {
        Self {
            kept: draft.clone(),
            draft,
            refusals: Vec::new(),
            price_refusals: Vec::new(),
            show_all: false,
            price_question: None,
            saved: Saved::Blank,
            seen: None,
            check: None,
            listed: None,
        }
    }

    /// True where the draft was changed since it was put on the screen or last given to the disk.
    pub fn is_dirty(&self) -> bool {
        self.draft != self.kept
    }

    /// Notes that the draft, as it is now, was given to the disk or holds nothing that has to be saved.
    pub fn mark_kept(&mut self) {
        self.kept = self.draft.clone();
    }

    /// Looks at the draft: true where it was changed since the last look. What the service said of the old one goes.
    pub fn notice_change(&mut self) -> bool {
        let changed = self.seen.as_ref() != Some(&self.draft);
        if changed {
            self.price_question = None;
            // A new price for the chosen route is not the clerk's answer to a refusal.
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

    /// True where the draft was changed since it was last looked at.
    pub fn is_changed(&self) -> bool {
        self.seen.as_ref() != Some(&self.draft)
    }

    /// Checks the draft, again where it was changed or `fresh` is asked for (time passes too).
    pub fn refresh_check(&mut self, context: &CheckContext, fresh: bool) -> &Check {
        let draft = &self.draft;
        if fresh {
            self.check = None;
        }
        if self.check.is_none() {
            self.listed = None;
        }
        self.check
            .get_or_insert_with(|| draft.check_change(context))
    }

    /// The last check; nothing before the first look.
    pub const fn check(&self) -> Option<&Check> {
        self.check.as_ref()
    }

    /// All problems by field, made anew only where they changed.
    pub fn problem_list(&mut self) -> Arc<ProblemList> {
        let listed = self.listed.take();
        let told: Vec<Problem> = self.told().cloned().collect();
        let current = listed.filter(|listed| listed.refusals() == told);
        let own = self.check.as_ref().map(|check| check.problems.as_slice());
        let listed =
            current.unwrap_or_else(|| Arc::new(ProblemList::new(own.unwrap_or_default(), &told)));
        self.listed = Some(Arc::clone(&listed));
        listed
    }

    /// All problems to show: the bench's own and the service's.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let own = self.check.iter().flat_map(|check| &check.problems);
        own.chain(self.told())
    }

    /// What the service said, each thing once.
    fn told(&self) -> impl Iterator<Item = &Problem> {
        let priced = &self.price_refusals;
        let of_prices = priced.iter().filter(|one| !self.refusals.contains(one));
        self.refusals.iter().chain(of_prices)
    }
}
