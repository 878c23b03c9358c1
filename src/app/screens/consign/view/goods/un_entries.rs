//! The UN number of a DG item, and the entry of the service's lookup that belongs to the number.
//!
//! Invariant: UN number, shipping name, packing group and classes come together from one entry. Class and packing group
//! are typed separately only while the lookup is not available.

use std::collections::HashMap;

use egui::{Align2, Role, Sense, Ui, WidgetInfo, vec2};

use super::super::form::FieldOptions;
use super::sub_form::{SubFormRow, is_stored};
use draft::{DgField, DgLine, Draft, un_number as parse_number};
use shipping::{DgClass, PackingGroup, UnLookupEntry, UnNumber};
use widgets::picker::PickerItem;
use widgets::tokens::{palette, size};
use widgets::{layout, paint, text};

pub(super) type UnEntries = HashMap<UnNumber, Vec<UnLookupEntry>>;

/// Maximum number of suggestions.
const MOST: usize = 12;

/// Applies the lookup entries that leave no choice, once the service has returned them. Returns true if any
/// was applied.
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

/// Returns the only entry, or the only one with the packing group and class that the DG item already has;
/// `None` if one was applied before.
fn only_entry<'a>(good: &DgLine, known: &'a UnEntries) -> Option<&'a UnLookupEntry> {
    let entries = known.get(&good.number()?)?;
    if is_stored(good) || entries.iter().any(|entry| is_applied(good, entry)) {
        return None;
    }
    let is_open = good.class.is_none() && good.packing_group.is_none();
    let mut fitting =
        { entries.iter() }.filter(|entry| (is_open && entries.len() == 1) || belongs(good, entry));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

fn class(entry: &UnLookupEntry) -> Option<DgClass> {
    entry.class.as_ref().and_then(|class| class.class_type)
}

/// Copies a whole entry into the DG item.
fn apply_entry(good: &mut DgLine, entry: &UnLookupEntry) {
    if good.number() != Some(entry.un_number) {
        good.un_number = entry.un_number.to_string();
    }
    good.shipping_name.clone_from(&entry.name);
    good.packing_group = entry.packing_group;
    good.class = class(entry);
    let sub_classes = entry.sub_classes.iter().filter_map(|sub| sub.class_type);
    good.sub_classes = sub_classes.collect();
    good.requires_technical_name = entry.requires_technical_name;
    if good.amount.trim().is_empty() {
        good.litres = is_liquid(entry);
    }
}

/// Returns true if the entry is a liquid, whose amount is declared in litres. The lookup has no such flag, so
/// the class and words in the name decide.
fn is_liquid(entry: &UnLookupEntry) -> bool {
    let name = entry.name.to_uppercase();
    let mut words = name.split(|c: char| !c.is_alphabetic());
    class(entry) == Some(DgClass::FlammableLiquid)
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
    good.packing_group == entry.packing_group && good.class == class(entry)
}

/// Formats class, subsidiary classes and packing group: `3 (6.1) · PG II`.
fn class_and_group(entry: &UnLookupEntry) -> String {
    let own = entry.class.as_ref().map_or("", |class| &class.class);
    let subs = entry.sub_classes.iter().map(|sub| sub.class.as_str());
    let subs: Vec<&str> = subs.collect();
    let subs = if subs.is_empty() {
        String::new()
    } else {
        format!(" ({})", subs.join(", "))
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
        Some(number) => {
            let entries = known.get(&number).into_iter().flatten();
            let entries: Vec<_> = entries.collect();
            if entries.len() == 1 {
                Vec::new()
            } else {
                entries
            }
        }
        None if typed.len() < 2 || typed.chars().all(|c| c.is_ascii_digit()) => Vec::new(),
        None => {
            let entries = known.values().flatten();
            entries
                .filter(|entry| entry.name.to_lowercase().contains(&typed))
                .collect()
        }
    };
    found.sort_by_key(|entry| entry.un_number);
    let items = found.into_iter().take(MOST).map(|entry| {
        let text = format!("UN {} {}", entry.un_number, entry.name);
        (PickerItem::new(text, class_and_group(entry)), entry)
    });
    items.collect()
}

impl SubFormRow<'_, '_> {
    /// Draws the UN number field with its suggestions.
    pub(super) fn un_number(&mut self, ui: &mut Ui, known: &UnEntries) {
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

    /// Draws the entry of the number, or fields for class and packing group while the
    /// lookup is not available.
    pub(super) fn entry(&mut self, ui: &mut Ui, known: &UnEntries) {
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
            let good = self.item();
            let (class, group) = (good.class, good.packing_group);
            if cell == 0 {
                let at = self.dg_field(DgField::Class);
                let all = DgClass::ALL;
                let picked = self.form.select_value(ui, at, class, all, DgClass::label);
                self.item().class = picked.or(class);
            } else {
                let at = self.dg_field(DgField::PackingGroup);
                let all = PackingGroup::ALL;
                let picked = self
                    .form
                    .select_value(ui, at, group, all, PackingGroup::label);
                self.item().packing_group = picked.or(group);
            }
        });
        text::small_note(
            ui,
            format!("UN {number} isn't loaded yet: pick its class and packing group yourself"),
        );
    }
}

/// Draws text in the place of an input field.
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
