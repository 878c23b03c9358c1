//! The title of the screen, and the drafts that wait beside the one that is open.

use egui::{Align, Key, Layout, Modifiers, Ui};

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::button::Button;
use super::super::kit::field::{Field, OnEnter};
use super::super::kit::modal::Modal;
use super::super::kit::tokens::palette;
use super::super::kit::{icons, text};
use super::super::words::counted;
use super::draft_rows as rows;
use super::tools::Tools;
use crate::draft::{Draft, DraftId};
use crate::state::{ConsignCommand, Editing, Shared};

/// Rows that Page Up and Page Down go over.
const PAGE: usize = 8;

/// The dialog with all drafts.
#[derive(Default)]
pub(super) struct State {
    open: bool,
    filter: String,
    marked: usize,
    /// The mark was moved: it is scrolled to.
    follow: bool,
}

pub(super) fn title(
    ui: &mut Ui,
    context: &mut Context<'_>,
    editing: &Editing,
    (drafts, tools): (&mut State, &mut Tools),
) {
    ui.horizontal(|ui| {
        ui.set_height(32.0);
        let draft = &editing.draft;
        let words = match (&draft.edits, &draft.pending) {
            (Some(edited), _) => format!("Changing {}", edited.number),
            (None, Some(pending)) => format!("{}, pending", pending.number),
            (None, None) => "New consignment".to_owned(),
        };
        ui.label(text::title(words));
        waiting(ui, context, drafts);
        tools.entries(ui, context);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, context, editing);
        });
    });
}

fn waiting(ui: &mut Ui, context: &mut Context<'_>, drafts: &mut State) {
    let count = context.shared.drafts.len();
    if count > 0 {
        let words = counted(count, "draft", "drafts");
        let key = Action::Drafts.key();
        if ui
            .add(Button::quiet(&words).key(&key).small())
            .on_hover_text(Action::Drafts.entry().tooltip)
            .clicked()
        {
            drafts.open();
        }
    }
    if let Some(last) = context.shared.discarded.last() {
        let words = format!("Bring back {}", rows::name(last));
        if ui
            .add(Button::quiet(&words).icon(icons::ICON_UNDO).small())
            .on_hover_text(Action::BringBack.entry().tooltip)
            .clicked()
        {
            context.ask(ConsignCommand::BringBack);
        }
    }
}

fn buttons(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing) {
    let key = Action::NextDraft.key();
    let entry = Action::NextDraft.entry();
    let (name, about) = if editing.sending {
        ("Begin the next", "This one goes on by itself")
    } else {
        (entry.name, entry.tooltip)
    };
    let keep = Button::new(name).icon(entry.icon).key(&key);
    let blank = editing.draft.is_blank();
    if ui.add_enabled(!blank, keep).on_hover_text(about).clicked() {
        context.ask(ConsignCommand::NewDraft);
    }
    if blank {
        return;
    }
    let stop = Action::StopChanging.entry();
    let key = Action::StopChanging.key();
    let (clear, about) = if editing.draft.edits.is_some() {
        (Button::quiet(stop.name).key(&key), stop.tooltip)
    } else if editing.draft.pending.is_some() {
        let about = "Throw it away, here and at the service";
        (Button::quiet("Clear"), about)
    } else {
        (Button::quiet("Clear"), "Throw away what is typed")
    };
    if ui
        .add_enabled(!editing.sending, clear)
        .on_hover_text(about)
        .clicked()
    {
        context.ask(ConsignCommand::DiscardDraft(editing.draft.id.clone()));
    }
}

impl State {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn open(&mut self) {
        *self = Self {
            open: true,
            ..Self::default()
        };
    }

    /// Draws the dialog; call it every frame, open or not.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &Editing) {
        let mut open = self.open;
        Modal::new("drafts", "Drafts on this bench")
            .width(640.0)
            .show(ui, &mut open, |ui, open| {
                if let Some(command) = self.content(ui, context.shared, editing.sending) {
                    *open &= !matches!(command, ConsignCommand::OpenDraft(_));
                    context.ask(command);
                }
            });
        self.open = open;
    }

    fn content(&mut self, ui: &mut Ui, shared: &Shared, sending: bool) -> Option<ConsignCommand> {
        let found = find(&shared.drafts, &self.filter);
        self.marked = self.marked.min(found.len().saturating_sub(1));
        self.move_mark(ui, found.len());
        let marked = found.get(self.marked).map(|draft| draft.id.clone());
        let delete = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Delete));
        let back = ui.input_mut(|input| {
            input.consume_key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z)
        });
        let field = Field::new("Find a draft", &mut self.filter)
            .icon(icons::ICON_SEARCH)
            .hint("Reference, receiver, PC number")
            .on_enter(OnEnter::Stay)
            .bare()
            .show(ui);
        if field.changed() {
            self.marked = 0;
            self.follow = true;
        }
        ui.add_space(4.0);
        let mut asked = None;
        if found.is_empty() {
            let words = if shared.drafts.is_empty() {
                "No drafts. Ctrl+N on Consign keeps what is typed and begins the next"
            } else {
                "No draft holds all of these words"
            };
            ui.label(text::body(words).color(palette(ui).muted));
        } else {
            asked = rows::list(
                ui,
                shared,
                &found,
                self.marked,
                std::mem::take(&mut self.follow),
            );
        }
        ui.add_space(6.0);
        foot(ui, shared, &mut asked);
        let asked = match asked {
            None if field.entered => marked.map(ConsignCommand::OpenDraft),
            None if delete => marked.map(ConsignCommand::DiscardDraft),
            None if back => Some(ConsignCommand::BringBack),
            asked => asked,
        };
        // What is being sent keeps the form until its end is known.
        asked.filter(|command| !(sending && matches!(command, ConsignCommand::OpenDraft(_))))
    }

    fn move_mark(&mut self, ui: &Ui, count: usize) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let before = self.marked;
        for (key, by) in [(Key::ArrowDown, 1), (Key::PageDown, PAGE)] {
            if pressed(key) {
                self.marked = (self.marked + by).min(count.saturating_sub(1));
            }
        }
        for (key, by) in [(Key::ArrowUp, 1), (Key::PageUp, PAGE)] {
            if pressed(key) {
                self.marked = self.marked.saturating_sub(by);
            }
        }
        self.follow |= self.marked != before;
    }
}

/// What the keys do, and the way back.
fn foot(ui: &mut Ui, shared: &Shared, asked: &mut Option<ConsignCommand>) {
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let words = "Enter opens, Ctrl+Delete throws away";
        ui.label(text::small(words).color(palette(ui).muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(last) = shared.discarded.last() {
                let words = format!("Bring back {}", rows::name(last));
                let key = Action::BringBack.key();
                let button = Button::quiet(&words)
                    .icon(icons::ICON_UNDO)
                    .key(&key)
                    .small();
                if ui.add(button).clicked() {
                    *asked = Some(ConsignCommand::BringBack);
                }
            }
        });
    });
}

/// Those that hold every word, in their order: the newest first.
fn find<'a>(drafts: &'a [Draft], filter: &str) -> Vec<&'a Draft> {
    let filter = filter.to_lowercase();
    let words: Vec<_> = filter.split_whitespace().collect();
    let holds = |draft: &&Draft| {
        if words.is_empty() {
            return true;
        }
        let text = format!(
            "{} {} {} {} {} {}",
            draft.reference1,
            draft.reference2,
            draft.to.title(),
            draft.to.place,
            draft.pending.as_ref().map_or("", |pending| &pending.number),
            draft.edits.as_ref().map_or("", |edited| &edited.number),
        )
        .to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    drafts.iter().filter(holds).collect()
}

/// Which draft a row is about.
pub(super) fn row_id(id: &DraftId) -> egui::Id {
    egui::Id::unique(("draft", id.as_str()))
}
