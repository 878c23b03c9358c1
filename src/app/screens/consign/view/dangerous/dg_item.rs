//! One DG item of a goods line: described in full, or a saved DG item given by its id and amount.

use std::collections::HashMap;

use egui::{Align, Layout, Ui};

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::{DangerousState, packaging};
use draft::{DgField, DgLine, Field, GoodsLine, HAZCHEM, Severity};
use shipping::{ContainerType, DgClass, UnLookupEntry, UnNumber};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::picker::PickerItem;
use widgets::select::Select;
use widgets::tokens::palette;
use widgets::type_ahead::TypeAhead;
use widgets::{field, icons, layout, menu, text};

/// A DG item, with everything that is needed to draw it.
pub(super) struct DgItemForm<'f, 'd> {
    pub(super) form: &'f mut Form<'d>,
    pub(super) line: usize,
    pub(super) at: usize,
    pub(super) un_numbers: &'f HashMap<UnNumber, Vec<UnLookupEntry>>,
}

impl DgItemForm<'_, '_> {
    /// Draws the item. Returns true if it is to be removed.
    pub(super) fn show(&mut self, ui: &mut Ui, state: &mut DangerousState) -> bool {
        let this = (self.line, self.at);
        let stored = !self.item().stored.trim().is_empty() || state.stored == Some(this);
        if stored {
            self.stored(ui);
        } else {
            self.described(ui, state.unfolded.contains(&this));
        }
        self.warnings(ui);
        self.foot(ui, state, stored)
    }

    pub(super) fn item(&mut self) -> &mut DgLine {
        &mut self.form.draft.goods[self.line].dangerous[self.at]
    }

    /// Returns the accessible name of a field: `Line 1, good 2: Amount`.
    pub(super) fn spoken(&self, label: &str) -> String {
        format!("Line {}, DG item {}: {label}", self.line + 1, self.at + 1)
    }

    /// Returns the accessible name of a button or checkbox: its label, followed by the item's number in all
    /// items but the first.
    fn called(&self, words: &str) -> String {
        match self.at {
            0 => words.to_owned(),
            at => format!("{words} (DG item {})", at + 1),
        }
    }

    fn described(&mut self, ui: &mut Ui, unfolded: bool) {
        layout::row(ui, &[2.0, 11.0], |cell, ui| match cell {
            0 => self.un_number(ui),
            _ => self.entry(ui),
        });
        let package = packaging::package(&self.form.draft.goods[self.line]);
        let each = format!("Inner packagings per {package}");
        layout::row(ui, &[3.0, 3.0, 2.0, 2.0, 3.0], |cell, ui| match cell {
            0 => self.container(ui),
            1 => self.text(ui, &each, DgField::Containers, ""),
            2 => self.text(ui, "Amount", DgField::Amount, ""),
            3 => self.unit(ui),
            _ => self.hazchem(ui),
        });
        let good = self.item();
        let liquid = good.class == Some(DgClass::FlammableLiquid);
        let (point, technical) = (
            !good.flash_point.trim().is_empty(),
            good.requires_technical_name || !good.technical_name.trim().is_empty(),
        );
        let point = liquid || point || unfolded || self.form.draft.is_in_new_zealand();
        let technical = technical || unfolded;
        if point || technical {
            layout::row(ui, &[3.0, 10.0], |cell, ui| match cell {
                0 if point => self.text(ui, "Flash point", DgField::FlashPoint, "°C"),
                1 if technical => self.text(ui, "Technical name", DgField::TechnicalName, ""),
                _ => {}
            });
        }
        self.flags(ui);
        let line = &self.form.draft.goods[self.line];
        let good = &line.dangerous[self.at];
        let rule = packaging::rule(line, good);
        ui.add(egui::Label::new(text::small(rule).color(palette(ui).muted)).wrap());
    }

    fn stored(&mut self, ui: &mut Ui) {
        layout::row(ui, &[3.0, 3.0, 7.0], |cell, ui| match cell {
            0 => self.text(ui, "Saved DG id", DgField::Stored, ""),
            1 => self.text(ui, "Amount", DgField::Amount, ""),
            _ => {
                let p = palette(ui);
                ui.add_space(24.0);
                let words = "Uses the DG item saved at the service under this id. Leave the amount empty to use the saved one";
                ui.add(egui::Label::new(text::small(words).color(p.muted)).wrap());
            }
        });
    }

    fn text(&mut self, ui: &mut Ui, label: &str, field: DgField, unit: &str) {
        let (line, at) = (self.line, self.at);
        let spoken = self.spoken(label);
        let look = FieldOptions {
            unit,
            number: field != DgField::TechnicalName,
            mono: field == DgField::Stored,
            spoken: Some(&spoken),
            ..FieldOptions::default()
        };
        self.form.text(
            ui,
            label,
            Field::Dg(line, at, field),
            |draft| string(&mut draft.goods[line].dangerous[at], field),
            look,
        );
    }

    fn container(&mut self, ui: &mut Ui) {
        let field = Field::Dg(self.line, self.at, DgField::Container);
        let current = self.item().container;
        let all = ContainerType::ALL;
        let picked = enum_select(
            ui,
            self.form,
            ("Packaging type", &self.spoken("Packaging type")),
            field,
            current,
            all,
            ContainerType::label,
        );
        if picked.is_some() {
            self.item().container = picked;
        }
    }

    fn unit(&mut self, ui: &mut Ui) {
        let spoken = self.spoken("Unit");
        let good = self.item();
        let shown = Select::new("Unit", Some(usize::from(good.litres)), &["kg", "L"])
            .accessible_name(&spoken)
            .show(ui);
        if let Some(picked) = shown.picked {
            good.litres = picked == 1;
        }
    }

    fn hazchem(&mut self, ui: &mut Ui) {
        let at_field = Field::Dg(self.line, self.at, DgField::Hazchem);
        let error = self.form.error(at_field);
        let spoken = self.spoken("Hazchem");
        let code = &mut self.item().hazchem;
        let before = codes(code);
        let field = field::Field::new("Hazchem", code)
            .id(id(at_field))
            .mono()
            .hint("if known")
            .accessible_name(&spoken)
            .error(error);
        let shown = TypeAhead::new(field).free_text().show(ui, |typed| {
            let item = |found: &str| PickerItem {
                exact: found.eq_ignore_ascii_case(typed.trim()),
                ..PickerItem::new(found, "")
            };
            codes(typed).into_iter().map(item).collect()
        });
        if let Some(found) = shown.picked.and_then(|picked| before.get(picked)) {
            (*found).clone_into(&mut self.item().hazchem);
        }
        self.form.track_focus(at_field, &shown.field.response);
    }

    fn flags(&mut self, ui: &mut Ui) {
        let words = [
            "Marine pollutant",
            "Temperature controlled",
            "Empty, uncleaned",
        ];
        let names = words.map(|words| self.called(words));
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
        let p = palette(ui);
        let here = |field: Field| matches!(field, Field::Dg(line, at, _) if line == self.line && at == self.at);
        let warnings = self
            .form
            .problems
            .iter()
            .filter(|problem| problem.severity == Severity::Warning && here(problem.field));
        for warning in warnings {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                text::decorative_icon(ui, icons::ICON_WARNING, 16.0, p.warning);
                ui.add(egui::Label::new(text::small(&warning.message).color(p.warning)).wrap());
            });
        }
    }

    /// Draws the buttons below the item. Returns true if the item is to be removed.
    fn foot(&mut self, ui: &mut Ui, state: &mut DangerousState, stored: bool) -> bool {
        let this = (self.line, self.at);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let words = if stored {
                "Enter all details"
            } else {
                "Use saved DG"
            };
            let name = self.called(words);
            let swap = Button::quiet(words).icon(icons::ICON_BOOKMARK).small();
            let swap = swap.accessible_name(&name);
            if ui.add(swap).clicked() {
                let next = if stored {
                    state.stored = None;
                    self.item().stored.clear();
                    DgField::UnNumber
                } else {
                    state.stored = Some(this);
                    DgField::Stored
                };
                *self.form.focus_widget = Some(id(Field::Dg(self.line, self.at, next)));
            }
            if !stored && !state.unfolded.contains(&this) {
                let name = self.called("All fields");
                let more = Button::quiet("All fields").icon(icons::ICON_TUNE).small();
                if ui.add(more.accessible_name(&name)).clicked() {
                    state.unfold(self.line, self.at);
                }
            }
            if self.form.draft.goods.len() > 1 {
                self.copies(ui);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = self.called("Remove DG item");
                let away = Button::quiet("Remove DG item").icon(icons::ICON_CLOSE);
                ui.add(away.small().accessible_name(&name)).clicked()
            })
            .inner
        })
        .inner
    }

    /// Draws the menu that copies the item to other lines.
    fn copies(&mut self, ui: &mut Ui) {
        let name = self.called("Copy to");
        let copy = Button::quiet("Copy to")
            .accessible_name(&name)
            .icon(icons::ICON_CONTENT_COPY)
            .opens()
            .small();
        let button = ui.add(copy);
        let goods = &self.form.draft.goods;
        let others = goods.len() - 1;
        let own = self.line;
        let picked = menu::under_with(&button, 300.0, |ui| {
            let all = format!("All other lines ({others})");
            let mut picked = None;
            if ui.add(Button::quiet(&all).left().fill_width(ui)).clicked() {
                picked = Some(None);
            }
            egui::ScrollArea::vertical().max_height(280.0).show_rows(
                ui,
                widgets::tokens::size::BUTTON,
                others,
                |ui, rows| {
                    for at in rows.map(|row| if row < own { row } else { row + 1 }) {
                        let words = called(at, &goods[at]);
                        let button = Button::quiet(&words).left().fill_width(ui);
                        if ui.add(button).clicked() {
                            picked = Some(Some(at));
                        }
                    }
                },
            );
            picked
        });
        if let Some(to) = picked {
            self.copy(to);
        }
    }

    fn copy(&mut self, to: Option<usize>) {
        let good = self.item().clone();
        let own = self.line;
        for (at, line) in self.form.draft.goods.iter_mut().enumerate() {
            let wanted = to.map_or(at != own, |to| at == to);
            if wanted && !line.dangerous.contains(&good) {
                line.dangerous.retain(|held| *held != DgLine::default());
                line.dangerous.push(good.clone());
            }
        }
    }
}

/// Formats a goods line for that menu: `Line 2, Carton, Hose reels`.
fn called(at: usize, line: &GoodsLine) -> String {
    let name = if line.name.trim().is_empty() {
        line.sku.trim()
    } else {
        line.name.trim()
    };
    let parts = [line.kind(), name];
    let known = parts.iter().filter(|part| !part.is_empty());
    let words: Vec<&str> = known.copied().collect();
    format!("Line {}, {}", at + 1, words.join(", "))
}

const fn string(good: &mut DgLine, field: DgField) -> &mut String {
    match field {
        DgField::Stored => &mut good.stored,
        DgField::Containers => &mut good.containers,
        DgField::Amount => &mut good.amount,
        DgField::FlashPoint => &mut good.flash_point,
        DgField::Hazchem => &mut good.hazchem,
        DgField::TechnicalName => &mut good.technical_name,
        _ => &mut good.un_number,
    }
}

/// Draws a drop-down over all values of an enum. Returns the value that was picked.
pub(super) fn enum_select<T: Copy + PartialEq>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (label, spoken): (&str, &str),
    field: Field,
    current: Option<T>,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> Option<T> {
    let words: Vec<&str> = all.iter().map(|value| word(*value)).collect();
    let at = current.and_then(|current| all.iter().position(|value| *value == current));
    let shown = Select::new(label, at, &words)
        .id(id(field))
        .accessible_name(spoken)
        .error(form.error(field))
        .show(ui);
    form.track_focus(field, &shown.response);
    shown.picked.map(|picked| all[picked])
}

/// Returns the Hazchem codes that begin with the typed text, with or without their bullet.
fn codes(typed: &str) -> Vec<&'static str> {
    let typed = typed.trim().to_uppercase();
    let fits =
        |code: &&&str| code.starts_with(&typed) || code.trim_start_matches('•').starts_with(&typed);
    HAZCHEM.iter().filter(fits).copied().collect()
}
