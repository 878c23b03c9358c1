//! The form of the open draft: draws its fields with label, problem, suggestions and focus.

use std::collections::HashSet;

use egui::{Id, Response, Ui};

use super::field_table::{FieldRow, accessible_name, typing_limit};
use super::id;
use crate::state::ProblemList;
use draft::{AddressField, Draft, Field};
use widgets::button::Button;
use widgets::field::{self, FieldResponse, OnEnter};
use widgets::picker::PickerItem;
use widgets::select::{Select, SelectResponse};
use widgets::type_ahead::TypeAhead;
use widgets::{Icon, icons};

/// The focus of the form: where it was, and where it goes next.
#[derive(Debug, Default)]
pub(super) struct FocusState {
    /// Fields that had the focus and lost it: their problems are shown.
    pub(super) touched: HashSet<Field>,
    /// The widget to focus in the next frame, if it is not the next one in tab order.
    pub(super) next_widget: Option<Id>,
    /// The field that gets the focus in the next frame, after whatever hides it was unfolded.
    pub(super) next_field: Option<Field>,
}

/// The open draft and everything else that its fields need to be drawn.
pub(super) struct Form<'a> {
    pub(super) draft: &'a mut Draft,
    pub(super) problems: &'a ProblemList,
    pub(super) show_all: bool,
    pub(super) focus: &'a mut FocusState,
    /// The field that has the focus, known once it was drawn.
    pub(super) focused: Option<Field>,
    /// Stands in for the text of a field that has none.
    pub(super) no_text: String,
}

/// How a field differs from its row in the table of fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldOptions<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) hint: Option<&'a str>,
    pub(super) unit: Option<&'a str>,
    /// Accessible name, if it does not follow from field and label.
    pub(super) accessible_name: Option<&'a str>,
    pub(super) icon: Option<Icon>,
    /// Another field, whose error is shown here if this field has no error.
    pub(super) also_for: Option<Field>,
    /// True in a row of a table: label and border are hidden, and the error is shown elsewhere.
    pub(super) in_row: bool,
    /// True if the label is hidden, but not the error.
    pub(super) hide_label: bool,
    /// True for a row of fields that take one scan after the other: Enter leaves the focus there.
    pub(super) scans: bool,
    /// For a list of suggestions: true if the text must be one of the suggestions.
    pub(super) from_list: bool,
    /// For suggestions that take long to search: a value that changes whenever their sources change.
    pub(super) sources: Option<u64>,
}

impl<'a> Form<'a> {
    /// Returns the error of a field, once the clerk has moved on from the field, Send was pressed, or the
    /// service refused the field's value.
    pub(super) fn error(&self, field: Field) -> Option<&'a str> {
        let problems: &'a ProblemList = self.problems;
        let is_shown =
            self.show_all || self.focus.touched.contains(&field) || problems.is_refused(field);
        // A location that was picked for another company is marked at once, even if its field was never left.
        let is_picked = match field {
            Field::From(AddressField::Saved) => self.draft.from.saved.is_some(),
            Field::To(AddressField::Saved) => self.draft.to.saved.is_some(),
            _ => false,
        };
        (is_shown || is_picked)
            .then(|| problems.error_at(field))
            .flatten()
    }

    /// Records that a field has the focus or has lost it.
    pub(super) fn track_focus(&mut self, field: Field, response: &Response) {
        if response.has_focus() {
            self.focused = Some(field);
        }
        if response.lost_focus() {
            self.focus.touched.insert(field);
        }
    }

    /// Moves the focus to a field in the next frame, unfolding whatever hides it.
    pub(super) fn focus_field(&mut self, ui: &Ui, to: Field) {
        self.focus.next_field = Some(to);
        ui.ctx().request_repaint();
    }

    /// Returns the text that a field edits. For a saved location, that is the text
    /// that the clerk searches for.
    fn text_mut(&mut self, at: Field) -> &mut String {
        match at {
            Field::From(AddressField::Saved) => &mut self.draft.from.search,
            Field::To(AddressField::Saved) => &mut self.draft.to.search,
            at => at.text_mut(self.draft).unwrap_or(&mut self.no_text),
        }
    }

    /// Draws a text field.
    pub(super) fn text(&mut self, ui: &mut Ui, at: Field) -> FieldResponse {
        self.text_with(ui, at, FieldOptions::default())
    }

    /// Draws a text field that differs from the table of fields.
    pub(super) fn text_with(
        &mut self,
        ui: &mut Ui,
        at: Field,
        options: FieldOptions<'_>,
    ) -> FieldResponse {
        let parts = FieldParts::new(self, at, options);
        let shown = parts.field(self.text_mut(at)).show(ui);
        self.track_focus(at, &shown.response);
        shown
    }

    /// Draws a text field with a list of suggestions. `offer` returns the suggestions for a text, each with
    /// its value. Also returns the value of the picked suggestion, unless the sources no longer offer it: if
    /// they were loaded again in the meantime, the pick never turns into another value.
    pub(super) fn type_ahead<T>(
        &mut self,
        ui: &mut Ui,
        at: Field,
        options: FieldOptions<'_>,
        offer: impl Fn(&str) -> Vec<(PickerItem, T)>,
    ) -> (FieldResponse, Option<T>) {
        let parts = FieldParts::new(self, at, options);
        let text = self.text_mut(at);
        let mut field = TypeAhead::new(parts.field(text));
        if !options.from_list {
            field = field.free_text();
        }
        if let Some(stamp) = options.sources {
            field = field.sources(stamp);
        }
        let items = |typed: &str| offer(typed).into_iter().map(|(item, _)| item).collect();
        let shown = field.show(ui, items);
        let picked = shown.item.and_then(|picked| {
            let mut offered = offer(text).into_iter();
            offered.find(|(item, _)| *item == picked)
        });
        self.track_focus(at, &shown.field.response);
        (shown.field, picked.map(|(_, value)| value))
    }

    /// Draws a drop-down. `current` is the index of the chosen name.
    pub(super) fn select(
        &mut self,
        ui: &mut Ui,
        at: Field,
        options: FieldOptions<'_>,
        current: Option<usize>,
        names: &[&str],
    ) -> SelectResponse {
        let parts = FieldParts::new(self, at, options);
        let mut select = Select::new(parts.label, current, names).id(id(at));
        if let Some(hint) = options.hint {
            select = select.hint(hint);
        }
        if let Some(name) = &parts.accessible_name {
            select = select.accessible_name(name);
        }
        select = if options.in_row {
            select
                .hide_label()
                .borderless()
                .invalid(parts.error.is_some())
        } else {
            select.error(parts.error)
        };
        let shown = select.show(ui);
        self.track_focus(at, &shown.response);
        shown
    }

    /// Draws a drop-down over all values of an enum. Returns the value that was picked.
    pub(super) fn select_value<T: Copy + PartialEq>(
        &mut self,
        ui: &mut Ui,
        at: Field,
        current: Option<T>,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
        let chosen = current.and_then(|current| all.iter().position(|value| *value == current));
        let shown = self.select(ui, at, FieldOptions::default(), chosen, &names);
        shown.picked.map(|picked| all[picked])
    }
}

/// Everything but the text that a field is drawn from.
struct FieldParts<'a> {
    at: Field,
    row: FieldRow,
    options: FieldOptions<'a>,
    label: &'a str,
    accessible_name: Option<String>,
    error: Option<&'a str>,
}

impl<'a> FieldParts<'a> {
    fn new(form: &Form<'a>, at: Field, options: FieldOptions<'a>) -> Self {
        let row = FieldRow::of(at);
        let label = options.label.unwrap_or(row.label);
        let own_name = options.accessible_name.map(str::to_owned);
        Self {
            at,
            row,
            options,
            label,
            accessible_name: own_name.or_else(|| accessible_name(at, label)),
            error: form.error(at).or_else(|| form.error(options.also_for?)),
        }
    }

    fn field<'f>(&'f self, text: &'f mut String) -> field::Field<'f> {
        let (row, options) = (self.row, self.options);
        let mut field = field::Field::new(self.label, text)
            .id(id(self.at))
            .hint(options.hint.unwrap_or(row.hint))
            .unit(options.unit.unwrap_or(row.unit))
            .limit(typing_limit(self.at));
        if row.number {
            field = field.number();
        }
        if row.mono {
            field = field.mono();
        }
        if let Some(icon) = options.icon {
            field = field.icon(icon);
        }
        if let Some(name) = &self.accessible_name {
            field = field.accessible_name(name);
        }
        if options.in_row || options.scans || options.hide_label {
            field = field.hide_label();
        }
        if options.in_row {
            field = field.borderless();
        }
        if options.scans {
            field = field.cursor_at_end().on_enter(OnEnter::Stay);
        }
        if options.in_row || options.scans {
            field.error_shown_elsewhere(self.error)
        } else {
            field.error(self.error)
        }
    }
}

/// Passes the focus on to a widget that is not a text field. Problems give the focus to the field's id, which
/// only text fields use as their own id.
pub(super) fn take_focus(ui: &Ui, at: Field, response: &Response) {
    if ui.memory(|memory| memory.has_focus(id(at))) {
        response.request_focus();
    }
}

/// Draws the button that folds and unfolds what is below it.
pub(super) fn fold_button(ui: &mut Ui, label: &str, is_open: &mut bool) {
    let icon = if *is_open {
        icons::ICON_KEYBOARD_ARROW_DOWN
    } else {
        icons::ICON_CHEVRON_RIGHT
    };
    let button = Button::quiet(label).icon(icon).left().small();
    *is_open ^= ui.add(button).clicked();
}
