//! The problems of the open draft, looked up by field.
//!
//! Made once a check, so that a screen of two thousand fields asks for each of them without going through all problems.
//! What always holds: the order is that of the screen, the service's own words after the bench's.

use std::collections::HashMap;

use crate::draft::{Field, Problem, Severity};

/// All problems of a draft.
#[derive(Debug, Clone, Default)]
pub struct ProblemList {
    all: Vec<Problem>,
    /// How many of them are the bench's own; the service's follow.
    own: usize,
    /// Where the first error of each field is.
    errors_at: HashMap<Field, usize>,
    errors: usize,
}

impl ProblemList {
    /// The bench's own and the service's.
    pub fn new(own: &[Problem], refusals: &[Problem]) -> Self {
        let all: Vec<Problem> = own.iter().chain(refusals).cloned().collect();
        let mut errors_at = HashMap::new();
        let mut errors = 0;
        for (at, problem) in all.iter().enumerate() {
            if problem.severity == Severity::Error {
                errors_at.entry(problem.field).or_insert(at);
                errors += 1;
            }
        }
        Self {
            own: own.len(),
            all,
            errors_at,
            errors,
        }
    }

    /// All of them, in the order of the screen.
    pub fn all(&self) -> &[Problem] {
        &self.all
    }

    /// One after another, in the order of the screen.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.all.iter()
    }

    /// Those that the service told.
    pub fn refusals(&self) -> &[Problem] {
        &self.all[self.own..]
    }

    /// True where the service refused what is in a field.
    pub fn is_refused(&self, field: Field) -> bool {
        let mut told = self.refusals().iter();
        told.any(|one| one.field == field && one.severity == Severity::Error)
    }

    /// How many block sending.
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// What is wrong at a field.
    pub fn error_at(&self, field: Field) -> Option<&str> {
        let at = *self.errors_at.get(&field)?;
        Some(self.all[at].words.as_str())
    }

    /// Where the first error is.
    pub fn first_error(&self) -> Option<Field> {
        let is_error = |problem: &&Problem| problem.severity == Severity::Error;
        self.all.iter().find(is_error).map(|problem| problem.field)
    }
}

impl<'a> IntoIterator for &'a ProblemList {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
