//! The card of a batch of labels: its progress, a button to stop it, and the choices when it can't continue.

use egui::{Label, Ui};

use crate::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, DocumentKind, LabelState, LabelsCommand,
    Shared, ShrinkWarning,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, grouped};
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette};
use widgets::{menu, progress, text};

/// Maximum number of failed labels listed one by one.
const MOST: usize = 6;

/// Draws the card, and runs the requested actions that the batch offers in its present stage.
pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(batch) = &shared.labels.batch else {
        return;
    };
    let offers = offers(shared, batch);
    for (action, command, _) in &offers {
        if context.is_triggered(*action) {
            context.push(LabelsCommand::Batch(*command));
        }
    }
    if batch.is_running() && batch.total == 1 {
        // A single label is done before the card could be read; the queue and the status line show it.
        return;
    }
    let (tone, headline) = headline(batch);
    Card::plain().tone(tone).body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        let ink = tone.ink(palette(ui));
        ui.add(Label::new(text::strong(headline).color(ink)).wrap());
        if batch.is_running() {
            let about = format!("· {} → {}", batch.number, batch.printer);
            progress::bar(ui, batch.done, batch.total, &about, Tone::Accent);
        } else {
            text::small_note(ui, rest_summary(batch));
            faults(ui, context, batch);
        }
        for (at, (action, command, words)) in offers.iter().enumerate() {
            let goes_on = matches!(command, BatchCommand::Retry | BatchCommand::Continue);
            let new = if at == 0 && goes_on {
                Button::primary
            } else {
                Button::new
            };
            let key = action.key();
            let button = ui.add(new(words).key(&key).fill_width(ui));
            if button.on_hover_text(action.entry().tooltip).clicked() {
                context.push(LabelsCommand::Batch(*command));
            }
        }
    });
}

fn headline(batch: &BatchProgress) -> (Tone, String) {
    match &batch.stage {
        BatchStage::Running => (Tone::Accent, "Printing".to_owned()),
        BatchStage::Stopping => (Tone::Accent, format!("Stopping after {}", batch.number)),
        BatchStage::Stopped => (Tone::Warning, "Stopped".to_owned()),
        BatchStage::Halted(_) => (Tone::Bad, "Printing halted".to_owned()),
        BatchStage::NeedsDecision(shrunk) => (Tone::Warning, shrunk.to_string()),
        BatchStage::LeftOver => {
            let count = batch.rest.len();
            let were = if count == 1 { "was" } else { "were" };
            let labels = counted(count, "label", "labels");
            let words = format!("{labels} {were} not printed: Packbench was closed first");
            (Tone::Warning, words)
        }
        BatchStage::Ended => (Tone::Bad, batch.not_printed(false)),
    }
}

/// Describes how many labels were sent, how many are waiting, and what to do.
fn rest_summary(batch: &BatchProgress) -> String {
    let (sent, total) = (grouped(batch.sent), grouped(batch.total));
    let sent = format!("{sent} of {total} sent to printer");
    let advice = match &batch.stage {
        BatchStage::LeftOver => {
            return "Labels already sent to the printer are not printed again".to_owned();
        }
        BatchStage::Halted(why) => Some(why.clone()),
        BatchStage::NeedsDecision(_) => Some(ShrinkWarning::ADVICE.to_owned()),
        _ => None,
    };
    let rest = match batch.rest.len() {
        0 => None,
        1 => Some("1 waiting".to_owned()),
        count => Some(format!("{} waiting", grouped(count))),
    };
    let parts = [Some(sent), rest, advice].into_iter().flatten();
    parts.collect::<Vec<_>>().join(" · ")
}

fn faults(ui: &mut Ui, context: &mut Context<'_>, batch: &BatchProgress) {
    for fault in batch.failed.iter().take(MOST) {
        if ui.add(Button::quiet(&fault.number).small()).clicked() {
            context.push(LabelsCommand::Select(fault.consignment));
        }
        text::small_note(ui, &fault.reason);
    }
    if let Some(more @ 1..) = batch.failed.len().checked_sub(MOST) {
        menu::note(ui, &format!("and {more} more, in the queue under Failed"));
    }
}

/// Returns the choices of the batch with their button texts, the likeliest first.
fn offers(shared: &Shared, batch: &BatchProgress) -> Vec<(Action, BatchCommand, String)> {
    let rest = batch.rest.len();
    let mut on = match rest {
        1 => "Print the remaining label".to_owned(),
        count => format!("Print the {} remaining labels", grouped(count)),
    };
    if let Some(chosen) = another_printer(shared, batch) {
        on = format!("{on} on {chosen} instead of {}", batch.printer);
    }
    let go_on = (Action::ResumePrinting, BatchCommand::Continue, on);
    let offer = |action, command, words: &str| (action, command, words.to_owned());
    let put_away = |words| offer(Action::CancelRemainingLabels, BatchCommand::PutAway, words);
    match &batch.stage {
        BatchStage::Running => vec![offer(Action::StopPrinting, BatchCommand::Stop, "Stop")],
        BatchStage::Stopping => Vec::new(),
        BatchStage::NeedsDecision(shrunk) if rest > 0 => {
            let words = format!("Print at {} %", shrunk.percent);
            let smaller = (Action::ResumePrinting, BatchCommand::Continue, words);
            vec![smaller, put_away("Don't print them")]
        }
        BatchStage::Stopped | BatchStage::LeftOver if rest > 0 => {
            vec![go_on, put_away("Cancel remaining labels")]
        }
        BatchStage::Halted(_) => {
            let is_failed = |fault: &&BatchFault| {
                matches!(
                    shared.labels.state(fault.consignment),
                    LabelState::Failed(_)
                )
            };
            let again = batch.failed.last().filter(is_failed);
            let again = again.map(|fault| {
                let words = format!("Try again from {}", fault.number);
                (Action::RetryPrinting, BatchCommand::Retry, words)
            });
            let rest = (rest > 0).then_some(go_on);
            let stop = Some(put_away("Stop here"));
            [again, rest, stop].into_iter().flatten().collect()
        }
        BatchStage::Stopped
        | BatchStage::LeftOver
        | BatchStage::NeedsDecision(_)
        | BatchStage::Ended => vec![put_away("Seen")],
    }
}

/// Returns the printer that the remaining labels would now go to, if it is not the printer of the batch.
fn another_printer<'a>(shared: &'a Shared, batch: &BatchProgress) -> Option<&'a str> {
    let mut routes = shared.labels.documents.iter();
    let route = routes.find(|route| route.kind == DocumentKind::ItemLabels)?;
    let chosen = route.printer.as_deref()?;
    (chosen != batch.printer && !batch.printer.is_empty()).then_some(chosen)
}
