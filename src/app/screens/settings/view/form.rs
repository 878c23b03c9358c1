//! The form of a connection, and the buttons below it.

use egui::{Align, Layout, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

use super::{Item, SettingsScreen, compatibility};
use crate::state::{ChosenService, Environment, SettingsCommand, SetupView, TokenPlace};
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

/// Height of the bar with the buttons below the form, in points.
const BAR: f32 = 56.0;

/// The state of the shown connection.
#[derive(Clone, Copy)]
struct ConnectionStatus<'a> {
    /// Name of the connection; empty for a new connection.
    name: &'a str,
    /// The bench works with this connection now.
    open: bool,
    unsaved: bool,
    token: TokenPlace,
}

impl SettingsScreen {
    pub(super) fn form(&mut self, ui: &mut Ui, context: &mut Context<'_>, name: &str) {
        let setup = &context.shared.setup;
        let _there = self.form_of(setup, name);
        let standing = ConnectionStatus {
            name,
            open: setup.chosen == Some(ChosenService::Connection(name.to_owned())),
            unsaved: self.is_unsaved(setup, name),
            token: setup
                .named(name)
                .map_or(TokenPlace::Missing, |saved| saved.token),
        };
        if name.is_empty() && self.item == Some(Item::New) && std::mem::take(&mut self.focus) {
            go_to(ui, At::Name);
        }
        let mut replacing = self.replacing.as_deref() == Some(name);
        let room = ui.available_rect_before_wrap();
        let body = Rect::from_min_max(room.min, pos2(room.right(), room.bottom() - BAR));
        let mut inside = ui.new_child(
            UiBuilder::new()
                .max_rect(body)
                .id_salt(("form", name))
                .layout(Layout::top_down(Align::Min)),
        );
        let form = self.form_of(setup, name);
        form.finish_test(ui, setup);
        let errors = form.errors(setup);
        ScrollArea::vertical()
            .auto_shrink(false)
            .show(&mut inside, |ui| {
                ui.spacing_mut().item_spacing.y = size::GUTTER;
                looked_at(ui, setup, form);
                service(ui, form, &errors, standing, &mut replacing, context);
                company(ui, context, form, standing.open);
                reach(ui, context, form, &errors);
                tracking(ui, form, &errors);
                prices(ui, form, &errors, setup, name);
                compatibility::card(ui, form, &errors);
                ui.add_space(4.0);
            });
        self.replacing = replacing.then(|| name.to_owned());
        let bar = Rect::from_min_size(
            pos2(room.left(), room.bottom() - BAR + 8.0),
            vec2(room.width(), BAR - 8.0),
        );
        let mut bar = ui.new_child(
            UiBuilder::new()
                .max_rect(bar)
                .id_salt(("bar", name))
                .layout(Layout::left_to_right(Align::Center)),
        );
        self.bar(&mut bar, context, standing);
        ui.advance_cursor_after_rect(room);
    }

    /// Draws the buttons.
    fn bar(&mut self, ui: &mut Ui, context: &mut Context<'_>, standing: ConnectionStatus<'_>) {
        ui.spacing_mut().item_spacing.x = 8.0;
        let setup = &context.shared.setup;
        let (busy, trying) = (setup.busy, setup.connection_test.is_loading());
        let ConnectionStatus {
            name,
            open,
            unsaved,
            ..
        } = standing;
        if action_button(
            ui,
            context,
            Action::SaveSettings,
            unsaved && !busy,
            Button::primary,
        ) {
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
fn looked_at(ui: &mut Ui, setup: &SetupView, form: &ConnectionForm) {
    if setup.connection_test.is_loading() {
        progress::bar(ui, 0, 1, "connections tested", Tone::Accent);
    }
    let tried = setup.test_of(&form.draft);
    if let Some(Ok(found)) = tried.map(|tried| tried.outcome.as_ref()) {
        Card::new("Connection test").body(ui, |ui| test_result(ui, found, form.draft.kind));
    }
}

fn service(
    ui: &mut Ui,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
    standing: ConnectionStatus<'_>,
    replacing: &mut bool,
    context: &mut Context<'_>,
) {
    let title = if standing.name.is_empty() {
        "New connection"
    } else {
        standing.name
    };
    let kind = form.draft.kind;
    Card::new(title).icon(icons::ICON_LINK).show(
        ui,
        |ui| {
            if let Some(kind) = kind {
                environment::badge(Environment::of_kind(kind)).show(ui);
            }
            if standing.open {
                Badge::new(Tone::Accent, "open").show(ui);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 10.0;
            if standing.name.is_empty() {
                let hint = "for example Depot; can't be changed later";
                form.text(ui, errors, At::Name, "Name", hint);
            }
            form.kind(ui, errors);
            form.text(ui, errors, At::Address, "Address", "https://…");
            token(ui, form, errors, standing, replacing, context);
        },
    );
}

/// Draws where the token is stored, never the token itself; or the field for a new token.
fn token(
    ui: &mut Ui,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
    standing: ConnectionStatus<'_>,
    replacing: &mut bool,
    context: &mut Context<'_>,
) {
    let there = match standing.token {
        TokenPlace::Keyring => "Token: set, in this computer's keyring. It is never shown",
        TokenPlace::Memory => "Token: set until Packbench is closed. This computer has no keyring",
        TokenPlace::Unknown => "Token: checking the keyring",
        TokenPlace::Missing | TokenPlace::NoKeyring => "",
    };
    if there.is_empty() || *replacing || !form.draft.token.is_blank() {
        let hint = match standing.token {
            TokenPlace::NoKeyring => "paste it; without a keyring it is asked for at each start",
            _ => "paste it with Ctrl V",
        };
        form.text(ui, errors, At::Token, "Token", hint);
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let p = palette(ui);
        text::decorative_icon(ui, icons::ICON_KEY, 18.0, p.ok);
        ui.label(text::body(there).color(p.text));
        if standing.token == TokenPlace::Unknown {
            return;
        }
        if ui.add(Button::new("Replace…").small()).clicked() {
            *replacing = true;
            go_to(ui, At::Token);
        }
        if ui.add(Button::quiet("Forget").small()).clicked() {
            context.push(SettingsCommand::ForgetToken(standing.name.to_owned()));
        }
    });
}

fn reach(ui: &mut Ui, context: &mut Context<'_>, form: &mut ConnectionForm, errors: &FieldErrors) {
    Card::new("Network").icon(icons::ICON_LAN).body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        advanced_fields(ui, context, form, errors);
    });
}

/// The addresses of the tracking pages, in rows of two.
const TRACKING: [[(TrackingBase, &str); 2]; 2] = [
    [
        (TrackingBase::V2, "Modern design"),
        (TrackingBase::V2Short, "Modern, short"),
    ],
    [
        (TrackingBase::V1, "Traditional design"),
        (TrackingBase::V1Short, "Traditional, short"),
    ],
];

fn tracking(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let card = Card::new("Tracking pages").icon(icons::ICON_TRAVEL_EXPLORE);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        for row in TRACKING {
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let (base, label) = row[at];
                form.text(ui, errors, At::Tracking(base), label, "https://…");
            });
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
    setup: &SetupView,
    name: &str,
) {
    Card::new("Live prices")
        .icon(icons::ICON_SELL)
        .body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 10.0;
            let addresses = [
                (
                    At::MiddlewareAddress,
                    "Middleware address",
                    "leave empty for no live prices",
                ),
                (At::Platform, "Platform", "last part of its path"),
            ];
            layout::row(ui, &[2.0, 1.0], |at, ui| {
                let (field, label, hint) = addresses[at];
                form.text(ui, errors, field, label, hint);
            });
            let stored = setup.named(name);
            let secrets = [
                (
                    At::MiddlewareToken,
                    "Middleware token",
                    stored.is_some_and(|stored| stored.middleware_token),
                ),
                (
                    At::Integration,
                    "Integration id",
                    stored.is_some_and(|stored| stored.integration),
                ),
            ];
            let used = !form.draft.middleware_address.trim().is_empty();
            ui.add_enabled_ui(used, |ui| {
                layout::row(ui, &[1.0, 1.0], |at, ui| {
                    let (field, label, is_set) = secrets[at];
                    let hint = if is_set {
                        "set; never shown"
                    } else {
                        "paste it with Ctrl V"
                    };
                    form.text(ui, errors, field, label, hint);
                });
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
        (None, true) => shared
            .catalogue
            .companies
            .value()
            .map_or(&[], Vec::as_slice),
        (None, false) => &[],
    };
    let unknown = form
        .draft
        .company
        .filter(|id| companies.iter().all(|company| company.id != *id));
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
