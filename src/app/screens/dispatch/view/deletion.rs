//! Deletes consignments at the service. Each deletion can be undone for some seconds; many, hidden or scanned
//! consignments must also be confirmed first.

use egui::{Label, Ui};

use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::DispatchCommand;
use crate::ui::Context;
use crate::ui::environment;
use crate::ui::format::{counted, first_and_count};
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::hold_button::HoldButton;
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::palette;

/// Up to this many consignments are deleted without confirmation: the status line offers to undo it.
const MAX_UNCONFIRMED: usize = 10;
/// Maximum number of consignment numbers listed in the dialog.
const MOST_NAMED: usize = 24;

/// State of the dialog that confirms a deletion.
#[derive(Default)]
pub(super) struct DeletionState {
    open: bool,
    ids: Vec<ConsignmentId>,
    /// Numbers of visible rows that the clerk chose.
    ticked: Vec<String>,
    /// Numbers of rows that a scan ticked.
    scanned: Vec<String>,
    /// Numbers of rows that the filter hides.
    hidden: Vec<String>,
    /// Why nothing can be deleted; `None` if at least one consignment can.
    locked_reason: Option<String>,
}

impl DeletionState {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Deletes the chosen consignments that are not locked. Asks for confirmation first if there are many, if the
    /// filter hides some of them, or if a scan ticked a row. If all are locked, opens the dialog with the reason.
    pub(super) fn begin(
        &mut self,
        context: &mut Context<'_>,
        chosen: &[ConsignmentId],
        hidden: &[ConsignmentId],
        scanned: Option<ConsignmentId>,
    ) {
        let shared = context.shared;
        if chosen.is_empty() {
            return;
        }
        *self = Self::default();
        let listed = chosen.iter().filter(|id| shared.dispatch.lists(**id));
        for id in listed.filter(|id| !shared.operations.locked.contains_key(id)) {
            self.ids.push(*id);
            let numbers = if Some(*id) == scanned {
                &mut self.scanned
            } else if hidden.contains(id) {
                &mut self.hidden
            } else {
                &mut self.ticked
            };
            numbers.push(shared.number(*id));
        }
        self.locked_reason = chosen
            .iter()
            .find_map(|id| lock_reason(shared, *id))
            .map(|held| held.why)
            .filter(|_| self.ids.is_empty());
        let seen = self.scanned.is_empty() && self.hidden.is_empty();
        self.open = self.locked_reason.is_some() || self.ids.len() > MAX_UNCONFIRMED || !seen;
        if !self.open {
            context.push(DispatchCommand::Delete(std::mem::take(&mut self.ids)));
        }
    }

    fn title(&self) -> String {
        let numbers = [&self.ticked, &self.scanned, &self.hidden];
        let mut numbers = numbers.into_iter().flatten();
        match (&self.locked_reason, numbers.next(), numbers.next()) {
            (Some(_), ..) => "Can't delete this now".to_owned(),
            (None, Some(one), None) => format!("Delete {one}"),
            _ => format!("Delete {}", self.count()),
        }
    }

    fn count(&self) -> String {
        counted(self.ids.len(), "consignment", "consignments")
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let mut open = self.open;
        Modal::new("deletion", &self.title()).show(ui, &mut open, |ui, open| {
            let p = palette(ui);
            if let Some(why) = &self.locked_reason {
                ui.add(Label::new(text::body(why.as_str())).wrap());
                ui.add_space(6.0);
                if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                    *open = false;
                }
                return;
            }
            let words =
                "Deletes these consignments at the service, for everyone. No carrier is notified";
            text::note(ui, words);
            for (head, numbers) in [
                ("", &self.ticked),
                ("Ticked by a scan:", &self.scanned),
                ("Hidden by the filter:", &self.hidden),
            ] {
                if numbers.is_empty() {
                    continue;
                }
                if !head.is_empty() {
                    ui.label(text::body(head).color(p.muted));
                }
                let numbers = first_and_count(numbers, MOST_NAMED);
                ui.add(Label::new(text::mono(numbers)).wrap());
            }
            environment::line(ui, context.shared);
            ui.add_space(2.0);
            let words = format!("Hold to delete {}", self.count());
            if HoldButton::new(&words).show(ui).completed {
                context.push(DispatchCommand::Delete(std::mem::take(&mut self.ids)));
                *open = false;
            }
            if ui.add(Button::new("Keep").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        self.open = open;
    }
}
