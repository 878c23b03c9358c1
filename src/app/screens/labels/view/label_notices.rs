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
    let Some(id) = shared.labels.selected else {
        return;
    };
    let state = shared.labels.state(id);
    let problem = shared
        .labels
        .preview
        .value()
        .and_then(|preview| preview.problem.as_ref());
    if let Some(problem) = problem {
        let bar = NoticeBar::new(Tone::Warning, &problem.headline).what_to_do(&problem.advice);
        let page = shared.labels.preview.value().map(|preview| preview.page);
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
    let mut notice = |tone, headline: &str, advice: &str| {
        NoticeBar::new(tone, headline).what_to_do(advice).show(ui);
    };
    match state {
        LabelState::FailedVerification(why) => {
            notice(Tone::Warning, "Label verification failed", why);
        }
        LabelState::Failed(why) => notice(Tone::Bad, "Not sent to the printer", why),
        LabelState::Uncertain(why) => notice(Tone::Unknown, "The label may be on paper", why),
        LabelState::Stale => notice(
            Tone::Warning,
            "The consignment was changed since its label was printed",
            "This is the new label. Throw the old one away",
        ),
        _ => {}
    }
    let is_unverified = matches!(state, LabelState::FailedVerification(_));
    if (is_unverified || matches!(state, LabelState::Failed(_))) && shared.labels.may_be_out(id) {
        notice(
            Tone::Neutral,
            "An earlier copy of this label may already be printed",
            "Check the printer before you print another",
        );
    }
    if let Some(token) = shared.labels.printed_by_token.get(&id) {
        notice(
            Tone::Neutral,
            &format!("Sent with the printer token {token}"),
            "The service may have printed it automatically: check that printer first",
        );
    } else if let LabelState::AtService(words) = state {
        notice(
            Tone::Neutral,
            &format!("Sent to the service's printer {words}"),
            "Packbench can't see whether it printed: check that printer first",
        );
    }
    if is_unverified {
        remedies(ui, context, reasons);
    }
}

/// Draws the buttons for a label that fails label verification.
fn remedies(
    ui: &mut Ui,
    context: &mut Context<'_>,
    reasons: &mut reason_dialog::ReasonDialogState,
) {
    let Some(id) = context.shared.labels.selected else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        for action in [Action::FetchLabel, Action::PrintAnyway] {
            let (entry, key) = (action.entry(), action.key());
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
