//! The dialog in which a view is saved or renamed.

use egui::{Id, Ui};

use crate::state::ListView;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::palette;

/// State of the dialog.
#[derive(Default)]
pub(crate) struct NamingDialog {
    open: bool,
    name: String,
    /// Present name of the view to rename; `None` saves a new view.
    was: Option<String>,
}

/// Name that the clerk gave to a view.
pub(crate) struct Named {
    pub(crate) name: String,
    /// Old name of a view that is renamed; `None` for a view that is saved.
    pub(crate) was: Option<String>,
}

impl NamingDialog {
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    pub(crate) fn save(&mut self, name: String) {
        *self = Self {
            open: true,
            name,
            was: None,
        };
    }

    pub(crate) fn rename(&mut self, name: String) {
        *self = Self {
            open: true,
            name: name.clone(),
            was: Some(name),
        };
    }

    pub(crate) fn show(&mut self, ui: &Ui, views: &[&ListView]) -> Option<Named> {
        let Self { open, name, was } = self;
        let renames = was.is_some();
        let title = if renames { "Rename view" } else { "Save view" };
        let named = Modal::new("view name", title)
            .width(360.0)
            .show(ui, open, |ui, open| {
                let typed = name.trim().to_lowercase();
                let mut others = views.iter().filter(|view| Some(&view.name) != was.as_ref());
                let taken = others.any(|view| view.name.to_lowercase() == typed);
                let is_taken = taken && !typed.is_empty();
                let error = (renames && is_taken).then_some("Another view already has this name");
                let entered = Field::new("Name", name)
                    .id(Id::unique("view name"))
                    .error(error)
                    .on_enter(OnEnter::Stay)
                    .show(ui)
                    .entered;
                let p = palette(ui);
                let words = if is_taken && !renames {
                    "A view with this name exists and will be replaced"
                } else {
                    "Filter, order, columns and their widths"
                };
                ui.label(text::small(words).color(p.muted));
                ui.add_space(4.0);
                let word = match (renames, is_taken) {
                    (true, _) => "Rename",
                    (false, true) => "Replace",
                    (false, false) => "Save",
                };
                let can = !typed.is_empty() && error.is_none();
                let pressed = ui
                    .add_enabled(can, Button::new(word).key("↵").min_width(96.0))
                    .clicked();
                let done = can && (pressed || entered);
                if done {
                    *open = false;
                }
                done
            });
        named.unwrap_or(false).then(|| {
            let typed = self.name.trim();
            // A view that is replaced keeps the upper and lower case of its name.
            let known = views
                .iter()
                .filter(|_| self.was.is_none())
                .find(|view| view.name.to_lowercase() == typed.to_lowercase());
            Named {
                name: known.map_or(typed, |view| &view.name).to_owned(),
                was: self.was.take(),
            }
        })
    }
}
