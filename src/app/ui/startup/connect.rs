//! The page that connects to a service: first the form, then the result of the connection test.

use egui::Ui;

use super::super::Context;
use super::super::connection::{FieldErrors, go_to, test_result};
use super::{Page, StartupPages};
use crate::state::{ProbeResult, SettingsCommand};
use draft::ConnectionField as At;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette};
use widgets::{icons, layout, progress, text};

const ADVANCED: [At; 2] = [At::Authority, At::Proxy];

impl StartupPages {
    pub(super) fn connect(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let setup = &context.shared.setup;
        if self.picked < setup.picked.0 {
            self.picked = setup.picked.0;
            self.form.draft.authority.clone_from(&setup.picked.1);
        }
        self.form.finish_test(ui, setup);
        let found = setup
            .test_of(&self.form.draft)
            .and_then(|tried| tried.outcome.as_ref().ok());
        match found {
            Some(found) => self.found(ui, context, found),
            None => self.ask(ui, context),
        }
    }

    fn ask(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let first = self.is_first_frame(Page::Connect);
        let setup = &context.shared.setup;
        let errors = self.form.errors(setup);
        let trying = setup.connection_test.is_loading();
        self.unfolded |= errors.any(&ADVANCED);
        ui.label(text::title(if self.form.draft.saved_name.is_some() {
            "Change the connection"
        } else {
            "Connect to your service"
        }));
        if first {
            go_to(
                ui,
                if self.form.draft.saved_name.is_some() {
                    At::Address
                } else {
                    At::Name
                },
            );
        }
        let entered = ui
            .add_enabled_ui(!trying, |ui| self.fields(ui, context, &errors))
            .inner;
        if trying {
            progress::bar(ui, 0, 1, "connections tested", Tone::Accent);
        }
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let connect = ui
                .add_enabled(!trying, Button::primary("Connect").key("Ctrl ↵"))
                .clicked();
            let by_key =
                ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, egui::Key::Enter));
            let wanted = !trying && (connect || by_key || entered);
            if wanted && self.form.validate(ui, &context.shared.setup) {
                self.form.start_test();
                context.push(SettingsCommand::TestConnection(Box::new(
                    self.form.draft.clone(),
                )));
            }
            if ui.add(Button::new("Back")).clicked() {
                self.connecting = false;
                context.push(SettingsCommand::Choose(None));
            }
        });
    }

    /// Draws the fields. Returns true if Enter was pressed in the last one.
    fn fields(&mut self, ui: &mut Ui, context: &mut Context<'_>, errors: &FieldErrors) -> bool {
        let form = &mut self.form;
        let mut entered = false;
        Card::plain().show(
            ui,
            |_| {},
            |ui| {
                ui.spacing_mut().item_spacing.y = 12.0;
                let saved = form.draft.saved_name.is_some();
                ui.add_enabled_ui(!saved, |ui| {
                    form.text(
                        ui,
                        errors,
                        At::Name,
                        "Name",
                        "for example Depot; can't be changed later",
                    )
                });
                form.kind(ui, errors);
                form.text(ui, errors, At::Address, "Address", "https://…");
                let hint = if saved {
                    "leave empty to keep the saved token"
                } else {
                    "paste it with Ctrl V"
                };
                entered = form.secret(ui, errors, At::Token, "Token", hint).entered;
            },
        );
        let (icon, words) = if self.unfolded {
            (icons::ICON_EXPAND_LESS, "Certificate authority and proxy")
        } else {
            (icons::ICON_EXPAND_MORE, "Certificate authority and proxy…")
        };
        if ui.add(Button::quiet(words).icon(icon)).clicked() {
            self.unfolded = !self.unfolded;
        }
        if self.unfolded {
            let form = &mut self.form;
            Card::plain().show(
                ui,
                |_| {},
                |ui| {
                    ui.spacing_mut().item_spacing.y = 12.0;
                    advanced_fields(ui, context, form, errors);
                },
            );
        }
        entered
    }

    fn found(&mut self, ui: &mut Ui, context: &mut Context<'_>, found: &ProbeResult) {
        let first = self.is_first_frame(Page::Found);
        ui.label(text::title(format!(
            "Connection to {} works",
            self.form.draft.name.trim()
        )));
        let kind = self.form.draft.kind;
        let shown = Card::plain().show(ui, |_| {}, |ui| test_result::show(ui, found, kind));
        drop(shown);
        let busy = context.shared.setup.busy;
        if busy {
            progress::bar(ui, 0, 1, "tokens saved", Tone::Accent);
        }
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let start = ui.add_enabled(!busy, Button::primary("Start working"));
            if first {
                start.request_focus();
            }
            if start.clicked() {
                let draft = self.form.draft.clone();
                context.push(SettingsCommand::SaveAndUse(Box::new(draft)));
            }
            if ui.add(Button::new("Change…")).clicked() {
                context.push(SettingsCommand::DismissTest);
            }
            ui.label(text::small("You can change this later in Settings").color(palette(ui).muted));
        });
    }
}

/// Draws the rarely needed fields: the company's own certificate authority, and the proxy.
pub(crate) fn advanced_fields(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut super::super::connection::ConnectionForm,
    errors: &FieldErrors,
) {
    let dialog = context.shared.setup.file_dialog;
    let weights: &[f32] = if dialog { &[3.0, 1.0] } else { &[1.0] };
    layout::row(ui, weights, |at, ui| {
        if at == 0 {
            let hint = "full path of a PEM file; leave empty for this computer's certificates";
            form.text(
                ui,
                errors,
                At::Authority,
                "Certificate authority of your company",
                hint,
            );
        } else {
            ui.add_space(20.0);
            let browse = Button::new("Browse…")
                .icon(icons::ICON_FOLDER_OPEN)
                .fill_width(ui);
            if ui.add(browse).clicked() {
                context.push(SettingsCommand::BrowseAuthority);
            }
        }
    });
    form.text(
        ui,
        errors,
        At::Proxy,
        "Proxy",
        "http://host:port; leave empty for this computer's proxy",
    );
}
