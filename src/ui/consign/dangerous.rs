//! The dangerous goods of one line of goods, below the lines.

use egui::{Align, Frame, Layout, Margin, Ui};

use super::super::kit::badge::dangerous_mark;
use super::super::kit::button::Button;
use super::super::kit::checkbox::checkbox;
use super::super::kit::picker::Item;
use super::super::kit::select::Select;
use super::super::kit::tokens::palette;
use super::super::kit::type_ahead::TypeAhead;
use super::super::kit::{field, icons, layout, text};
use super::form::{Form, Look};
use super::id;
use crate::draft::{DgField, DgLine, Draft, Field, HAZCHEM};
use crate::shipping::{ContainerType, DgClass, PackingGroup};

/// Opens the sub-form of a line, with a first good to fill in.
pub(super) fn open(draft: &mut Draft, line: usize, dangerous_of: &mut Option<usize>) {
    if let Some(goods) = draft.goods.get_mut(line) {
        if goods.dangerous.is_empty() {
            goods.dangerous.push(DgLine::default());
        }
        *dangerous_of = Some(line);
    }
}

pub(super) fn panel(ui: &mut Ui, form: &mut Form<'_>, line: usize, open: &mut Option<usize>) {
    let p = palette(ui);
    Frame::new()
        .fill(p.raised)
        .inner_margin(Margin::same(14))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 8.0;
            let mut removed = None;
            head(ui, form, line, open);
            for at in 0..form.draft.goods[line].dangerous.len() {
                ui.push_id((line, at), |ui| {
                    if good(ui, form, line, at) {
                        removed = Some(at);
                    }
                });
            }
            if let Some(at) = removed {
                form.draft.goods[line].dangerous.remove(at);
            }
            let closes =
                ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
            if form.draft.goods[line].dangerous.is_empty() || closes {
                close(form.draft, line, open);
            }
        });
}

/// A good that nothing was typed into is none.
fn close(draft: &mut Draft, line: usize, open: &mut Option<usize>) {
    draft.goods[line]
        .dangerous
        .retain(|good| *good != DgLine::default());
    *open = None;
}

fn head(ui: &mut Ui, form: &mut Form<'_>, line: usize, open: &mut Option<usize>) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        dangerous_mark(ui);
        ui.label(text::strong(format!(
            "Dangerous goods in line {}",
            line + 1
        )));
        let classes: Vec<&str> = form.draft.goods[line]
            .dangerous
            .iter()
            .filter_map(|good| good.class.map(DgClass::label))
            .collect();
        ui.label(text::body(classes.join(", ")).color(p.muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(Button::quiet("Close").key("Esc").small()).clicked() {
                close(form.draft, line, open);
            }
            if ui
                .add(Button::quiet("Another good").icon(icons::ICON_ADD).small())
                .clicked()
            {
                form.draft.goods[line].dangerous.push(DgLine::default());
            }
        });
    });
}

/// One good; answers whether it is to be taken away.
fn good(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) -> bool {
    let at_field = |field| Field::Dg(line, at, field);
    layout::row(ui, &[2.0, 4.0, 2.0, 3.0, 2.0], |cell, ui| match cell {
        0 => un_number(ui, form, line, at),
        1 => class(ui, form, line, at),
        2 => packing_group(ui, form, line, at),
        3 => container(ui, form, line, at),
        _ => number(
            ui,
            form,
            "In each package",
            at_field(DgField::Containers),
            line,
            at,
            "",
        ),
    });
    layout::row(ui, &[2.0, 2.0, 2.0, 2.0, 5.0], |cell, ui| match cell {
        0 => number(ui, form, "Amount", at_field(DgField::Amount), line, at, ""),
        1 => unit(ui, form, line, at),
        2 => number(
            ui,
            form,
            "Flash point",
            at_field(DgField::FlashPoint),
            line,
            at,
            "°C",
        ),
        3 => hazchem(ui, form, line, at),
        _ => number(
            ui,
            form,
            "Technical name",
            at_field(DgField::TechnicalName),
            line,
            at,
            "",
        ),
    });
    flags(ui, form, line, at)
}

fn un_number(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let field = Field::Dg(line, at, DgField::UnNumber);
    let look = Look {
        mono: true,
        limit: 4,
        ..Look::default()
    };
    form.text(
        ui,
        "UN number",
        field,
        |draft| &mut draft.goods[line].dangerous[at].un_number,
        look,
    );
}

fn number(
    ui: &mut Ui,
    form: &mut Form<'_>,
    label: &str,
    field: Field,
    line: usize,
    at: usize,
    unit: &str,
) {
    let number = !matches!(field, Field::Dg(_, _, DgField::TechnicalName));
    let look = Look {
        unit,
        number,
        ..Look::default()
    };
    form.text(
        ui,
        label,
        field,
        |draft| string(&mut draft.goods[line].dangerous[at], field),
        look,
    );
}

fn string(good: &mut DgLine, field: Field) -> &mut String {
    match field {
        Field::Dg(_, _, DgField::Containers) => &mut good.containers,
        Field::Dg(_, _, DgField::Amount) => &mut good.amount,
        Field::Dg(_, _, DgField::FlashPoint) => &mut good.flash_point,
        Field::Dg(_, _, DgField::Hazchem) => &mut good.hazchem,
        Field::Dg(_, _, DgField::TechnicalName) => &mut good.technical_name,
        _ => &mut good.un_number,
    }
}

/// A drop-down over all values of an enum.
fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    label: &str,
    field: Field,
    current: Option<T>,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> Option<T> {
    let words: Vec<&str> = all.iter().map(|value| word(*value)).collect();
    let at = current.and_then(|current| all.iter().position(|value| *value == current));
    let shown = Select::new(label, at, &words)
        .id(id(field))
        .error(form.error(field))
        .show(ui);
    form.left(field, &shown.response);
    shown.picked.map(|picked| all[picked])
}

fn class(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let current = form.draft.goods[line].dangerous[at].class;
    let field = Field::Dg(line, at, DgField::Class);
    if let Some(picked) = choose(
        ui,
        form,
        "Class",
        field,
        current,
        DgClass::ALL,
        DgClass::label,
    ) {
        form.draft.goods[line].dangerous[at].class = Some(picked);
    }
}

fn packing_group(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let current = form.draft.goods[line].dangerous[at].packing_group;
    let field = Field::Dg(line, at, DgField::PackingGroup);
    if let Some(picked) = choose(
        ui,
        form,
        "Packing group",
        field,
        current,
        PackingGroup::ALL,
        PackingGroup::label,
    ) {
        form.draft.goods[line].dangerous[at].packing_group = Some(picked);
    }
}

fn container(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let current = form.draft.goods[line].dangerous[at].container;
    let field = Field::Dg(line, at, DgField::Container);
    if let Some(picked) = choose(
        ui,
        form,
        "Container",
        field,
        current,
        ContainerType::ALL,
        ContainerType::label,
    ) {
        form.draft.goods[line].dangerous[at].container = Some(picked);
    }
}

fn unit(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let good = &mut form.draft.goods[line].dangerous[at];
    if let Some(picked) = Select::new("Unit", Some(usize::from(good.litres)), &["kg", "L"])
        .show(ui)
        .picked
    {
        good.litres = picked == 1;
    }
}

fn hazchem(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) {
    let at_field = Field::Dg(line, at, DgField::Hazchem);
    let error = form.error(at_field);
    let code = &mut form.draft.goods[line].dangerous[at].hazchem;
    let before = codes(code);
    let field = field::Field::new("Hazchem", code)
        .id(id(at_field))
        .mono()
        .hint("if known")
        .error(error);
    let shown = TypeAhead::new(field).free_text().show(ui, |typed| {
        let item = |found: &str| Item {
            exact: found.eq_ignore_ascii_case(typed.trim()),
            ..Item::new(found, "")
        };
        codes(typed).into_iter().map(item).collect()
    });
    if let Some(found) = shown.picked.and_then(|picked| before.get(picked)) {
        (*found).clone_into(&mut form.draft.goods[line].dangerous[at].hazchem);
    }
    form.left(at_field, &shown.field.response);
}

/// The codes that begin with what was typed, with or without their bullet.
fn codes(typed: &str) -> Vec<&'static str> {
    let typed = typed.trim().to_uppercase();
    let fits =
        |code: &&&str| code.starts_with(&typed) || code.trim_start_matches('•').starts_with(&typed);
    HAZCHEM.iter().filter(fits).copied().collect()
}

/// Flags, the rule of the container in words, and away with it.
fn flags(ui: &mut Ui, form: &mut Form<'_>, line: usize, at: usize) -> bool {
    let good = &mut form.draft.goods[line].dangerous[at];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        checkbox(ui, &mut good.marine_pollutant, "Marine pollutant");
        checkbox(
            ui,
            &mut good.temperature_controlled,
            "Temperature controlled",
        );
        checkbox(ui, &mut good.empty_uncleaned, "Empty, uncleaned");
    });
    ui.horizontal(|ui| {
        ui.label(text::small(rule_of(good.container)).color(palette(ui).muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(
                Button::quiet("Take this good away")
                    .icon(icons::ICON_CLOSE)
                    .small(),
            )
            .clicked()
        })
        .inner
    })
    .inner
}

/// What "in each package" counts, by the kind of container.
fn rule_of(container: Option<ContainerType>) -> String {
    match container {
        Some(ContainerType::Carton) => {
            "Carton: 1 in each carton, where the goods are in no receptacles of their own"
                .to_owned()
        }
        Some(container) => {
            format!(
                "{}: the inner receptacles in each package, not in all packages",
                container.label()
            )
        }
        None => "In each package: the inner receptacles in one package, not in all".to_owned(),
    }
}
