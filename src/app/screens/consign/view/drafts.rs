//! The title row of the Consign screen, and the dialog with all drafts other than the open one.

use egui::{Align, Id, Key, Layout, Modifiers, Ui};
use jiff::Timestamp;

use super::batch::BatchTools;
use super::list_dialog::{ListDialog, ListRow, RowEvent, question};
use super::presets::PresetDialogs;
use crate::state::{ConsignCommand, DraftState, Editing, HandoverCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{Draft, DraftId, join_parts};
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};
use workgroup::WaitingDraft;

/// Width in points that the other buttons of the title row need. With less room, the button that restores a
/// discarded draft is shown only in the dialog.
const ROOM_FOR_ALL: f32 = 640.0;

/// Width in points that the label of the last button needs. With less room the button shows its icon only.
const ROOM_FOR_WORDS: f32 = 136.0;

/// Below this width the last two buttons of the title row show their icons only.
const NARROW: f32 = 700.0;

/// Maximum length of a draft's name in the button that restores it, in characters.
const NAME_LETTERS: usize = 24;

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

/// Draws the button that opens the dialog with the drafts, and the button that restores the last discarded draft.
fn other_drafts(ui: &mut Ui, context: &mut Context<'_>, drafts: &mut DraftsDialog) {
    let (count, waiting) = (
        context.shared.consign.drafts.len(),
        context.shared.consign.waiting.len(),
    );
    if count + waiting > 0 {
        let own = (count > 0).then(|| counted(count, "draft", "drafts"));
        let waiting = (waiting > 0).then(|| format!("{waiting} for any bench"));
        let words = join_parts(
            &[&own.unwrap_or_default(), &waiting.unwrap_or_default()],
            ", ",
        );
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
    // A draft that is also saved at the service can be deleted only in the dialog, which asks for confirmation.
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
pub(super) struct DraftsDialog(ListDialog);

impl DraftsDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.0.open
    }

    pub(super) fn open(&mut self) {
        self.0 = ListDialog::open();
    }

    /// Draws the dialog. Must be called in every frame, open or not.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let mut open = self.0.open;
        let title = if context.shared.workgroup.is_some() {
            "Drafts on this bench and for any bench"
        } else {
            "Drafts on this bench"
        };
        Modal::new("drafts", title)
            .width(640.0)
            .show(ui, &mut open, |ui, open| {
                if let Some(command) = self.content(ui, context.shared) {
                    let opens = matches!(
                        command,
                        ConsignCommand::OpenDraft(_)
                            | ConsignCommand::Handover(HandoverCommand::Take(_))
                    );
                    *open &= !opens;
                    context.push(command);
                }
            });
        self.0.open = open;
    }

    fn content(&mut self, ui: &mut Ui, shared: &Shared) -> Option<ConsignCommand> {
        let list = &mut self.0;
        let rows = matching_rows(shared, &list.filter);
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        let delete = pressed(Modifiers::COMMAND, Key::Delete);
        let has_workgroup = shared.workgroup.is_some();
        let leave = has_workgroup && pressed(Modifiers::COMMAND, Key::L);
        let restore = pressed(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
        let words = ("Find a draft", "Reference, receiver, PC number");
        let field = list.show_filter(ui, filter_id(), words, rows.len());
        ui.add_space(4.0);
        let pressed = list.show_rows(ui, rows.len(), |ui, at, marked| match rows[at] {
            DraftsRow::Own(draft) => row(ui, shared, draft, marked),
            DraftsRow::Waiting(draft) => waiting_row(ui, shared, draft, marked),
        });
        if shared.consign.drafts.is_empty() && shared.consign.waiting.is_empty() {
            text::note(
                ui,
                "No drafts. On Consign, press Ctrl+N to save what you typed as a draft and start a new consignment",
            );
        } else if rows.is_empty() {
            text::note(ui, "No matching drafts");
        }
        ui.add_space(6.0);
        let confirmed = self.ask(ui, shared);
        let mut restores = restore;
        ui.horizontal(|ui| {
            ui.set_height(28.0);
            let words = if has_workgroup {
                "Enter opens or takes over, Ctrl+Delete deletes, Ctrl+L leaves it for any bench"
            } else {
                "Enter opens, Ctrl+Delete deletes"
            };
            ui.label(text::small(words).color(palette(ui).muted));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                restores |= restore_button(ui, shared, &Action::RestoreDraft.key());
            });
        });
        let marked = |event| Some((*rows.get(self.0.marked)?, event));
        let event = match pressed {
            Some((at, event)) => Some((rows[at], event)),
            None if field.entered => marked(RowEvent::Picked),
            None if delete => marked(RowEvent::Button(DELETE)),
            None if leave => marked(RowEvent::Button(LEAVE)),
            None => None,
        };
        let handover = ConsignCommand::Handover;
        match event {
            _ if confirmed.is_some() => confirmed,
            None => restores.then_some(ConsignCommand::RestoreDraft),
            Some((DraftsRow::Waiting(draft), RowEvent::Picked)) => {
                Some(handover(HandoverCommand::Take(draft.id.clone())))
            }
            // A waiting draft belongs to all benches until one takes it over.
            Some((DraftsRow::Waiting(_), RowEvent::Button(_))) => None,
            Some((DraftsRow::Own(draft), RowEvent::Picked)) => {
                Some(ConsignCommand::OpenDraft(draft.id.clone()))
            }
            Some((DraftsRow::Own(draft), RowEvent::Button(LEAVE))) => {
                Some(handover(HandoverCommand::Leave(vec![draft.id.clone()])))
            }
            // Before a draft that is also saved at the service is deleted, the dialog asks for confirmation.
            Some((DraftsRow::Own(draft), RowEvent::Button(_))) if draft.pending.is_some() => {
                self.0.ask_to_remove(ui, draft.id.to_string(), answer_id());
                None
            }
            Some((DraftsRow::Own(draft), RowEvent::Button(_))) => {
                Some(ConsignCommand::DiscardDraft(draft.id.clone()))
            }
        }
    }

    /// Asks whether to delete a pending consignment. Returns the command once the clerk has confirmed.
    fn ask(&mut self, ui: &mut Ui, shared: &Shared) -> Option<ConsignCommand> {
        let id = DraftId::from(self.0.removing.clone()?);
        let listed = shared.consign.listed(&id);
        let Some(pending) = listed.and_then(|draft| draft.pending.as_ref()) else {
            self.0.removing = None;
            return None;
        };
        let words = format!("{} will also be deleted at the service", pending.number);
        let ids = (answer_id(), filter_id());
        let answer = question(ui, &words, ["Delete", "Keep it"], ids)?;
        self.0.removing = None;
        answer.then_some(ConsignCommand::DiscardDraft(id))
    }
}

fn filter_id() -> Id {
    Id::unique("drafts filter")
}

fn answer_id() -> Id {
    Id::unique("drafts answer")
}

/// Returns the title of a draft, or a placeholder if the draft has no title yet.
fn name(draft: &Draft) -> &str {
    match draft.title() {
        "" => "Untitled draft",
        title => title,
    }
}

/// A row of the dialog.
#[derive(Clone, Copy)]
enum DraftsRow<'a> {
    /// A draft on this bench.
    Own(&'a Draft),
    /// A draft that any bench of the workgroup can take over.
    Waiting(&'a WaitingDraft),
}

/// The buttons of a row.
const DELETE: usize = 0;
const LEAVE: usize = 1;

/// Draws a draft: its name, below it the receiver and goods or why it was not sent, and at the right its state and age.
fn row(ui: &mut Ui, shared: &Shared, draft: &Draft, marked: bool) -> Option<RowEvent> {
    let (word, tone, reason) = state_badge(shared.draft_state(draft));
    let saved = shared.consign.draft_times.get(&draft.id);
    let also = if draft.pending.is_some() {
        " here and at the service"
    } else {
        ""
    };
    let detail = reason.map_or_else(|| second_line(draft), str::to_owned);
    let can_leave = shared.workgroup.is_some() && !shared.consign.is_excluded_from_runs(draft);
    let buttons = [
        (
            icons::ICON_DELETE,
            &*format!("Delete {}{also}", name(draft)),
        ),
        (
            icons::ICON_OUTBOX,
            &*format!("Leave {} for any bench", name(draft)),
        ),
    ];
    ListRow {
        id: Id::unique(("draft", draft.id.as_str())),
        spoken: &format!("{}, {}, {word}", name(draft), draft.to.title()),
        title: name(draft),
        detail: &detail,
        detail_tone: reason.map(|_| tone),
        badge: Some((&word, tone)),
        note: &saved.map(|at| age_of(*at, shared.now)).unwrap_or_default(),
        buttons: if can_leave { &buttons } else { &buttons[..1] },
    }
    .show(ui, marked)
}

/// Draws a draft that any bench can take over: its name, below it the receiver and who left it.
fn waiting_row(
    ui: &mut Ui,
    shared: &Shared,
    draft: &WaitingDraft,
    marked: bool,
) -> Option<RowEvent> {
    let title = match draft.title.as_str() {
        "" => "Untitled draft",
        title => title,
    };
    let left = match draft.clerk.as_str() {
        "" => format!("left by {}", draft.bench_name),
        clerk => format!("left by {clerk} on {}", draft.bench_name),
    };
    let receiver = if draft.title == draft.receiver {
        ""
    } else {
        &draft.receiver
    };
    let word = if draft.is_ready {
        "ready for any bench"
    } else {
        "for any bench"
    };
    ListRow {
        id: Id::unique(("waiting draft", draft.id.as_str())),
        spoken: &format!("{title}, {}, {left}, {word}", draft.receiver),
        title,
        detail: &join_parts(&[receiver, &draft.suburb, &left], " · "),
        detail_tone: None,
        badge: Some((word, Tone::Accent)),
        note: &age_of(draft.since, shared.now),
        buttons: &[],
    }
    .show(ui, marked)
}

/// Formats receiver, place and pieces. Parts that are not typed yet are left out.
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
    join_parts(&[receiver, &draft.to.place, &goods], " · ")
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

/// Returns the drafts that contain every word of the filter: those of this bench, newest first, and then those that wait
/// for any bench.
fn matching_rows<'a>(shared: &'a Shared, filter: &str) -> Vec<DraftsRow<'a>> {
    let filter = filter.to_lowercase();
    let words: Vec<_> = filter.split_whitespace().collect();
    let matches = |texts: &[&str]| {
        let text = texts.join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let own = shared.consign.drafts.iter().filter(|draft| {
        matches(&[
            &draft.reference1,
            &draft.reference2,
            draft.to.title(),
            &draft.to.place,
            draft.pending.as_ref().map_or("", |pending| &pending.number),
            draft.edits.as_ref().map_or("", |edited| &edited.number),
        ])
    });
    let waiting = shared.consign.waiting.iter().filter(|draft| {
        matches(&[
            &draft.title,
            &draft.receiver,
            &draft.suburb,
            &draft.bench_name,
        ])
    });
    let own = own.map(DraftsRow::Own);
    own.chain(waiting.map(DraftsRow::Waiting)).collect()
}
