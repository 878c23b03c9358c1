//! The form of a connection, and the buttons below it.

use egui::{Align, Layout, ScrollArea, Ui, vec2};

use super::SettingsScreen;
use crate::state::{
    ChosenService, ConnectionView, Environment, SettingsCommand, SettingsView, TokenPlace,
};
use crate::ui::actions::Action;
use crate::ui::connection::{ConnectionForm, FieldErrors, go_to, test_result};
use crate::ui::parts::{action_button, choice, lockable, set_by};
use crate::ui::startup::advanced_fields;
use crate::ui::{Context, environment};
use draft::{ConnectionField, ConnectionField as At, ServicePath, TrackingBase};
use engine::compared_names;
use shipping::{
    BenchKeyField, Company, CompanyId, CompanyIdFormat, DespatchSpelling, IdListFormat, Paths,
};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
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
    /// True if the bench works with this connection now.
    open: bool,
    unsaved: bool,
    token: TokenPlace,
}

/// The form of the shown connection while it is drawn.
struct ShownForm<'a> {
    form: &'a mut ConnectionForm,
    errors: FieldErrors,
    status: ConnectionStatus<'a>,
    /// True while the clerk replaces the stored token.
    replacing: bool,
}

impl SettingsScreen {
    pub(super) fn form(&mut self, ui: &mut Ui, context: &mut Context<'_>, name: &str) {
        let setup = &context.shared.settings;
        let _there = self.form_of(setup, name);
        let saved = setup.named(name);
        let is_locked = setup.machine.is_locked(&["connections", name]);
        let status = ConnectionStatus {
            name,
            open: setup.chosen == Some(ChosenService::Connection(name.to_owned())),
            unsaved: self.is_unsaved(setup, name),
            token: saved.map_or(TokenPlace::Missing, |saved| saved.token),
        };
        if name.is_empty() && std::mem::take(&mut self.focus) {
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
            if is_locked {
                let meaning = "Here you can change only its token and company";
                set_by(ui, setup.machine.set_by(), meaning);
            }
            test(ui, setup, shown.form);
            shown.service(ui, context, is_locked);
            lockable(
                ui,
                context.shared,
                &["connections", name, "company"],
                |ui| {
                    company(ui, context, shown.form, status.open);
                },
            );
            ui.add_enabled_ui(!is_locked, |ui| {
                Card::new("Network").icon(icons::ICON_LAN).body(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 10.0;
                    advanced_fields(ui, context, shown.form, &shown.errors);
                });
                tracking(ui, shown.form, &shown.errors);
            });
            prices(ui, shown.form, &shown.errors, saved, is_locked);
            ui.add_enabled_ui(!is_locked, |ui| {
                compatibility(ui, shown.form, &shown.errors);
            });
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
        let setup = &context.shared.settings;
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
            let can_remove = !setup.machine.is_locked(&["connections", name]);
            let remove = Button::quiet("Remove…");
            if !name.is_empty() && !open && ui.add_enabled(can_remove, remove).clicked() {
                self.removing = Some(name.to_owned());
            }
            if unsaved {
                Badge::new(Tone::Warning, "not saved").show(ui);
            }
        });
    }
}

/// Draws the progress or the result of the connection test.
fn test(ui: &mut Ui, setup: &SettingsView, form: &ConnectionForm) {
    if setup.connection_test.is_loading() {
        progress::bar(ui, 0, 1, "connections tested", Tone::Accent);
    }
    let tried = setup.test_of(&form.draft);
    if let Some(Ok(found)) = tried.map(|tried| tried.outcome.as_ref()) {
        Card::new("Connection test").body(ui, |ui| test_result(ui, found, form.draft.kind));
    }
}

impl ShownForm<'_> {
    /// Draws the card of the service. If the connection is locked, only its token can be changed.
    fn service(&mut self, ui: &mut Ui, context: &mut Context<'_>, is_locked: bool) {
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
                ui.add_enabled_ui(!is_locked, |ui| {
                    ui.spacing_mut().item_spacing.y = 10.0;
                    self.form.kind(ui, &self.errors);
                    let (field, hint) = (At::Address, "https://…");
                    self.form.text(ui, &self.errors, field, "Address", hint);
                });
                self.token(ui, context);
            },
        );
    }

    /// Draws the place where the token is stored, or the field for a new token. Never shows the stored token.
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
                    "paste the token; without a keyring, you paste it again at each start"
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
fn text_pair(
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
        let modern = [
            (TrackingBase::V2, "Modern design"),
            (TrackingBase::V2Short, "Modern design, short address"),
        ];
        let traditional = [
            (TrackingBase::V1, "Traditional design"),
            (TrackingBase::V1Short, "Traditional design, short address"),
        ];
        for pair in [modern, traditional] {
            let field = |(base, label)| (At::Tracking(base), label, "https://…");
            text_pair(ui, form, errors, pair.map(field));
        }
        let words = "The tracking token of each consignment is added to this address. Without an address there is no tracking \
                     link";
        text::small_note(ui, words);
    });
}

fn prices(
    ui: &mut Ui,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
    saved: Option<&ConnectionView>,
    is_locked: bool,
) {
    let card = Card::new("Live prices").icon(icons::ICON_SELL);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        layout::row(ui, &[2.0, 1.0], |at, ui| {
            if is_locked {
                ui.disable();
            }
            let (field, label, hint) = if at == 0 {
                let hint = "leave empty for no live prices";
                (At::MiddlewareAddress, "Middleware address", hint)
            } else {
                (
                    At::Platform,
                    "Platform",
                    "last part of the middleware's path",
                )
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
    let found = shared.settings.test_of(&form.draft);
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

fn compatibility(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let card = Card::new("Compatibility").icon(icons::ICON_TRANSLATE);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let words = "Keep the defaults unless your service provider tells you otherwise";
        text::small_note(ui, words);
        spellings(ui, form);
        ui.add_space(4.0);
        optional(ui, form);
        ui.add_space(4.0);
        key(ui, form);
        ui.add_space(4.0);
        paths(ui, form, errors);
    });
}

/// Draws the choice of where consignments carry the bench's key, and the effect of that choice on reconciliation.
fn key(ui: &mut Ui, form: &mut ConnectionForm) {
    const PLACES: [(BenchKeyField, &str); 3] = [
        (BenchKeyField::SecondReference, "Second reference (usual)"),
        (BenchKeyField::FirstReference, "First reference"),
        (BenchKeyField::Nowhere, "Nowhere"),
    ];
    let key = &mut form.draft.compatibility.key;
    let words = match key {
        BenchKeyField::SecondReference | BenchKeyField::FirstReference => {
            "If you leave this reference empty, Packbench writes its own key there. After a lost answer it finds the consignment by \
             that key. If you type a reference, Packbench compares the consignments and asks you which one is yours"
                .to_owned()
        }
        BenchKeyField::Nowhere => format!(
            "No consignment carries a key. After a lost answer Packbench compares {}, and asks you. Packbench can't tell two \
             similar consignments apart. If this bench's records were damaged, it can't tell its own consignments from those \
             of other benches",
            compared_names()
        ),
    };
    explained_choice(ui, "The bench's key", key, &PLACES, &words);
}

fn spellings(ui: &mut Ui, form: &mut ConnectionForm) {
    let compatibility = &mut form.draft.compatibility;
    let (dispatch, despatch) = (DespatchSpelling::Dispatch, DespatchSpelling::Despatch);
    explained_choice(
        ui,
        "Despatch time",
        &mut compatibility.despatch,
        &[
            (dispatch, "dispatchDateTime… (specification)"),
            (despatch, "despatchDateTime…"),
        ],
        "The name of the despatch time field in create requests. A service ignores a name that it does not know, and \
         despatches at once",
    );
    explained_choice(
        ui,
        "Lists of ids",
        &mut compatibility.ids,
        &[
            (IdListFormat::Object, "{\"ids\": [1, 2]} (as published)"),
            (IdListFormat::Bare, "[1, 2]"),
        ],
        "How consignments are requested by their ids",
    );
    explained_choice(
        ui,
        "Company when grouping",
        &mut compatibility.company,
        &[
            (CompanyIdFormat::Text, "\"7\" (specification)"),
            (CompanyIdFormat::Number, "7"),
        ],
        "How the company is sent when all unmanifested consignments are grouped",
    );
}

/// Draws a drop-down with an explanation beside it.
fn explained_choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, &str)],
    words: &str,
) {
    layout::row(ui, &[1.0, 1.0], |at, ui| {
        if at == 0 {
            choice(ui, label, chosen, options);
        } else {
            ui.add_space(20.0);
            text::small_note(ui, words);
        }
    });
}

fn optional(ui: &mut Ui, form: &mut ConnectionForm) {
    let compatibility = &mut form.draft.compatibility;
    let has = &mut compatibility.optional;
    for (on, words, about) in [
        (
            &mut has.unmanifested_list,
            "Lists unmanifested consignments",
            "getUnmanifested: Dispatch fetches less. Otherwise the list comes from recent updates and from grouping all",
        ),
        (
            &mut has.linked_pending,
            "Converts pending consignments on create",
            "linkedPendingConsignmentIds: sent with a consignment only where this is ticked",
        ),
        (
            &mut has.printers,
            "Lists its own printers",
            "groupConsignmentsForPrinting. Otherwise you enter the service's printers by number",
        ),
        (
            &mut compatibility.pause_means_not_done,
            "HTTP 429 means that nothing was done",
            "Tick only if your contract says so. Packbench then sends again after the pause; otherwise it checks first",
        ),
    ] {
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                checkbox(ui, &mut *on, words);
            } else {
                ui.add_space(4.0);
                text::small_note(ui, about);
            }
        });
    }
    text::small_note(
        ui,
        "These are not in the specification. Packbench uses only what is ticked",
    );
}

fn paths(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let usual = Paths::default();
    let path = |path, label, usual| (ConnectionField::Path(path), label, usual);
    let dangerous = "Path of routes with dangerous goods";
    let routes = [
        path(ServicePath::Routes, "Path of routes", &*usual.routes),
        path(ServicePath::ComplexRoutes, dangerous, &usual.complex_routes),
    ];
    let (locations, un_numbers) = (&usual.company_locations, &usual.un_numbers);
    let lists = [
        path(ServicePath::Locations, "Path of saved locations", locations),
        path(ServicePath::UnNumbers, "Path of UN numbers", un_numbers),
    ];
    text_pair(ui, form, errors, routes);
    text_pair(ui, form, errors, lists);
    text::small_note(ui, "Leave a path empty to use the specification's");
}
