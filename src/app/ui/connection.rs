//! The form of a connection, shown by the wizard and by Settings: its fields, their problems, and the
//! connection test.

pub(crate) mod test_result;

use std::collections::HashSet;

use egui::{Id, Ui};

use super::environment;
use crate::state::SetupView;
use draft::{ConnectionDraft, ConnectionField, ConnectionProblem, ServiceKind};
use widgets::field::{Field, FieldResponse};
use widgets::radio_card::RadioCard;
use widgets::tokens::palette;
use widgets::{layout, text};

/// A connection that is being edited, and the state of its form.
#[derive(Default)]
pub(crate) struct ConnectionForm {
    pub(crate) draft: ConnectionDraft,
    /// The connection as it was when the form was opened.
    base: ConnectionDraft,
    /// Fields that have lost the focus: their problems are shown.
    visited: HashSet<ConnectionField>,
    /// Shows the problems of all fields.
    pub(crate) show_all: bool,
    /// A connection test was started, and its result was not handled yet.
    waiting: bool,
}

/// The problems that are shown.
pub(crate) struct FieldErrors(Vec<ConnectionProblem>);

impl FieldErrors {
    /// Returns the message about a field.
    pub(crate) fn at(&self, field: ConnectionField) -> Option<&str> {
        let found = self.0.iter().find(|problem| problem.field == field);
        found.map(|problem| problem.message.as_str())
    }

    /// Returns whether any of these fields has a problem.
    pub(crate) fn any(&self, fields: &[ConnectionField]) -> bool {
        self.0.iter().any(|problem| fields.contains(&problem.field))
    }
}

impl ConnectionForm {
    pub(crate) fn of(draft: ConnectionDraft) -> Self {
        Self {
            base: draft.clone(),
            draft,
            ..Self::default()
        }
    }

    /// Returns whether nothing was changed in the form.
    pub(crate) fn is_untouched(&self) -> bool {
        self.draft == self.base
    }

    /// Returns the problems to show. The result of the connection test comes first.
    pub(crate) fn errors(&self, setup: &SetupView) -> FieldErrors {
        let tried = setup.test_of(&self.draft);
        let answered = tried.and_then(|tried| tried.outcome.as_ref().err().cloned());
        let typed = setup.check(&self.draft);
        let shown = typed
            .into_iter()
            .filter(|problem| self.show_all || self.visited.contains(&problem.field));
        FieldErrors(answered.into_iter().chain(shown).collect())
    }

    /// Returns whether the connection can be tested or saved. If not, shows all problems and focuses
    /// the first.
    pub(crate) fn validate(&mut self, ui: &Ui, setup: &SetupView) -> bool {
        self.show_all = true;
        match setup.check(&self.draft).first() {
            Some(first) => {
                go_to(ui, first.field);
                false
            }
            None => true,
        }
    }

    /// Records that a connection test was started.
    pub(crate) fn start_test(&mut self) {
        self.waiting = true;
    }

    /// Handles the end of a connection test: a failed test focuses the field with the problem. Returns true
    /// in the one frame in which a test has succeeded.
    pub(crate) fn finish_test(&mut self, ui: &Ui, setup: &SetupView) -> bool {
        if !self.waiting || setup.connection_test.is_loading() {
            return false;
        }
        let Some(tried) = setup.test_of(&self.draft) else {
            return false;
        };
        self.waiting = false;
        if let Err(problem) = &tried.outcome {
            go_to(ui, problem.field);
        }
        tried.outcome.is_ok()
    }

    /// Remembers a field that has lost the focus.
    pub(crate) fn remember_visited(&mut self, field: ConnectionField, shown: &FieldResponse) {
        if shown.response.lost_focus() {
            self.visited.insert(field);
        }
    }

    /// Draws a field for plain text.
    pub(crate) fn text(
        &mut self,
        ui: &mut Ui,
        errors: &FieldErrors,
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
        self.remember_visited(field, &shown);
        shown
    }

    /// Draws a field for a secret, which is shown as dots.
    pub(crate) fn secret(
        &mut self,
        ui: &mut Ui,
        errors: &FieldErrors,
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
        self.remember_visited(field, &shown);
        shown
    }

    /// Draws the choice between test and live.
    pub(crate) fn kind(&mut self, ui: &mut Ui, errors: &FieldErrors) {
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
                        "The token's user is in production: carriers are booked",
                    )
                };
                let (tone, icon) = environment::style(environment::of_kind(kind));
                let chosen = self.draft.kind == Some(kind);
                let choice = RadioCard::new(icon, kind.label(), words)
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

/// Returns the widget id of a field, to move the focus there.
pub(crate) fn id(field: ConnectionField) -> Id {
    Id::unique(("connection", field))
}

/// Moves the focus to a field.
pub(crate) fn go_to(ui: &Ui, field: ConnectionField) {
    if field == ConnectionField::Kind {
        // The choice is drawn later and takes the focus itself.
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

/// Returns the text of a field; `None` for choices and secrets.
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
