//! The problems of the open draft, indexed by field.
//!
//! The list is built once for each check, so that a form with two thousand fields can look up each of them
//! quickly. Problems are in the order of the form, the service's after the bench's own.

use std::collections::HashMap;

use draft::{Field, Problem, Severity};

#[derive(Debug, Clone, Default)]
pub struct ProblemList {
    all: Vec<Problem>,
    /// Number of problems found by the bench, which come before the service's.
    own: usize,
    /// Index of the first error of each field.
    errors_at: HashMap<Field, usize>,
    errors: usize,
}

impl ProblemList {
    /// Builds the list from the bench's own problems and the service's refusals.
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

    /// Returns all problems, in the order of the form.
    pub fn all(&self) -> &[Problem] {
        &self.all
    }

    /// Iterates over the problems, in the order of the form.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.all.iter()
    }

    /// Returns the service's problems.
    pub fn refusals(&self) -> &[Problem] {
        &self.all[self.own..]
    }

    /// Returns true if the service refused the value of a field.
    pub fn is_refused(&self, field: Field) -> bool {
        let mut told = self.refusals().iter();
        told.any(|one| one.field == field && one.severity == Severity::Error)
    }

    /// Returns the number of problems that block sending.
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the message of the first error at a field.
    pub fn error_at(&self, field: Field) -> Option<&str> {
        let at = *self.errors_at.get(&field)?;
        Some(self.all[at].message.as_str())
    }

    /// Returns the field of the first error.
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
