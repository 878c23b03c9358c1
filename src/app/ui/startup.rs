//! The pages before the screens: choose practice or a connection, enter a token, wait until the service
//! is open.

mod connect;
mod token;

use egui::{Align, Id, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::Context;
use super::connection::ConnectionForm;
use super::frame::notices;
pub(crate) use connect::advanced_fields;
use widgets::button::Button;
use widgets::notice::NoticeBar;
use widgets::radio_card::RadioCard;
use widgets::tokens::{Tone, palette};
use widgets::{icons, progress, text};

use crate::state::{SettingsCommand, WindowStage};
use draft::Secret;

/// Width of the pages, in points.
const WIDTH: f32 = 600.0;

/// State of the pages.
#[derive(Default)]
pub(crate) struct StartupPages {
    /// The form of a connection is shown.
    connecting: bool,
    form: ConnectionForm,
    /// The rarely needed fields are shown.
    unfolded: bool,
    token: Secret,
    /// Counter of picked certificate files, as far as they are handled.
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
        let mut column = ui.new_child(
            UiBuilder::new()
                .max_rect(column)
                .id_salt("entry")
                .layout(Layout::top_down(Align::Min)),
        );
        ScrollArea::vertical()
            .auto_shrink(false)
            .show(&mut column, |ui| {
                ui.spacing_mut().item_spacing.y = 12.0;
                ui.add_space((window.height() * 0.12).clamp(24.0, 144.0));
                name(ui);
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
                    && let Some(saved) = shared.setup.named(name)
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
        let saved = &context.shared.setup.connections;
        if !saved.is_empty() {
            ui.add_space(8.0);
            ui.label(text::body("Saved connections").color(palette(ui).muted));
            for connection in saved {
                let draft = &connection.draft;
                let kind = draft.kind.unwrap_or(draft::ServiceKind::Live);
                let (tone, icon) = super::environment::style(super::environment::of_kind(kind));
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
}

/// Draws why Packbench can't start, with advice. Returns true if the clerk closes the window.
pub(crate) fn unstartable(ui: &mut Ui, headline: &str, advice: &str) -> bool {
    let p = palette(ui);
    ui.painter().rect_filled(ui.max_rect(), 0.0, p.background);
    let mut column = ui.new_child(
        UiBuilder::new()
            .max_rect(ui.max_rect().shrink(24.0))
            .layout(Layout::top_down(Align::Min)),
    );
    column.spacing_mut().item_spacing.y = 12.0;
    name(&mut column);
    NoticeBar::new(Tone::Bad, headline)
        .what_to_do(advice)
        .show(&mut column);
    let close = column.add(Button::primary("Close"));
    if column.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    close.clicked()
}

/// Draws the program's name at the top of a page.
fn name(ui: &mut Ui) {
    let p = palette(ui);
    let part = |words: &str| RichText::new(words).font(text::figure_font());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.label(part("Pack").color(p.text));
        ui.label(part("bench").color(p.accent));
    });
}

/// Returns the widget id of the token field, to move the focus there.
fn token_id() -> Id {
    Id::unique("the token that is asked for")
}
