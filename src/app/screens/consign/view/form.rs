//! The form of the open draft: draws its fields with label, problem, suggestions and focus. Labels, hints and limits
//! are defined in the tables of fields of the crate `draft`.

use std::collections::HashSet;
use std::sync::Arc;

use egui::{Id, Response, Ui};

use super::id;
use crate::state::{ProblemList, Shared};
use draft::{AddressField, Draft, Field, FieldRow, GoodsField};
use shipping::CompanyId;
use widgets::button::Button;
use widgets::field::{self, FieldResponse, OnEnter};
use widgets::picker::PickerItem;
use widgets::select::{Select, SelectResponse};
use widgets::type_ahead::TypeAhead;
use widgets::{Icon, icons};

/// The fields that had the focus, and the field or widget that gets the focus next.
#[derive(Debug, Default)]
pub(super) struct FocusState {
    /// Fields that had the focus and lost it: their problems are shown.
    pub(super) touched: HashSet<Field>,
    /// The widget to focus in the next frame; `None` to keep the tab order.
    pub(super) next_widget: Option<Id>,
    /// The field to focus in the next frame, after the part of the form that hides the field was unfolded.
    pub(super) next_field: Option<Field>,
}

/// The open draft and everything else that its fields need to be drawn.
pub(super) struct Form<'a> {
    pub(super) shared: &'a Shared,
    pub(super) is_dialog_open: bool,
    pub(super) draft: &'a mut Draft,
    pub(super) problems: &'a ProblemList,
    pub(super) show_all: bool,
    pub(super) focus: &'a mut FocusState,
    /// The field that has the focus; `None` until that field is drawn.
    pub(super) focused: Option<Field>,
    /// An empty text, for fields whose value is not a text of the draft.
    pub(super) no_text: String,
}

/// How a field differs from its row in the table of fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldOptions<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) hint: Option<&'a str>,
    pub(super) unit: Option<&'a str>,
    pub(super) icon: Option<Icon>,
    /// Another field, whose error is shown here if this field has no error.
    pub(super) also_for: Option<Field>,
}

impl<'a> FieldOptions<'a> {
    pub(super) fn hint(hint: &'a str) -> Self {
        Self {
            hint: Some(hint),
            ..Self::default()
        }
    }
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

    /// Moves the focus to a field in the next frame, and unfolds the part of the form that hides the field.
    pub(super) fn focus_field(&mut self, ui: &Ui, to: Field) {
        self.focus.next_field = Some(to);
        ui.ctx().request_repaint();
    }

    /// Returns the text that a field edits. For a saved location, that is the text that the clerk searches for.
    fn text_mut(&mut self, at: Field) -> &mut String {
        match at {
            Field::From(AddressField::Saved) => &mut self.draft.from.search,
            Field::To(AddressField::Saved) => &mut self.draft.to.search,
            at => at.text_mut(self.draft).unwrap_or(&mut self.no_text),
        }
    }

    pub(super) fn text(&mut self, ui: &mut Ui, at: Field) -> FieldResponse {
        self.text_with(ui, at, FieldOptions::default())
    }

    /// Draws a text field with options that replace values of the table of fields.
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

    /// Draws a text field with a list of suggestions. `offer` returns the suggestions for a text, each with its
    /// value. Also returns the value of the picked suggestion. If the sources were loaded again in the meantime and
    /// no longer contain that suggestion, returns no value instead of a different value.
    pub(super) fn type_ahead<T>(
        &mut self,
        ui: &mut Ui,
        at: Field,
        options: FieldOptions<'_>,
        offer: impl Fn(&str) -> Vec<(PickerItem, T)>,
    ) -> (FieldResponse, Option<T>) {
        let parts = FieldParts::new(self, at, options);
        let stamp = address_sources(self.shared);
        let text = self.text_mut(at);
        let mut field = TypeAhead::new(parts.field(text));
        // The text of a saved location must be one of the suggestions.
        if !matches!(
            at,
            Field::From(AddressField::Saved) | Field::To(AddressField::Saved)
        ) {
            field = field.free_text();
        }
        if matches!(at, Field::From(_) | Field::To(_)) {
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

    /// Draws a text field. A picked suggestion replaces the typed text. Returns true if a suggestion was picked.
    pub(super) fn suggest<T: Into<String>>(
        &mut self,
        ui: &mut Ui,
        at: Field,
        offer: impl Fn(&str) -> Vec<(PickerItem, T)>,
    ) -> bool {
        let (_, picked) = self.type_ahead(ui, at, FieldOptions::default(), offer);
        let is_picked = picked.is_some();
        if let Some(text) = picked {
            *self.text_mut(at) = text.into();
        }
        is_picked
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
        if let Some(hint) = options.hint.filter(|hint| !hint.is_empty()) {
            select = select.hint(hint);
        }
        if let Some(name) = &parts.accessible_name {
            select = select.accessible_name(name);
        }
        select = match parts.frame {
            FieldFrame::Cell => select
                .hide_label()
                .borderless()
                .invalid(parts.error.is_some()),
            _ => select.error(parts.error),
        };
        let shown = select.show(ui);
        self.track_focus(at, &shown.response);
        shown
    }
}

/// Everything that is needed to draw a field, except its text.
struct FieldParts<'a> {
    at: Field,
    row: &'static FieldRow,
    frame: FieldFrame,
    options: FieldOptions<'a>,
    label: &'a str,
    accessible_name: Option<String>,
    error: Option<&'a str>,
}

impl<'a> FieldParts<'a> {
    fn new(form: &Form<'a>, at: Field, options: FieldOptions<'a>) -> Self {
        let row = at.row();
        let label = options.label.unwrap_or(row.label);
        Self {
            at,
            row,
            frame: FieldFrame::of(at),
            options,
            label,
            accessible_name: accessible_name(at, label),
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
        if row.is_number {
            field = field.number();
        }
        if row.is_code {
            field = field.mono();
        }
        if let Some(icon) = options.icon {
            field = field.icon(icon);
        }
        if let Some(name) = &self.accessible_name {
            field = field.accessible_name(name);
        }
        if self.frame != FieldFrame::Labelled {
            field = field.hide_label();
        }
        match self.frame {
            FieldFrame::Labelled | FieldFrame::Unlabelled => field.error(self.error),
            FieldFrame::Cell => field.borderless().error_shown_elsewhere(self.error),
            FieldFrame::Scans => field
                .cursor_at_end()
                .on_enter(OnEnter::Stay)
                .error_shown_elsewhere(self.error),
        }
    }
}

/// Returns a value that changes whenever the saved locations, the receivers or the suburbs change. Searching these
/// lists takes long, so the suggestions for an address are kept until the value changes.
fn address_sources(shared: &Shared) -> u64 {
    let at = |pointer: usize, length: usize| (pointer as u64).rotate_left(17) ^ length as u64;
    let (receivers, suburbs) = (&shared.catalogue.receivers, &shared.catalogue.suburbs);
    let locations = shared.catalogue.locations.value();
    let company = shared.session.company.map_or(0, CompanyId::get);
    at(Arc::as_ptr(receivers).addr(), receivers.len())
        ^ (Arc::as_ptr(suburbs).addr() as u64).rotate_left(29)
        ^ company.cast_unsigned().rotate_left(40)
        ^ locations.map_or(0, |places| at(places.as_ptr().addr(), places.len()))
}

/// Moves the focus from the id of a field to the widget `response`. A problem gives the focus to the field's id,
/// which only text fields and drop-downs use as their own id.
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

/// The frame that is drawn around a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldFrame {
    /// A label above the field, and the error below the field.
    Labelled,
    /// The error below the field.
    Unlabelled,
    /// Nothing: the field is a cell of a table, and the error is shown elsewhere.
    Cell,
    /// A border. The field takes one scan after another, so Enter does not move the focus.
    Scans,
}

impl FieldFrame {
    const fn of(field: Field) -> Self {
        match field {
            Field::Goods(_, GoodsField::References) => Self::Scans,
            Field::Goods(..) => Self::Cell,
            Field::Custom(..) => Self::Unlabelled,
            _ => Self::Labelled,
        }
    }
}

/// Returns the accessible name of a field that has the same label as other fields: `Line 1, DG item 2: Amount`.
fn accessible_name(field: Field, label: &str) -> Option<String> {
    Some(match field {
        Field::To(AddressField::Saved) => "To: saved location".to_owned(),
        Field::From(_) => format!("From: {}", label.to_lowercase()),
        Field::To(_) => format!("To: {}", label.to_lowercase()),
        Field::Goods(line, _) => format!("Line {}: {label}", line + 1),
        Field::Dg(line, good, _) => format!("Line {}, DG item {}: {label}", line + 1, good + 1),
        Field::Contents(line, at, _) => {
            format!("Line {}, contents {}: {label}", line + 1, at + 1)
        }
        Field::Custom(at, _) => format!("Option {}: {label}", at + 1),
        _ => return None,
    })
}

/// Returns the name of a field in the list of problems; empty if the problem concerns no single field.
pub(super) fn place_label(field: Field) -> String {
    let place = field.row().place;
    match field {
        Field::From(_) => format!("From, {place}"),
        Field::To(_) => format!("To, {place}"),
        Field::Goods(line, _) => format!("Line {}, {place}", line + 1),
        Field::Dg(line, ..) => format!("Line {}, dangerous goods, {place}", line + 1),
        Field::Customs(line) => format!("Line {}, customs", line + 1),
        Field::Contents(line, ..) => format!("Line {}, customs, {place}", line + 1),
        Field::Custom(..) => "Carrier's options".to_owned(),
        _ => place.to_owned(),
    }
}

/// Returns the maximum number of characters that can be typed. For addresses, goods and instructions this is twice
/// the length that can be sent, so that the clerk can choose what to shorten.
pub(super) fn typing_limit(field: Field) -> usize {
    match field {
        // Enough for all the references that a carrier would accept.
        Field::Goods(_, GoodsField::References) => 20_000,
        Field::From(_)
        | Field::To(_)
        | Field::Goods(..)
        | Field::Dg(..)
        | Field::Contents(..)
        | Field::Custom(..)
        | Field::Instructions => 2 * field.row().max_chars,
        _ => field.row().max_chars,
    }
}
