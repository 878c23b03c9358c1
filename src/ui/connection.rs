//! A connection's form, as the wizard and Settings both show it: its fields, their problems, and what a look at it found.

pub(super) mod findings;

use std::collections::HashSet;

use egui::{Id, Ui};

use super::environment;
use super::kit::choice::Choice;
use super::kit::field::{Field, FieldResponse};
use super::kit::tokens::palette;
use super::kit::{layout, text};
use crate::draft::{ConnectionDraft, ConnectionField, ConnectionProblem, ServiceKind};
use crate::state::SetupView;

/// A form, and what was done in it.
#[derive(Default)]
pub(super) struct Form {
    pub(super) draft: ConnectionDraft,
    /// As it was when it was put up.
    base: ConnectionDraft,
    /// Fields that were left: what is wrong with them shows.
    left: HashSet<ConnectionField>,
    /// All that is wrong shows.
    pub(super) show_all: bool,
    /// A look at it is under way, and its end is waited for.
    waiting: bool,
}

/// What is shown of what is wrong.
pub(super) struct Errors(Vec<ConnectionProblem>);

impl Errors {
    /// What is wrong with a field.
    pub(super) fn at(&self, field: ConnectionField) -> Option<&str> {
        let found = self.0.iter().find(|problem| problem.field == field);
        found.map(|problem| problem.words.as_str())
    }

    /// Is anything wrong with any of these?
    pub(super) fn any(&self, fields: &[ConnectionField]) -> bool {
        self.0.iter().any(|problem| fields.contains(&problem.field))
    }
}

impl Form {
    pub(super) fn of(draft: ConnectionDraft) -> Self {
        Self {
            base: draft.clone(),
            draft,
            ..Self::default()
        }
    }

    /// True where nothing was typed into it.
    pub(super) fn is_untouched(&self) -> bool {
        self.draft == self.base
    }

    /// What is wrong and to be shown. The service's own answer comes first.
    pub(super) fn errors(&self, setup: &SetupView) -> Errors {
        let tried = setup.tried(&self.draft);
        let answered = tried.and_then(|tried| tried.outcome.as_ref().err().cloned());
        let typed = setup.check(&self.draft);
        let shown = typed
            .into_iter()
            .filter(|problem| self.show_all || self.left.contains(&problem.field));
        Errors(answered.into_iter().chain(shown).collect())
    }

    /// True where it can be sent or saved; else shows all that is wrong and goes to the first of it.
    pub(super) fn can(&mut self, ui: &Ui, setup: &SetupView) -> bool {
        self.show_all = true;
        match setup.check(&self.draft).first() {
            Some(first) => {
                go_to(ui, first.field);
                false
            }
            None => true,
        }
    }

    /// A look at it begins.
    pub(super) fn wait(&mut self) {
        self.waiting = true;
    }

    /// When the look has ended with something wrong: goes to its field. True in the one frame in which it ended well.
    pub(super) fn ended(&mut self, ui: &Ui, setup: &SetupView) -> bool {
        if !self.waiting || setup.tried.is_loading() {
            return false;
        }
        let Some(tried) = setup.tried(&self.draft) else {
            return false;
        };
        self.waiting = false;
        if let Err(problem) = &tried.outcome {
            go_to(ui, problem.field);
        }
        tried.outcome.is_ok()
    }

    /// Remembers that a field was left.
    pub(super) fn note(&mut self, field: ConnectionField, shown: &FieldResponse) {
        if shown.response.lost_focus() {
            self.left.insert(field);
        }
    }

    /// A field of plain text.
    pub(super) fn text(
        &mut self,
        ui: &mut Ui,
        errors: &Errors,
        field: ConnectionField,
        label: &str,
        hint: &str,
    ) -> FieldResponse {
        let Some(text) = text_of(&mut self.draft, field) else {
            let mut nothing = String::new();
            return Field::new(label, &mut nothing).show(ui);
        };
        let shown = Field::new(label, text)
            .id(id(field))
            .hint(hint)
            .error(errors.at(field))
            .show(ui);
        self.note(field, &shown);
        shown
    }

    /// A field for something secret: shown as dots, and pasted into.
    pub(super) fn secret(
        &mut self,
        ui: &mut Ui,
        errors: &Errors,
        field: ConnectionField,
        label: &str,
        hint: &str,
    ) -> FieldResponse {
        let secret = match field {
            ConnectionField::MiddlewareToken => &mut self.draft.middleware_token,
            ConnectionField::Integration => &mut self.draft.integration,
            _ => &mut self.draft.token,
        };
        let shown = Field::new(label, secret.text_mut())
            .id(id(field))
            .hint(hint)
            .password()
            .error(errors.at(field))
            .show(ui);
        self.note(field, &shown);
        shown
    }

    /// Test or live.
    pub(super) fn kind(&mut self, ui: &mut Ui, errors: &Errors) {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let (kind, words) = if at == 0 {
                    (
                        ServiceKind::Test,
                        "The token's user is in test mode: no carrier is called",
                    )
                } else {
                    (
                        ServiceKind::Live,
                        "The token's user is in production: carriers come",
                    )
                };
                let (tone, icon) = environment::look(environment::of_kind(kind));
                let chosen = self.draft.kind == Some(kind);
                let choice = Choice::new(icon, kind.word(), words)
                    .tone(tone)
                    .chosen(chosen);
                let pressed = ui.push_id(kind, |ui| choice.show(ui)).inner;
                if kind == ServiceKind::Test && wanted(ui, ConnectionField::Kind) {
                    pressed.request_focus();
                }
                if pressed.clicked() {
                    self.draft.kind = Some(kind);
                }
            });
            if let Some(words) = errors.at(ConnectionField::Kind) {
                ui.label(text::small(words).color(palette(ui).bad));
            }
        });
    }
}

/// Where the focus goes for a problem with a field.
pub(super) fn id(field: ConnectionField) -> Id {
    Id::unique(("connection", field))
}

/// Takes the focus to a field.
pub(super) fn go_to(ui: &Ui, field: ConnectionField) {
    if field == ConnectionField::Kind {
        // Drawn after this: its choice takes the focus itself.
        ui.data_mut(|data| data.insert_temp(id(field), true));
    } else {
        ui.memory_mut(|memory| memory.request_focus(id(field)));
    }
    ui.ctx().request_repaint();
}

fn wanted(ui: &Ui, field: ConnectionField) -> bool {
    ui.data_mut(|data| {
        let wanted = data.get_temp::<bool>(id(field)).unwrap_or(false);
        data.remove::<bool>(id(field));
        wanted
    })
}

/// The text that is typed into a field; nothing for what is chosen or secret.
fn text_of(draft: &mut ConnectionDraft, field: ConnectionField) -> Option<&mut String> {
    Some(match field {
        ConnectionField::Name => &mut draft.name,
        ConnectionField::Address => &mut draft.address,
        ConnectionField::Authority => &mut draft.authority,
        ConnectionField::Proxy => &mut draft.proxy,
        ConnectionField::Tracking(base) => draft.tracking_mut(base),
        ConnectionField::MiddlewareAddress => &mut draft.middleware_address,
        ConnectionField::Platform => &mut draft.platform,
        ConnectionField::Path(path) => draft.path_mut(path),
        ConnectionField::Kind
        | ConnectionField::Token
        | ConnectionField::Company
        | ConnectionField::MiddlewareToken
        | ConnectionField::Integration => return None,
    })
}
