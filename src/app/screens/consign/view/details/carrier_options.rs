//! Carrier-specific options (`customValues`): pairs of a name and a value.

use egui::Ui;

use super::super::form::{FieldOptions, Form};
use super::options::heading;
use draft::{CustomField, CustomValueLine, DUTIES, Field};
use widgets::button::Button;
use widgets::picker::PickerItem;
use widgets::tokens::size;
use widgets::type_ahead::TypeAhead;
use widgets::{field, icons, layout};

/// Names that the service's interface documents under "International consignment fields",
/// with their allowed values.
const KNOWN: [(&str, &str); 1] = [(DUTIES, "true or false")];
/// Allowed values of a known option.
const YES_OR_NO: [&str; 2] = ["true", "false"];
/// Maximum number of options.
const MOST: usize = 50;

pub(super) fn show(ui: &mut Ui, form: &mut Form<'_>) {
    if !form.draft.custom_values.is_empty() {
        heading(ui, "Carrier-specific options");
    }
    let mut removed = None;
    for at in 0..form.draft.custom_values.len() {
        ui.push_id(("custom", at), |ui| {
            if row(ui, form, at) {
                removed = Some(at);
            }
        });
    }
    if let Some(at) = removed {
        form.draft.custom_values.remove(at);
        let left = form.draft.custom_values.len();
        form.focus_field(
            ui,
            match left {
                0 => Field::PrinterToken,
                left => Field::Custom(at.min(left - 1), CustomField::Name),
            },
        );
    }
    let add = Button::quiet("Add carrier-specific option")
        .icon(icons::ICON_ADD)
        .small();
    let room = form.draft.custom_values.len() < MOST;
    if ui.add_enabled(room, add).clicked() {
        form.draft.custom_values.push(CustomValueLine::default());
        let last = form.draft.custom_values.len() - 1;
        form.focus_field(ui, Field::Custom(last, CustomField::Name));
    }
}

/// Draws one option. Returns true if it is to be removed.
fn row(ui: &mut Ui, form: &mut Form<'_>, at: usize) -> bool {
    let mut removed = false;
    layout::row(ui, &[7.0, 6.0, 1.0], |cell, ui| match cell {
        0 => name(ui, form, at),
        1 => value(ui, form, at),
        _ => {
            ui.horizontal(|ui| {
                ui.set_height(size::FIELD);
                let name = format!("Remove carrier option {}", at + 1);
                let button = Button::icon_only(icons::ICON_CLOSE, &name).small();
                removed = ui.add(button).clicked();
            });
        }
    });
    removed
}

fn name(ui: &mut Ui, form: &mut Form<'_>, at: usize) {
    let offer = |typed: &str| {
        let typed = typed.trim().to_lowercase();
        let fits = |(name, _): &&(&str, &str)| name.to_lowercase().contains(&typed);
        let known = KNOWN.iter().filter(fits);
        known
            .map(|(name, of)| PickerItem::new(*name, *of))
            .collect()
    };
    let label = format!("Option {}: name", at + 1);
    let of = |line: &mut CustomValueLine, picked: &str| picked.clone_into(&mut line.name);
    option_field(ui, form, at, CustomField::Name, &label, offer, of);
}

fn value(ui: &mut Ui, form: &mut Form<'_>, at: usize) {
    let asks = form.draft.custom_values[at].name.trim() == KNOWN[0].0;
    let offer = |typed: &str| {
        let fits = |value: &&&str| asks && value.starts_with(typed.trim());
        let items = YES_OR_NO.iter().filter(fits);
        items.map(|value| PickerItem::new(*value, "")).collect()
    };
    let label = format!("Option {}: value", at + 1);
    let of = |line: &mut CustomValueLine, picked: &str| picked.clone_into(&mut line.value);
    option_field(ui, form, at, CustomField::Value, &label, offer, of);
}

fn option_field(
    ui: &mut Ui,
    form: &mut Form<'_>,
    at: usize,
    part: CustomField,
    label: &str,
    offer: impl FnOnce(&str) -> Vec<PickerItem>,
    put: impl FnOnce(&mut CustomValueLine, &str),
) {
    let here = Field::Custom(at, part);
    let error = form.error(here);
    let line = &mut form.draft.custom_values[at];
    let (text, hint, limit) = match part {
        CustomField::Name => (&mut line.name, "Name", 100),
        CustomField::Value => (&mut line.value, "Value", 500),
    };
    let look = FieldOptions {
        hint,
        limit,
        ..FieldOptions::default()
    };
    let field = look
        .apply_to(field::Field::new(label, text), here, error)
        .hide_label();
    let shown = TypeAhead::new(field).free_text().show(ui, offer);
    form.track_focus(here, &shown.field.response);
    if let Some(item) = shown.item {
        put(&mut form.draft.custom_values[at], &item.text);
    }
}
