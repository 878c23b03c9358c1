//! The draft being typed, with what is wrong at each field.

use std::collections::HashSet;

use egui::{Response, Ui};

use super::super::kit::checkbox::checkbox;
use super::super::kit::field::{self, FieldResponse};
use super::id;
use crate::draft::{Draft, Field};
use crate::state::ProblemList;

/// What the fields are drawn from and typed into.
pub(super) struct Form<'a> {
    pub(super) draft: &'a mut Draft,
    pub(super) problems: &'a ProblemList,
    pub(super) show_all: bool,
    pub(super) touched: &'a mut HashSet<Field>,
    /// Where the focus goes in the next frame, where Tab's order is not the clerk's.
    pub(super) go_to: &'a mut Option<egui::Id>,
    /// The same for a field that may be folded away.
    pub(super) lead: &'a mut Option<Field>,
    /// The field that has the focus, once it was drawn.
    pub(super) focused: Option<Field>,
}

impl<'a> Form<'a> {
    /// What is wrong at a field, once it was left, Send was pressed, or the service refused what is in it.
    pub(super) fn error(&self, field: Field) -> Option<&'a str> {
        let problems: &'a ProblemList = self.problems;
        if self.show_all || self.touched.contains(&field) || problems.is_refused(field) {
            problems.error_at(field)
        } else {
            None
        }
    }

    /// Notes that a field was left, or has the focus.
    pub(super) fn left(&mut self, field: Field, response: &Response) {
        if response.has_focus() {
            self.focused = Some(field);
        }
        if response.lost_focus() {
            self.touched.insert(field);
        }
    }

    /// The focus goes there in the next frame, and what hides it is unfolded.
    pub(super) fn lead(&mut self, ui: &Ui, to: Field) {
        *self.lead = Some(to);
        ui.ctx().request_repaint();
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
        let shown = look
            .dress(field::Field::new(label, of(self.draft)), at, error)
            .show(ui);
        self.left(at, &shown.response);
        shown
    }

    /// A checkbox of the draft, with what is wrong below it; a problem leads to it by its field.
    pub(super) fn checkbox(
        &mut self,
        ui: &mut Ui,
        words: &str,
        at: Field,
        of: impl FnOnce(&mut Draft) -> &mut bool,
    ) -> Response {
        let error = self.error(at);
        let response = checkbox(ui, of(self.draft), words);
        take_focus(ui, at, &response);
        self.left(at, &response);
        if let Some(error) = error {
            field::say_error(ui, &response, error);
        }
        response
    }
}

/// A problem leads to a field's id, which what is no text field does not have: it takes the focus on.
pub(super) fn take_focus(ui: &Ui, at: Field, response: &Response) {
    if ui.memory(|memory| memory.has_focus(id(at))) {
        response.request_focus();
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

impl<'a> Look<'a> {
    /// A field that looks like this.
    pub(super) fn dress(
        self,
        mut field: field::Field<'a>,
        at: Field,
        error: Option<&'a str>,
    ) -> field::Field<'a> {
        field = field.id(id(at)).hint(self.hint).unit(self.unit);
        if self.in_row {
            field = field.bare().calm().said_elsewhere(error);
        } else {
            field = field.error(error);
        }
        if self.number {
            field = field.number();
        }
        if self.mono {
            field = field.mono();
        }
        if let Some(name) = self.spoken {
            field = field.spoken(name);
        }
        if self.limit > 0 {
            field = field.limit(self.limit);
        }
        field
    }
}
