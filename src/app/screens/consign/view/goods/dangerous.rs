//! A DG item of a goods line: described in full, or a saved DG item given by its id and amount.

use egui::{ScrollArea, Ui};

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::sub_form::{SubFormRow, is_stored};
use super::un_entries::UnEntries;
use draft::{DgField, DgLine, Field, GoodsLine, HAZCHEM, Severity, container_rule};
use shipping::{ContainerType, DgClass};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::picker::PickerItem;
use widgets::select::Select;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, menu, text};

/// Draws the clerk's statement whether the saved item of a line includes dangerous goods.
pub(super) fn saved_item_note(ui: &mut Ui, form: &mut Form<'_>, line: usize) {
    let line = &mut form.draft.goods[line];
    if !line.is_saved() {
        return;
    }
    let mut includes = line.saved_item_has_dangerous_goods();
    let words = "The saved item already includes dangerous goods";
    if checkbox(ui, &mut includes, words).changed() {
        line.saved_dangerous = Some(includes);
    }
}

impl SubFormRow<'_, '_> {
    /// Draws a DG item. Returns true if it is to be removed.
    pub(super) fn dangerous(&mut self, ui: &mut Ui, un_numbers: &UnEntries) -> bool {
        let this = (self.sub_form, self.at);
        let stored = is_stored(self.item()) || self.state.stored == Some(this);
        if stored {
            self.stored(ui);
        } else {
            self.described(ui, un_numbers);
        }
        self.warnings(ui);
        self.foot(ui, "Remove DG item", |row, ui| row.dg_buttons(ui, stored))
    }

    pub(super) fn item(&mut self) -> &mut DgLine {
        &mut self.form.draft.goods[self.sub_form.line].dangerous[self.at]
    }

    pub(super) const fn dg_field(&self, field: DgField) -> Field {
        Field::Dg(self.sub_form.line, self.at, field)
    }

    fn described(&mut self, ui: &mut Ui, un_numbers: &UnEntries) {
        layout::row(ui, &[2.0, 11.0], |cell, ui| match cell {
            0 => self.un_number(ui, un_numbers),
            _ => self.entry(ui, un_numbers),
        });
        layout::row(ui, &[3.0, 3.0, 2.0, 2.0, 3.0], |cell, ui| match cell {
            0 => self.container(ui),
            1 => self.containers(ui),
            2 => self.dg_text(ui, DgField::Amount),
            3 => self.unit(ui),
            _ => self.hazchem(ui),
        });
        let is_unfolded = self.is_unfolded();
        let in_new_zealand = self.form.draft.is_in_new_zealand();
        let good = self.item();
        let has_point = is_unfolded
            || in_new_zealand
            || good.class == Some(DgClass::FlammableLiquid)
            || !good.flash_point.trim().is_empty();
        let has_name =
            is_unfolded || good.requires_technical_name || !good.technical_name.trim().is_empty();
        if has_point || has_name {
            layout::row(ui, &[3.0, 10.0], |cell, ui| match cell {
                0 if has_point => self.dg_text(ui, DgField::FlashPoint),
                1 if has_name => self.dg_text(ui, DgField::TechnicalName),
                _ => {}
            });
        }
        self.flags(ui);
        let rule = packaging_rule(self.line(), &self.line().dangerous[self.at]);
        text::small_note(ui, rule);
    }

    fn stored(&mut self, ui: &mut Ui) {
        layout::row(ui, &[3.0, 3.0, 7.0], |cell, ui| match cell {
            0 => self.dg_text(ui, DgField::Stored),
            1 => self.dg_text(ui, DgField::Amount),
            _ => {
                ui.add_space(24.0);
                let words = "Uses the DG item saved at the service under this id. Leave the amount empty to use the saved one";
                text::small_note(ui, words);
            }
        });
    }

    fn dg_text(&mut self, ui: &mut Ui, field: DgField) {
        self.form.text(ui, self.dg_field(field));
    }

    fn containers(&mut self, ui: &mut Ui) {
        let label = format!("Inner packagings per {}", package(self.line()));
        let options = FieldOptions {
            label: Some(&label),
            ..FieldOptions::default()
        };
        let at = self.dg_field(DgField::Containers);
        self.form.text_with(ui, at, options);
    }

    fn container(&mut self, ui: &mut Ui) {
        let at = self.dg_field(DgField::Container);
        let current = self.item().container;
        let all = ContainerType::ALL;
        let picked = self
            .form
            .select_value(ui, at, current, all, ContainerType::label);
        self.item().container = picked.or(current);
    }

    fn unit(&mut self, ui: &mut Ui) {
        let name = format!(
            "Line {}, DG item {}: Unit",
            self.sub_form.line + 1,
            self.at + 1
        );
        let good = self.item();
        let shown = Select::new("Unit", Some(usize::from(good.litres)), &["kg", "L"])
            .accessible_name(&name)
            .show(ui);
        if let Some(picked) = shown.picked {
            good.litres = picked == 1;
        }
    }

    fn hazchem(&mut self, ui: &mut Ui) {
        let at = self.dg_field(DgField::Hazchem);
        let options = FieldOptions::default();
        let (_, picked) = self.form.type_ahead(ui, at, options, suggest_hazchem);
        if let Some(code) = picked {
            code.clone_into(&mut self.item().hazchem);
        }
    }

    fn flags(&mut self, ui: &mut Ui) {
        let words = [
            "Marine pollutant",
            "Temperature controlled",
            "Empty, uncleaned",
        ];
        let names = words.map(|words| self.numbered(words));
        let good = self.item();
        let flags = [
            &mut good.marine_pollutant,
            &mut good.temperature_controlled,
            &mut good.empty_uncleaned,
        ];
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            for ((on, words), name) in flags.into_iter().zip(words).zip(names) {
                checkbox(ui, on, words).accessible_name(name);
            }
        });
    }

    /// Draws the warnings about this item.
    fn warnings(&self, ui: &mut Ui) {
        let ink = palette(ui).warning;
        let here = |field| matches!(field, Field::Dg(line, at, _) if (line, at) == (self.sub_form.line, self.at));
        for problem in self.form.problems {
            if problem.severity == Severity::Warning && here(problem.field) {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    text::decorative_icon(ui, icons::ICON_WARNING, 16.0, ink);
                    text::warning(ui, &problem.message);
                });
            }
        }
    }

    fn dg_buttons(&mut self, ui: &mut Ui, stored: bool) {
        let (swap, next) = if stored {
            ("Enter all details", DgField::UnNumber)
        } else {
            ("Use saved DG", DgField::Stored)
        };
        if self.button(ui, swap, icons::ICON_BOOKMARK).clicked() {
            self.state.stored = (!stored).then_some((self.sub_form, self.at));
            self.item().stored.clear();
            self.form.focus.next_widget = Some(id(self.dg_field(next)));
        }
        if !stored
            && !self.is_unfolded()
            && self.button(ui, "All fields", icons::ICON_TUNE).clicked()
        {
            self.unfold();
        }
        if self.form.draft.goods.len() > 1 {
            self.copies(ui);
        }
    }

    /// Draws the menu that copies the item to other lines.
    fn copies(&mut self, ui: &mut Ui) {
        let name = self.numbered("Copy to");
        let copy = Button::quiet("Copy to")
            .accessible_name(&name)
            .icon(icons::ICON_CONTENT_COPY)
            .opens()
            .small();
        let button = ui.add(copy);
        let goods = &self.form.draft.goods;
        let others: Vec<usize> = (0..goods.len())
            .filter(|at| *at != self.sub_form.line)
            .collect();
        let picked = menu::under_with(&button, 300.0, |ui| {
            let entry = |ui: &mut Ui, words: &str| {
                let button = Button::quiet(words).left().fill_width(ui);
                ui.add(button).clicked()
            };
            let mut picked = None;
            if entry(ui, &format!("All other lines ({})", others.len())) {
                picked = Some(others.clone());
            }
            let area = ScrollArea::vertical().max_height(280.0);
            area.show_rows(ui, size::BUTTON, others.len(), |ui, rows| {
                for at in &others[rows] {
                    if entry(ui, &line_label(*at, &goods[*at])) {
                        picked = Some(vec![*at]);
                    }
                }
            });
            picked
        });
        let good = self.item().clone();
        for at in picked.into_iter().flatten() {
            let held = &mut self.form.draft.goods[at].dangerous;
            if !held.contains(&good) {
                held.retain(|held| *held != DgLine::default());
                held.push(good.clone());
            }
        }
    }
}

/// Formats a goods line for that menu: `Line 2, Carton, Hose reels`.
fn line_label(at: usize, line: &GoodsLine) -> String {
    let name = if line.name.trim().is_empty() {
        line.sku.trim()
    } else {
        line.name.trim()
    };
    let number = format!("Line {}", at + 1);
    let parts = [number.as_str(), line.kind(), name];
    let known: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    known.join(", ")
}

/// Returns the Hazchem codes that begin with the typed text, with or without their bullet.
fn suggest_hazchem(typed: &str) -> Vec<(PickerItem, &'static str)> {
    let typed = typed.trim().to_uppercase();
    let fits =
        |code: &&&str| code.starts_with(&typed) || code.trim_start_matches('•').starts_with(&typed);
    let codes = HAZCHEM.iter().filter(fits).map(|code| {
        let item = PickerItem {
            exact: **code == typed,
            ..PickerItem::new(*code, "")
        };
        (item, *code)
    });
    codes.collect()
}

/// Explains what to count as inner packagings for this packaging type, after the count as typed so far.
fn packaging_rule(line: &GoodsLine, good: &DgLine) -> String {
    let each = good.containers_per_package();
    let packages = line.count();
    let rule = match good.container {
        Some(container) => container_rule(container, packages, each),
        None => "Count the inner packagings in one package, not in all of them".to_owned(),
    };
    let kind = package(line);
    match (each, packages) {
        (Some(each), Some(1)) => format!("{each} in 1 {kind} · {rule}"),
        (Some(each), Some(packages)) => {
            format!("{each} in each of {packages} {} · {rule}", plural(&kind))
        }
        _ => rule,
    }
}

/// Returns the word for the packages of a line: `carton`, `pallet`.
fn package(line: &GoodsLine) -> String {
    let kind = line.kind().trim();
    if kind.is_empty() || kind == "Item" {
        "package".to_owned()
    } else if kind.chars().all(char::is_uppercase) {
        kind.to_owned()
    } else {
        kind.to_lowercase()
    }
}

fn plural(kind: &str) -> String {
    match kind {
        "timberloose" | "combined" | "rails" => kind.to_owned(),
        kind if kind.ends_with("ch") || kind.ends_with('x') => format!("{kind}es"),
        kind => format!("{kind}s"),
    }
}
