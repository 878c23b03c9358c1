//! One contents row of the customs sub-form: description, quantity, value, purpose and country of origin.

use std::collections::HashSet;

use egui::{Align, Layout, Ui};

use super::super::country::offer;
use super::super::form::{FieldOptions, Form};
use super::super::id;
use draft::{ContentsField, ContentsLine, Field, PURPOSES};
use widgets::button::Button;
use widgets::select::Select;
use widgets::type_ahead::TypeAhead;
use widgets::{field, icons, layout};

/// Rarely used fields, with their labels and relative widths.
pub(super) const RARE: [(ContentsField, &str, f32); 5] = [
    (ContentsField::Reference1, "Reference", 2.0),
    (ContentsField::Reference2, "Reference 2", 2.0),
    (ContentsField::Reference3, "Reference 3", 2.0),
    (ContentsField::Marks, "Marks and numbers", 4.0),
    (ContentsField::PartNumber, "Part number", 3.0),
];

/// Draws the row. Returns true if it is to be removed.
pub(super) fn show(
    ui: &mut Ui,
    form: &mut Form<'_>,
    line: usize,
    at: usize,
    unfolded: &mut HashSet<(usize, usize)>,
) -> bool {
    layout::row(ui, &[7.0, 3.0, 3.0], |cell, ui| match cell {
        0 => text(
            ui,
            form,
            line,
            at,
            ContentsField::Description,
            "Description",
            "",
        ),
        1 => text(
            ui,
            form,
            line,
            at,
            ContentsField::Quantity,
            "Units per item",
            "",
        ),
        _ => text(
            ui,
            form,
            line,
            at,
            ContentsField::Value,
            "Value per item",
            "AUD",
        ),
    });
    layout::row(ui, &[4.0, 5.0, 4.0], |cell, ui| match cell {
        0 => purpose(ui, form, line, at),
        1 => country(ui, form, line, at),
        _ => text(
            ui,
            form,
            line,
            at,
            ContentsField::HarmonisedCode,
            "HS code",
            "",
        ),
    });
    let contents = &form.draft.goods[line].contents[at];
    let rare = RARE
        .iter()
        .any(|(rare, ..)| !get(contents, *rare).trim().is_empty());
    let open = rare || unfolded.contains(&(line, at));
    if open {
        let shares = RARE.map(|(.., share)| share);
        layout::row(ui, &shares, |cell, ui| {
            let (rare, label, _) = RARE[cell];
            text(ui, form, line, at, rare, label, "");
        });
    }
    ui.horizontal(|ui| {
        if !open {
            let name = called(at, "References, marks, part number");
            let more = Button::quiet("References, marks, part number")
                .accessible_name(&name)
                .icon(icons::ICON_TUNE)
                .small();
            if ui.add(more).clicked() {
                unfolded.insert((line, at));
                *form.focus_widget = Some(id(Field::Contents(line, at, ContentsField::Reference1)));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let name = called(at, "Remove contents");
            let away = Button::quiet("Remove contents").icon(icons::ICON_CLOSE);
            ui.add(away.small().accessible_name(&name)).clicked()
        })
        .inner
    })
    .inner
}

/// Returns the accessible name of a field: `Line 1, contents 2: Value`.
fn spoken(line: usize, at: usize, label: &str) -> String {
    format!("Line {}, contents {}: {label}", line + 1, at + 1)
}

/// Returns the accessible name of a button: its label, followed by the row's number in all
/// rows but the first.
fn called(at: usize, words: &str) -> String {
    match at {
        0 => words.to_owned(),
        at => format!("{words} (contents {})", at + 1),
    }
}

fn text(
    ui: &mut Ui,
    form: &mut Form<'_>,
    line: usize,
    at: usize,
    field: ContentsField,
    label: &str,
    unit: &str,
) {
    let spoken = spoken(line, at, label);
    let look = FieldOptions {
        unit,
        number: matches!(field, ContentsField::Quantity | ContentsField::Value),
        mono: field == ContentsField::HarmonisedCode,
        spoken: Some(&spoken),
        ..FieldOptions::default()
    };
    form.text(
        ui,
        label,
        Field::Contents(line, at, field),
        |draft| get_mut(&mut draft.goods[line].contents[at], field),
        look,
    );
}

fn purpose(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let field = Field::Contents(line, at, ContentsField::Purpose);
    let typed = form.draft.goods[line].contents[at].purpose.clone();
    let current = PURPOSES
        .iter()
        .position(|purpose| purpose.eq_ignore_ascii_case(typed.trim()));
    let hint = if typed.trim().is_empty() {
        "Pick one"
    } else {
        typed.trim()
    };
    let spoken = spoken(line, at, "Purpose");
    let shown = Select::new("Purpose", current, PURPOSES)
        .id(id(field))
        .accessible_name(&spoken)
        .hint(hint)
        .error(form.error(field))
        .show(ui);
    form.track_focus(field, &shown.response);
    if let Some(picked) = shown.picked {
        PURPOSES[picked].clone_into(&mut form.draft.goods[line].contents[at].purpose);
    }
}

/// Draws the country of origin, which is typed as a name or a code.
fn country(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let field = Field::Contents(line, at, ContentsField::Country);
    let error = form.error(field);
    let spoken = spoken(line, at, "Country of origin");
    let text = &mut form.draft.goods[line].contents[at].country;
    let focused = ui.memory(|memory| memory.has_focus(id(field)));
    // A key press refers to the suggestions that the clerk sees, which are those of the last frame.
    let before = if focused { offer(text) } else { Vec::new() };
    let boxed = field::Field::new("Country of origin", text)
        .id(id(field))
        .accessible_name(&spoken)
        .error(error);
    let shown = TypeAhead::new(boxed).free_text().show(ui, offer);
    if let Some(item) = shown
        .picked
        .and_then(|picked| before.into_iter().nth(picked))
    {
        form.draft.goods[line].contents[at].country = item.text;
    }
    form.track_focus(field, &shown.field.response);
}

const fn get(contents: &ContentsLine, field: ContentsField) -> &String {
    match field {
        ContentsField::Description => &contents.description,
        ContentsField::Reference1 => &contents.reference1,
        ContentsField::Reference2 => &contents.reference2,
        ContentsField::Reference3 => &contents.reference3,
        ContentsField::Marks => &contents.marks,
        ContentsField::PartNumber => &contents.part_number,
        ContentsField::Quantity => &contents.quantity,
        ContentsField::HarmonisedCode => &contents.harmonised_code,
        ContentsField::Purpose => &contents.purpose,
        ContentsField::Country => &contents.country,
        ContentsField::Value => &contents.value,
    }
}

const fn get_mut(contents: &mut ContentsLine, field: ContentsField) -> &mut String {
    match field {
        ContentsField::Description => &mut contents.description,
        ContentsField::Reference1 => &mut contents.reference1,
        ContentsField::Reference2 => &mut contents.reference2,
        ContentsField::Reference3 => &mut contents.reference3,
        ContentsField::Marks => &mut contents.marks,
        ContentsField::PartNumber => &mut contents.part_number,
        ContentsField::Quantity => &mut contents.quantity,
        ContentsField::HarmonisedCode => &mut contents.harmonised_code,
        ContentsField::Purpose => &mut contents.purpose,
        ContentsField::Country => &mut contents.country,
        ContentsField::Value => &mut contents.value,
    }
}
