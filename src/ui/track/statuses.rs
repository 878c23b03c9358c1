//! Statuses set by hand: one consignment or many; cancelling has a question of its own.
//!
//! What always holds: what can't be set is left out and said, with why, before anything is sent; what is typed is checked at
//! its field. Whether the token may is not known here: what it may not is not offered.

mod cancel;
mod set;
mod targets;

use std::rc::Rc;

use egui::{KeyboardShortcut, Modifiers, Ui};

use super::page::Copied;
use crate::draft::{StatusChangeDraft, StatusField, StatusPlan};
use crate::shipping::{ConsignmentId, StatusId};
use crate::state::TrackCommand;
use crate::ui::Context;
use crate::ui::kit::modal::Modal;
use targets::Weighed;

/// Consignments that are set at once.
const MOST: usize = 1_000;

/// Sends what is typed.
const SEND: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, egui::Key::Enter);

/// The dialogs, and what is typed into them.
#[derive(Default)]
pub(in crate::ui) struct State {
    open: bool,
    /// Whose status.
    ids: Vec<ConsignmentId>,
    /// How many more were asked for than can be set at once.
    beyond: usize,
    draft: StatusChangeDraft,
    /// It was to be sent as it is: every problem is shown.
    tried: bool,
    copied: Copied,
    /// The reason is to have the focus, whatever stands before it.
    wants_reason: bool,
    /// What came of what is typed, until something of that is another.
    weighed: Option<Rc<Weighed>>,
}

/// What is wrong, by field.
type Problems = Vec<(StatusField, String)>;

impl State {
    pub(in crate::ui::track) const fn is_open(&self) -> bool {
        self.open
    }

    /// Asks which status these are to be set to.
    pub(in crate::ui::track) fn set(&mut self, context: &mut Context<'_>, ids: Vec<ConsignmentId>) {
        self.begin(context, ids, StatusChangeDraft::default());
    }

    /// Asks whether these are to be cancelled.
    pub(in crate::ui::track) fn cancel(
        &mut self,
        context: &mut Context<'_>,
        ids: Vec<ConsignmentId>,
    ) {
        self.begin(context, ids, StatusChangeDraft::cancel());
    }

    fn begin(
        &mut self,
        context: &mut Context<'_>,
        mut ids: Vec<ConsignmentId>,
        draft: StatusChangeDraft,
    ) {
        if ids.is_empty() {
            return;
        }
        let beyond = ids.len().saturating_sub(MOST);
        ids.truncate(MOST);
        context.ask(TrackCommand::Weigh(ids.clone()));
        *self = Self {
            open: true,
            ids,
            beyond,
            wants_reason: draft.cancels(),
            draft,
            ..Self::default()
        };
    }

    /// Draws the one that is open.
    pub(in crate::ui::track) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if !self.open {
            self.weighed = None;
        }
        let title = self.title(context);
        let mut open = self.open;
        Modal::new("status", &title)
            .width(520.0)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 8.0;
                let weighed = self.weighed(context);
                if self.draft.cancels() {
                    self.ask_cancel(ui, context, &weighed, open);
                } else {
                    self.ask_set(ui, context, &weighed, open);
                }
            });
        self.open = open;
    }

    /// What came of what is typed.
    fn weighed(&mut self, context: &Context<'_>) -> Rc<Weighed> {
        let shared = context.shared;
        let is_so = |weighed: &&Rc<Weighed>| weighed.is_of(shared, &self.ids, &self.draft);
        if let Some(weighed) = self.weighed.as_ref().filter(is_so) {
            return Rc::clone(weighed);
        }
        let weighed = Weighed::of(shared, &self.ids, self.beyond, &self.draft);
        let weighed = Rc::new(weighed);
        self.weighed = Some(Rc::clone(&weighed));
        weighed
    }

    fn title(&mut self, context: &Context<'_>) -> String {
        let what = if self.draft.cancels() {
            "Cancel"
        } else {
            "Set the status of"
        };
        match *self.ids.as_slice() {
            [one] => {
                let weighed = self.weighed(context);
                let number = weighed.first().map(|row| row.number.clone());
                format!("{what} {}", number.unwrap_or_else(|| format!("MS{one}")))
            }
            ref many => format!("{what} {} consignments", many.len()),
        }
    }

    /// What is wrong with a field, once it is to be sent or something is typed into it.
    fn problem<'a>(
        &self,
        said: &'a Result<StatusPlan, Problems>,
        field: StatusField,
    ) -> Option<&'a str> {
        let typed = match field {
            StatusField::Status => self.draft.status.is_some(),
            StatusField::Time => !self.draft.time.trim().is_empty(),
            StatusField::Item => self.draft.item.is_some(),
            StatusField::Information => self.draft.information.len() > 100,
        };
        if !typed && !self.tried {
            return None;
        }
        let problems = said.as_ref().err()?;
        let found = problems.iter().find(|(of, _)| *of == field);
        found.map(|(_, words)| words.as_str())
    }

    /// Sends it where nothing is wrong; else every problem is shown.
    fn send(
        &mut self,
        context: &mut Context<'_>,
        said: &Result<StatusPlan, Problems>,
        open: &mut bool,
    ) {
        match said {
            Ok(plan) => {
                context.ask(TrackCommand::SetStatuses(plan.updates.clone()));
                *open = false;
            }
            Err(_shown) => self.tried = true,
        }
    }
}

/// A status as a clerk reads it.
fn name(status: StatusId) -> String {
    status
        .name()
        .map_or_else(|| format!("status {}", status.get()), str::to_owned)
}
