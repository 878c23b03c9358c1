//! Print jobs: the state of each at Packbench and in its queue, the actions on it, and the question whether
//! it came out, which only a person can answer.

use std::collections::{BTreeMap, HashMap};

use egui::{Align, Label, Layout, Ui};
use jiff::Timestamp;

use crate::state::{JobId, JobState, JobSubject, LabelsCommand, PrintJob, QueuedJobState};
use crate::ui::Context;
use crate::ui::format::clock;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::hold_button::HoldButton;
use widgets::text;
use widgets::tokens::{Tone, palette};

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

/// Returns whether the job is in a queue and not at its end there.
fn is_in_queue(job: &PrintJob) -> bool {
    job.state == JobState::Sent && job.queue_entry.state.is_some_and(|word| !word.is_final())
}

/// Returns whether the job is in a queue whose printer has not taken it.
pub(super) fn is_stuck(job: &PrintJob) -> bool {
    job.state == JobState::Sent
        && matches!(
            job.queue_entry.state,
            Some(QueuedJobState::Waiting | QueuedJobState::Held | QueuedJobState::Stopped)
        )
}

/// Returns the tone and text of the job's badge. Packbench never claims that a job was printed: only the
/// clerk can say that it came out.
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
        (JobState::Ask, _) => (Tone::Unknown, "look at the printer"),
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
            // Requested like a first print: if a copy may already be printed, the clerk is asked why.
            JobSubject::Label(id) => Some(LabelsCommand::Print(vec![id])),
            JobSubject::TestLabel => Some(LabelsCommand::PrintTestAgain),
            JobSubject::Document => None,
        };
        if let Some(again) = again.filter(|_| job.state == JobState::Failed) {
            button(ui, "Print again", again);
        }
    });
}
