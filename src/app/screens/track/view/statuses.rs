//! The dialogs that set a status or cancel, for one consignment or many. Consignments that can't be set are
//! listed with the reason before anything is sent. Permission is not checked here: callers disable the
//! actions that the service has refused to this token.

mod cancel;
mod preview;
mod set;

use egui::{KeyboardShortcut, Modifiers, Ui};

use super::page::CopyConfirmation;
use crate::state::TrackCommand;
use crate::ui::Context;
use draft::{StatusChangeDraft, StatusField};
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
    /// Number of requested consignments above `MAX_CONSIGNMENTS`, which are left out.
    over_limit: usize,
    draft: StatusChangeDraft,
    /// True after an attempt to send an invalid draft: every problem is then shown.
    tried: bool,
    copied: CopyConfirmation,
    /// True until the reason field has been given the focus.
    wants_reason: bool,
}

impl StatusDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog that sets a status or, with the draft of a cancellation, cancels.
    pub(super) fn begin(
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

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let make = || StatusPreview::of(context.shared, &self.ids, self.over_limit, &self.draft);
        let preview = self.open.then(make);
        let title = preview.as_ref().map(|preview| self.title(preview));
        let mut open = self.open;
        let modal = Modal::new("status", title.as_deref().unwrap_or_default()).width(520.0);
        modal.show(ui, &mut open, |ui, open| {
            let Some(preview) = &preview else { return };
            ui.spacing_mut().item_spacing.y = 8.0;
            let confirmed = if self.draft.is_cancellation() {
                self.ask_cancel(ui, preview)
            } else {
                self.ask_set(ui, context, preview)
            };
            match &preview.result {
                Ok(plan) if confirmed => {
                    context.push(TrackCommand::SetStatuses(plan.updates.clone()));
                    *open = false;
                }
                // From now on, every problem is shown.
                _ => self.tried |= confirmed,
            }
        });
        self.open = open;
    }

    fn title(&self, preview: &StatusPreview) -> String {
        let what = if self.draft.is_cancellation() {
            "Cancel"
        } else {
            "Set the status of"
        };
        match (self.ids.as_slice(), preview.rows.first()) {
            ([_], Some(row)) => format!("{what} {}", row.number),
            ([one], None) => format!("{what} MS{one}"),
            (many, _) => format!("{what} {} consignments", many.len()),
        }
    }

    /// Returns the problem of a field, if the field has an input or sending was attempted.
    fn problem<'a>(&self, preview: &'a StatusPreview, field: StatusField) -> Option<&'a str> {
        let typed = match field {
            StatusField::Status => self.draft.status.is_some(),
            StatusField::Time => !self.draft.time.trim().is_empty(),
            StatusField::Item => self.draft.item.is_some(),
            StatusField::Information => self.draft.information.len() > 100,
        };
        if !typed && !self.tried {
            return None;
        }
        let problems = preview.result.as_ref().err()?;
        let found = problems.iter().find(|(of, _)| *of == field);
        found.map(|(_, words)| words.as_str())
    }
}

/// Returns the name of a status.
fn name(status: StatusId) -> String {
    let name = status.name().map(str::to_owned);
    name.unwrap_or_else(|| format!("status {}", status.get()))
}
