//! The UN number field, and the lookup entry that belongs to the number. An entry is always
//! applied as a whole.

use std::collections::HashMap;

use egui::Ui;

use super::super::id;
use super::dg_item::{DgItemForm, enum_select};
use draft::{DgField, DgLine, Field, un_number as number};
use shipping::{DgClass, PackingGroup, UnLookupEntry, UnNumber};
use widgets::field;
use widgets::picker::PickerItem;
use widgets::select::Select;
use widgets::text;
use widgets::tokens::palette;
use widgets::type_ahead::TypeAhead;

type UnEntries = HashMap<UnNumber, Vec<UnLookupEntry>>;

/// Maximum number of suggestions.
const MOST: usize = 12;

/// The lookup's answer for the typed UN number.
pub(super) enum Lookup<'a> {
    /// The field holds no valid UN number.
    NoNumber,
    /// The service has not answered yet, or could not be asked.
    Unavailable(UnNumber),
    /// The service does not know the number.
    UnknownNumber(UnNumber),
    Entries(&'a [UnLookupEntry]),
}

impl<'a> Lookup<'a> {
    pub(super) fn of(good: &DgLine, known: &'a UnEntries) -> Self {
        let Some(number) = number(&good.un_number) else {
            return Self::NoNumber;
        };
        match known.get(&number).map(Vec::as_slice) {
            None => Self::Unavailable(number),
            Some([]) => Self::UnknownNumber(number),
            Some(entries) => Self::Entries(entries),
        }
    }
}

fn class(entry: &UnLookupEntry) -> Option<DgClass> {
    entry.class.as_ref().and_then(|class| class.class_type)
}

fn sub_classes(entry: &UnLookupEntry) -> impl Iterator<Item = DgClass> {
    entry.sub_classes.iter().filter_map(|sub| sub.class_type)
}

/// Copies a whole entry into the DG item.
fn apply_entry(good: &mut DgLine, entry: &UnLookupEntry) {
    if number(&good.un_number) != Some(entry.un_number) {
        good.un_number = entry.un_number.to_string();
    }
    good.shipping_name.clone_from(&entry.name);
    good.packing_group = entry.packing_group;
    good.class = class(entry);
    good.sub_classes = sub_classes(entry).collect();
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

/// Applies the only entry, or the only one with the packing group and class that the DG item already has.
/// Returns true if an entry was applied.
pub(super) fn apply_only_entry(good: &mut DgLine, known: &UnEntries) -> bool {
    let Lookup::Entries(entries) = Lookup::of(good, known) else {
        return false;
    };
    if !good.stored.trim().is_empty() || entries.iter().any(|entry| is_applied(good, entry)) {
        return false;
    }
    let open = good.class.is_none() && good.packing_group.is_none();
    let one = match entries {
        [one] if open || belongs(good, one) => Some(one),
        several => {
            let mut fitting = several.iter().filter(|entry| belongs(good, entry));
            fitting.next().filter(|_| fitting.next().is_none())
        }
    };
    if let Some(one) = one {
        apply_entry(good, one);
    }
    one.is_some()
}

/// Formats an entry: `Ethanol solution · 3 · PG II`.
fn words(entry: &UnLookupEntry) -> String {
    format!("{} · {}", entry.name, kind(entry))
}

/// Formats class, subsidiary classes and packing group: `3 (6.1) · PG II`.
fn kind(entry: &UnLookupEntry) -> String {
    let own = entry.class.as_ref().map_or("", |class| &class.class);
    let subs: Vec<&str> = entry
        .sub_classes
        .iter()
        .map(|sub| sub.class.as_str())
        .collect();
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

/// Returns the entries to suggest for the typed text: those of a UN number, or those whose
/// name contains the text.
fn suggest_entries<'a>(typed: &str, known: &'a UnEntries) -> Vec<&'a UnLookupEntry> {
    if let Some(number) = number(typed) {
        return known
            .get(&number)
            .into_iter()
            .flatten()
            .take(MOST)
            .collect();
    }
    let typed = typed.trim().to_lowercase();
    if typed.len() < 2 || typed.chars().all(|c| c.is_ascii_digit()) {
        return Vec::new();
    }
    let mut found: Vec<&UnLookupEntry> = known
        .values()
        .flatten()
        .filter(|entry| entry.name.to_lowercase().contains(&typed))
        .collect();
    found.sort_by_key(|entry| entry.un_number);
    found.truncate(MOST);
    found
}

impl DgItemForm<'_, '_> {
    /// Draws the UN number field with its suggestions.
    pub(super) fn un_number(&mut self, ui: &mut Ui) {
        let at = Field::Dg(self.line, self.at, DgField::UnNumber);
        let known = self.un_numbers;
        let error = self.form.error(at);
        let spoken = self.spoken("UN number");
        let good = self.item();
        let before = suggest_entries(&good.un_number, known);
        let field = field::Field::new("UN number", &mut good.un_number)
            .id(id(at))
            .mono()
            .limit(60)
            .accessible_name(&spoken)
            .error(error);
        let shown = TypeAhead::new(field).free_text().show(ui, |typed| {
            let entries = suggest_entries(typed, known);
            // A single entry is applied automatically, so there is nothing to pick.
            if entries.len() == 1 && number(typed).is_some() {
                return Vec::new();
            }
            let item = |entry: &&UnLookupEntry| {
                PickerItem::new(
                    format!("UN {} {}", entry.un_number, entry.name),
                    kind(entry),
                )
            };
            entries.iter().map(item).collect()
        });
        if let Some(entry) = shown.picked.and_then(|picked| before.get(picked)) {
            apply_entry(self.item(), entry);
            self.lead_to_next(ui);
        } else if shown.field.changed() {
            clear_entry(self.item());
        }
        self.form.track_focus(at, &shown.field.response);
    }

    /// Draws the entry of the number, or fields for class and packing group while the
    /// lookup is not available.
    pub(super) fn entry(&mut self, ui: &mut Ui) {
        let known = self.un_numbers;
        match Lookup::of(self.item(), known) {
            Lookup::NoNumber => said(ui, "Class and packing group come with the UN number"),
            Lookup::UnknownNumber(number) => said(
                ui,
                &format!("The service doesn't list UN {number}: check the number"),
            ),
            Lookup::Unavailable(number) => self.by_hand(ui, number),
            Lookup::Entries([one]) if is_applied(self.item(), one) => said(ui, &words(one)),
            Lookup::Entries(entries) => self.pick(ui, entries),
        }
    }

    fn pick(&mut self, ui: &mut Ui, entries: &[UnLookupEntry]) {
        let at = Field::Dg(self.line, self.at, DgField::Class);
        let group = Field::Dg(self.line, self.at, DgField::PackingGroup);
        let good = self.item();
        let current = entries.iter().position(|entry| is_applied(good, entry));
        let all: Vec<String> = entries.iter().map(words).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let hint = format!("Pick one of {}", all.len());
        let error = self.form.error(at).or(self.form.error(group));
        let label = "Shipping name, class and packing group";
        let spoken = self.spoken(label);
        let shown = Select::new(label, current, &all)
            .id(id(at))
            .accessible_name(&spoken)
            .hint(&hint)
            .error(error)
            .show(ui);
        self.form.track_focus(at, &shown.response);
        if let Some(picked) = shown.picked {
            apply_entry(self.item(), &entries[picked]);
        }
    }

    /// Moves the focus to the next required field that is empty, after an entry was picked.
    fn lead_to_next(&mut self, ui: &Ui) {
        let good = self.item();
        let is_liquid = good.class == Some(DgClass::FlammableLiquid);
        let empty = [
            (DgField::Container, good.container.is_none()),
            (DgField::Containers, good.containers.trim().is_empty()),
            (DgField::Amount, good.amount.trim().is_empty()),
            (
                DgField::FlashPoint,
                is_liquid && good.flash_point.trim().is_empty(),
            ),
            (
                DgField::TechnicalName,
                good.requires_technical_name && good.technical_name.trim().is_empty(),
            ),
        ];
        let next = empty.into_iter().find(|(_, is_empty)| *is_empty);
        if let Some((field, _)) = next {
            self.form
                .focus_field(ui, Field::Dg(self.line, self.at, field));
        }
    }

    fn by_hand(&mut self, ui: &mut Ui, number: UnNumber) {
        let (class, group) = (
            Field::Dg(self.line, self.at, DgField::Class),
            Field::Dg(self.line, self.at, DgField::PackingGroup),
        );
        widgets::layout::row(ui, &[7.0, 4.0], |cell, ui| {
            if cell == 0 {
                let spoken = self.spoken("Class");
                let current = self.item().class;
                let picked = enum_select(
                    ui,
                    self.form,
                    ("Class", &spoken),
                    class,
                    current,
                    DgClass::ALL,
                    DgClass::label,
                );
                if picked.is_some() {
                    self.item().class = picked;
                }
            } else {
                let spoken = self.spoken("Packing group");
                let current = self.item().packing_group;
                let all = PackingGroup::ALL;
                let picked = enum_select(
                    ui,
                    self.form,
                    ("Packing group", &spoken),
                    group,
                    current,
                    all,
                    PackingGroup::label,
                );
                if picked.is_some() {
                    self.item().packing_group = picked;
                }
            }
        });
        let words =
            format!("UN {number} isn't loaded yet: pick its class and packing group yourself");
        ui.add(egui::Label::new(text::small(words).color(palette(ui).muted)).wrap());
    }
}

/// Draws text in the place of an input field.
fn said(ui: &mut Ui, words: &str) {
    let p = palette(ui);
    ui.add_space(20.0);
    let (rect, response) = ui.allocate_exact_size(
        egui::vec2(ui.available_width(), widgets::tokens::size::FIELD),
        egui::Sense::hover(),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    let galley = text::line(ui, text::body(words), rect.width(), p.muted);
    let at = egui::pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, p.muted);
}
