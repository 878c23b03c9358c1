//! Presets: goods, options and carrier that one key fills in, or that are picked from a list with a filter.
//!
//! A preset never changes addresses or references. A preset is removed only after a question, and replaced
//! only after the dialog has announced it.

use egui::{Event, Id, Label, Ui};

use super::list_dialog::{ListDialog, ListRow, RowEvent, question};
use crate::state::{Editing, OrdersCommand, Screen, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::Preset;
use storage::SharedKind;
use widgets::button::Button;
use widgets::command_palette::PaletteEntry;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::select::Select;
use widgets::tokens::palette;
use widgets::{icons, key_cap, text};

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 40;

/// The two dialogs and their input.
#[derive(Default)]
pub(super) struct PresetDialogs {
    list: ListDialog,
    saving_open: bool,
    saving: PresetEditor,
}

/// A preset that is about to be saved.
#[derive(Default)]
struct PresetEditor {
    preset: Preset,
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

/// Returns the presets for the list of all actions. They can be applied only on Consign, so other screens have none.
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
        self.list.open || self.saving_open
    }

    /// Draws the button in the title row, which opens the list.
    pub(super) fn button(&mut self, ui: &mut Ui) {
        let icon = Action::Presets.entry().icon;
        let button = Button::quiet("Presets").icon(icon).small();
        let button = ui.add(button).on_hover_text(Action::Presets.tip());
        if button.clicked() {
            self.list = ListDialog::open();
        }
    }

    fn save_draft(&mut self, editing: &Editing, shared: &Shared) {
        let preset = Preset::from_draft(&editing.draft, "", free_digit(&shared.catalogue.presets));
        self.edit(preset, None);
    }

    /// Opens the dialog that saves a preset. `was` is the old name if an existing preset is changed.
    fn edit(&mut self, preset: Preset, was: Option<String>) {
        self.list.open = false;
        self.saving_open = true;
        self.saving = PresetEditor { preset, was };
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
            self.list = ListDialog::open();
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
        let mut open = self.list.open;
        let modal = Modal::new("presets", "Presets").width(560.0);
        let choice = modal.show(ui, &mut open, |ui, open| {
            let choice = self.list_content(ui, shared);
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let (entry, key) = (Action::SavePreset.entry(), Action::SavePreset.key());
                let save = Button::new(entry.name).icon(entry.icon).key(&key);
                let save = ui.add(save).on_hover_text(entry.tooltip).clicked();
                if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                    *open = false;
                }
                save.then_some(ListChoice::Save).or(choice)
            })
            .inner
        });
        self.list.open = open;
        match choice.flatten() {
            Some(ListChoice::Fill(preset)) => {
                apply(preset, editing, shared);
                self.list.open = false;
            }
            Some(ListChoice::Change(preset)) => {
                self.edit(preset.clone(), Some(preset.name.clone()));
            }
            Some(ListChoice::Save) => self.save_draft(editing, shared),
            Some(ListChoice::Remove(name)) => context.push(OrdersCommand::RemovePreset(name)),
            None => {}
        }
    }

    fn list_content<'a>(&mut self, ui: &mut Ui, shared: &'a Shared) -> Option<ListChoice<'a>> {
        let presets = &shared.catalogue.presets;
        let others = presets
            .get(shared.catalogue.own_presets..)
            .unwrap_or_default();
        let list = &mut self.list;
        let wanted = list.filter.trim().to_lowercase();
        let has = |preset: &&Preset| preset.name.to_lowercase().contains(&wanted);
        let found: Vec<_> = presets.iter().filter(has).collect();
        let id = Id::unique("presets filter");
        let hint = "Type part of the name, then press Enter to apply";
        let answer_id = Id::unique("presets answer");
        let field = list.show_filter(ui, id, ("Filter presets", hint), found.len());
        let entered = found.get(list.marked).filter(|_| field.entered);
        let mut choice = entered.map(|preset| ListChoice::Fill(preset));
        if presets.is_empty() {
            let words =
                "No presets yet. Enter goods, options and a carrier, then save them as a preset";
            text::note(ui, words);
        }
        let pressed = list.show_rows(ui, found.len(), |ui, at, marked| {
            let preset = found[at];
            let is_own = others.iter().all(|other| other.name != preset.name);
            let set_by = (!is_own).then(|| shared.settings.machine.set_by());
            let name = preset.name.to_ascii_lowercase();
            let changed_by = shared.changed_by(SharedKind::Preset, &name);
            row(ui, preset, (set_by, changed_by), marked)
        });
        match pressed.map(|(at, event)| (found[at], event)) {
            Some((preset, RowEvent::Picked)) => choice = Some(ListChoice::Fill(preset)),
            Some((preset, RowEvent::Button(REMOVE))) => {
                list.ask_to_remove(ui, preset.name.clone(), answer_id);
            }
            Some((preset, RowEvent::Button(_))) => choice = Some(ListChoice::Change(preset)),
            None => {}
        }
        if let Some(name) = &list.removing {
            let words = format!("Remove {name}?");
            if let Some(answer) = question(ui, &words, ["Remove", "Keep"], (answer_id, id)) {
                let name = list.removing.take().filter(|_| answer);
                choice = name.map(ListChoice::Remove).or(choice);
            }
        }
        choice
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
            let PresetEditor { preset, was } = std::mem::take(editor);
            let name = preset.name.trim().to_owned();
            let preset = Box::new(Preset { name, ..preset });
            context.push(OrdersCommand::SavePreset { preset, was });
        }
    }
}

impl PresetEditor {
    /// Draws the dialog. Returns whether to save the preset, once the clerk has decided.
    fn content(&mut self, ui: &mut Ui, presets: &[Preset]) -> Option<bool> {
        let field = Field::new("Name", &mut self.preset.name)
            .hint("Two pallets, tailgate")
            .limit(LONGEST_NAME)
            .on_enter(OnEnter::Stay)
            .show(ui);
        let was = self.was.as_deref().unwrap_or_default();
        let others = presets.iter().filter(|preset| !same(&preset.name, was));
        let (replaced, others): (Vec<_>, Vec<_>) =
            others.partition(|preset| same(&preset.name, &self.preset.name));
        let owner = |digit: u8| {
            let mut others = others.iter();
            others.find(|preset| digit != 0 && preset.digit == digit)
        };
        // The list begins with "No key", followed by each of the nine keys with the preset that uses the key.
        let key_name = |digit| match (digit, owner(digit)) {
            (0, _) => "No key".to_owned(),
            (digit, None) => key_label(digit),
            (digit, Some(owner)) => format!("{} · {}", key_label(digit), owner.name),
        };
        let names: Vec<String> = (0..=9).map(key_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let taken = owner(self.preset.digit)
            .map(|owner| format!("{} already uses this key: pick another", owner.name));
        let select =
            Select::new("Key", Some(self.preset.digit.into()), &names).error(taken.as_deref());
        if let Some(digit) = select.show(ui).picked {
            self.preset.digit = u8::try_from(digit).unwrap_or_default();
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
        let can = !self.preset.name.trim().is_empty() && taken.is_none();
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

/// The clerk's choice in the list.
enum ListChoice<'a> {
    Fill(&'a Preset),
    Change(&'a Preset),
    /// Removes the preset of this name.
    Remove(String),
    Save,
}

/// The index of the button that removes a preset.
const REMOVE: usize = 0;

/// Draws a preset: its name, what it contains, and its key. A preset of the administrator, `set_by`, can't be changed.
fn row(
    ui: &mut Ui,
    preset: &Preset,
    (set_by, changed_by): (Option<&str>, Option<String>),
    marked: bool,
) -> Option<RowEvent> {
    let spoken = match &changed_by {
        None => preset.name.clone(),
        Some(by) => format!("{}, {by}", preset.name),
    };
    let by = set_by.map(|who| format!("set by {who}")).or(changed_by);
    let detail = match by {
        None => preset.describe(),
        Some(by) => format!("{} · {by}", preset.describe()),
    };
    let buttons = [
        (icons::ICON_DELETE, &*format!("Remove {}…", preset.name)),
        (
            icons::ICON_EDIT,
            &*format!("Change name and key of {}…", preset.name),
        ),
    ];
    ListRow {
        id: Id::unique(("preset", preset.name.as_str())),
        spoken: &spoken,
        title: &preset.name,
        detail: &detail,
        detail_tone: None,
        badge: None,
        note: &key_label(preset.digit),
        buttons: if set_by.is_none() { &buttons } else { &[] },
    }
    .show(ui, marked)
}

fn same(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// Returns the first digit that no preset uses, or 0 if all are used.
fn free_digit(presets: &[Preset]) -> u8 {
    let taken = |digit: &u8| presets.iter().any(|preset| preset.digit == *digit);
    (1..=9).find(|digit| !taken(digit)).unwrap_or_default()
}
