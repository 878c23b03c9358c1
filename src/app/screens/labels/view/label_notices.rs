//! The notices above the preview: problems of the selected label, its last result, and whether the service
//! may have printed it too.

use egui::Ui;

use super::reason_dialog;
use crate::state::{LabelState, LabelsCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use widgets::button::Button;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, size};

/// Draws the notices for the selected label. A problem found by the preview replaces all other notices.
pub(super) fn bars(
    ui: &mut Ui,
    context: &mut Context<'_>,
    reasons: &mut reason_dialog::ReasonDialogState,
) {
    let shared = context.shared;
    let Some(id) = shared.selected_label else {
        return;
    };
    let state = shared.label_state(id);
    let problem = shared
        .preview
        .value()
        .and_then(|preview| preview.problem.as_ref());
    if let Some(problem) = problem {
        let bar = NoticeBar::new(Tone::Warning, &problem.headline).what_to_do(&problem.advice);
        let page = shared.preview.value().map(|preview| preview.page);
        match problem.page.filter(|at| Some(*at) != page) {
            Some(at) => {
                let words = format!("Show page {}", at + 1);
                if bar.action(&words).show(ui).acted {
                    context.push(LabelsCommand::Page(at));
                }
            }
            None => drop(bar.show(ui)),
        }
        remedies(ui, context, reasons);
        return;
    }
    match state {
        LabelState::FailedVerification(why) => {
            NoticeBar::new(Tone::Warning, "Label verification failed")
                .what_to_do(why)
                .show(ui);
            remedies(ui, context, reasons);
        }
        LabelState::Failed(why) => {
            NoticeBar::new(Tone::Bad, "Not sent to the printer")
                .what_to_do(why)
                .show(ui);
        }
        LabelState::Uncertain(why) => {
            NoticeBar::new(Tone::Unknown, "The label may be on paper")
                .what_to_do(why)
                .show(ui);
        }
        LabelState::Stale => {
            let headline = "The consignment was changed since its label was printed";
            NoticeBar::new(Tone::Warning, headline)
                .what_to_do("This is the new label. Throw the old one away")
                .show(ui);
        }
        _ => {}
    }
    if matches!(
        state,
        LabelState::Failed(_) | LabelState::FailedVerification(_)
    ) && shared.may_be_out(id)
    {
        NoticeBar::new(
            Tone::Neutral,
            "An earlier copy of this label may already be printed",
        )
        .what_to_do("Check the printer before you print another")
        .show(ui);
    }
    if let Some(token) = shared.printed_by_token.get(&id) {
        let headline = format!("Sent with the printer token {token}");
        NoticeBar::new(Tone::Neutral, &headline)
            .what_to_do("The service may have printed it automatically: check that printer first")
            .show(ui);
    } else if let LabelState::AtService(words) = state {
        let headline = format!("Sent to the service's printer {words}");
        NoticeBar::new(Tone::Neutral, &headline)
            .what_to_do("Packbench can't see whether it printed: check that printer first")
            .show(ui);
    }
}

/// Draws the buttons for a label that fails label verification.
fn remedies(
    ui: &mut Ui,
    context: &mut Context<'_>,
    reasons: &mut reason_dialog::ReasonDialogState,
) {
    let Some(id) = context.shared.selected_label else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        for action in [Action::FetchLabel, Action::PrintAnyway] {
            let entry = action.entry();
            let key = action.key();
            let button = Button::new(entry.name).icon(entry.icon).key(&key);
            if ui.add(button).on_hover_text(entry.tooltip).clicked() {
                if action == Action::FetchLabel {
                    context.push(LabelsCommand::FetchAgain(id));
                } else {
                    reasons.ask_override(id);
                }
            }
        }
    });
}
