//! The form of the open draft, with the problems of each field.

use std::collections::HashSet;

use egui::{Response, Ui};

use super::id;
use crate::state::ProblemList;
use draft::{Draft, Field};
use widgets::checkbox::checkbox;
use widgets::field::{self, FieldResponse};

/// The open draft and everything else that its fields need to be drawn.
pub(super) struct Form<'a> {
    pub(super) draft: &'a mut Draft,
    pub(super) problems: &'a ProblemList,
    pub(super) show_all: bool,
    pub(super) touched: &'a mut HashSet<Field>,
    /// The widget that gets the focus in the next frame, if the order of work differs from Tab's order.
    pub(super) focus_widget: &'a mut Option<egui::Id>,
    /// The field that gets the focus in the next frame, after whatever hides it was unfolded.
    pub(super) focus_field: &'a mut Option<Field>,
    /// The field that has the focus, known once it was drawn.
    pub(super) focused: Option<Field>,
}

impl<'a> Form<'a> {
    /// Returns the error of a field, once the field was left, Send was pressed, or the service refused the
    /// field's value.
    pub(super) fn error(&self, field: Field) -> Option<&'a str> {
        let problems: &'a ProblemList = self.problems;
        if self.show_all || self.touched.contains(&field) || problems.is_refused(field) {
            problems.error_at(field)
        } else {
            None
        }
    }

    /// Records that a field was left, or that it has the focus.
    pub(super) fn track_focus(&mut self, field: Field, response: &Response) {
        if response.has_focus() {
            self.focused = Some(field);
        }
        if response.lost_focus() {
            self.touched.insert(field);
        }
    }

    /// Moves the focus to a field in the next frame, unfolding whatever hides it.
    pub(super) fn focus_field(&mut self, ui: &Ui, to: Field) {
        *self.focus_field = Some(to);
        ui.ctx().request_repaint();
    }

    /// Draws a text field of the draft.
    pub(super) fn text(
        &mut self,
        ui: &mut Ui,
        label: &str,
        at: Field,
        of: impl FnOnce(&mut Draft) -> &mut String,
        look: FieldOptions<'_>,
    ) -> FieldResponse {
        let error = self.error(at);
        let shown = look
            .apply_to(field::Field::new(label, of(self.draft)), at, error)
            .show(ui);
        self.track_focus(at, &shown.response);
        shown
    }

    /// Draws a checkbox of the draft, with its error below it.
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
        self.track_focus(at, &response);
        if let Some(error) = error {
            field::show_error(ui, &response, error);
        }
        response
    }
}

/// Passes the focus on to a widget that is not a text field. Problems give the focus to the field's id, which
/// only text fields use as their own id.
pub(super) fn take_focus(ui: &Ui, at: Field, response: &Response) {
    if ui.memory(|memory| memory.has_focus(id(at))) {
        response.request_focus();
    }
}

/// Display options of a text field of the draft.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldOptions<'a> {
    /// Text that is shown while the field is empty.
    pub(super) hint: &'a str,
    /// Text that is shown after the value.
    pub(super) unit: &'a str,
    /// Accessible name, if the label alone does not tell the field from others.
    pub(super) spoken: Option<&'a str>,
    /// True for ids and references, which use a monospaced font.
    pub(super) mono: bool,
    /// True for numbers, which are right-aligned.
    pub(super) number: bool,
    /// True in a row of fields: the label is hidden, and the error is shown elsewhere.
    pub(super) in_row: bool,
    /// Maximum number of characters; 0 for the default.
    pub(super) limit: usize,
}

impl<'a> FieldOptions<'a> {
    /// Applies these options to a text field.
    pub(super) fn apply_to(
        self,
        mut field: field::Field<'a>,
        at: Field,
        error: Option<&'a str>,
    ) -> field::Field<'a> {
        field = field.id(id(at)).hint(self.hint).unit(self.unit);
        if self.in_row {
            field = field.hide_label().borderless().error_shown_elsewhere(error);
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
            field = field.accessible_name(name);
        }
        if self.limit > 0 {
            field = field.limit(self.limit);
        }
        field
    }
}
