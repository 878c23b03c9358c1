//! The title row of the Consign screen, and the dialog with all drafts other than the open one.

use egui::{Align, Id, Key, Layout, Modifiers, Ui};

use super::draft_rows as rows;
use super::tools::Tools;
use crate::state::{ConsignCommand, Editing, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{Draft, DraftId};
use shipping::PendingConsignmentId;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::tokens::palette;
use widgets::{icons, text};

/// Number of rows that Page Up and Page Down move.
const PAGE: usize = 8;

/// Width in points that the other buttons of the title row need. With less room, the button that restores a
/// discarded draft is shown only in the dialog.
const ROOM_FOR_ALL: f32 = 640.0;

/// Width in points that the label of the last button needs. With less room the button shows its icon only.
const ROOM_FOR_WORDS: f32 = 136.0;

/// Below this width the last two buttons of the title row show their icons only.
const NARROW: f32 = 700.0;

/// Maximum length of a draft's name in the button that restores it, in characters.
const NAME_LETTERS: usize = 24;

/// The dialog with all drafts.
#[derive(Default)]
pub(super) struct DraftsDialog {
    open: bool,
    filter: String,
    marked: usize,
    /// True after the marked row changed: the list scrolls to it.
    follow: bool,
    found: DraftSearch,
    /// A draft that is also saved at the service, and whose deletion the clerk has to confirm.
    confirm_discard: Option<DraftId>,
}

pub(super) fn title(
    ui: &mut Ui,
    context: &mut Context<'_>,
    editing: &Editing,
    (drafts, tools): (&mut DraftsDialog, &mut Tools),
) {
    let narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        ui.set_height(32.0);
        let draft = &editing.draft;
        let words = match (&draft.edits, &draft.pending) {
            (Some(edited), _) => format!("Editing {}", edited.number),
            (None, Some(pending)) => format!("{}, pending", pending.number),
            (None, None) => "New consignment".to_owned(),
        };
        ui.label(text::title(words));
        waiting(ui, context, drafts);
        tools.entries(ui, context);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, context, editing, narrow);
        });
    });
}

fn waiting(ui: &mut Ui, context: &mut Context<'_>, drafts: &mut DraftsDialog) {
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
    let room = ui.available_width() > ROOM_FOR_ALL;
    if let Some(last) = context.shared.discarded.last().filter(|_| room) {
        let name = rows::name(last);
        let words = format!("Restore {}", shortened(name, NAME_LETTERS));
        if ui
            .add(Button::quiet(&words).icon(icons::ICON_UNDO).small())
            .on_hover_text(Action::RestoreDraft.entry().tooltip)
            .clicked()
        {
            context.push(ConsignCommand::RestoreDraft);
        }
    }
}

/// Cuts a name to at most `most` characters and adds an ellipsis if it was longer.
fn shortened(name: &str, most: usize) -> String {
    match name.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name.to_owned(),
    }
}

fn buttons(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing, narrow: bool) {
    let key = Action::NextDraft.key();
    let entry = Action::NextDraft.entry();
    let (name, about) = (entry.name, entry.tooltip);
    let spoken = format!("{name} ({key})");
    let keep = if narrow {
        Button::icon_only(entry.icon, &spoken)
    } else {
        Button::new(name).icon(entry.icon).key(&key)
    };
    let blank = editing.draft.is_blank();
    if ui.add_enabled(!blank, keep).on_hover_text(about).clicked() {
        context.push(ConsignCommand::NewDraft);
    }
    // A draft that is also saved at the service is deleted in the dialog, which asks for confirmation.
    if blank || editing.draft.pending.is_some() {
        return;
    }
    let stop = Action::DiscardChanges.entry();
    let key = Action::DiscardChanges.key();
    let (word, about) = if editing.draft.edits.is_some() {
        (stop.name, stop.tooltip)
    } else {
        ("Clear", "Delete what you typed")
    };
    let narrow = narrow || ui.available_width() < ROOM_FOR_WORDS;
    let clear = match (narrow, editing.draft.edits.is_some()) {
        (true, true) => Button::icon_only(stop.icon, word),
        (true, false) => Button::icon_only(icons::ICON_DELETE, word),
        (false, true) => Button::quiet(word).key(&key),
        (false, false) => Button::quiet(word),
    };
    if ui.add(clear).on_hover_text(about).clicked() {
        context.push(ConsignCommand::DiscardDraft(editing.draft.id.clone()));
    }
}

impl DraftsDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn open(&mut self) {
        *self = Self {
            open: true,
            ..Self::default()
        };
    }

    /// Draws the dialog. Must be called in every frame, open or not.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let mut open = self.open;
        Modal::new("drafts", "Drafts on this bench")
            .width(640.0)
            .show(ui, &mut open, |ui, open| {
                if let Some(command) = self.content(ui, context.shared) {
                    *open &= !matches!(command, ConsignCommand::OpenDraft(_));
                    context.push(command);
                }
            });
        self.open = open;
    }

    fn content(&mut self, ui: &mut Ui, shared: &Shared) -> Option<ConsignCommand> {
        self.found.update(&shared.drafts, &self.filter);
        let count = self.found.rows.len();
        self.marked = self.marked.min(count.saturating_sub(1));
        self.move_mark(ui, count);
        let at = self.found.rows.get(self.marked);
        let marked = at.map(|at| shared.drafts[*at].id.clone());
        let delete = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Delete));
        let back = ui.input_mut(|input| {
            input.consume_key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z)
        });
        let field = Field::new("Find a draft", &mut self.filter)
            .icon(icons::ICON_SEARCH)
            .hint("Reference, receiver, PC number")
            .on_enter(OnEnter::Stay)
            .id(filter_id())
            .hide_label()
            .show(ui);
        if field.changed() {
            self.marked = 0;
            self.follow = true;
            self.confirm_discard = None;
        }
        ui.add_space(4.0);
        let mut asked = None;
        if count == 0 {
            let words = if shared.drafts.is_empty() {
                "No drafts. On Consign, press Ctrl+N to save what you typed as a draft and start a new consignment"
            } else {
                "No matching drafts"
            };
            ui.label(text::body(words).color(palette(ui).muted));
        } else {
            asked = rows::list(
                ui,
                shared,
                &self.found.rows,
                self.marked,
                std::mem::take(&mut self.follow),
            );
        }
        ui.add_space(6.0);
        let answer = self.question(ui, shared);
        foot(ui, shared, &mut asked);
        let asked = match asked {
            None if answer.is_some() => return answer,
            None if field.entered => marked.map(ConsignCommand::OpenDraft),
            None if delete => marked.map(ConsignCommand::DiscardDraft),
            None if back => Some(ConsignCommand::RestoreDraft),
            asked => asked,
        };
        self.ask_before_discard(ui, shared, asked)
    }

    /// Replaces the deletion of a draft that is also saved at the service with a request for confirmation.
    /// Passes all other commands on.
    fn ask_before_discard(
        &mut self,
        ui: &Ui,
        shared: &Shared,
        asked: Option<ConsignCommand>,
    ) -> Option<ConsignCommand> {
        let Some(ConsignCommand::DiscardDraft(id)) = &asked else {
            return asked;
        };
        if pending(shared, id).is_none() {
            return asked;
        }
        self.confirm_discard = Some(id.clone());
        ui.memory_mut(|memory| memory.request_focus(answer_id()));
        ui.ctx().request_repaint();
        None
    }

    /// Asks whether to delete a pending consignment. Returns the command once the clerk has confirmed.
    fn question(&mut self, ui: &mut Ui, shared: &Shared) -> Option<ConsignCommand> {
        let id = self.confirm_discard.clone()?;
        let Some(number) = pending(shared, &id) else {
            self.confirm_discard = None;
            return None;
        };
        let mut answer = None;
        ui.horizontal(|ui| {
            ui.set_height(32.0);
            let words = format!("{number} will also be deleted at the service");
            ui.label(text::body(words).color(palette(ui).bad));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let keep = ui.add(Button::quiet("Keep it").small());
                let go = ui.add(Button::new("Delete").small());
                if ui.memory(|memory| memory.has_focus(answer_id())) {
                    go.request_focus();
                }
                if go.clicked() {
                    answer = Some(ConsignCommand::DiscardDraft(id));
                }
                if go.clicked() || keep.clicked() {
                    self.confirm_discard = None;
                    ui.memory_mut(|memory| memory.request_focus(filter_id()));
                }
            });
        });
        answer
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
        if self.marked != before {
            self.follow = true;
            self.confirm_discard = None;
        }
    }
}

fn filter_id() -> Id {
    Id::unique("drafts filter")
}

fn answer_id() -> Id {
    Id::unique("drafts answer")
}

/// Returns the pending number of a draft that is also saved at the service.
fn pending<'a>(shared: &'a Shared, id: &DraftId) -> Option<&'a str> {
    let draft = shared.drafts.iter().find(|draft| draft.id == *id)?;
    Some(&draft.pending.as_ref()?.number)
}

/// Draws the key hints, and the button that restores the last discarded draft.
fn foot(ui: &mut Ui, shared: &Shared, asked: &mut Option<ConsignCommand>) {
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let words = "Enter opens, Ctrl+Delete deletes";
        ui.label(text::small(words).color(palette(ui).muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(last) = shared.discarded.last() {
                let name = rows::name(last);
                let words = format!("Restore {}", shortened(name, NAME_LETTERS));
                let key = Action::RestoreDraft.key();
                let button = Button::quiet(&words)
                    .icon(icons::ICON_UNDO)
                    .key(&key)
                    .small();
                if ui.add(button).clicked() {
                    *asked = Some(ConsignCommand::RestoreDraft);
                }
            }
        });
    });
}

/// The drafts that contain every word of the filter, in the order of the list, newest first. Recomputed when
/// the filter or the drafts change, not in every frame.
#[derive(Default)]
struct DraftSearch {
    filter: String,
    /// Lower-case search text of each draft, with the ids that show whether the text is up to date.
    texts: Vec<(DraftId, Option<PendingConsignmentId>, String)>,
    /// Indices of the matching drafts.
    rows: Vec<usize>,
}

impl DraftSearch {
    fn update(&mut self, drafts: &[Draft], filter: &str) {
        let there = |draft: &Draft| draft.pending.as_ref().map(|pending| pending.id);
        let known = drafts.len() == self.texts.len() && { drafts.iter().zip(&self.texts) }
            .all(|(draft, (id, pending, _))| draft.id == *id && there(draft) == *pending);
        if !known {
            let text = |draft: &Draft| (draft.id.clone(), there(draft), search_text(draft));
            self.texts = drafts.iter().map(text).collect();
        } else if self.filter == filter {
            return;
        }
        filter.clone_into(&mut self.filter);
        let filter = filter.to_lowercase();
        let words: Vec<_> = filter.split_whitespace().collect();
        let holds = |text: &str| words.iter().all(|word| text.contains(word));
        let found = { self.texts.iter().enumerate() }.filter(|(_, (_, _, text))| holds(text));
        self.rows = found.map(|(at, _)| at).collect();
    }
}

fn search_text(draft: &Draft) -> String {
    let text = format!(
        "{} {} {} {} {} {}",
        draft.reference1,
        draft.reference2,
        draft.to.title(),
        draft.to.place,
        draft.pending.as_ref().map_or("", |pending| &pending.number),
        draft.edits.as_ref().map_or("", |edited| &edited.number),
    );
    text.to_lowercase()
}

/// Returns the widget id of a draft's row.
pub(super) fn row_id(id: &DraftId) -> Id {
    Id::unique(("draft", id.as_str()))
}
