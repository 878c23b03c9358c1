//! The dialog that asks why a label is printed again, or printed although label verification failed. The
//! reason is chosen from a short list or typed.

use egui::{Id, Ui};

use super::jobs::is_stuck;
use crate::state::{LabelState, LabelsCommand, QueuedJobState, ReprintRequest, Shared};
use crate::ui::Context;
use crate::ui::format::{counted, grouped};
use crate::ui::parts::{is_reason, reason_field};
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::hold_button::HoldButton;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::text;
use widgets::tokens::Tone;

const REPRINT_REASONS: [&str; 4] = [
    "Torn or smudged",
    "Lost",
    "Wrong printer or paper",
    "Printer jammed",
];

const OVERRIDE_REASONS: [&str; 3] = [
    "Scanner reads the barcode",
    "Carrier accepts it without the barcode",
    "Test only, not for use",
];

#[derive(Debug)]
enum ReasonRequest {
    /// Print labels again. Some of them may not be printed yet.
    Reprint(ReprintRequest),
    /// Print a label that fails label verification.
    Override(ConsignmentId),
}

/// State of the dialog, with the text that is typed into it.
#[derive(Debug, Default)]
pub(super) struct ReasonDialogState {
    /// The request that needs a reason; `Some` while the dialog is open.
    about: Option<ReasonRequest>,
    reason: String,
}

impl ReasonDialogState {
    pub(super) const fn is_open(&self) -> bool {
        self.about.is_some()
    }

    /// Asks for the reason to print labels again.
    pub(super) fn ask_reprint(&mut self, ids: Vec<ConsignmentId>) {
        if !ids.is_empty() {
            self.begin(ReasonRequest::Reprint(ReprintRequest {
                maybe_printed: ids.clone(),
                all: ids,
            }));
        }
    }

    /// Asks for the reason to print a label that fails label verification.
    pub(super) fn ask_override(&mut self, id: ConsignmentId) {
        self.begin(ReasonRequest::Override(id));
    }

    fn begin(&mut self, about: ReasonRequest) {
        self.about = Some(about);
        self.reason.clear();
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        // Any screen can request to print labels again, but only this dialog asks for the reason.
        if let Some(again) = &context.shared.labels.print_again
            && self.about.is_none()
            && !context.has_command(&LabelsCommand::CancelReprint.into())
        {
            self.begin(ReasonRequest::Reprint(again.clone()));
        }
        let Self { about, reason } = self;
        let title = match about {
            Some(ReasonRequest::Override(_)) => "Print anyway",
            Some(ReasonRequest::Reprint(again)) if again.is_partial() => "Some are already printed",
            Some(ReasonRequest::Reprint(again)) if again.all.len() > 1 => "Reprint labels",
            _ => "Reprint label",
        };
        let mut open = about.is_some();
        Modal::new("reason", title).show(ui, &mut open, |ui, open| {
            if let Some(about) = about {
                ask(ui, context, about, reason, open);
            }
        });
        if !open && self.about.take().is_some() && context.shared.labels.print_again.is_some() {
            context.push(LabelsCommand::CancelReprint);
        }
    }
}

fn ask(
    ui: &mut Ui,
    context: &mut Context<'_>,
    about: &ReasonRequest,
    reason: &mut String,
    open: &mut bool,
) {
    ui.spacing_mut().item_spacing.y = 8.0;
    text::note(ui, explain(context.shared, about));
    match about {
        ReasonRequest::Reprint(again) if again.is_partial() => {
            unprinted_only(ui, context, again, open);
        }
        ReasonRequest::Reprint(again) => queued_copies(ui, context, &again.all, open),
        ReasonRequest::Override(_) => {}
    }
    let reasons: &[&str] = match about {
        ReasonRequest::Override(_) => &OVERRIDE_REASONS,
        ReasonRequest::Reprint(_) => &REPRINT_REASONS,
    };
    let (field, picked) = reason_field(ui, Id::unique("reason"), reason, reasons, |reason| {
        // A scanner may type a number and Enter into the field, but a number is not a reason.
        let is_number = !reason.trim().is_empty() && !is_reason(reason);
        is_number.then_some("Enter a reason in words, not a number")
    });
    ui.add_space(4.0);
    let is_said = is_reason(reason);
    let confirmed = match about {
        ReasonRequest::Override(_) => {
            let hold = HoldButton::new("Hold to print anyway");
            let held = ui.add_enabled_ui(is_said, |ui| hold.show(ui));
            held.inner.completed
        }
        ReasonRequest::Reprint(again) => {
            let count = again.all.len();
            let all = format!("Print all {}", grouped(count));
            let several = format!("Reprint {}", counted(count, "label", "labels"));
            let button = match count {
                _ if again.is_partial() => Button::new(&all),
                1 => Button::primary("Reprint"),
                _ => Button::primary(&several),
            };
            let pressed = ui.add_enabled(is_said, button.fill_width(ui)).clicked();
            pressed || picked || field.entered
        }
    };
    if confirmed && is_said {
        let reason = reason.trim().to_owned();
        context.push(match about {
            ReasonRequest::Reprint(again) => LabelsCommand::Reprint(again.all.clone(), reason),
            ReasonRequest::Override(id) => LabelsCommand::PrintWithOverride(*id, reason),
        });
        *open = false;
    }
}

/// Offers to print only the labels that are not printed yet, which needs no reason.
fn unprinted_only(ui: &mut Ui, context: &mut Context<'_>, again: &ReprintRequest, open: &mut bool) {
    let mut fresh = again.all.clone();
    fresh.retain(|id| !again.maybe_printed.contains(id));
    let words = match fresh.len() {
        1 => "Print only the one not printed yet".to_owned(),
        count => format!("Print only the {} not printed yet", grouped(count)),
    };
    if ui.add(Button::primary(&words).fill_width(ui)).clicked() {
        context.push(LabelsCommand::Print(fresh));
        *open = false;
    }
    let all = format!("Or reprint all {}, because:", grouped(again.all.len()));
    ui.label(text::strong(all));
}

/// Warns that a label still waits in a printer's queue, so that both copies would be printed. Offers to release or
/// cancel the waiting label.
fn queued_copies(ui: &mut Ui, context: &mut Context<'_>, ids: &[ConsignmentId], open: &mut bool) {
    let labels = &context.shared.labels;
    let newest = ids.iter().filter_map(|id| labels.newest_job(*id));
    let waiting: Vec<_> = newest.filter(|job| is_stuck(job)).collect();
    let Some(first) = waiting.first() else {
        return;
    };
    let is_held = first.queue_entry.state == Some(QueuedJobState::Held);
    let (what, advice) = match waiting.len() {
        1 if is_held => (
            format!("{} is", first.number),
            "Release it instead, or cancel it first, or both will print",
        ),
        1 => (
            format!("{} is", first.number),
            "It will print when the printer is back. Cancel it first, or both will print",
        ),
        count => (
            format!("{} are", grouped(count)),
            "Cancel them under Jobs first, or both copies will print",
        ),
    };
    let headline = format!("{what} still in the queue of {}", first.printer);
    NoticeBar::new(Tone::Warning, &headline)
        .what_to_do(advice)
        .show(ui);
    if waiting.len() > 1 {
        return;
    }
    ui.horizontal(|ui| {
        if is_held && ui.add(Button::new("Release")).clicked() {
            context.push(LabelsCommand::ReleaseJob(first.id));
            *open = false;
        }
        if ui.add(Button::new("Cancel it")).clicked() {
            context.push(LabelsCommand::CancelJob(first.id));
        }
    });
}

fn explain(shared: &Shared, about: &ReasonRequest) -> String {
    match about {
        ReasonRequest::Reprint(again) if again.is_partial() => format!(
            "{} of {} may already be printed",
            grouped(again.maybe_printed.len()),
            grouped(again.all.len())
        ),
        ReasonRequest::Reprint(again) => {
            let mut states = again.all.iter().map(|id| shared.labels.state(*id));
            let at_service = states.find_map(|state| match state {
                LabelState::AtService(words) => Some(words),
                _ => None,
            });
            let kept = "Duplicate labels can cause misdelivery: the reason is kept with the job";
            at_service.map_or_else(
                || kept.to_owned(),
                |words| format!("The service may have printed it ({words}). {kept}"),
            )
        }
        ReasonRequest::Override(id) => {
            let out = if shared.labels.may_be_out(*id) {
                "This label may already be printed: this is another copy. "
            } else {
                ""
            };
            let why = match shared.labels.state(*id) {
                LabelState::FailedVerification(words) => words,
                _ => "The label failed verification",
            };
            format!("{out}{why}. Your reason is kept with the job")
        }
    }
}
