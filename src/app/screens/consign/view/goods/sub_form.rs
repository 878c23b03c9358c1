//! The sub-form below a goods line: its dangerous goods or its customs contents, in rows that can be added and removed.

use std::collections::HashSet;

use egui::{Align, Frame, Label, Layout, Margin, Popup, Response, Ui};
use rust_decimal::Decimal;

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::super::party::suggest_countries;
use super::dangerous;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{ContentsField, ContentsLine, DgField, DgLine, Draft, Field, GoodsLine, PURPOSES};
use shipping::DgClass;
use widgets::badge::dangerous_mark;
use widgets::button::Button;
use widgets::card::rule;
use widgets::modal::consume_escape;
use widgets::tokens::palette;
use widgets::{Icon, icons, layout, text};

/// Rarely used fields of customs contents, with their relative widths.
const RARE: [(ContentsField, f32); 5] = [
    (ContentsField::Reference1, 2.0),
    (ContentsField::Reference2, 2.0),
    (ContentsField::Reference3, 2.0),
    (ContentsField::Marks, 4.0),
    (ContentsField::PartNumber, 3.0),
];

fn is_rare(field: ContentsField) -> bool {
    RARE.iter().any(|(rare, _)| *rare == field)
}

/// Returns true if at least one field of the contents has a value.
fn is_typed(contents: &ContentsLine) -> bool {
    *contents != ContentsLine::default()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SubFormKind {
    Dangerous,
    Customs,
}

/// A sub-form of a goods line, with the index of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SubForm {
    pub(super) kind: SubFormKind,
    pub(super) line: usize,
}

/// State of the sub-forms that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct SubFormState {
    /// Rows whose rarely used fields are unfolded, by their indices.
    unfolded: HashSet<(SubForm, usize)>,
    /// Position of the DG item for which the clerk chose "saved DG" but has not entered an id yet.
    pub(super) stored: Option<(SubForm, usize)>,
}

impl SubFormState {
    /// Resets the state, because lines or rows were removed, inserted or moved and the indices are stale.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Unfolds the rarely used fields of a row, if `field` is one of them.
    pub(super) fn unfold_field(&mut self, field: Field) {
        match field {
            Field::Dg(line, at, _) => self.unfold(SubFormKind::Dangerous.of_line(line), at),
            Field::Contents(line, at, field) if is_rare(field) => {
                self.unfold(SubFormKind::Customs.of_line(line), at);
            }
            _ => {}
        }
    }

    fn unfold(&mut self, sub_form: SubForm, row: usize) {
        self.unfolded.insert((sub_form, row));
    }
}

impl SubFormKind {
    pub(super) const fn of_line(self, line: usize) -> SubForm {
        SubForm { kind: self, line }
    }

    pub(super) const fn row_count(self, line: &GoodsLine) -> usize {
        match self {
            Self::Dangerous => line.dangerous.len(),
            Self::Customs => line.contents.len(),
        }
    }

    /// Removes the rows without any value. Returns true if a row was removed.
    pub(super) fn remove_empty_rows(self, line: &mut GoodsLine) -> bool {
        let before = self.row_count(line);
        match self {
            Self::Dangerous => line.dangerous.retain(|good| *good != DgLine::default()),
            Self::Customs => line.contents.retain(is_typed),
        }
        self.row_count(line) != before
    }
}

impl SubForm {
    fn row_count(self, draft: &Draft) -> usize {
        let line = draft.goods.get(self.line);
        line.map_or(0, |line| self.kind.row_count(line))
    }

    /// Returns the first field of a row.
    fn first_field(self, row: usize) -> Field {
        match self.kind {
            SubFormKind::Dangerous => Field::Dg(self.line, row, DgField::UnNumber),
            SubFormKind::Customs => Field::Contents(self.line, row, ContentsField::Description),
        }
    }

    /// Returns the first field of the sub-form.
    pub(super) fn start(self, draft: &Draft) -> Field {
        let good = { draft.goods.get(self.line) }.and_then(|line| line.dangerous.first());
        if self.kind == SubFormKind::Dangerous && good.is_some_and(DgLine::is_stored) {
            return Field::Dg(self.line, 0, DgField::Stored);
        }
        self.first_field(0)
    }

    /// Adds an empty row. Returns its first field.
    pub(super) fn add_row(self, draft: &mut Draft) -> Field {
        let row = self.row_count(draft);
        if let Some(line) = draft.goods.get_mut(self.line) {
            match self.kind {
                SubFormKind::Dangerous => line.dangerous.push(DgLine::default()),
                SubFormKind::Customs => line.contents.push(ContentsLine::default()),
            }
        }
        self.first_field(row)
    }

    /// Adds an empty row if there is none.
    pub(super) fn add_first_row(self, draft: &mut Draft) {
        if self.row_count(draft) == 0 {
            self.add_row(draft);
        }
    }

    /// Draws the sub-form. Returns true if it is to be closed.
    pub(super) fn show(self, ui: &mut Ui, form: &mut Form<'_>, state: &mut SubFormState) -> bool {
        // Escape closes the sub-form, except when a dialog or list is in front of it or was closed in this frame.
        let escapes = !form.is_dialog_open && !Popup::is_any_open(ui.ctx());
        let un_numbers = &form.shared.catalogue.un_numbers;
        let fill = palette(ui).raised;
        let frame = Frame::new().fill(fill).inner_margin(Margin::same(14));
        let shown = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 8.0;
            let mut closes = self.head(ui, form);
            match self.kind {
                SubFormKind::Dangerous => dangerous::saved_item_note(ui, form, self.line),
                SubFormKind::Customs => unsent_note(ui, form),
            }
            let mut removed = None;
            for at in 0..self.row_count(form.draft) {
                if at > 0 {
                    rule(ui);
                }
                let mut row = SubFormRow {
                    form,
                    state,
                    sub_form: self,
                    at,
                };
                let shown = ui.push_id(at, |ui| match self.kind {
                    SubFormKind::Dangerous => row.dangerous(ui, un_numbers),
                    SubFormKind::Customs => row.contents(ui),
                });
                if shown.inner {
                    removed = Some(at);
                }
            }
            if let Some(at) = removed {
                self.remove_row(form, state, at);
                closes |= self.row_count(form.draft) == 0;
            }
            if self.kind == SubFormKind::Customs {
                customs_foot(ui, form, self);
            }
            closes | (escapes && consume_escape(ui))
        });
        shown.inner
    }

    fn remove_row(self, form: &mut Form<'_>, state: &mut SubFormState, at: usize) {
        let line = &mut form.draft.goods[self.line];
        match self.kind {
            SubFormKind::Dangerous => drop(line.dangerous.remove(at)),
            SubFormKind::Customs => drop(line.contents.remove(at)),
        }
        form.focus.touched.retain(|field| match field {
            Field::Dg(line, ..) => self != SubFormKind::Dangerous.of_line(*line),
            Field::Contents(line, ..) => self != SubFormKind::Customs.of_line(*line),
            _ => true,
        });
        state.forget();
    }

    /// Draws title and buttons. Returns true if the sub-form is to be closed.
    fn head(self, ui: &mut Ui, form: &mut Form<'_>) -> bool {
        let line = &form.draft.goods[self.line];
        let number = self.line + 1;
        let (title, about, add) = match self.kind {
            SubFormKind::Dangerous => {
                let classes = line.dangerous.iter().filter_map(|good| good.class);
                let classes: Vec<_> = classes.map(DgClass::label).collect();
                let title = format!("Dangerous goods in line {number}");
                (title, classes.join(", "), "Add DG item")
            }
            SubFormKind::Customs => {
                let title = format!("Customs for line {number}");
                (title, line.name.trim().to_owned(), "Add contents")
            }
        };
        let mut closes = false;
        ui.horizontal(|ui| {
            match self.kind {
                SubFormKind::Dangerous => drop(dangerous_mark(ui)),
                SubFormKind::Customs => {
                    let ink = palette(ui).accent;
                    text::decorative_icon(ui, icons::ICON_PUBLIC, 18.0, ink);
                }
            }
            ui.label(text::strong(title));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                closes = ui.add(Button::quiet("Close").key("Esc").small()).clicked();
                let key = Action::AddSubRow.key();
                let add = Button::quiet(add).icon(icons::ICON_ADD).key(&key).small();
                if ui.add(add).clicked() {
                    form.focus.next_widget = Some(id(self.add_row(form.draft)));
                }
                let about = text::body(about).color(palette(ui).muted);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(about).truncate());
                });
            });
        });
        closes
    }
}

/// A row of a sub-form, with everything that is needed to draw it.
pub(super) struct SubFormRow<'f, 'd> {
    pub(super) form: &'f mut Form<'d>,
    pub(super) state: &'f mut SubFormState,
    pub(super) sub_form: SubForm,
    pub(super) at: usize,
}

impl SubFormRow<'_, '_> {
    pub(super) fn line(&self) -> &GoodsLine {
        &self.form.draft.goods[self.sub_form.line]
    }

    /// Returns true if the rarely used fields are unfolded.
    pub(super) fn is_unfolded(&self) -> bool {
        self.state.unfolded.contains(&(self.sub_form, self.at))
    }

    pub(super) fn unfold(&mut self) {
        self.state.unfold(self.sub_form, self.at);
    }

    /// Returns the accessible name of a button or checkbox: its label, and in all rows after the first also
    /// the row's number.
    pub(super) fn numbered(&self, label: &str) -> String {
        let record = match self.sub_form.kind {
            SubFormKind::Dangerous => "DG item",
            SubFormKind::Customs => "contents",
        };
        match self.at {
            0 => label.to_owned(),
            at => format!("{label} ({record} {})", at + 1),
        }
    }

    /// Draws a button below the fields.
    pub(super) fn button(&self, ui: &mut Ui, label: &str, icon: Icon) -> Response {
        let name = self.numbered(label);
        let button = Button::quiet(label).icon(icon).small();
        ui.add(button.accessible_name(&name))
    }

    /// Draws the row of buttons below the fields: first `buttons`, then a Remove button at the right end.
    /// Returns true if Remove was pressed.
    pub(super) fn foot(
        &mut self,
        ui: &mut Ui,
        remove: &str,
        buttons: impl FnOnce(&mut Self, &mut Ui),
    ) -> bool {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            buttons(self, ui);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.button(ui, remove, icons::ICON_CLOSE).clicked()
            })
            .inner
        })
        .inner
    }
}

/// Draws a note that customs contents are not sent with a domestic consignment.
fn unsent_note(ui: &mut Ui, form: &Form<'_>) {
    if !form.draft.is_international() {
        text::small_note(
            ui,
            "Customs details are sent only for international consignments, so these won't be sent",
        );
    }
}

impl SubFormRow<'_, '_> {
    /// Draws customs contents. Returns true if the contents are to be removed.
    fn contents(&mut self, ui: &mut Ui) -> bool {
        let (line, at) = (self.sub_form.line, self.at);
        let field = |field| Field::Contents(line, at, field);
        layout::row(ui, &[7.0, 3.0, 3.0], |cell, ui| {
            let cells = [
                ContentsField::Description,
                ContentsField::Quantity,
                ContentsField::Value,
            ];
            self.form.text(ui, field(cells[cell]));
        });
        layout::row(ui, &[4.0, 5.0, 4.0], |cell, ui| match cell {
            0 => self.purpose(ui, field(ContentsField::Purpose)),
            1 => {
                let country = field(ContentsField::Country);
                self.form.suggest(ui, country, suggest_countries);
            }
            _ => drop(self.form.text(ui, field(ContentsField::HarmonisedCode))),
        });
        let is_used = |rare| !field(rare).text(self.form.draft).trim().is_empty();
        let is_open = self.is_unfolded() || RARE.iter().any(|(rare, _)| is_used(*rare));
        if is_open {
            layout::row(ui, &RARE.map(|(_, weight)| weight), |cell, ui| {
                self.form.text(ui, field(RARE[cell].0));
            });
        }
        self.foot(ui, "Remove contents", |row, ui| {
            let more = "References, marks, part number";
            if !is_open && row.button(ui, more, icons::ICON_TUNE).clicked() {
                row.unfold();
                row.form.focus.next_widget = Some(id(field(ContentsField::Reference1)));
            }
        })
    }

    fn purpose(&mut self, ui: &mut Ui, at: Field) {
        let typed = at.text(self.form.draft).trim().to_owned();
        let mut purposes = PURPOSES.iter();
        let current = purposes.position(|purpose| purpose.eq_ignore_ascii_case(&typed));
        let hint = FieldOptions::hint(&typed);
        let shown = self.form.select(ui, at, hint, current, PURPOSES);
        if let (Some(picked), Some(text)) = (shown.picked, at.text_mut(self.form.draft)) {
            PURPOSES[picked].clone_into(text);
        }
    }
}

fn customs_foot(ui: &mut Ui, form: &mut Form<'_>, sub_form: SubForm) {
    let line = sub_form.line;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut copies = |words| {
            let copy = Button::quiet(words).icon(icons::ICON_CONTENT_COPY);
            ui.add(copy.small()).clicked()
        };
        let goods = &mut form.draft.goods;
        let has_contents = |line: &GoodsLine| line.contents.iter().any(is_typed);
        if line > 0 && has_contents(&goods[line - 1]) && copies("Copy from line above") {
            goods[line].contents = goods[line - 1].contents.clone();
            form.focus.next_widget = Some(id(sub_form.start(form.draft)));
        }
        let goods = &mut form.draft.goods;
        if goods.len() > 1 && has_contents(&goods[line]) && copies("Copy to all lines") {
            let contents = goods[line].contents.clone();
            for other in goods.iter_mut() {
                other.contents.clone_from(&contents);
            }
        }
        let totals = text::small(totals(&form.draft.goods, line)).color(palette(ui).muted);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(totals).truncate());
        });
    });
}

/// Formats the units and value declared for this line, and the value of all lines.
fn totals(goods: &[GoodsLine], line: usize) -> String {
    let (units, value) = goods[line].customs_totals();
    let value = value.0;
    let pieces = goods[line].count().unwrap_or(0);
    let all = goods.iter().fold(Decimal::ZERO, |sum, line| {
        let pieces = Decimal::from(line.count().unwrap_or(0));
        sum.saturating_add(line.customs_totals().1.0.saturating_mul(pieces))
    });
    let units = counted(units as usize, "unit", "units");
    let pieces = counted(pieces as usize, "item", "items");
    format!("{units} and {value:.2} AUD in each of {pieces} · {all:.2} AUD in all lines")
}
