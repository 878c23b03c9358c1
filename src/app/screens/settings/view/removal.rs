//! The dialog that asks for confirmation before a connection is removed.

use egui::{Label, Ui};

use crate::state::SettingsCommand;
use crate::ui::Context;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::palette;

/// State of the dialog.
#[derive(Default)]
pub(super) struct RemovalDialog {
    open: bool,
    name: String,
}

impl RemovalDialog {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog for this connection.
    pub(super) fn ask(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.open = true;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let name = self.name.clone();
        let title = format!("Remove {name}?");
        Modal::new("remove a connection", &title).show(ui, &mut self.open, |ui, open| {
            let words = "Its settings and its token are deleted. Its drafts and operations stay in its journal on this bench, and are \
                         available again if you add a connection with the same name";
            ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if ui.add(Button::new("Keep it")).clicked() {
                    *open = false;
                }
                if ui.add(Button::new("Remove")).clicked() {
                    context.push(SettingsCommand::Remove(name.clone()));
                    *open = false;
                }
            });
        });
    }
}
