//! Presets: goods, options and carrier that one key fills in, or that are picked from a list with a filter.
//!
//! A preset never changes addresses or references. A preset is removed only after a question, and replaced
//! only after the dialog has announced it.

use egui::{Align, Event, Id, Label, Layout, ScrollArea, Ui, vec2};

use super::filter_list::FilterList;
use crate::state::{Editing, OrdersCommand, Screen, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::Preset;
use widgets::button::Button;
use widgets::command_palette::PaletteEntry;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::select::Select;
use widgets::tokens::palette;
use widgets::{icons, key_cap, text};

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 40;

/// Maximum height of the list, in points.
const LIST_HEIGHT: f32 = 320.0;
const ROW: f32 = 34.0;

/// The two dialogs and their input.
#[derive(Default)]
pub(super) struct PresetDialogs {
    list_open: bool,
    list: FilterList,
    /// The preset whose removal the clerk has to confirm.
    removing: Option<String>,
    saving_open: bool,
    saving: PresetEditor,
}

/// A preset that is about to be saved.
#[derive(Default)]
struct PresetEditor {
    preset: Preset,
    name: String,
    digit: u8,
    /// The old name, if an existing preset is changed.
    was: Option<String>,
}

/// A preset as an entry in the list of all actions.
pub(crate) struct PresetEntry {
    /// The preset's name, without the prefix that the list shows.
    pub(crate) preset: String,
    name: String,
    key: String,
    holds: String,
}

impl<'a> From<&'a PresetEntry> for PaletteEntry<'a> {
    fn from(named: &'a PresetEntry) -> Self {
        Self {
            name: &named.name,
            icon: icons::ICON_BOOKMARK,
            key: &named.key,
            tooltip: &named.holds,
        }
    }
}

/// Returns the presets for the list of all actions; empty unless Consign is open, where they can be applied.
pub(crate) fn action_entries(shared: &Shared) -> Vec<PresetEntry> {
    let here = shared.screen == Screen::Consign;
    let presets = shared.catalogue.presets.iter().filter(|_| here);
    presets
        .map(|preset| PresetEntry {
            preset: preset.name.clone(),
            name: format!("Preset: {}", preset.name),
            key: key_label(preset.digit),
            holds: preset.describe(),
        })
        .collect()
}

fn key_label(digit: u8) -> String {
    match digit {
        1..=9 => format!("Ctrl Shift {digit}"),
        _ => String::new(),
    }
}

/// Returns the digit that was pressed with Ctrl and Shift, and consumes the key. The position on the keyboard
/// counts, because with Shift the key types another character.
fn pressed_digit(ui: &Ui) -> Option<u8> {
    let digit_of = |event: &Event| match event {
        Event::Key {
            key,
            physical_key,
            pressed: true,
            modifiers,
            ..
        } if modifiers.command && modifiers.shift && !modifiers.alt => {
            let key = physical_key.unwrap_or(*key);
            let at = key_cap::DIGITS.iter().position(|digit| *digit == key)?;
            u8::try_from(at + 1).ok()
        }
        _ => None,
    };
    ui.input_mut(|input| {
        let mut events = input.events.iter().enumerate();
        let (at, digit) = events.find_map(|(at, event)| Some((at, digit_of(event)?)))?;
        input.events.remove(at);
        Some(digit)
    })
}

fn apply(preset: &Preset, editing: &mut Editing, shared: &Shared) {
    preset.apply_to(&mut editing.draft, &shared.catalogue.items);
}

impl PresetDialogs {
    pub(super) fn is_open(&self) -> bool {
        self.list_open || self.saving_open
    }

    /// Draws the button in the title row, which opens the list.
    pub(super) fn button(&mut self, ui: &mut Ui) {
        let icon = Action::Presets.entry().icon;
        let button = Button::quiet("Presets").icon(icon).small();
        if ui
            .add(button)
            .on_hover_text(Action::Presets.tip())
            .clicked()
        {
            self.open();
        }
    }

    fn open(&mut self) {
        self.list_open = true;
        self.list = FilterList::default();
        self.removing = None;
    }

    fn save_draft(&mut self, editing: &Editing, shared: &Shared) {
        let preset = Preset::from_draft(&editing.draft, "", free_digit(&shared.catalogue.presets));
        self.edit(preset, None);
    }

    /// Opens the dialog that saves a preset; `was` is the old name of an existing one.
    fn edit(&mut self, preset: Preset, was: Option<String>) {
        self.list_open = false;
        self.saving_open = true;
        self.saving = PresetEditor {
            name: preset.name.clone(),
            digit: preset.digit,
            preset,
            was,
        };
    }

    pub(super) fn actions(&mut self, ui: &Ui, context: &Context<'_>, editing: &mut Editing) {
        let presets = &context.shared.catalogue.presets;
        if let Some(name) = &context.preset
            && let Some(preset) = presets.iter().find(|preset| preset.name == *name)
        {
            apply(preset, editing, context.shared);
        }
        if self.is_open() || context.is_dialog_open {
            return;
        }
        if let Some(digit) = pressed_digit(ui)
            && let Some(preset) = presets.iter().find(|preset| preset.digit == digit)
        {
            apply(preset, editing, context.shared);
        }
        if context.is_triggered(Action::Presets) {
            self.open();
        }
        if context.is_triggered(Action::SavePreset) {
            self.save_draft(editing, context.shared);
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        self.show_list(ui, context, editing);
        self.show_editor(ui, context);
    }

    fn show_list(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        let shared = context.shared;
        let mut open = self.list_open;
        let modal = Modal::new("presets", "Presets").width(560.0);
        let picked = modal.show(ui, &mut open, |ui, open| {
            let picked = self.list_content(ui, &shared.catalogue.presets);
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let (entry, key) = (Action::SavePreset.entry(), Action::SavePreset.key());
                let save = Button::new(entry.name).icon(entry.icon).key(&key);
                let save = ui.add(save).on_hover_text(entry.tooltip).clicked();
                if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                    *open = false;
                }
                save.then_some(ListChoice::Save).or(picked)
            })
            .inner
        });
        self.list_open = open;
        match picked.flatten() {
            Some(ListChoice::Fill(preset)) => {
                apply(preset, editing, shared);
                self.list_open = false;
            }
            Some(ListChoice::Change(preset)) => {
                self.edit(preset.clone(), Some(preset.name.clone()));
            }
            Some(ListChoice::Save) => self.save_draft(editing, shared),
            Some(ListChoice::Remove(preset)) => {
                self.removing = None;
                context.push(OrdersCommand::RemovePreset(preset.name.clone()));
            }
            None => {}
        }
    }

    fn list_content<'a>(&mut self, ui: &mut Ui, presets: &'a [Preset]) -> Option<ListChoice<'a>> {
        let wanted = self.list.filter.trim().to_lowercase();
        let has = |preset: &&Preset| preset.name.to_lowercase().contains(&wanted);
        let found: Vec<_> = presets.iter().filter(has).collect();
        self.list.move_mark(ui, found.len());
        let hint = "Type part of the name, then press Enter to apply";
        let id = Id::unique("presets filter");
        let field = self.list.show_filter(ui, id, "Filter presets", hint);
        let marked = self.list.marked;
        let entered = found.get(marked).filter(|_| field.entered);
        let mut picked = entered.map(|preset| ListChoice::Fill(preset));
        if presets.is_empty() {
            let words =
                "No presets yet. Enter goods, options and a carrier, then save them as a preset";
            text::note(ui, words);
        }
        let area = ScrollArea::vertical().max_height(LIST_HEIGHT);
        area.show(ui, |ui| {
            for (at, preset) in found.into_iter().enumerate() {
                let row = ui.push_id(&preset.name, |ui| self.row(ui, preset, at == marked));
                picked = row.inner.or(picked.take());
            }
        });
        picked
    }

    fn row<'a>(&mut self, ui: &mut Ui, preset: &'a Preset, marked: bool) -> Option<ListChoice<'a>> {
        let mut picked = None;
        if self.removing.as_ref() == Some(&preset.name) {
            ui.horizontal(|ui| {
                ui.set_height(ROW);
                ui.label(text::strong(format!("Remove {}?", preset.name)));
                if ui.add(Button::new("Remove").small()).clicked() {
                    picked = Some(ListChoice::Remove(preset));
                }
                if ui.add(Button::new("Keep").small()).clicked() {
                    self.removing = None;
                }
            });
            return picked;
        }
        let room = vec2(ui.available_width(), ROW);
        let shown = ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
            let name = format!("Remove {}…", preset.name);
            let remove = Button::icon_only(icons::ICON_DELETE, &name);
            if ui.add(remove).clicked() {
                self.removing = Some(preset.name.clone());
            }
            let name = format!("Change name and key of {}…", preset.name);
            if ui.add(Button::icon_only(icons::ICON_EDIT, &name)).clicked() {
                picked = Some(ListChoice::Change(preset));
            }
            let key = key_label(preset.digit);
            let fill = Button::quiet(&preset.name).left().selected(marked);
            if ui.add(fill.key(&key).fill_width(ui)).clicked() {
                picked = Some(ListChoice::Fill(preset));
            }
        });
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            let is_seen = ui.is_rect_visible(shown.response.rect.expand(ROW));
            let held = if is_seen {
                preset.describe()
            } else {
                String::new()
            };
            ui.add(Label::new(text::small(held).color(palette(ui).muted)).truncate());
        });
        picked
    }

    fn show_editor(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let presets = &context.shared.catalogue.presets;
        let editor = &mut self.saving;
        let title = if editor.was.is_some() {
            "Change the preset"
        } else {
            "Save as preset"
        };
        let mut saves = false;
        Modal::new("save preset", title).show(ui, &mut self.saving_open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let answer = editor.content(ui, presets);
            saves = answer == Some(true);
            *open &= answer.is_none();
        });
        if saves {
            let editor = std::mem::take(editor);
            let preset = Box::new(editor.preset.renamed(&editor.name, editor.digit));
            let was = editor.was;
            context.push(OrdersCommand::SavePreset { preset, was });
        }
    }
}

impl PresetEditor {
    /// Draws the dialog. Returns whether to save the preset, once the clerk has decided.
    fn content(&mut self, ui: &mut Ui, presets: &[Preset]) -> Option<bool> {
        let field = Field::new("Name", &mut self.name)
            .hint("Two pallets, tailgate")
            .limit(LONGEST_NAME)
            .on_enter(OnEnter::Stay)
            .show(ui);
        let was = self.was.as_deref().unwrap_or_default();
        let others = presets.iter().filter(|preset| !same(&preset.name, was));
        let (replaced, others): (Vec<_>, Vec<_>) =
            others.partition(|preset| same(&preset.name, &self.name));
        let owner = |digit: u8| {
            let mut others = others.iter();
            others.find(|preset| digit != 0 && preset.digit == digit)
        };
        // No key, then each of the nine keys with the preset that uses it.
        let key_name = |digit| match (digit, owner(digit)) {
            (0, _) => "No key".to_owned(),
            (digit, None) => key_label(digit),
            (digit, Some(owner)) => format!("{} · {}", key_label(digit), owner.name),
        };
        let names: Vec<String> = (0..=9).map(key_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let taken = owner(self.digit)
            .map(|owner| format!("{} already uses this key: pick another", owner.name));
        let select = Select::new("Key", Some(self.digit.into()), &names).error(taken.as_deref());
        if let Some(digit) = select.show(ui).picked {
            self.digit = u8::try_from(digit).unwrap_or_default();
        }
        let contents = format!("Contains: {}", self.preset.describe());
        ui.add(Label::new(text::body(contents)).wrap());
        let words = "Addresses and references are not part of a preset";
        text::small_note(ui, words);
        let replaced = replaced.first();
        if let Some(replaced) = replaced {
            let words = format!("{} already exists and will be replaced", replaced.name);
            let ink = palette(ui).warning;
            ui.add(Label::new(text::body(words).color(ink)).wrap());
        }
        let can = !self.name.trim().is_empty() && taken.is_none();
        let save = if replaced.is_some() {
            "Replace"
        } else {
            "Save"
        };
        ui.horizontal(|ui| {
            let pressed = ui.add_enabled(can, Button::primary(save)).clicked();
            let cancelled = ui.add(Button::new("Cancel").min_width(80.0)).clicked();
            // Enter saves a new preset, but replacing one takes a click.
            let saves = pressed || (can && replaced.is_none() && field.entered);
            (saves || cancelled).then_some(saves)
        })
        .inner
    }
}

/// A choice of the clerk in the list.
enum ListChoice<'a> {
    Fill(&'a Preset),
    Change(&'a Preset),
    Remove(&'a Preset),
    Save,
}

fn same(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// Returns the first digit that no preset uses, or 0 if all are used.
fn free_digit(presets: &[Preset]) -> u8 {
    let taken = |digit: &u8| presets.iter().any(|preset| preset.digit == *digit);
    (1..=9).find(|digit| !taken(digit)).unwrap_or_default()
}
