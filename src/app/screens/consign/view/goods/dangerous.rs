//! A DG item of a goods line: described in full with the entry of its UN number, or a saved DG item given by its id and
//! amount.
//!
//! Invariant: UN number, shipping name, packing group and classes come together from one entry of the service's lookup.
//! Class and packing group are typed separately only while the lookup is not available.

use std::collections::HashMap;

use egui::{Align2, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::super::form::{FieldOptions, Form};
use super::super::id;
use super::sub_form::SubFormRow;
use draft::{
    DgField, DgLine, Draft, Field, GoodsLine, HAZCHEM, Severity, container_rule, join_parts,
    un_number as parse_number,
};
use shipping::{ContainerType, DgClass, PackingGroup, UnLookupEntry, UnNumber};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::picker::PickerItem;
use widgets::select::Select;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, menu, paint, text};

pub(super) type UnEntries = HashMap<UnNumber, Vec<UnLookupEntry>>;

/// Maximum number of suggestions for a UN number.
const MOST_ENTRIES: usize = 12;

/// Draws the checkbox by which the clerk states whether the saved item of a line includes dangerous goods.
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
        let stored = self.item().is_stored() || self.state.stored == Some(this);
        if stored {
            self.stored(ui);
        } else {
            self.described(ui, un_numbers);
        }
        self.warnings(ui);
        self.foot(ui, "Remove DG item", |row, ui| row.dg_buttons(ui, stored))
    }

    fn item(&mut self) -> &mut DgLine {
        &mut self.form.draft.goods[self.sub_form.line].dangerous[self.at]
    }

    const fn dg_field(&self, field: DgField) -> Field {
        Field::Dg(self.sub_form.line, self.at, field)
    }

    fn described(&mut self, ui: &mut Ui, un_numbers: &UnEntries) {
        layout::row(ui, &[2.0, 11.0], |cell, ui| match cell {
            0 => self.un_number(ui, un_numbers),
            _ => self.entry(ui, un_numbers),
        });
        layout::row(ui, &[3.0, 3.0, 2.0, 2.0, 3.0], |cell, ui| match cell {
            0 => {
                let field = (DgField::Container, ContainerType::ALL);
                self.choice(ui, field, ContainerType::label, |good| &mut good.container);
            }
            1 => self.containers(ui),
            2 => self.dg_text(ui, DgField::Amount),
            3 => self.unit(ui),
            _ => {
                let at = self.dg_field(DgField::Hazchem);
                self.form.suggest(ui, at, suggest_hazchem);
            }
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
                let words = "Uses the DG item saved at the service under this id. Leave the amount empty to use the saved amount";
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

    /// Draws a drop-down over all values of an enum; `value` is where the chosen value is kept.
    fn choice<T: Copy + PartialEq>(
        &mut self,
        ui: &mut Ui,
        (field, all): (DgField, &[T]),
        name: fn(T) -> &'static str,
        value: fn(&mut DgLine) -> &mut Option<T>,
    ) {
        let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
        let chosen = *value(self.item());
        let chosen = all.iter().position(|one| Some(*one) == chosen);
        let at = self.dg_field(field);
        let shown = self
            .form
            .select(ui, at, FieldOptions::default(), chosen, &names);
        if let Some(picked) = shown.picked {
            *value(self.item()) = Some(all[picked]);
        }
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

    fn warnings(&self, ui: &mut Ui) {
        let ink = palette(ui).warning;
        let here = |field| matches!(field, Field::Dg(line, at, _) if (line, at) == (self.sub_form.line, self.at));
        for problem in self.form.problems.iter() {
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

    fn un_number(&mut self, ui: &mut Ui, known: &UnEntries) {
        let at = self.dg_field(DgField::UnNumber);
        let offer = |typed: &str| suggest_entries(typed, known);
        let (field, picked) = self.form.type_ahead(ui, at, FieldOptions::default(), offer);
        if let Some(entry) = picked {
            apply_entry(self.item(), entry);
            self.focus_next_required(ui);
        } else if field.changed() {
            clear_entry(self.item());
        }
    }

    /// Draws the lookup entry of the UN number, or fields for class and packing group while the lookup
    /// is not available.
    fn entry(&mut self, ui: &mut Ui, known: &UnEntries) {
        let Some(number) = self.item().number() else {
            return instead_of_field(ui, "Class and packing group come with the UN number");
        };
        match known.get(&number).map(Vec::as_slice) {
            None => self.by_hand(ui, number),
            Some([]) => {
                let words = format!("The service doesn't list UN {number}: check the number");
                instead_of_field(ui, &words);
            }
            Some([only]) if is_applied(self.item(), only) => {
                instead_of_field(ui, &entry_label(only));
            }
            Some(entries) => self.pick_entry(ui, entries),
        }
    }

    fn pick_entry(&mut self, ui: &mut Ui, entries: &[UnLookupEntry]) {
        let good = self.item();
        let current = entries.iter().position(|entry| is_applied(good, entry));
        let labels: Vec<String> = entries.iter().map(entry_label).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let hint = format!("Pick one of {}", labels.len());
        let options = FieldOptions {
            label: Some("Shipping name, class and packing group"),
            hint: Some(&hint),
            also_for: Some(self.dg_field(DgField::PackingGroup)),
            ..FieldOptions::default()
        };
        let at = self.dg_field(DgField::Class);
        let shown = self.form.select(ui, at, options, current, &labels);
        if let Some(picked) = shown.picked {
            apply_entry(self.item(), &entries[picked]);
        }
    }

    /// Moves the focus to the next required field that is empty, after an entry was picked.
    fn focus_next_required(&mut self, ui: &Ui) {
        let good = self.item();
        let is_liquid = good.class == Some(DgClass::FlammableLiquid);
        let required = [
            (true, DgField::Container),
            (true, DgField::Containers),
            (true, DgField::Amount),
            (is_liquid, DgField::FlashPoint),
            (good.requires_technical_name, DgField::TechnicalName),
        ];
        let has_container = good.container.is_some();
        let is_empty = |field| match field {
            DgField::Container => !has_container,
            field => { self.dg_field(field).text(self.form.draft) }
                .trim()
                .is_empty(),
        };
        let mut required = required.into_iter().filter(|(is_required, _)| *is_required);
        let next = required.find(|(_, field)| is_empty(*field));
        if let Some((_, field)) = next {
            self.form.focus_field(ui, self.dg_field(field));
        }
    }

    fn by_hand(&mut self, ui: &mut Ui, number: UnNumber) {
        layout::row(ui, &[7.0, 4.0], |cell, ui| {
            if cell == 0 {
                let field = (DgField::Class, DgClass::ALL);
                self.choice(ui, field, DgClass::label, |good| &mut good.class);
            } else {
                let field = (DgField::PackingGroup, PackingGroup::ALL);
                self.choice(ui, field, PackingGroup::label, |good| {
                    &mut good.packing_group
                });
            }
        });
        text::small_note(
            ui,
            format!("UN {number} isn't loaded yet: pick its class and packing group yourself"),
        );
    }
}

/// Formats a goods line for the menu of lines to copy to: `Line 2, Carton, Hose reels`.
fn line_label(at: usize, line: &GoodsLine) -> String {
    let name = if line.name.trim().is_empty() {
        line.sku.trim()
    } else {
        line.name.trim()
    };
    join_parts(&[&format!("Line {}", at + 1), line.kind(), name], ", ")
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

/// Returns the note below the number of inner packagings: the number as typed so far, and what to count for this
/// packaging type.
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

/// Applies the lookup entry to each DG item that only one entry fits. Returns true if an entry was applied.
pub(super) fn apply_only_entries(draft: &mut Draft, un_numbers: &UnEntries) -> bool {
    let mut applied = false;
    for good in draft.goods.iter_mut().flat_map(|line| &mut line.dangerous) {
        if let Some(entry) = only_entry(good, un_numbers) {
            apply_entry(good, entry);
            applied = true;
        }
    }
    applied
}

/// Returns the only entry of the UN number, or the only entry with the packing group and class of the DG item.
/// Returns `None` if an entry was applied before.
fn only_entry<'a>(good: &DgLine, known: &'a UnEntries) -> Option<&'a UnLookupEntry> {
    let entries = known.get(&good.number()?)?;
    if good.is_stored() || entries.iter().any(|entry| is_applied(good, entry)) {
        return None;
    }
    let is_open = good.class.is_none() && good.packing_group.is_none();
    let mut fitting =
        { entries.iter() }.filter(|entry| (is_open && entries.len() == 1) || belongs(good, entry));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

fn apply_entry(good: &mut DgLine, entry: &UnLookupEntry) {
    if good.number() != Some(entry.un_number) {
        good.un_number = entry.un_number.to_string();
    }
    good.shipping_name.clone_from(&entry.name);
    good.packing_group = entry.packing_group;
    good.class = entry.main_class();
    good.sub_classes = entry.subsidiary_classes();
    good.requires_technical_name = entry.requires_technical_name;
    if good.amount.trim().is_empty() {
        good.litres = is_liquid(entry);
    }
}

/// Returns true if the entry is a liquid, whose amount is declared in litres. The lookup does not say whether an
/// entry is a liquid, so the class and words in the name decide.
fn is_liquid(entry: &UnLookupEntry) -> bool {
    let name = entry.name.to_uppercase();
    let mut words = name.split(|c: char| !c.is_alphabetic());
    entry.main_class() == Some(DgClass::FlammableLiquid)
        || words.any(|word| ["LIQUID", "PAINT", "SOLUTION"].contains(&word))
}

/// Clears everything that was copied from an entry.
fn clear_entry(good: &mut DgLine) {
    good.shipping_name.clear();
    good.packing_group = None;
    good.class = None;
    good.sub_classes.clear();
    good.requires_technical_name = false;
}

/// Returns true if this entry was applied to the DG item.
fn is_applied(good: &DgLine, entry: &UnLookupEntry) -> bool {
    good.shipping_name == entry.name && belongs(good, entry)
}

/// Returns true if the DG item has the packing group and class of this entry.
fn belongs(good: &DgLine, entry: &UnLookupEntry) -> bool {
    good.packing_group == entry.packing_group && good.class == entry.main_class()
}

/// Formats class, subsidiary classes and packing group: `3 (6.1) · PG II`.
fn class_and_group(entry: &UnLookupEntry) -> String {
    let own = entry.class.as_ref().map_or("", |class| &class.class);
    let subs = entry.sub_classes.iter().map(|sub| sub.class.as_str());
    let subs = match subs.collect::<Vec<_>>().join(", ").as_str() {
        "" => String::new(),
        subs => format!(" ({subs})"),
    };
    let group = match entry.packing_group {
        Some(PackingGroup::None) | None => String::new(),
        Some(group) => format!(" · PG {}", group.label()),
    };
    format!("{own}{subs}{group}")
}

/// Formats an entry: `Ethanol solution · 3 · PG II`.
fn entry_label(entry: &UnLookupEntry) -> String {
    format!("{} · {}", entry.name, class_and_group(entry))
}

/// Returns the entries to suggest for the typed text: the entries of a UN number, or the entries whose name
/// contains the text. If a number has only one entry, that entry is applied automatically, so there is
/// nothing to pick.
fn suggest_entries<'a>(typed: &str, known: &'a UnEntries) -> Vec<(PickerItem, &'a UnLookupEntry)> {
    let typed = typed.trim().to_lowercase();
    let mut found: Vec<&UnLookupEntry> = match parse_number(&typed) {
        Some(number) => known.get(&number).into_iter().flatten().collect(),
        None if typed.len() < 2 || typed.chars().all(|c| c.is_ascii_digit()) => Vec::new(),
        None => {
            let has_text = |entry: &&UnLookupEntry| entry.name.to_lowercase().contains(&typed);
            known.values().flatten().filter(has_text).collect()
        }
    };
    if found.len() == 1 && parse_number(&typed).is_some() {
        found.clear();
    }
    found.sort_by_key(|entry| entry.un_number);
    let items = found.into_iter().take(MOST_ENTRIES).map(|entry| {
        let text = format!("UN {} {}", entry.un_number, entry.name);
        (PickerItem::new(text, class_and_group(entry)), entry)
    });
    items.collect()
}

/// Draws text in place of an input field.
fn instead_of_field(ui: &mut Ui, words: &str) {
    ui.add_space(20.0);
    let room = vec2(ui.available_width(), size::FIELD);
    let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    let galley = text::line(ui, text::body(words), rect.width(), palette(ui).muted);
    paint::text_at(
        ui.painter(),
        Align2::LEFT_CENTER,
        rect.left_center(),
        galley,
    );
}
