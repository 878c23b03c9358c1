//! Problems that the check of a draft reports.

use super::field::Field;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Prevents sending.
    Error,
    /// Does not prevent sending, but the clerk should check the value.
    Warning,
}

/// A problem at a field, worded for the clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub field: Field,
    pub severity: Severity,
    /// The instruction to show.
    pub message: String,
}

impl Problem {
    /// Creates a problem that prevents sending.
    pub fn error(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Error,
            message: words.into(),
        }
    }

    /// Creates a problem that does not prevent sending.
    pub fn warning(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Warning,
            message: words.into(),
        }
    }
}
