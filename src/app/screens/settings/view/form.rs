//! The form of a connection, and the buttons below it.

use egui::{Align, Layout, ScrollArea, Ui, vec2};

use super::{Item, SettingsScreen, compatibility};
use crate::state::{
    ChosenService, ConnectionView, Environment, SettingsCommand, SetupView, TokenPlace,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::connection::{ConnectionForm, FieldErrors, go_to, test_result};
use crate::ui::environment;
use crate::ui::parts::{action_button, choice};
use crate::ui::startup::advanced_fields;
use draft::{ConnectionField as At, TrackingBase};
use shipping::{Company, CompanyId};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, layout, progress, text};

/// Height of the bar with the buttons below the form, and the gap above it, in points.
const BAR: f32 = 48.0;
const GAP: f32 = 8.0;

/// The shown connection.
#[derive(Clone, Copy)]
struct ConnectionStatus<'a> {
    /// Name of the connection; empty for a new connection.
    name: &'a str,
    /// The bench works with this connection now.
    open: bool,
    unsaved: bool,
    token: TokenPlace,
}

/// The form of the shown connection while it is drawn.
struct ShownForm<'a> {
    form: &'a mut ConnectionForm,
    errors: FieldErrors,
    status: ConnectionStatus<'a>,
    /// The stored token is being replaced.
    replacing: bool,
}

impl SettingsScreen {
    pub(super) fn form(&mut self, ui: &mut Ui, context: &mut Context<'_>, name: &str) {
        let setup = &context.shared.setup;
        let _there = self.form_of(setup, name);
        let saved = setup.named(name);
        let status = ConnectionStatus {
            name,
            open: setup.chosen == Some(ChosenService::Connection(name.to_owned())),
            unsaved: self.is_unsaved(setup, name),
            token: saved.map_or(TokenPlace::Missing, |saved| saved.token),
        };
        if name.is_empty() && self.item == Some(Item::New) && std::mem::take(&mut self.focus) {
            go_to(ui, At::Name);
        }
        let replacing = self.replacing.as_deref() == Some(name);
        let form = self.form_of(setup, name);
        form.finish_test(ui, setup);
        let mut shown = ShownForm {
            errors: form.errors(setup),
            form,
            status,
            replacing,
        };
        ui.spacing_mut().item_spacing.y = GAP;
        let height = ui.available_height() - BAR - GAP;
        let scroll = ScrollArea::vertical().id_salt(("form", name));
        let scroll = scroll.max_height(height).auto_shrink(false);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            test(ui, setup, shown.form);
            shown.service(ui, context);
            company(ui, context, shown.form, status.open);
            Card::new("Network").icon(icons::ICON_LAN).body(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                advanced_fields(ui, context, shown.form, &shown.errors);
            });
            tracking(ui, shown.form, &shown.errors);
            prices(ui, shown.form, &shown.errors, saved);
            compatibility::card(ui, shown.form, &shown.errors);
            ui.add_space(4.0);
        });
        self.replacing = shown.replacing.then(|| name.to_owned());
        let room = vec2(ui.available_width(), BAR);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(room, layout, |ui| self.bar(ui, context, status));
    }

    /// Draws the buttons.
    fn bar(&mut self, ui: &mut Ui, context: &mut Context<'_>, status: ConnectionStatus<'_>) {
        ui.spacing_mut().item_spacing.x = 8.0;
        let setup = &context.shared.setup;
        let (busy, trying) = (setup.busy, setup.connection_test.is_loading());
        let ConnectionStatus {
            name,
            open,
            unsaved,
            ..
        } = status;
        let can = unsaved && !busy;
        if action_button(ui, context, Action::SaveSettings, can, Button::primary) {
            let form = self.form_of(setup, name);
            if form.validate(ui, setup) {
                let draft = Box::new(form.draft.clone());
                context.push(SettingsCommand::Save(draft));
            }
        }
        if action_button(ui, context, Action::TryConnection, !trying, Button::new) {
            let form = self.form_of(setup, name);
            if form.validate(ui, setup) {
                form.start_test();
                let draft = Box::new(form.draft.clone());
                context.push(SettingsCommand::TestConnection(draft));
            }
        }
        if !name.is_empty() && !open {
            let can = !unsaved && !busy;
            if action_button(ui, context, Action::UseConnection, can, Button::new) {
                context.push(SettingsCommand::Use(name.to_owned()));
            }
        }
        if unsaved && ui.add(Button::quiet("Discard changes")).clicked() {
            self.forms.remove(name);
            self.replacing = None;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !name.is_empty() && !open && ui.add(Button::quiet("Remove…")).clicked() {
                self.removing = Some(name.to_owned());
            }
            if unsaved {
                Badge::new(Tone::Warning, "not saved").show(ui);
            }
        });
    }
}

/// Draws the progress or the result of the connection test.
fn test(ui: &mut Ui, setup: &SetupView, form: &ConnectionForm) {
    if setup.connection_test.is_loading() {
        progress::bar(ui, 0, 1, "connections tested", Tone::Accent);
    }
    let tried = setup.test_of(&form.draft);
    if let Some(Ok(found)) = tried.map(|tried| tried.outcome.as_ref()) {
        Card::new("Connection test").body(ui, |ui| test_result(ui, found, form.draft.kind));
    }
}

impl ShownForm<'_> {
    fn service(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let ConnectionStatus { name, open, .. } = self.status;
        let title = if name.is_empty() {
            "New connection"
        } else {
            name
        };
        let kind = self.form.draft.kind;
        Card::new(title).icon(icons::ICON_LINK).show(
            ui,
            |ui| {
                if let Some(kind) = kind {
                    environment::badge(Environment::of_kind(kind)).show(ui);
                }
                if open {
                    Badge::new(Tone::Accent, "open").show(ui);
                }
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                if name.is_empty() {
                    let hint = "for example Depot; can't be changed later";
                    self.form.text(ui, &self.errors, At::Name, "Name", hint);
                }
                self.form.kind(ui, &self.errors);
                let (field, hint) = (At::Address, "https://…");
                self.form.text(ui, &self.errors, field, "Address", hint);
                self.token(ui, context);
            },
        );
    }

    /// Draws where the token is stored, never the token itself; or the field for a new token.
    fn token(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let ConnectionStatus { name, token, .. } = self.status;
        let there = match token {
            TokenPlace::Keyring => "Token: set, in this computer's keyring. It is never shown",
            TokenPlace::Memory => {
                "Token: set until Packbench is closed. This computer has no keyring"
            }
            TokenPlace::Unknown => "Token: checking the keyring",
            TokenPlace::Missing | TokenPlace::NoKeyring => "",
        };
        if there.is_empty() || self.replacing || !self.form.draft.token.is_blank() {
            let hint = match token {
                TokenPlace::NoKeyring => {
                    "paste it; without a keyring it is asked for at each start"
                }
                _ => "paste it with Ctrl V",
            };
            self.form.text(ui, &self.errors, At::Token, "Token", hint);
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let p = palette(ui);
            text::decorative_icon(ui, icons::ICON_KEY, 18.0, p.ok);
            ui.label(text::body(there).color(p.text));
            if token == TokenPlace::Unknown {
                return;
            }
            if ui.add(Button::new("Replace…").small()).clicked() {
                self.replacing = true;
                go_to(ui, At::Token);
            }
            if ui.add(Button::quiet("Forget").small()).clicked() {
                context.push(SettingsCommand::ForgetToken(name.to_owned()));
            }
        });
    }
}

/// Draws two text fields side by side, each with its label and hint.
pub(super) fn text_pair(
    ui: &mut Ui,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
    fields: [(At, &str, &str); 2],
) {
    layout::row(ui, &[1.0, 1.0], |at, ui| {
        let (field, label, hint) = fields[at];
        form.text(ui, errors, field, label, hint);
    });
}

fn tracking(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let card = Card::new("Tracking pages").icon(icons::ICON_TRAVEL_EXPLORE);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        for [(base, label), (short_base, short_label)] in [
            [
                (TrackingBase::V2, "Modern design"),
                (TrackingBase::V2Short, "Modern, short"),
            ],
            [
                (TrackingBase::V1, "Traditional design"),
                (TrackingBase::V1Short, "Traditional, short"),
            ],
        ] {
            let fields = [
                (At::Tracking(base), label, "https://…"),
                (At::Tracking(short_base), short_label, "https://…"),
            ];
            text_pair(ui, form, errors, fields);
        }
        let words = "The consignment's access token is added to the address. Without an address there is no tracking \
                     link";
        text::small_note(ui, words);
    });
}

fn prices(
    ui: &mut Ui,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
    saved: Option<&ConnectionView>,
) {
    let card = Card::new("Live prices").icon(icons::ICON_SELL);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        layout::row(ui, &[2.0, 1.0], |at, ui| {
            let (field, label, hint) = if at == 0 {
                let hint = "leave empty for no live prices";
                (At::MiddlewareAddress, "Middleware address", hint)
            } else {
                (At::Platform, "Platform", "last part of its path")
            };
            form.text(ui, errors, field, label, hint);
        });
        let hint = |is_set: Option<bool>| match is_set {
            Some(true) => "set; never shown",
            _ => "paste it with Ctrl V",
        };
        let token = hint(saved.map(|saved| saved.middleware_token));
        let integration = hint(saved.map(|saved| saved.integration));
        let used = !form.draft.middleware_address.trim().is_empty();
        ui.add_enabled_ui(used, |ui| {
            let secrets = [
                (At::MiddlewareToken, "Middleware token", token),
                (At::Integration, "Integration id", integration),
            ];
            text_pair(ui, form, errors, secrets);
        });
    });
}

/// Draws the choice of the company that the bench works for at a service.
fn company(ui: &mut Ui, context: &Context<'_>, form: &mut ConnectionForm, open: bool) {
    let shared = context.shared;
    let found = shared.setup.test_of(&form.draft);
    let found = found.and_then(|tried| tried.outcome.as_ref().ok());
    let companies: &[Company] = match (found, open) {
        (Some(found), _) => &found.companies,
        (None, true) => shared.catalogue.known_companies(),
        (None, false) => &[],
    };
    let is_unknown = |id: &CompanyId| companies.iter().all(|company| company.id != *id);
    let unknown = form.draft.company.filter(is_unknown);
    let number = unknown.map(|id| format!("Company {id}"));
    let own = { companies.iter() }.find(|one| open && Some(one.id) == shared.session.own_company);
    let own = own.map_or_else(
        || "The token's default company".to_owned(),
        |own| format!("The token's default company ({})", own.label()),
    );
    let mut options: Vec<(Option<CompanyId>, &str)> = vec![(None, &own)];
    options.extend(companies.iter().map(|one| (Some(one.id), one.label())));
    options.extend(number.as_deref().map(|number| (unknown, number)));
    let card = Card::new("Company").icon(icons::ICON_APARTMENT);
    card.body(ui, |ui| {
        choice(ui, "Works for", &mut form.draft.company, &options);
        if companies.is_empty() {
            let words = "Test the connection to see which companies its token may work for";
            text::small_note(ui, words);
        }
    });
}
