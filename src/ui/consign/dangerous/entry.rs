//! The UN number and the entry of the lookup that belongs to it: picked whole, never apart.

use std::collections::HashMap;

use egui::Ui;

use super::super::super::kit::field;
use super::super::super::kit::picker::Item;
use super::super::super::kit::select::Select;
use super::super::super::kit::text;
use super::super::super::kit::tokens::palette;
use super::super::super::kit::type_ahead::TypeAhead;
use super::super::id;
use super::good::{Good, choose};
use crate::draft::{DgField, DgLine, Field, un_number as number};
use crate::shipping::{DgClass, PackingGroup, UnEntry, UnNumber};

type Known = HashMap<UnNumber, Vec<UnEntry>>;

/// Entries that are offered at once.
const MOST: usize = 12;

/// What the lookup says of a number.
pub(super) enum Lookup<'a> {
    /// No number is typed.
    NoNumber,
    /// It did not answer, or not yet.
    Away(UnNumber),
    /// The service does not know the number.
    Nothing(UnNumber),
    /// These.
    Entries(&'a [UnEntry]),
}

impl<'a> Lookup<'a> {
    pub(super) fn of(good: &DgLine, known: &'a Known) -> Self {
        let Some(number) = number(&good.un_number) else {
            return Self::NoNumber;
        };
        match known.get(&number).map(Vec::as_slice) {
            None => Self::Away(number),
            Some([]) => Self::Nothing(number),
            Some(entries) => Self::Entries(entries),
        }
    }
}

fn class(entry: &UnEntry) -> Option<DgClass> {
    entry.class.as_ref().and_then(|class| class.class_type)
}

fn sub_classes(entry: &UnEntry) -> impl Iterator<Item = DgClass> {
    entry.sub_classes.iter().filter_map(|sub| sub.class_type)
}

/// Takes an entry over, whole.
fn take(good: &mut DgLine, entry: &UnEntry) {
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

/// Amounts of liquids are declared in litres. The lookup does not say what is one: its class and its name do.
fn is_liquid(entry: &UnEntry) -> bool {
    let name = entry.name.to_uppercase();
    let mut words = name.split(|c: char| !c.is_alphabetic());
    class(entry) == Some(DgClass::FlammableLiquid)
        || words.any(|word| ["LIQUID", "PAINT", "SOLUTION"].contains(&word))
}

/// Forgets what an entry brought along.
fn forget(good: &mut DgLine) {
    good.shipping_name.clear();
    good.packing_group = None;
    good.class = None;
    good.sub_classes.clear();
    good.requires_technical_name = false;
}

/// Is this the entry that was taken?
fn is_taken(good: &DgLine, entry: &UnEntry) -> bool {
    good.shipping_name == entry.name && belongs(good, entry)
}

/// Do group and class belong to this entry?
fn belongs(good: &DgLine, entry: &UnEntry) -> bool {
    good.packing_group == entry.packing_group && good.class == class(entry)
}

/// Takes the entry that is alone, or the one that a good already has the group and class of; answers whether it took one.
pub(super) fn settle(good: &mut DgLine, known: &Known) -> bool {
    let Lookup::Entries(entries) = Lookup::of(good, known) else {
        return false;
    };
    if !good.stored.trim().is_empty() || entries.iter().any(|entry| is_taken(good, entry)) {
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
        take(good, one);
    }
    one.is_some()
}

/// `Ethanol solution · 3 · PG II`.
fn words(entry: &UnEntry) -> String {
    format!("{} · {}", entry.name, kind(entry))
}

/// `3 (6.1) · PG II`.
fn kind(entry: &UnEntry) -> String {
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

/// Entries for what is typed: those of the number, or those known by a name.
fn offered<'a>(typed: &str, known: &'a Known) -> Vec<&'a UnEntry> {
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
    let mut found: Vec<&UnEntry> = known
        .values()
        .flatten()
        .filter(|entry| entry.name.to_lowercase().contains(&typed))
        .collect();
    found.sort_by_key(|entry| entry.un_number);
    found.truncate(MOST);
    found
}

impl Good<'_, '_> {
    /// The number, with its entries to pick from.
    pub(super) fn un_number(&mut self, ui: &mut Ui) {
        let at = Field::Dg(self.line, self.at, DgField::UnNumber);
        let known = self.un_numbers;
        let error = self.form.error(at);
        let spoken = self.spoken("UN number");
        let good = self.good();
        let before = offered(&good.un_number, known);
        let field = field::Field::new("UN number", &mut good.un_number)
            .id(id(at))
            .mono()
            .limit(60)
            .spoken(&spoken)
            .error(error);
        let shown = TypeAhead::new(field).free_text().show(ui, |typed| {
            let entries = offered(typed, known);
            // One entry is taken by itself: nothing is left to pick.
            if entries.len() == 1 && number(typed).is_some() {
                return Vec::new();
            }
            let item = |entry: &&UnEntry| {
                Item::new(
                    format!("UN {} {}", entry.un_number, entry.name),
                    kind(entry),
                )
            };
            entries.iter().map(item).collect()
        });
        if let Some(entry) = shown.picked.and_then(|picked| before.get(picked)) {
            take(self.good(), entry);
            self.lead_to_next(ui);
        } else if shown.field.changed() {
            forget(self.good());
        }
        self.form.left(at, &shown.field.response);
    }

    /// What belongs to the number: the entry, or class and group by hand while the lookup is away.
    pub(super) fn entry(&mut self, ui: &mut Ui) {
        let known = self.un_numbers;
        match Lookup::of(self.good(), known) {
            Lookup::NoNumber => said(ui, "Class and packing group come with the UN number"),
            Lookup::Nothing(number) => said(ui, &format!("The service knows no UN {number}")),
            Lookup::Away(number) => self.by_hand(ui, number),
            Lookup::Entries([one]) if is_taken(self.good(), one) => said(ui, &words(one)),
            Lookup::Entries(entries) => self.pick(ui, entries),
        }
    }

    fn pick(&mut self, ui: &mut Ui, entries: &[UnEntry]) {
        let at = Field::Dg(self.line, self.at, DgField::Class);
        let group = Field::Dg(self.line, self.at, DgField::PackingGroup);
        let good = self.good();
        let current = entries.iter().position(|entry| is_taken(good, entry));
        let all: Vec<String> = entries.iter().map(words).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let hint = format!("Pick one of {}", all.len());
        let error = self.form.error(at).or(self.form.error(group));
        let label = "Shipping name, class and packing group";
        let spoken = self.spoken(label);
        let shown = Select::new(label, current, &all)
            .id(id(at))
            .spoken(&spoken)
            .hint(&hint)
            .error(error)
            .show(ui);
        self.form.left(at, &shown.response);
        if let Some(picked) = shown.picked {
            take(self.good(), &entries[picked]);
        }
    }

    /// After an entry was picked, the next field that must be filled and is empty has the focus.
    fn lead_to_next(&mut self, ui: &Ui) {
        let good = self.good();
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
            self.form.lead(ui, Field::Dg(self.line, self.at, field));
        }
    }

    fn by_hand(&mut self, ui: &mut Ui, number: UnNumber) {
        let (class, group) = (
            Field::Dg(self.line, self.at, DgField::Class),
            Field::Dg(self.line, self.at, DgField::PackingGroup),
        );
        super::super::super::kit::layout::row(ui, &[7.0, 4.0], |cell, ui| {
            if cell == 0 {
                let spoken = self.spoken("Class");
                let current = self.good().class;
                let picked = choose(
                    ui,
                    self.form,
                    ("Class", &spoken),
                    class,
                    current,
                    DgClass::ALL,
                    DgClass::label,
                );
                if picked.is_some() {
                    self.good().class = picked;
                }
            } else {
                let spoken = self.spoken("Packing group");
                let current = self.good().packing_group;
                let all = PackingGroup::ALL;
                let picked = choose(
                    ui,
                    self.form,
                    ("Packing group", &spoken),
                    group,
                    current,
                    all,
                    PackingGroup::label,
                );
                if picked.is_some() {
                    self.good().packing_group = picked;
                }
            }
        });
        let words =
            format!("The service has not told of UN {number} yet: class and group as typed");
        ui.add(egui::Label::new(text::small(words).color(palette(ui).muted)).wrap());
    }
}

/// Words where a box would be: nothing is typed there.
fn said(ui: &mut Ui, words: &str) {
    let p = palette(ui);
    ui.add_space(20.0);
    let (rect, response) = ui.allocate_exact_size(
        egui::vec2(
            ui.available_width(),
            super::super::super::kit::tokens::size::FIELD,
        ),
        egui::Sense::hover(),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    let galley = text::line(ui, text::body(words), rect.width(), p.muted);
    let at = egui::pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, p.muted);
}
