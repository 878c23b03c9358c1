//! The list on the left of Settings: every service, and the bench itself.

use egui::{Align2, Role, Ui, pos2};

use super::{Item, SettingsScreen};
use crate::state::{ChosenService, Environment, SettingsCommand, SetupView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::parts::{action_button, list_row};
use draft::ServiceKind;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, paint, text};

const ROW: f32 = 48.0;

/// A row of the list.
struct Row<'a> {
    item: Item,
    icon: Icon,
    tone: Tone,
    name: &'a str,
    words: String,
    open: bool,
    unsaved: bool,
}

impl SettingsScreen {
    pub(super) fn list(&mut self, ui: &mut Ui, context: &mut Context<'_>, picked: &Item) {
        let setup = &context.shared.setup;
        let mut added = false;
        let mut clicked = None;
        Card::new("Services").flush().show(
            ui,
            |ui| {
                let entry = Action::NewConnection.entry();
                let key = Action::NewConnection.key();
                let button = Button::icon_only(entry.icon, entry.name).small();
                added = ui.add(button).on_hover_text(key).clicked();
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let rows = self.rows(setup, picked);
                for shown in &rows {
                    if row(ui, shown, *picked == shown.item) {
                        clicked = Some(shown.item.clone());
                    }
                }
            },
        );
        Card::new("This bench").flush().body(ui, |ui| {
            let bench = Row {
                item: Item::Bench,
                icon: icons::ICON_BADGE,
                tone: Tone::Accent,
                name: "Bench & appearance",
                words: context.shared.session.bench.clone(),
                open: false,
                unsaved: self.bench.is_unsaved(context.shared),
            };
            if row(ui, &bench, *picked == Item::Bench) {
                clicked = Some(Item::Bench);
            }
        });
        if added {
            clicked = Some(Item::New);
        }
        if let Some(item) = clicked {
            self.pick(item);
        }
    }

    /// Returns the rows of all services, with the new connection if one is being set up.
    fn rows<'a>(&self, setup: &'a SetupView, picked: &Item) -> Vec<Row<'a>> {
        let (tone, icon) = environment::style(Environment::Practice);
        let mut rows = vec![Row {
            item: Item::Practice,
            icon,
            tone,
            name: "Practice",
            words: "PRACTICE · on this machine".to_owned(),
            open: setup.chosen == Some(ChosenService::Practice),
            unsaved: false,
        }];
        for saved in &setup.connections {
            let draft = &saved.draft;
            let kind = draft.kind.unwrap_or(ServiceKind::Live);
            let (tone, icon) = environment::style(Environment::of_kind(kind));
            let address = draft.address.trim_start_matches("https://");
            rows.push(Row {
                item: Item::Connection(draft.name.clone()),
                icon,
                tone,
                name: &draft.name,
                words: format!("{} · {address}", kind.label()),
                open: setup.chosen == Some(ChosenService::Connection(draft.name.clone())),
                unsaved: self.is_unsaved(setup, &draft.name),
            });
        }
        let new = self.is_unsaved(setup, "");
        if new || *picked == Item::New {
            rows.push(Row {
                item: Item::New,
                icon: icons::ICON_ADD,
                tone: Tone::Accent,
                name: "New connection",
                words: "not saved yet".to_owned(),
                open: false,
                unsaved: new,
            });
        }
        rows
    }
}

fn row(ui: &mut Ui, row: &Row<'_>, picked: bool) -> bool {
    let p = palette(ui);
    let response = list_row(ui, ROW, Role::Tab, row.name, picked);
    let rect = response.rect;
    let said = match (row.open, row.unsaved) {
        (true, true) => "open, not saved",
        (true, false) => "open",
        (false, true) => "not saved",
        (false, false) => "",
    };
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_description(said));
    let ink = row.tone.ink(p);
    let icon = paint::icon(ui, row.icon, 20.0, ink);
    let at = pos2(rect.left() + 12.0, rect.center().y);
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, icon);
    let mut right = rect.right() - 10.0;
    for (shown, badge) in [
        (row.open, Badge::new(Tone::Accent, "open").outlined()),
        (row.unsaved, Badge::new(Tone::Warning, "not saved")),
    ] {
        if !shown {
            continue;
        }
        right -= badge.size(ui).x;
        badge.paint(ui, ui.painter(), pos2(right, rect.top() + 15.0));
        right -= 4.0;
    }
    let left = rect.left() + 42.0;
    let name = text::line(ui, text::strong(row.name), right - left, p.text);
    ui.painter()
        .galley(pos2(left, rect.top() + 5.0), name, p.text);
    let room = rect.right() - 10.0 - left;
    let words = text::line(ui, text::small(&row.words), room, p.muted);
    ui.painter()
        .galley(pos2(left, rect.top() + 26.0), words, p.muted);
    response.clicked()
}

/// Draws the description of the practice service.
pub(super) fn practice(ui: &mut Ui, context: &mut Context<'_>) {
    let open = context.shared.setup.chosen == Some(ChosenService::Practice);
    Card::new("Practice").icon(icons::ICON_SCHOOL).show(
        ui,
        |ui| {
            environment::badge(Environment::Practice).show(ui);
        },
        |ui| {
            let words = "A whole shipping service inside this program: invented carriers, real suburbs, real rules and real \
                         labels. Nothing is booked with anyone. Your work there is saved";
            ui.add(egui::Label::new(text::body(words)).wrap());
            ui.add_space(4.0);
            if open {
                Badge::new(Tone::Accent, "open").show(ui);
            } else if action_button(ui, context, Action::UseConnection, true, Button::primary) {
                context.push(SettingsCommand::Practise);
            }
        },
    );
}
