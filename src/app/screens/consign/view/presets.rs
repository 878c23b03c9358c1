//! Presets: goods, options and carrier that one key fills in, or that are picked from a list with a filter.
//!
//! A preset never changes addresses or references. A preset is removed only after a question, and replaced
//! only after the dialog has announced it.

use egui::{Align, Key, Label, Layout, Modifiers, Ui, vec2};

use crate::state::{Editing, OrdersCommand, Shared};
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
    filter: String,
    marked: usize,
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
    let here = shared.screen == crate::state::Screen::Consign;
    let presets = shared.presets.iter().filter(|_| here);
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
    ui.input_mut(|input| {
        let digit_of = |event: &egui::Event| match event {
            egui::Event::Key {
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
        let at = input
            .events
            .iter()
            .position(|event| digit_of(event).is_some())?;
        digit_of(&input.events.remove(at))
    })
}

fn apply(preset: &Preset, editing: &mut Editing, shared: &Shared) {
    preset.apply_to(&mut editing.draft, &shared.items);
}

impl PresetDialogs {
    pub(super) fn is_open(&self) -> bool {
        self.list_open || self.saving_open
    }

    /// Opens the list.
    pub(super) fn open(&mut self) {
        self.list_open = true;
        self.filter.clear();
        self.marked = 0;
        self.removing = None;
    }

    fn save(&mut self, preset: Preset, was: Option<String>) {
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
        let presets = &context.shared.presets;
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
            self.save(
                Preset::from_draft(&editing.draft, "", free_digit(presets)),
                None,
            );
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        self.list(ui, context, editing);
        self.saving(ui, context);
    }

    fn list(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        let presets = &context.shared.presets;
        let mut open = self.list_open;
        let picked = Modal::new("presets", "Presets")
            .width(560.0)
            .show(ui, &mut open, |ui, open| {
                let wanted = self.filter.trim().to_lowercase();
                let has = |preset: &&Preset| preset.name.to_lowercase().contains(&wanted);
                let found: Vec<_> = presets.iter().filter(has).collect();
                self.steps(ui, found.len());
                let field = Field::new("Filter presets", &mut self.filter)
                    .icon(icons::ICON_SEARCH)
                    .hint("Type part of the name, then press Enter to apply")
                    .on_enter(OnEnter::Stay)
                    .hide_label()
                    .show(ui);
                if field.changed() {
                    self.marked = 0;
                }
                let mut picked = found
                    .get(self.marked)
                    .filter(|_| field.entered)
                    .map(|preset| ListChoice::Fill((*preset).clone()));
                if presets.is_empty() {
                    let words = "No presets yet. Enter goods, options and a carrier, then save them as a preset";
                    ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
                }
                egui::ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
                    for (at, preset) in found.iter().enumerate() {
                        let row = ui.push_id(&preset.name, |ui| self.row(ui, preset, at == self.marked));
                        picked = row.inner.or(picked.take());
                    }
                });
                ui.add_space(4.0);
                ui.horizontal(|ui| {
                    let (entry, key) = (Action::SavePreset.entry(), Action::SavePreset.key());
                    let save = Button::new(entry.name).icon(entry.icon).key(&key);
                    if ui.add(save).on_hover_text(entry.tooltip).clicked() {
                        picked = Some(ListChoice::Save);
                    }
                    if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                        *open = false;
                    }
                });
                picked
            });
        self.list_open = open;
        match picked.flatten() {
            Some(ListChoice::Fill(preset)) => {
                apply(&preset, editing, context.shared);
                self.list_open = false;
            }
            Some(ListChoice::Change(preset)) => {
                let was = Some(preset.name.clone());
                self.save(preset, was);
            }
            Some(ListChoice::Save) => {
                self.save(
                    Preset::from_draft(&editing.draft, "", free_digit(presets)),
                    None,
                );
            }
            Some(ListChoice::Remove(name)) => {
                self.removing = None;
                context.push(OrdersCommand::RemovePreset(name));
            }
            None => {}
        }
    }

    fn steps(&mut self, ui: &Ui, count: usize) {
        let step = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if step(Key::ArrowDown) {
            self.marked = (self.marked + 1).min(count.saturating_sub(1));
        }
        if step(Key::ArrowUp) {
            self.marked = self.marked.saturating_sub(1);
        }
    }

    fn row(&mut self, ui: &mut Ui, preset: &Preset, marked: bool) -> Option<ListChoice> {
        let mut picked = None;
        if self.removing.as_ref() == Some(&preset.name) {
            ui.horizontal(|ui| {
                ui.set_height(ROW);
                ui.label(text::strong(format!("Remove {}?", preset.name)));
                let remove = ui.add(Button::new("Remove").small());
                if remove.clicked() {
                    picked = Some(ListChoice::Remove(preset.name.clone()));
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
            if ui
                .add(Button::icon_only(icons::ICON_DELETE, &name))
                .clicked()
            {
                self.removing = Some(preset.name.clone());
            }
            let name = format!("Change name and key of {}…", preset.name);
            if ui.add(Button::icon_only(icons::ICON_EDIT, &name)).clicked() {
                picked = Some(ListChoice::Change(preset.clone()));
            }
            let key = key_label(preset.digit);
            let mut fill = Button::quiet(&preset.name).left().selected(marked);
            if !key.is_empty() {
                fill = fill.key(&key);
            }
            if ui.add(fill.fill_width(ui)).clicked() {
                picked = Some(ListChoice::Fill(preset.clone()));
            }
        });
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            let seen = ui.is_rect_visible(shown.response.rect.expand(ROW));
            let held = if seen {
                preset.describe()
            } else {
                String::new()
            };
            ui.add(Label::new(text::small(held).color(palette(ui).muted)).truncate());
        });
        picked
    }

    fn saving(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let presets = &context.shared.presets;
        let saving = &mut self.saving;
        let title = if saving.was.is_some() {
            "Change the preset"
        } else {
            "Save as preset"
        };
        let mut kept = None;
        Modal::new("save preset", title).show(ui, &mut self.saving_open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let field = Field::new("Name", &mut saving.name)
                .hint("Two pallets, tailgate")
                .limit(LONGEST_NAME)
                .on_enter(OnEnter::Stay)
                .show(ui);
            let other =
                |preset: &&Preset| !same(&preset.name, saving.was.as_deref().unwrap_or_default());
            let others: Vec<_> = presets.iter().filter(other).collect();
            let replaced = others
                .iter()
                .find(|preset| same(&preset.name, &saving.name));
            let owner = |digit: u8| {
                let mut owners = others
                    .iter()
                    .filter(|preset| !same(&preset.name, &saving.name));
                owners.find(|preset| digit != 0 && preset.digit == digit)
            };
            let names = key_names(owner);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let taken = owner(saving.digit)
                .map(|owner| format!("{} already uses this key: pick another", owner.name));
            let select =
                Select::new("Key", Some(saving.digit.into()), &names).error(taken.as_deref());
            if let Some(digit) = select.show(ui).picked {
                saving.digit = u8::try_from(digit).unwrap_or_default();
            }
            about(ui, &saving.preset, replaced.copied());
            let can = !saving.name.trim().is_empty() && taken.is_none();
            let main = if replaced.is_some() {
                "Replace"
            } else {
                "Save"
            };
            ui.horizontal(|ui| {
                let pressed = ui.add_enabled(can, Button::primary(main)).clicked();
                // Enter saves a new preset, but replacing one takes a click.
                if pressed || (can && replaced.is_none() && field.entered) {
                    kept = Some(saving.preset.clone().renamed(&saving.name, saving.digit));
                    *open = false;
                }
                if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                    *open = false;
                }
            });
        });
        if let Some(preset) = kept {
            context.push(OrdersCommand::SavePreset {
                preset: Box::new(preset),
                was: self.saving.was.take(),
            });
        }
    }
}

/// Draws what the preset contains, and which existing preset it would replace.
fn about(ui: &mut Ui, preset: &Preset, replaced: Option<&Preset>) {
    let p = palette(ui);
    ui.add(Label::new(text::body(format!("Contains: {}", preset.describe()))).wrap());
    let words = "Addresses and references are not part of a preset";
    ui.label(text::small(words).color(p.muted));
    if let Some(replaced) = replaced {
        let words = format!("{} already exists and will be replaced", replaced.name);
        ui.add(Label::new(text::body(words).color(p.warning)).wrap());
    }
}

enum ListChoice {
    Fill(Preset),
    Change(Preset),
    Remove(String),
    Save,
}

fn same(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// Returns the labels of the key drop-down: no key, then each of the nine keys with the preset that uses it.
fn key_names<'a>(owner: impl Fn(u8) -> Option<&'a &'a Preset>) -> Vec<String> {
    let name = |digit| match (digit, owner(digit)) {
        (0, _) => "No key".to_owned(),
        (digit, None) => key_label(digit),
        (digit, Some(owner)) => format!("{} · {}", key_label(digit), owner.name),
    };
    (0..=9).map(name).collect()
}

/// Returns the first digit that no preset uses, or 0 if all are used.
fn free_digit(presets: &[Preset]) -> u8 {
    let taken = |digit: &u8| presets.iter().any(|preset| preset.digit == *digit);
    (1..=9).find(|digit| !taken(digit)).unwrap_or_default()
}
