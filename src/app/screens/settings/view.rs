//! The Settings screen: services and the bench on the left, the form of the selected one on the right.
//!
//! Invariant: typed input is not lost when the clerk leaves the screen, and only Save saves it.

mod bench;
mod compatibility;
mod form;
mod list;

use std::collections::HashMap;

use egui::Ui;

use crate::state::{ChosenService, Editing, SettingsCommand, SetupView, Shared};
use crate::ui::actions::Action;
use crate::ui::connection::ConnectionForm;
use crate::ui::{Context, ScreenView};
use draft::ConnectionDraft;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::tokens::size;
use widgets::{layout, text};

/// An item of the list on the left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Item {
    Practice,
    Connection(String),
    New,
    Bench,
}

/// State of the screen.
#[derive(Default)]
pub(crate) struct SettingsScreen {
    item: Option<Item>,
    /// Forms by the connection's name. The key of a new connection is the empty string.
    forms: HashMap<String, ConnectionForm>,
    /// Name of the connection whose token is being replaced.
    replacing: Option<String>,
    bench: bench::BenchForm,
    /// Name of the connection whose removal has to be confirmed.
    removing: Option<String>,
    /// Counters of saved connections and picked certificate files, as far as they are handled.
    seen: (u64, u64),
    focus: bool,
}

impl ScreenView for SettingsScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.removing.is_some()
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        self.apply_changes(&context.shared.setup);
        let item = self.item(&context.shared.setup);
        if context.is_triggered(Action::NewConnection) {
            self.pick(Item::New);
        }
        let room = ui.available_width();
        let left = (room * 0.26).clamp(232.0, 300.0);
        let right = (room - left - size::GUTTER).min(860.0);
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                self.list(ui, context, &item);
            } else {
                match &item {
                    Item::Bench => self.bench.show(ui, context),
                    Item::Practice => list::practice(ui, context),
                    Item::Connection(name) => self.form(ui, context, name),
                    Item::New => self.form(ui, context, ""),
                }
            }
        });
        self.confirm_removal(ui, context);
    }
}

impl SettingsScreen {
    /// Returns the selected item; at first this is the open service.
    fn item(&mut self, setup: &SetupView) -> Item {
        let known = match &self.item {
            Some(Item::Connection(name)) => setup.named(name).is_some(),
            Some(_) => true,
            None => false,
        };
        if !known {
            self.item = None;
        }
        self.item
            .get_or_insert_with(|| match &setup.chosen {
                Some(ChosenService::Connection(name)) if setup.named(name).is_some() => {
                    Item::Connection(name.clone())
                }
                _ => Item::Practice,
            })
            .clone()
    }

    fn pick(&mut self, item: Item) {
        self.item = Some(item);
        self.replacing = None;
        self.focus = true;
    }

    /// Drops the form of a connection that was saved, and puts a picked certificate file into the form that
    /// is shown.
    fn apply_changes(&mut self, setup: &SetupView) {
        let (saved, name) = &setup.saved;
        if self.seen.0 < *saved {
            self.seen.0 = *saved;
            self.forms.remove(name);
            let was_new = self
                .forms
                .get("")
                .is_some_and(|form| form.draft.name.trim() == name);
            if was_new {
                self.forms.remove("");
            }
            if self.item == Some(Item::New) && was_new {
                self.item = Some(Item::Connection(name.clone()));
            }
            self.replacing = None;
        }
        let (picked, path) = &setup.picked;
        if self.seen.1 < *picked {
            self.seen.1 = *picked;
            let shown = match &self.item {
                Some(Item::Connection(name)) => self.forms.get_mut(name),
                Some(Item::New) => self.forms.get_mut(""),
                _ => None,
            };
            if let Some(form) = shown {
                form.draft.authority.clone_from(path);
            }
        }
    }

    /// Returns whether the form of a connection has unsaved input.
    fn is_unsaved(&self, setup: &SetupView, name: &str) -> bool {
        let Some(form) = self.forms.get(name) else {
            return false;
        };
        match setup.named(name) {
            Some(saved) => form.draft != saved.draft,
            None => form.draft != ConnectionDraft::default(),
        }
    }

    /// Returns the form of a connection, with unsaved input if there is any.
    fn form_of(&mut self, setup: &SetupView, name: &str) -> &mut ConnectionForm {
        let saved = setup.named(name).map(|saved| &saved.draft);
        let form = self.forms.entry(name.to_owned()).or_default();
        // A form without input is updated when the saved connection changes.
        if let Some(saved) = saved
            && form.is_untouched()
            && form.draft != *saved
        {
            *form = ConnectionForm::of(saved.clone());
        }
        form
    }

    /// Draws the dialog that asks for confirmation before a connection is removed.
    fn confirm_removal(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let name = self.removing.clone().unwrap_or_default();
        let title = format!("Remove {name}?");
        let mut open = self.removing.is_some();
        Modal::new("remove a connection", &title).show(ui, &mut open, |ui, open| {
            let words = "Its settings and its token are deleted. Its drafts and operations stay in its journal on this bench, and are \
                         available again if you add a connection with the same name";
            text::note(ui, words);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let keep = ui.add(Button::new("Keep it")).clicked();
                let remove = ui.add(Button::new("Remove")).clicked();
                if remove {
                    context.push(SettingsCommand::Remove(name.clone()));
                }
                *open &= !(keep || remove);
            });
        });
        if !open {
            self.removing = None;
        }
    }
}
