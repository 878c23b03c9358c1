//! The Settings screen: services and the bench on the left, the form of the selected one on the right.
//!
//! Invariant: typed input is not lost when the clerk leaves the screen, and only Save saves it.

mod bench;
mod compatibility;
mod form;

use std::collections::HashMap;

use egui::{Align2, Label, Role, Ui, pos2};

use crate::state::{ChosenService, Editing, Environment, SettingsCommand, SetupView, Shared};
use crate::ui::actions::Action;
use crate::ui::connection::ConnectionForm;
use crate::ui::parts::{action_button, list_row};
use crate::ui::{Context, ScreenView, environment};
use draft::{ConnectionDraft, ServiceKind};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::modal::Modal;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, layout, paint, text};

/// Height of a row of the list, in points.
const ROW: f32 = 48.0;

/// An item of the list on the left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Item {
    Practice,
    Connection(String),
    New,
    Bench,
}

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

/// State of the screen.
#[derive(Default)]
pub(crate) struct SettingsScreen {
    item: Option<Item>,
    /// Forms by the connection's name. The key of a new connection is the empty string.
    forms: HashMap<String, ConnectionForm>,
    /// Name of the connection whose token is being replaced.
    replacing: Option<String>,
    bench: bench::BenchForm,
    /// Name of the connection whose removal has to be confirmed.
    removing: Option<String>,
    /// Counters of saved connections and picked certificate files, as far as they are handled.
    seen: (u64, u64),
    focus: bool,
}

impl ScreenView for SettingsScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.removing.is_some()
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        self.apply_changes(&context.shared.setup);
        let item = self.item(&context.shared.setup);
        if context.is_triggered(Action::NewConnection) {
            self.pick(Item::New);
        }
        let room = ui.available_width();
        let left = (room * 0.26).clamp(232.0, 300.0);
        let right = (room - left - size::GUTTER).min(860.0);
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                self.list(ui, context, &item);
            } else {
                match &item {
                    Item::Bench => self.bench.show(ui, context),
                    Item::Practice => practice(ui, context),
                    Item::Connection(name) => self.form(ui, context, name),
                    Item::New => self.form(ui, context, ""),
                }
            }
        });
        self.confirm_removal(ui, context);
    }
}

impl SettingsScreen {
    /// Returns the selected item; at first this is the open service.
    fn item(&mut self, setup: &SetupView) -> Item {
        if let Some(Item::Connection(name)) = &self.item
            && setup.named(name).is_none()
        {
            self.item = None;
        }
        let open = || match &setup.chosen {
            Some(ChosenService::Connection(name)) if setup.named(name).is_some() => {
                Item::Connection(name.clone())
            }
            _ => Item::Practice,
        };
        self.item.get_or_insert_with(open).clone()
    }

    fn pick(&mut self, item: Item) {
        self.item = Some(item);
        self.replacing = None;
        self.focus = true;
    }

    /// Drops the form of a connection that was saved, and puts a picked certificate file into the form that
    /// is shown.
    fn apply_changes(&mut self, setup: &SetupView) {
        let (saved, name) = &setup.saved;
        if self.seen.0 < *saved {
            self.seen.0 = *saved;
            self.forms.remove(name);
            let new = self.forms.get("");
            if new.is_some_and(|form| form.draft.name.trim() == name) {
                self.forms.remove("");
                if self.item == Some(Item::New) {
                    self.item = Some(Item::Connection(name.clone()));
                }
            }
            self.replacing = None;
        }
        let (picked, path) = &setup.picked;
        if self.seen.1 < *picked {
            self.seen.1 = *picked;
            let shown = match &self.item {
                Some(Item::Connection(name)) => self.forms.get_mut(name),
                Some(Item::New) => self.forms.get_mut(""),
                _ => None,
            };
            if let Some(form) = shown {
                form.draft.authority.clone_from(path);
            }
        }
    }

    /// Returns whether the form of a connection has unsaved input.
    fn is_unsaved(&self, setup: &SetupView, name: &str) -> bool {
        let Some(form) = self.forms.get(name) else {
            return false;
        };
        let saved = setup.named(name);
        form.draft != saved.map_or_else(ConnectionDraft::default, |saved| saved.draft.clone())
    }

    /// Returns the form of a connection, with unsaved input if there is any.
    fn form_of(&mut self, setup: &SetupView, name: &str) -> &mut ConnectionForm {
        let saved = setup.named(name).map(|saved| &saved.draft);
        let form = self.forms.entry(name.to_owned()).or_default();
        // A form without input is updated when the saved connection changes.
        if let Some(saved) = saved
            && form.is_untouched()
            && form.draft != *saved
        {
            *form = ConnectionForm::of(saved.clone());
        }
        form
    }

    /// Draws the dialog that asks for confirmation before a connection is removed.
    fn confirm_removal(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let name = self.removing.clone().unwrap_or_default();
        let title = format!("Remove {name}?");
        let mut open = self.removing.is_some();
        Modal::new("remove a connection", &title).show(ui, &mut open, |ui, open| {
            let words = "Its settings and its token are deleted. Its drafts and operations stay in its journal on this bench, and are \
                         available again if you add a connection with the same name";
            text::note(ui, words);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let keep = ui.add(Button::new("Keep it")).clicked();
                let remove = ui.add(Button::new("Remove")).clicked();
                if remove {
                    context.push(SettingsCommand::Remove(name.clone()));
                }
                *open &= !(keep || remove);
            });
        });
        if !open {
            self.removing = None;
        }
    }

    fn list(&mut self, ui: &mut Ui, context: &mut Context<'_>, picked: &Item) {
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
fn practice(ui: &mut Ui, context: &mut Context<'_>) {
    let open = context.shared.setup.chosen == Some(ChosenService::Practice);
    Card::new("Practice").icon(icons::ICON_SCHOOL).show(
        ui,
        |ui| {
            environment::badge(Environment::Practice).show(ui);
        },
        |ui| {
            let words = "A whole shipping service inside this program: invented carriers, real suburbs, real rules and real \
                         labels. Nothing is booked with anyone. Your work there is saved";
            ui.add(Label::new(text::body(words)).wrap());
            ui.add_space(4.0);
            if open {
                Badge::new(Tone::Accent, "open").show(ui);
            } else if action_button(ui, context, Action::UseConnection, true, Button::primary) {
                context.push(SettingsCommand::Practise);
            }
        },
    );
}
