//! The card of the running batch of labels (its progress, a button to stop it, and the choices if it can't continue),
//! and the card of print jobs: the state of each job at Packbench and in its queue, the actions on the job, and the
//! question whether it was printed, which only a person can answer.

use std::collections::{BTreeMap, HashMap};

use egui::{Align, Label, Layout, Ui};
use jiff::Timestamp;

use crate::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, JobId, JobState, JobSubject, LabelState,
    LabelsCommand, PrintJob, QueuedJobState, Shared, ShrinkWarning,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock, counted, grouped};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::hold_button::HoldButton;
use widgets::tokens::{Tone, palette};
use widgets::{progress, text};

/// Maximum number of failed labels that are listed in the card.
const MOST: usize = 6;

/// Draws the batch's card, and runs the triggered actions that the batch offers in its current stage.
pub(super) fn batch_card(ui: &mut Ui, context: &mut Context<'_>) {
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
        // A single label is sent before anybody could read the card; the queue and the status line show the label.
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

/// Describes how many labels were sent, how many are waiting, and why the batch is waiting.
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
        text::small_note(ui, format!("and {more} more, in the queue under Failed"));
    }
}

/// Returns the choices of the batch with their button texts, the most likely choice first.
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

/// Returns the printer that would now print the remaining labels, if it is not the printer of the batch.
fn another_printer<'a>(shared: &'a Shared, batch: &BatchProgress) -> Option<&'a str> {
    let mut printers = batch.rest.iter().map(|id| shared.label_printer_of(*id));
    let chosen = printers.next()??;
    let is_one = printers.all(|printer| printer == Some(chosen));
    (is_one && chosen != batch.printer && !batch.printer.is_empty()).then_some(chosen)
}

/// Rows up to this many points outside the visible area are drawn too, so that Tab can reach them.
const NEAR: f32 = 300.0;

/// Assumed height of a row that was never drawn, in points.
const USUAL_HEIGHT: f32 = 52.0;

/// Height of each job's row as it was last drawn, in points.
pub(super) type RowHeights = HashMap<JobId, f32>;

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, heights: &mut RowHeights) {
    let mut jobs: Vec<&PrintJob> = context.shared.labels.jobs.iter().collect();
    jobs.sort_by_key(|job| match job {
        job if job.state == JobState::Ask => 0,
        job if is_stuck(job) => 1,
        job if is_in_queue(job) => 2,
        _ => 3,
    });
    let asks = jobs.iter().filter(|job| job.state == JobState::Ask).count();
    let stuck = jobs.iter().filter(|job| is_stuck(job)).count();
    Card::new("Jobs").show(
        ui,
        |ui| {
            if asks > 0 {
                Badge::new(Tone::Unknown, &format!("{asks} to check")).show(ui);
            }
            if stuck > 0 {
                Badge::new(Tone::Warning, &format!("{stuck} waiting")).show(ui);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            if jobs.is_empty() {
                text::note(ui, "Nothing printed yet");
            }
            let mut queues: BTreeMap<&str, usize> = BTreeMap::new();
            for job in jobs.iter().filter(|job| is_in_queue(job)) {
                *queues.entry(&job.printer).or_default() += 1;
            }
            for (printer, count) in queues.into_iter().filter(|(_, count)| *count > 1) {
                let words = format!("Cancel all {count} in the queue of {printer}");
                if HoldButton::new(&words).secondary().show(ui).completed {
                    context.push(LabelsCommand::CancelAllJobs(printer.to_owned()));
                }
            }
            rows(ui, context, &jobs, heights);
        },
    );
}

/// Draws the visible rows, and leaves empty space for all other rows.
fn rows(ui: &mut Ui, context: &mut Context<'_>, jobs: &[&PrintJob], heights: &mut RowHeights) {
    let seen = ui.clip_rect().expand(NEAR).y_range();
    let mut skipped = 0.0;
    for (at, job) in jobs.iter().enumerate() {
        let height = heights.get(&job.id).copied().unwrap_or(USUAL_HEIGHT);
        let top = ui.cursor().top() + skipped;
        if top > seen.max || top + height < seen.min {
            skipped += height + ui.spacing().item_spacing.y;
            continue;
        }
        if skipped > 0.0 {
            // No spacing is added here: `skipped` includes the spacing after each row.
            ui.add_space(skipped);
            skipped = 0.0;
        }
        let drawn = ui.push_id(job.id, |ui| {
            if at > 0 {
                rule(ui);
            }
            entry(ui, context, job);
        });
        heights.insert(job.id, drawn.response.rect.height());
    }
    if skipped > 0.0 {
        ui.add_space(skipped);
    }
}

/// Returns true if the job is in a queue and its state there is not final.
fn is_in_queue(job: &PrintJob) -> bool {
    job.state == JobState::Sent && job.queue_entry.state.is_some_and(|word| !word.is_final())
}

/// Returns true if the job is in a queue, and its printer has not started to print it.
pub(super) fn is_stuck(job: &PrintJob) -> bool {
    job.state == JobState::Sent
        && matches!(
            job.queue_entry.state,
            Some(QueuedJobState::Waiting | QueuedJobState::Held | QueuedJobState::Stopped)
        )
}

/// Returns the tone and text of the job's badge. Packbench never claims that a job was printed, because only the
/// clerk can see that.
fn word(job: &PrintJob) -> (Tone, &'static str) {
    match (job.state, job.queue_entry.state) {
        (JobState::Spooling, _) => (Tone::Accent, "being sent"),
        (JobState::Sent, Some(QueuedJobState::Waiting)) => (Tone::Warning, "waiting"),
        (JobState::Sent, Some(QueuedJobState::Held)) => (Tone::Warning, "held"),
        (JobState::Sent, Some(QueuedJobState::Stopped)) => (Tone::Bad, "stopped"),
        (JobState::Sent, Some(QueuedJobState::Printing)) => (Tone::Accent, "sending"),
        (JobState::Sent, _) => (Tone::Neutral, "sent to printer"),
        (JobState::Failed, Some(QueuedJobState::Cancelled)) => (Tone::Neutral, "cancelled"),
        (JobState::Failed, Some(QueuedJobState::Aborted)) => (Tone::Bad, "aborted"),
        (JobState::Failed, _) => (Tone::Bad, "not sent"),
        (JobState::Ask, _) => (Tone::Unknown, "check the printer"),
        (JobState::Printed, _) => (Tone::Ok, "came out"),
    }
}

fn entry(ui: &mut Ui, context: &mut Context<'_>, job: &PrintJob) {
    let p = palette(ui);
    let (tone, word) = word(job);
    ui.horizontal(|ui| {
        ui.label(text::mono(&job.number));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            Badge::new(tone, word).show(ui);
        });
    });
    let (now, zone) = (context.shared.now, &context.shared.session.zone);
    let mut about = format!("{} · {}", clock(job.made, zone), job.printer);
    if !job.reason.is_empty() {
        about = format!("{about} · reprint: {}", job.reason);
    }
    text::small_note(ui, about);
    for words in status_lines(job, now, zone) {
        ui.add(Label::new(text::small(words).color(tone.ink(p))).wrap());
    }
    actions(ui, context, job);
}

/// Returns the queue's message, the waiting time or the result of a job, one line each.
fn status_lines(job: &PrintJob, now: Timestamp, zone: &str) -> Vec<String> {
    let queue = &job.queue_entry;
    let queue_message = Some(&queue.message).filter(|message| !message.is_empty());
    if is_stuck(job) {
        let mut waits = match now.duration_since(job.made).as_mins() {
            ..=0 => "Waiting for less than a minute".to_owned(),
            minutes => format!("Waiting for {minutes} min"),
        };
        if let Some(expires) = queue.expires {
            let at = clock(expires, zone);
            waits = format!("{waits}; cancelled automatically at {at}");
        }
        return queue_message.cloned().into_iter().chain([waits]).collect();
    }
    let message = match (job.state, queue.state) {
        (JobState::Sent, Some(QueuedJobState::Printing)) => queue_message,
        (JobState::Sent, _) => None,
        _ => Some(&job.message).filter(|message| !message.is_empty()),
    };
    message.cloned().into_iter().collect()
}

fn actions(ui: &mut Ui, context: &mut Context<'_>, job: &PrintJob) {
    let mut button = |ui: &mut Ui, words: &str, command: LabelsCommand| {
        let spoken = format!("{words}: {}", job.number);
        let button = Button::new(words).small().accessible_name(&spoken);
        if ui.add(button).clicked() {
            context.push(command);
        }
    };
    let open = is_in_queue(job);
    if !(open || matches!(job.state, JobState::Ask | JobState::Failed)) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if open && job.queue_entry.state == Some(QueuedJobState::Held) {
            button(ui, "Release", LabelsCommand::ReleaseJob(job.id));
        }
        if open {
            button(ui, "Cancel job", LabelsCommand::CancelJob(job.id));
        }
        if job.state == JobState::Ask {
            for (words, came_out) in [("It printed", true), ("It did not", false)] {
                button(ui, words, LabelsCommand::SetJobPrinted(job.id, came_out));
            }
        }
        let again = match job.subject {
            // The request is that of a first print. If a copy may already be printed, the clerk is asked why.
            JobSubject::Label(id) => Some(LabelsCommand::Print(vec![id])),
            JobSubject::TestLabel => Some(LabelsCommand::PrintTestAgain),
            JobSubject::Document => None,
        };
        if let Some(again) = again.filter(|_| job.state == JobState::Failed) {
            button(ui, "Print again", again);
        }
    });
}
