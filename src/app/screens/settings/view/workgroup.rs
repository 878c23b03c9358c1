//! The form of the workgroup: the database through which benches share their work.

use egui::Ui;

use crate::state::{Environment, SettingsCommand, Shared, WorkgroupDraft};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{action_button, lockable, unsaved_badge};
use widgets::button::Button;
use widgets::card::Card;
use widgets::field::Field;
use widgets::{icons, text};
use workgroup::{DatabaseAddress, WorkgroupState};

/// Unsaved input in the form of the workgroup.
#[derive(Default)]
pub(super) struct WorkgroupForm {
    /// `None` while everything is as saved.
    typed: Option<WorkgroupDraft>,
}

impl WorkgroupForm {
    /// Returns whether there is unsaved input.
    pub(super) fn is_unsaved(&self, shared: &Shared) -> bool {
        let typed = self.typed.as_ref();
        typed.is_some_and(|typed| *typed != shared.settings.workgroup)
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = &shared.settings.workgroup;
        let is_unsaved = self.is_unsaved(shared);
        let mut draft = self.typed.take().unwrap_or_else(|| saved.clone());
        let mut wanted = false;
        Card::new("Workgroup").icon(icons::ICON_GROUPS).show(
            ui,
            |ui| unsaved_badge(ui, is_unsaved),
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                let words = "Benches of one warehouse share their work in a PostgreSQL database: no two of them change, book \
                             or print the same consignment at the same time. Leave the address empty for a bench that \
                             works alone";
                text::note(ui, words);
                let problem = fields(ui, shared, &mut draft);
                let can = is_unsaved && problem.is_none();
                ui.horizontal(|ui| {
                    wanted = action_button(ui, context, Action::SaveSettings, can, Button::primary);
                });
                if let Some(words) = status(shared) {
                    text::note(ui, words);
                }
            },
        );
        if wanted {
            context.push(SettingsCommand::SaveWorkgroup(Box::new(draft.clone())));
            draft.password = draft::Secret::default();
            for text in [&mut draft.address, &mut draft.authority] {
                *text = text.trim().into();
            }
        }
        self.typed = Some(draft).filter(|draft| draft != saved);
    }
}

/// Draws the fields. Returns the problem with the address.
fn fields(ui: &mut Ui, shared: &Shared, draft: &mut WorkgroupDraft) -> Option<String> {
    let problem = match draft.address.trim() {
        "" => None,
        address => address.parse::<DatabaseAddress>().err(),
    };
    let problem = problem.map(|problem| problem.to_string());
    lockable(ui, shared, &["workgroup", "address"], |ui| {
        Field::new("Database", &mut draft.address)
            .hint("postgresql://bench@server/packbench")
            .limit(400)
            .error(problem.as_deref())
            .show(ui);
    });
    Field::new("Password", draft.password.text_mut())
        .password()
        .hint("as stored in this computer's keyring")
        .limit(400)
        .show(ui);
    lockable(ui, shared, &["workgroup", "authority"], |ui| {
        Field::new("Certificate authority", &mut draft.authority)
            .hint("optional: path of your company's own certificate (PEM)")
            .limit(400)
            .show(ui);
    });
    problem
}

/// Returns whether the database is connected, in words.
fn status(shared: &Shared) -> Option<String> {
    if shared.settings.workgroup.address.is_empty() {
        return None;
    }
    let state = shared.workgroup.as_ref().map(|workgroup| &workgroup.state);
    Some(match state {
        Some(WorkgroupState::Connected) => "This bench is connected".to_owned(),
        Some(WorkgroupState::Away(error)) => {
            format!("Not connected: {error}. Packbench tries again by itself")
        }
        Some(WorkgroupState::Connecting) => "Connecting…".to_owned(),
        None if shared.session.environment == Environment::Practice => {
            "Not connected: the practice service works alone".to_owned()
        }
        None => "Not connected yet".to_owned(),
    })
}
