//! The form of a connection, shown by the wizard and by Settings: its fields, their problems, and the
//! connection test with its result.

use std::collections::HashSet;

use egui::{Align, Id, Layout, Ui, vec2};

use super::environment;
use crate::state::{
    Environment, Permission, PermissionAnswer, ProbeResult, SettingsView, TokenMode,
};
use draft::{ConnectionDraft, ConnectionField, ConnectionProblem, ServiceKind};
use widgets::field::{Field, FieldResponse};
use widgets::notice::{NoticeBar, icon_of};
use widgets::radio_card::RadioCard;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, layout, text};

/// The kinds to choose from, with their meaning.
const KINDS: [(ServiceKind, &str); 2] = [
    (
        ServiceKind::Test,
        "The token's user is in test mode: no carrier is called",
    ),
    (
        ServiceKind::Live,
        "The token's user is in production: carriers are booked",
    ),
];

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
    /// True from the start of a connection test until its result is handled.
    waiting: bool,
}

/// The problems that are shown.
pub(crate) struct FieldErrors(Vec<ConnectionProblem>);

impl FieldErrors {
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
    pub(crate) fn errors(&self, setup: &SettingsView) -> FieldErrors {
        let tried = setup.test_of(&self.draft);
        let answered = tried.and_then(|tried| tried.outcome.as_ref().err().cloned());
        let mut typed = setup.check(&self.draft);
        typed.retain(|problem| self.show_all || self.visited.contains(&problem.field));
        FieldErrors(answered.into_iter().chain(typed).collect())
    }

    /// Returns whether the connection can be tested or saved. If not, shows all problems and focuses
    /// the first.
    pub(crate) fn validate(&mut self, ui: &Ui, setup: &SettingsView) -> bool {
        self.show_all = true;
        let problems = setup.check(&self.draft);
        if let Some(first) = problems.first() {
            go_to(ui, first.field);
        }
        problems.is_empty()
    }

    pub(crate) fn start_test(&mut self) {
        self.waiting = true;
    }

    /// Handles the end of a connection test: a failed test focuses the field with the problem. Returns true
    /// in the one frame in which a test has succeeded.
    pub(crate) fn finish_test(&mut self, ui: &Ui, setup: &SettingsView) -> bool {
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

    /// Draws a field for text; a secret is shown as dots.
    pub(crate) fn text(
        &mut self,
        ui: &mut Ui,
        errors: &FieldErrors,
        field: ConnectionField,
        label: &str,
        hint: &str,
    ) -> FieldResponse {
        let Some((text, is_secret)) = text_of(&mut self.draft, field) else {
            let mut nothing = String::new();
            return Field::new(label, &mut nothing).show(ui);
        };
        let input = Field::new(label, text).id(id(field)).hint(hint);
        let input = if is_secret { input.password() } else { input };
        let shown = input.error(errors.at(field)).show(ui);
        if shown.response.lost_focus() {
            self.visited.insert(field);
        }
        shown
    }

    /// Draws the choice between test and live.
    pub(crate) fn kind(&mut self, ui: &mut Ui, errors: &FieldErrors) {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let (kind, words) = KINDS[at];
                let (tone, icon) = environment::style(Environment::of_kind(kind));
                let chosen = self.draft.kind == Some(kind);
                let choice = RadioCard::new(icon, kind.label(), words).tone(tone);
                let choice = choice.chosen(chosen);
                let pressed = ui.push_id(kind, |ui| choice.show(ui)).inner;
                // The field's id receives the focus, but the cards have other ids: move the focus to the first card.
                let is_wanted = ui.memory(|memory| memory.has_focus(id(ConnectionField::Kind)));
                if kind == ServiceKind::Test && is_wanted {
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
    ui.memory_mut(|memory| memory.request_focus(id(field)));
    ui.ctx().request_repaint();
}

/// Returns the text of a field, and whether it is a secret; `None` for choices.
fn text_of(draft: &mut ConnectionDraft, field: ConnectionField) -> Option<(&mut String, bool)> {
    let text = match field {
        ConnectionField::Name => &mut draft.name,
        ConnectionField::Address => &mut draft.address,
        ConnectionField::Authority => &mut draft.authority,
        ConnectionField::Proxy => &mut draft.proxy,
        ConnectionField::Tracking(base) => draft.tracking_mut(base),
        ConnectionField::MiddlewareAddress => &mut draft.middleware_address,
        ConnectionField::Platform => &mut draft.platform,
        ConnectionField::Path(path) => draft.path_mut(path),
        ConnectionField::Token => return Some((draft.token.text_mut(), true)),
        ConnectionField::MiddlewareToken => {
            return Some((draft.middleware_token.text_mut(), true));
        }
        ConnectionField::Integration => return Some((draft.integration.text_mut(), true)),
        ConnectionField::Kind | ConnectionField::Company => return None,
    };
    Some((text, false))
}

/// Width of the column that names the permissions, in points.
const WHAT: f32 = 156.0;

/// Draws the result of a connection test, one line for each finding: response time, mode of the token's user, and the
/// token's permissions.
pub(crate) fn test_result(ui: &mut Ui, found: &ProbeResult, kind: Option<ServiceKind>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let took = found.took.as_millis().max(1);
    let headline = format!("The service answers in {took} ms");
    let bar = NoticeBar::new(Tone::Ok, &headline);
    bar.what_to_do("The token is valid").show(ui);
    mode(ui, found.mode, kind);
    if found.is_view_only() {
        NoticeBar::new(Tone::Warning, "This token is view-only")
            .what_to_do(
                "Its user can't create or change anything. Ask for a token with more permissions",
            )
            .show(ui);
    }
    for (ability, verdict) in &found.abilities {
        let what = match ability {
            Permission::Delete => "Delete consignments",
            Permission::Manifest => "Book pickups",
            Permission::Statuses => "Set statuses",
        };
        let (tone, words) = match verdict {
            PermissionAnswer::NotRefused => (Tone::Ok, "not refused".to_owned()),
            PermissionAnswer::Denied(words) => (Tone::Bad, format!("not allowed: {words}")),
            PermissionAnswer::Unclear(words) => (Tone::Unknown, format!("unknown: {words}")),
        };
        let icon = match tone {
            Tone::Bad => icons::ICON_BLOCK,
            tone => icon_of(tone),
        };
        entry(ui, icon, tone, what, &words);
    }
    if !found.is_view_only() {
        let words = "unknown until the first consignment: testing it would create one";
        let icon = icons::ICON_HELP;
        entry(ui, icon, Tone::Unknown, "Create consignments", words);
    }
}

/// Draws the mode of the token's user. Warns if the mode contradicts the kind of the connection.
fn mode(ui: &mut Ui, mode: TokenMode, kind: Option<ServiceKind>) {
    let (icon, tone, words) = match (mode, kind) {
        (TokenMode::Unknown, _) => (
            icons::ICON_HELP,
            Tone::Unknown,
            "unknown until the first consignment",
        ),
        (TokenMode::Production, Some(ServiceKind::Test)) => {
            NoticeBar::new(Tone::Bad, "This service is marked TEST, but the token creates real consignments")
                .what_to_do("The company's recent consignments are real, and carriers were booked. Ask for a test-mode user, or choose LIVE")
                .show(ui);
            return;
        }
        (TokenMode::Test, Some(ServiceKind::Live)) => {
            NoticeBar::new(Tone::Bad, "This service is marked LIVE, but the token creates test consignments")
                .what_to_do("The company's recent consignments are tests, and no carrier was booked. Ask for a production user, or choose TEST")
                .show(ui);
            return;
        }
        (TokenMode::Test, _) => (
            icons::ICON_SCIENCE,
            Tone::Warning,
            "test mode: all recent consignments of the company are tests",
        ),
        (TokenMode::Production, _) => (
            icons::ICON_LOCAL_SHIPPING,
            Tone::Ok,
            "production: all recent consignments of the company are real",
        ),
    };
    entry(ui, icon, tone, "User mode", words);
}

fn entry(ui: &mut Ui, icon: Icon, tone: Tone, what: &str, words: &str) {
    let ink = tone.ink(palette(ui));
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        text::decorative_icon(ui, icon, 18.0, ink);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(WHAT, size::LINE), layout, |ui| {
            ui.set_width(WHAT);
            ui.label(text::strong(what))
        });
        text::note(ui, words);
    });
}
