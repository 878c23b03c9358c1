//! The title row of the Consign screen, and the dialog with all drafts other than the open one.

use egui::{
    Align, Align2, Id, Key, Layout, Modifiers, Rect, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use jiff::Timestamp;

use super::batch::BatchTools;
use super::filter_list::FilterList;
use super::presets::PresetDialogs;
use crate::state::{ConsignCommand, DraftState, Editing, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{Draft, DraftId};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, paint, text};

/// Width in points that the other buttons of the title row need. With less room, the button that restores a
/// discarded draft is shown only in the dialog.
const ROOM_FOR_ALL: f32 = 640.0;

/// Width in points that the label of the last button needs. With less room the button shows its icon only.
const ROOM_FOR_WORDS: f32 = 136.0;

/// Below this width the last two buttons of the title row show their icons only.
const NARROW: f32 = 700.0;

/// Maximum length of a draft's name in the button that restores it, in characters.
const NAME_LETTERS: usize = 24;

/// Height of a row of the list, and maximum height of the list, in points.
const ROW: f32 = 44.0;
const LIST_HEIGHT: f32 = 8.0 * ROW;

pub(super) fn title(
    ui: &mut Ui,
    context: &mut Context<'_>,
    editing: &Editing,
    (drafts, presets, batch): (&mut DraftsDialog, &mut PresetDialogs, &mut BatchTools),
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
        other_drafts(ui, context, drafts);
        presets.button(ui);
        batch.menu(ui, context);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, context, draft, narrow);
        });
    });
}

/// Draws the number of drafts, which opens the dialog, and the button that restores the last discarded draft.
fn other_drafts(ui: &mut Ui, context: &mut Context<'_>, drafts: &mut DraftsDialog) {
    let count = context.shared.consign.drafts.len();
    if count > 0 {
        let words = counted(count, "draft", "drafts");
        let key = Action::Drafts.key();
        let button = ui.add(Button::quiet(&words).key(&key).small());
        let tooltip = Action::Drafts.entry().tooltip;
        if button.on_hover_text(tooltip).clicked() {
            drafts.open();
        }
    }
    if ui.available_width() > ROOM_FOR_ALL && restore_button(ui, context.shared, "") {
        context.push(ConsignCommand::RestoreDraft);
    }
}

/// Draws the button that restores the draft that was discarded last. Returns true if it was pressed.
fn restore_button(ui: &mut Ui, shared: &Shared, key: &str) -> bool {
    let Some(last) = shared.consign.discarded.last() else {
        return false;
    };
    let name = name(last);
    let words = match name.char_indices().nth(NAME_LETTERS) {
        Some((end, _)) => format!("Restore {}…", name[..end].trim_end()),
        None => format!("Restore {name}"),
    };
    let button = Button::quiet(&words).icon(icons::ICON_UNDO).key(key);
    let tooltip = Action::RestoreDraft.entry().tooltip;
    ui.add(button.small()).on_hover_text(tooltip).clicked()
}

fn buttons(ui: &mut Ui, context: &mut Context<'_>, draft: &Draft, narrow: bool) {
    let entry = Action::NextDraft.entry();
    let key = Action::NextDraft.key();
    let spoken = format!("{} ({key})", entry.name);
    let save = if narrow {
        Button::icon_only(entry.icon, &spoken)
    } else {
        Button::new(entry.name).icon(entry.icon).key(&key)
    };
    let blank = draft.is_blank();
    let save = ui.add_enabled(!blank, save).on_hover_text(entry.tooltip);
    if save.clicked() {
        context.push(ConsignCommand::NewDraft);
    }
    // A draft that is also saved at the service is deleted in the dialog, which asks for confirmation.
    if blank || draft.pending.is_some() {
        return;
    }
    let key = Action::DiscardChanges.key();
    let (words, icon, key, tooltip) = if draft.edits.is_some() {
        let entry = Action::DiscardChanges.entry();
        (entry.name, entry.icon, key.as_str(), entry.tooltip)
    } else {
        ("Clear", icons::ICON_DELETE, "", "Delete what you typed")
    };
    let clear = if narrow || ui.available_width() < ROOM_FOR_WORDS {
        Button::icon_only(icon, words)
    } else {
        Button::quiet(words).key(key)
    };
    if ui.add(clear).on_hover_text(tooltip).clicked() {
        context.push(ConsignCommand::DiscardDraft(draft.id.clone()));
    }
}

/// The dialog with all drafts.
#[derive(Default)]
pub(super) struct DraftsDialog {
    open: bool,
    list: FilterList,
    /// A draft that is also saved at the service, and whose deletion the clerk has to confirm.
    confirm_discard: Option<DraftId>,
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
        let drafts = &shared.consign.drafts;
        let found = matching_drafts(drafts, &self.list.filter);
        let is_moved = self.list.move_mark(ui, found.len());
        let marked = found.get(self.list.marked).map(|draft| draft.id.clone());
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        let delete = pressed(Modifiers::COMMAND, Key::Delete);
        let restore = pressed(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
        let hint = "Reference, receiver, PC number";
        let field = self.list.show_filter(ui, filter_id(), "Find a draft", hint);
        if is_moved || field.changed() {
            self.confirm_discard = None;
        }
        ui.add_space(4.0);
        let mut asked = self.rows(ui, shared, &found);
        if drafts.is_empty() {
            text::note(
                ui,
                "No drafts. On Consign, press Ctrl+N to save what you typed as a draft and start a new consignment",
            );
        } else if found.is_empty() {
            text::note(ui, "No matching drafts");
        }
        ui.add_space(6.0);
        let answer = self.question(ui, shared);
        ui.horizontal(|ui| {
            ui.set_height(28.0);
            let words = "Enter opens, Ctrl+Delete deletes";
            ui.label(text::small(words).color(palette(ui).muted));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if restore_button(ui, shared, &Action::RestoreDraft.key()) {
                    asked = Some(ConsignCommand::RestoreDraft);
                }
            });
        });
        let asked = match asked {
            None if answer.is_some() => return answer,
            None if field.entered => marked.map(ConsignCommand::OpenDraft),
            None if delete => marked.map(ConsignCommand::DiscardDraft),
            None if restore => Some(ConsignCommand::RestoreDraft),
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
        if pending_number(shared, id).is_none() {
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
        let Some(number) = pending_number(shared, &id) else {
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

    /// Draws the rows in sight. Returns the command that was requested with the mouse.
    fn rows(&mut self, ui: &mut Ui, shared: &Shared, found: &[&Draft]) -> Option<ConsignCommand> {
        let mut asked = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical()
            .id_salt("drafts")
            .max_height(LIST_HEIGHT)
            .auto_shrink([false, true]);
        if std::mem::take(&mut self.list.follow) {
            // Centres the marked row, so that the rows before and after it are visible, too.
            let top = ROW * self.list.marked as f32 - (LIST_HEIGHT - ROW) / 2.0;
            area = area.vertical_scroll_offset(top.max(0.0));
        }
        area.show_rows(ui, ROW, found.len(), |ui, shown| {
            for at in shown {
                asked = row(ui, shared, found[at], at == self.list.marked).or(asked.take());
            }
        });
        asked
    }
}

fn filter_id() -> Id {
    Id::unique("drafts filter")
}

fn answer_id() -> Id {
    Id::unique("drafts answer")
}

/// Returns the pending number of a draft that is also saved at the service.
fn pending_number<'a>(shared: &'a Shared, id: &DraftId) -> Option<&'a str> {
    Some(&shared.consign.listed(id)?.pending.as_ref()?.number)
}

/// Returns the title of a draft, or a placeholder if nothing that names it is typed yet.
fn name(draft: &Draft) -> &str {
    match draft.title() {
        "" => "Untitled draft",
        title => title,
    }
}

/// Draws a draft: its name, below it the receiver and goods or why it was not sent, and at the right its state and age.
/// Returns the command that was requested with the mouse.
fn row(ui: &mut Ui, shared: &Shared, draft: &Draft, marked: bool) -> Option<ConsignCommand> {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let body = rect.with_max_x(rect.right() - 40.0);
    let row_id = Id::unique(("draft", draft.id.as_str()));
    let response = ui.interact(body, row_id, Sense::CLICK);
    let (word, tone, reason) = state_badge(shared.draft_state(draft));
    let said = format!("{}, {}, {word}", name(draft), draft.to.title());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, marked, &said));
    paint::row_background(ui, &response, marked, size::BUTTON_RADIUS);
    let inner = body.shrink2(vec2(10.0, 0.0));
    let badge = Badge::new(tone, &word);
    let corner = pos2(inner.right() - badge.size(ui).x, rect.center().y - 8.0);
    badge.paint(ui, ui.painter(), corner);
    let saved = shared.consign.draft_times.get(&draft.id);
    let age = saved.map(|at| age_of(*at, shared.now)).unwrap_or_default();
    let age = text::line(ui, text::small(&age), 120.0, p.muted);
    let corner = pos2(inner.right(), rect.center().y + 4.0);
    paint::text_at(ui.painter(), Align2::RIGHT_TOP, corner, age);
    let room = inner.width() - 150.0;
    let title = text::line(ui, text::strong(name(draft)), room, p.text);
    let corner = pos2(inner.left(), rect.top() + 4.0);
    paint::text_at(ui.painter(), Align2::LEFT_TOP, corner, title);
    let (second, ink) = match reason {
        Some(reason) => (reason.to_owned(), tone.ink(p)),
        None => (second_line(draft), p.muted),
    };
    let second = text::line(ui, text::small(&second), room, ink);
    let corner = pos2(inner.left(), rect.top() + 24.0);
    paint::text_at(ui.painter(), Align2::LEFT_TOP, corner, second);
    let also = if draft.pending.is_some() {
        " here and at the service"
    } else {
        ""
    };
    let words = format!("Delete {}{also}", name(draft));
    let end = Rect::from_min_max(pos2(rect.right() - 36.0, rect.top()), rect.max);
    let builder = UiBuilder::new()
        .max_rect(end)
        .layout(Layout::right_to_left(Align::Center));
    let delete = Button::icon_only(icons::ICON_DELETE, &words);
    if ui.new_child(builder).add(delete).clicked() {
        return Some(ConsignCommand::DiscardDraft(draft.id.clone()));
    }
    response
        .clicked()
        .then(|| ConsignCommand::OpenDraft(draft.id.clone()))
}

/// Formats receiver, place and pieces, as far as they are typed.
fn second_line(draft: &Draft) -> String {
    let receiver = if draft.title() == draft.to.title() {
        ""
    } else {
        draft.to.title()
    };
    let goods = draft.goods.first().map_or("", |line| line.name.trim());
    let goods = if goods.is_empty() {
        String::new()
    } else {
        format!("{} × {goods}", draft.totals().pieces)
    };
    let parts = [receiver, draft.to.place.trim(), &goods];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn state_badge(state: DraftState<'_>) -> (String, Tone, Option<&str>) {
    match state {
        DraftState::InDoubt(words) => ("may have been sent".to_owned(), Tone::Unknown, Some(words)),
        DraftState::Refused(words) => ("refused".to_owned(), Tone::Bad, Some(words)),
        DraftState::Changing(number) => (format!("editing {number}"), Tone::Accent, None),
        DraftState::Pending(number) => (format!("pending {number}"), Tone::Warning, None),
        DraftState::Draft => ("draft".to_owned(), Tone::Neutral, None),
    }
}

/// Formats an age: `now`, `12 min`, `3 h`, `2 d`.
fn age_of(at: Timestamp, now: Timestamp) -> String {
    let minutes = now.duration_since(at).as_mins().max(0);
    match minutes {
        0 => "now".to_owned(),
        1..60 => format!("{minutes} min"),
        60..1440 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1440),
    }
}

/// Returns the drafts that contain every word of the filter, in the order of the list, newest first.
fn matching_drafts<'a>(drafts: &'a [Draft], filter: &str) -> Vec<&'a Draft> {
    let filter = filter.to_lowercase();
    let words: Vec<_> = filter.split_whitespace().collect();
    let matches = |draft: &&Draft| {
        if words.is_empty() {
            return true;
        }
        let text: [&str; 6] = [
            &draft.reference1,
            &draft.reference2,
            draft.to.title(),
            &draft.to.place,
            draft.pending.as_ref().map_or("", |pending| &pending.number),
            draft.edits.as_ref().map_or("", |edited| &edited.number),
        ];
        let text = text.join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    drafts.iter().filter(matches).collect()
}
