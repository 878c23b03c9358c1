//! The dialog that asks for a token when the keyring has none for the chosen connection.

use egui::{Label, Ui};

use super::super::Context;
use super::super::environment;
use super::{Page, StartupPages, token_id};
use crate::state::{KindEvidence, SettingsCommand, WindowStage};
use draft::Secret;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::palette;

impl StartupPages {
    pub(super) fn ask_token(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let WindowStage::Token {
            name,
            kind,
            keyring,
            problem,
        } = &context.shared.stage
        else {
            return;
        };
        let first = self.is_first_frame(Page::Token);
        let title = format!("Token for {name}");
        let words = if *keyring {
            "There is no token in this computer's keyring. Paste it here; it is saved in the keyring and nowhere else"
        } else {
            "This computer has no usable keyring. You are asked for the token at each start; it is never written to a file"
        };
        let kind = environment::of_kind(*kind);
        // Closing the dialog leads back to the choice of a service.
        let mut open = true;
        let asked = Modal::new("token", &title)
            .width(480.0)
            .show(ui, &mut open, |ui, _| {
                environment::line_of(ui, kind, KindEvidence::Unconfirmed);
                ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
                let field = Field::new("Token", self.token.text_mut())
                    .id(token_id())
                    .password()
                    .hint("paste it with Ctrl V")
                    .error(problem.as_deref())
                    .on_enter(OnEnter::Stay)
                    .show(ui);
                if first {
                    field.response.request_focus();
                }
                let can = self.token.to_secret_string().is_some() && self.token.can_be_sent();
                let answered = ui.horizontal(|ui| {
                    let pressed = ui.add_enabled(can, Button::primary("Open")).clicked();
                    if ui.add(Button::new("Practise instead")).clicked() {
                        context.push(SettingsCommand::Practise);
                    }
                    if ui.add(Button::quiet("Choose another…")).clicked() {
                        context.push(SettingsCommand::Choose(None));
                    }
                    pressed
                });
                can && (answered.inner || field.entered)
            });
        if asked == Some(true) {
            let token: Secret = std::mem::take(&mut self.token);
            context.push(SettingsCommand::AnswerToken(token));
        }
        if !open {
            self.connecting = false;
            context.push(SettingsCommand::Choose(None));
        }
    }
}
