//! The dialogs that set a status or cancel, for one consignment or many. Consignments that can't be set are
//! listed with the reason before anything is sent. Permission is not checked here: callers disable the
//! actions that the service has refused to this token.

mod cancel;
mod preview;
mod set;

use std::rc::Rc;

use egui::{KeyboardShortcut, Modifiers, Ui};

use super::page::CopyConfirmation;
use crate::state::TrackCommand;
use crate::ui::Context;
use draft::{StatusChangeDraft, StatusField, StatusPlan};
use preview::StatusPreview;
use shipping::{ConsignmentId, StatusId};
use widgets::modal::Modal;

/// Largest number of consignments for one status change.
const MAX_CONSIGNMENTS: usize = 1_000;

const SEND: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, egui::Key::Enter);

/// The dialogs, and the draft of the status change.
#[derive(Default)]
pub(crate) struct StatusDialog {
    open: bool,
    /// The consignments whose status will be set.
    ids: Vec<ConsignmentId>,
    /// Number of requested consignments above `MOST`, which are left out.
    over_limit: usize,
    draft: StatusChangeDraft,
    /// True after an attempt to send an invalid draft: every problem is then shown.
    tried: bool,
    copied: CopyConfirmation,
    /// True until the reason field has been given the focus.
    wants_reason: bool,
    /// The preview of the current draft, kept until one of its inputs changes.
    preview: Option<Rc<StatusPreview>>,
}

/// Problems by field.
type Problems = Vec<(StatusField, String)>;

impl StatusDialog {
    pub(in crate::screens::track::view) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog that sets a status.
    pub(in crate::screens::track::view) fn set(
        &mut self,
        context: &mut Context<'_>,
        ids: Vec<ConsignmentId>,
    ) {
        self.begin(context, ids, StatusChangeDraft::default());
    }

    /// Opens the dialog that cancels.
    pub(in crate::screens::track::view) fn cancel(
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
        let beyond = ids.len().saturating_sub(MAX_CONSIGNMENTS);
        ids.truncate(MAX_CONSIGNMENTS);
        context.push(TrackCommand::LoadForStatus(ids.clone()));
        *self = Self {
            open: true,
            ids,
            over_limit: beyond,
            wants_reason: draft.is_cancellation(),
            draft,
            ..Self::default()
        };
    }

    pub(in crate::screens::track::view) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if !self.open {
            self.preview = None;
        }
        let title = self.title(context);
        let mut open = self.open;
        Modal::new("status", &title)
            .width(520.0)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 8.0;
                let weighed = self.preview(context);
                if self.draft.is_cancellation() {
                    self.ask_cancel(ui, context, &weighed, open);
                } else {
                    self.ask_set(ui, context, &weighed, open);
                }
            });
        self.open = open;
    }

    /// Returns the preview for the current draft, computed again only if an input changed.
    fn preview(&mut self, context: &Context<'_>) -> Rc<StatusPreview> {
        let shared = context.shared;
        let is_so =
            |weighed: &&Rc<StatusPreview>| weighed.is_current(shared, &self.ids, &self.draft);
        if let Some(weighed) = self.preview.as_ref().filter(is_so) {
            return Rc::clone(weighed);
        }
        let weighed = StatusPreview::of(shared, &self.ids, self.over_limit, &self.draft);
        let weighed = Rc::new(weighed);
        self.preview = Some(Rc::clone(&weighed));
        weighed
    }

    fn title(&mut self, context: &Context<'_>) -> String {
        let what = if self.draft.is_cancellation() {
            "Cancel"
        } else {
            "Set the status of"
        };
        match *self.ids.as_slice() {
            [one] => {
                let weighed = self.preview(context);
                let number = weighed.first().map(|row| row.number.clone());
                format!("{what} {}", number.unwrap_or_else(|| format!("MS{one}")))
            }
            ref many => format!("{what} {} consignments", many.len()),
        }
    }

    /// Returns the problem of a field, if the field has an input or sending was attempted.
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

    /// Sends the change if the draft is valid; otherwise shows every problem.
    fn send(
        &mut self,
        context: &mut Context<'_>,
        said: &Result<StatusPlan, Problems>,
        open: &mut bool,
    ) {
        match said {
            Ok(plan) => {
                context.push(TrackCommand::SetStatuses(plan.updates.clone()));
                *open = false;
            }
            Err(_shown) => self.tried = true,
        }
    }
}

/// Returns the name of a status.
fn name(status: StatusId) -> String {
    status
        .name()
        .map_or_else(|| format!("status {}", status.get()), str::to_owned)
}
