//! The draft being typed, with what is wrong at each field.

use std::collections::HashSet;

use egui::{Response, Ui};

use super::super::kit::field::{self, FieldResponse};
use super::id;
use crate::draft::{Draft, Field, Problem, Severity};

/// What the fields are drawn from and typed into.
pub(super) struct Form<'a> {
    pub(super) draft: &'a mut Draft,
    pub(super) problems: &'a [Problem],
    pub(super) show_all: bool,
    pub(super) touched: &'a mut HashSet<Field>,
    /// Where the focus goes in the next frame, where Tab's order is not the clerk's.
    pub(super) go_to: &'a mut Option<egui::Id>,
}

impl<'a> Form<'a> {
    /// What is wrong at a field, once it was left or Send was pressed.
    pub(super) fn error(&self, field: Field) -> Option<&'a str> {
        let shows = self.show_all || self.touched.contains(&field);
        let problems: &'a [Problem] = self.problems;
        let wrong =
            |problem: &&Problem| problem.field == field && problem.severity == Severity::Error;
        problems
            .iter()
            .find(wrong)
            .filter(|_| shows)
            .map(|problem| problem.words.as_str())
    }

    /// Notes that a field was left.
    pub(super) fn left(&mut self, field: Field, response: &Response) {
        if response.lost_focus() {
            self.touched.insert(field);
        }
    }

    /// A text field of the draft.
    pub(super) fn text(
        &mut self,
        ui: &mut Ui,
        label: &str,
        at: Field,
        of: impl FnOnce(&mut Draft) -> &mut String,
        look: Look<'_>,
    ) -> FieldResponse {
        let error = self.error(at);
        let mut field = field::Field::new(label, of(self.draft))
            .id(id(at))
            .hint(look.hint)
            .unit(look.unit);
        if look.in_row {
            field = field.bare().calm().wrong(error.is_some());
        } else {
            field = field.error(error);
        }
        if look.number {
            field = field.number();
        }
        if look.mono {
            field = field.mono();
        }
        if let Some(name) = look.spoken {
            field = field.spoken(name);
        }
        if look.limit > 0 {
            field = field.limit(look.limit);
        }
        let shown = field.show(ui);
        self.left(at, &shown.response);
        shown
    }
}

/// How a field of the draft is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look<'a> {
    /// Shown while it is empty.
    pub(super) hint: &'a str,
    /// After the text.
    pub(super) unit: &'a str,
    /// What a screen reader calls it, where the label alone does not tell it from others.
    pub(super) spoken: Option<&'a str>,
    /// An id or a reference.
    pub(super) mono: bool,
    /// Figures.
    pub(super) number: bool,
    /// In a row of fields: no label, and its error is said elsewhere.
    pub(super) in_row: bool,
    /// At most so many characters; 0 for the usual.
    pub(super) limit: usize,
}
