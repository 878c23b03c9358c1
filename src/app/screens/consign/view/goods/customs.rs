//! The customs contents of a goods line: description, quantity, value, purpose and country of origin, and the totals.

use egui::{Align, Label, Layout, Ui};
use rust_decimal::Decimal;

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::super::party::suggest_countries;
use super::sub_form::{SubForm, SubFormRow};
use crate::ui::format::counted;
use draft::{ContentsField, ContentsLine, Field, GoodsLine, PURPOSES};
use widgets::button::Button;
use widgets::tokens::palette;
use widgets::{icons, layout, text};

/// Rarely used fields, with their relative widths.
const RARE: [(ContentsField, f32); 5] = [
    (ContentsField::Reference1, 2.0),
    (ContentsField::Reference2, 2.0),
    (ContentsField::Reference3, 2.0),
    (ContentsField::Marks, 4.0),
    (ContentsField::PartNumber, 3.0),
];

pub(super) fn is_rare(field: ContentsField) -> bool {
    RARE.iter().any(|(rare, _)| *rare == field)
}

/// Returns true if something was typed into the contents.
pub(super) fn is_typed(contents: &ContentsLine) -> bool {
    *contents != ContentsLine::default()
}

/// Says that contents are not sent with a consignment inside the country.
pub(super) fn unsent_note(ui: &mut Ui, form: &Form<'_>) {
    if !form.draft.is_international() {
        text::small_note(
            ui,
            "Customs details are sent only for international consignments, so these won't be sent",
        );
    }
}

impl SubFormRow<'_, '_> {
    /// Draws contents. Returns true if they are to be removed.
    pub(super) fn contents(&mut self, ui: &mut Ui) -> bool {
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
            1 => self.country(ui, field(ContentsField::Country)),
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
        let options = FieldOptions {
            hint: Some(&typed)
                .filter(|typed| !typed.is_empty())
                .map(String::as_str),
            ..FieldOptions::default()
        };
        let shown = self.form.select(ui, at, options, current, PURPOSES);
        if let (Some(picked), Some(text)) = (shown.picked, at.text_mut(self.form.draft)) {
            PURPOSES[picked].clone_into(text);
        }
    }

    /// Draws the country of origin, which is typed as a name or a code.
    fn country(&mut self, ui: &mut Ui, at: Field) {
        let options = FieldOptions::default();
        let (_, picked) = self.form.type_ahead(ui, at, options, suggest_countries);
        if let (Some(name), Some(text)) = (picked, at.text_mut(self.form.draft)) {
            name.clone_into(text);
        }
    }
}

/// Draws the buttons that copy contents between lines, and the totals.
pub(super) fn foot(ui: &mut Ui, form: &mut Form<'_>, sub_form: SubForm) {
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
