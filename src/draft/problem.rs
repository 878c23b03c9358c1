//! What stands between a draft and its request.

use super::field::Field;

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It can't be sent like this.
    Error,
    /// It can be sent, and is worth a look.
    Warning,
}

/// One thing that is wrong, at one field, in words for the clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where to go to mend it.
    pub field: Field,
    /// Whether it blocks sending.
    pub severity: Severity,
    /// What to do.
    pub words: String,
}

impl Problem {
    /// A problem that blocks sending.
    pub fn error(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Error,
            words: words.into(),
        }
    }

    /// One that does not.
    pub fn warning(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Warning,
            words: words.into(),
        }
    }
}
