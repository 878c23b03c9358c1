//! The startup pages: the clerk chooses practice or a connection, enters a token, and waits until the service is
//! open.

use egui::{Align, FontId, Id, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::connection::{ConnectionForm, FieldErrors, go_to, test_result};
use super::frame::notices;
use super::{Context, environment};
use crate::state::{Environment, KindEvidence, ProbeResult, SettingsCommand, WindowStage};
use draft::{ConnectionField as At, Secret, ServiceKind};
use widgets::button::Button;
use widgets::card::Card;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::radio_card::RadioCard;
use widgets::tokens::{Tone, palette};
use widgets::{icons, layout, progress, text};

/// Width of the pages, in points.
const WIDTH: f32 = 600.0;

/// The fields that are hidden at first.
const ADVANCED: [At; 2] = [At::Authority, At::Proxy];

#[derive(Default)]
pub(crate) struct StartupPages {
    /// True while the form of a connection is shown.
    connecting: bool,
    form: ConnectionForm,
    /// True while the rarely needed fields are shown.
    unfolded: bool,
    token: Secret,
    /// Number of picked certificate files that this form has handled.
    picked: u64,
    /// The page that was drawn last, so that a new page can take the focus.
    shown: Option<Page>,
    messages_open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Choose,
    Connect,
    Found,
    Token,
    Opening,
    Failed,
}

impl StartupPages {
    /// Draws the page for the current stage.
    pub(crate) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let p = palette(ui);
        let window = ui.max_rect();
        ui.painter().rect_filled(window, 0.0, p.background);
        let width = WIDTH.min(window.width() - 48.0);
        let column = Rect::from_min_max(
            window.center_top() - vec2(width / 2.0, 0.0),
            window.center_bottom() + vec2(width / 2.0, 0.0),
        );
        let builder = UiBuilder::new().max_rect(column).id_salt("entry");
        let mut column = ui.new_child(builder.layout(Layout::top_down(Align::Min)));
        ScrollArea::vertical()
            .auto_shrink(false)
            .show(&mut column, |ui| {
                ui.spacing_mut().item_spacing.y = 12.0;
                ui.add_space((window.height() * 0.12).clamp(24.0, 144.0));
                name(ui, &text::figure_font());
                notices::show(ui, context, &mut self.messages_open);
                self.page(ui, context);
                ui.add_space(24.0);
            });
        notices::dialog(ui, &mut self.messages_open, context);
    }

    fn page(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        match &shared.stage {
            WindowStage::Welcome { mend } => {
                if let Some(name) = mend
                    && self.form.draft.saved_name.as_ref() != Some(name)
                    && let Some(saved) = shared.settings.named(name)
                {
                    self.form = ConnectionForm::of(saved.draft.clone());
                    self.connecting = true;
                }
                if self.connecting {
                    self.connect(ui, context);
                } else {
                    self.choose(ui, context);
                }
            }
            WindowStage::Token { .. } => self.ask_token(ui, context),
            WindowStage::Opening { what, done, total } => {
                self.shown = Some(Page::Opening);
                ui.label(text::title(what.as_str()));
                progress::bar(ui, *done, *total, "steps done", Tone::Accent);
            }
            WindowStage::Failed {
                headline,
                advice,
                connection,
            } => self.failed(ui, context, (headline, advice), connection.as_deref()),
            WindowStage::Working => {}
        }
    }

    /// Records that a page is drawn. Returns true in its first frame.
    fn is_first_frame(&mut self, page: Page) -> bool {
        self.shown.replace(page) != Some(page)
    }

    fn choose(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let first = self.is_first_frame(Page::Choose);
        ui.label(text::title("Where do your consignments go?"));
        let practise = RadioCard::new(
            icons::ICON_SCHOOL,
            "Practise",
            "A whole shipping service inside this program, with invented carriers and real rules. Nothing is booked with \
             anyone; you can connect later",
        );
        let practise = practise.tone(Tone::Unknown).large().show(ui);
        if first {
            practise.request_focus();
        }
        let connect = RadioCard::new(
            icons::ICON_CLOUD_SYNC,
            "Connect to your service",
            "You need its address and a token. Packbench keeps the token in this computer's keyring, and nowhere else",
        );
        let connect = connect.large().show(ui);
        if practise.clicked() {
            context.push(SettingsCommand::Practise);
        }
        if connect.clicked() {
            self.connecting = true;
            ui.ctx().request_repaint();
        }
        let saved = &context.shared.settings.connections;
        if !saved.is_empty() {
            ui.add_space(8.0);
            text::note(ui, "Saved connections");
            for connection in saved {
                let draft = &connection.draft;
                let kind = draft.kind.unwrap_or(ServiceKind::Live);
                let (tone, icon) = environment::style(Environment::of_kind(kind));
                let title = format!("{} · {}", draft.name, kind.label());
                let pressed = ui.push_id(&draft.name, |ui| {
                    let choice = RadioCard::new(icon, &title, &draft.address);
                    choice.tone(tone).show(ui).clicked()
                });
                if pressed.inner {
                    context.push(SettingsCommand::Use(draft.name.clone()));
                }
            }
        }
    }

    fn failed(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        (headline, advice): (&str, &str),
        connection: Option<&str>,
    ) {
        let first = self.is_first_frame(Page::Failed);
        NoticeBar::new(Tone::Bad, headline)
            .what_to_do(advice)
            .show(ui);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let again = ui.add(Button::primary("Try again"));
            if first {
                again.request_focus();
            }
            if again.clicked() {
                context.push(SettingsCommand::OpenAgain);
            }
            if connection.is_some() {
                if ui.add(Button::new("Change the connection…")).clicked() {
                    self.form = ConnectionForm::default();
                    context.push(SettingsCommand::Choose(connection.map(str::to_owned)));
                }
                if ui.add(Button::new("Practise instead")).clicked() {
                    context.push(SettingsCommand::Practise);
                }
            }
            if ui.add(Button::quiet("Choose another…")).clicked() {
                self.connecting = false;
                context.push(SettingsCommand::Choose(None));
            }
        });
    }

    /// Draws the form of a connection or, after a successful test, its result.
    fn connect(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let setup = &context.shared.settings;
        if self.picked < setup.picked.0 {
            self.picked = setup.picked.0;
            self.form.draft.authority.clone_from(&setup.picked.1);
        }
        self.form.finish_test(ui, setup);
        let tried = setup.test_of(&self.form.draft);
        match tried.and_then(|tried| tried.outcome.as_ref().ok()) {
            Some(found) => self.found(ui, context, found),
            None => self.ask(ui, context),
        }
    }

    fn ask(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let first = self.is_first_frame(Page::Connect);
        let setup = &context.shared.settings;
        let errors = self.form.errors(setup);
        let trying = setup.connection_test.is_loading();
        self.unfolded |= errors.any(&ADVANCED);
        let (title, first_field) = if self.form.draft.saved_name.is_some() {
            ("Change the connection", At::Address)
        } else {
            ("Connect to your service", At::Name)
        };
        ui.label(text::title(title));
        if first {
            go_to(ui, first_field);
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
            if wanted && self.form.validate(ui, &context.shared.settings) {
                self.form.start_test();
                let draft = Box::new(self.form.draft.clone());
                context.push(SettingsCommand::TestConnection(draft));
            }
            if ui.add(Button::new("Back")).clicked() {
                self.connecting = false;
                context.push(SettingsCommand::Choose(None));
            }
        });
    }

    /// Draws the fields. Returns true if Enter was pressed in the last field.
    fn fields(&mut self, ui: &mut Ui, context: &mut Context<'_>, errors: &FieldErrors) -> bool {
        let form = &mut self.form;
        let mut entered = false;
        Card::plain().body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 12.0;
            let saved = form.draft.saved_name.is_some();
            ui.add_enabled_ui(!saved, |ui| {
                let hint = "for example Depot; can't be changed later";
                form.text(ui, errors, At::Name, "Name", hint)
            });
            form.kind(ui, errors);
            form.text(ui, errors, At::Address, "Address", "https://…");
            let hint = if saved {
                "leave empty to keep the saved token"
            } else {
                "paste it with Ctrl V"
            };
            entered = form.text(ui, errors, At::Token, "Token", hint).entered;
        });
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
            Card::plain().body(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 12.0;
                advanced_fields(ui, context, form, errors);
            });
        }
        entered
    }

    fn found(&mut self, ui: &mut Ui, context: &mut Context<'_>, found: &ProbeResult) {
        let first = self.is_first_frame(Page::Found);
        let name = self.form.draft.name.trim();
        ui.label(text::title(format!("Connection to {name} works")));
        let kind = self.form.draft.kind;
        Card::plain().body(ui, |ui| test_result(ui, found, kind));
        let busy = context.shared.settings.busy;
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
            text::small_note(ui, "You can change this later in Settings");
        });
    }

    /// Draws the dialog that asks for a token when the keyring has none for the chosen connection.
    fn ask_token(&mut self, ui: &Ui, context: &mut Context<'_>) {
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
        let kind = Environment::of_kind(*kind);
        // After the dialog is closed, the clerk chooses a service again.
        let mut open = true;
        let asked = Modal::new("token", &title)
            .width(480.0)
            .show(ui, &mut open, |ui, _| {
                environment::line_of(ui, kind, KindEvidence::Unconfirmed);
                text::note(ui, words);
                let field = Field::new("Token", self.token.text_mut())
                    .id(Id::unique("the token that is asked for"))
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
            let token = std::mem::take(&mut self.token);
            context.push(SettingsCommand::AnswerToken(token));
        }
        if !open {
            self.connecting = false;
            context.push(SettingsCommand::Choose(None));
        }
    }
}

/// Draws the rarely needed fields: the company's own certificate authority, and the proxy.
pub(crate) fn advanced_fields(
    ui: &mut Ui,
    context: &mut Context<'_>,
    form: &mut ConnectionForm,
    errors: &FieldErrors,
) {
    let dialog = context.shared.settings.file_dialog;
    let weights: &[f32] = if dialog { &[3.0, 1.0] } else { &[1.0] };
    layout::row(ui, weights, |at, ui| {
        if at == 0 {
            let hint = "full path of a PEM file; leave empty for this computer's certificates";
            let label = "Certificate authority of your company";
            form.text(ui, errors, At::Authority, label, hint);
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
    let hint = "http://host:port; leave empty for this computer's proxy";
    form.text(ui, errors, At::Proxy, "Proxy", hint);
}

/// Draws why Packbench can't start, with advice. Returns true if the clerk closes the window.
pub(crate) fn unstartable(ui: &mut Ui, headline: &str, advice: &str) -> bool {
    let p = palette(ui);
    ui.painter().rect_filled(ui.max_rect(), 0.0, p.background);
    let builder = UiBuilder::new().max_rect(ui.max_rect().shrink(24.0));
    let mut column = ui.new_child(builder.layout(Layout::top_down(Align::Min)));
    column.spacing_mut().item_spacing.y = 12.0;
    name(&mut column, &text::figure_font());
    NoticeBar::new(Tone::Bad, headline)
        .what_to_do(advice)
        .show(&mut column);
    let close = column.add(Button::primary("Close"));
    if column.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    close.clicked()
}

pub(crate) fn name(ui: &mut Ui, font: &FontId) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for (part, ink) in [("Pack", p.text), ("bench", p.accent)] {
            ui.label(RichText::new(part).font(font.clone()).color(ink));
        }
    });
}
