//! Print jobs: what the bench and the queue know of each, what can be done about it, and the question that only a person
//! can answer.

use egui::{Align, Label, Layout, Ui};
use jiff::Timestamp;

use super::super::Context;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::{Card, rule};
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{menu, text};
use super::super::words::clock;
use crate::state::{JobState, LabelsCommand, PrintJob, QueueWord};

/// How many jobs are listed.
const MOST: usize = 20;

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>) {
    let jobs = &context.shared.jobs;
    let asks = jobs.iter().filter(|job| job.state == JobState::Ask).count();
    let stuck = jobs.iter().filter(|job| is_stuck(job)).count();
    Card::new("Jobs").show(
        ui,
        |ui| {
            if asks > 0 {
                Badge::new(Tone::Unknown, &format!("{asks} to look at")).show(ui);
            }
            if stuck > 0 {
                Badge::new(Tone::Warning, &format!("{stuck} waiting")).show(ui);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            if jobs.is_empty() {
                ui.label(text::body("Nothing was printed yet").color(palette(ui).muted));
            }
            // What needs a person comes first, then what hangs in a queue.
            let rank = |job: &&PrintJob| match job.state {
                JobState::Ask => 0,
                _ if is_stuck(job) => 1,
                _ => 2,
            };
            let mut listed: Vec<_> = jobs.iter().collect();
            listed.sort_by_key(rank);
            for (at, job) in listed.into_iter().take(MOST).enumerate() {
                if at > 0 {
                    rule(ui);
                }
                ui.push_id(job.id, |ui| entry(ui, context, job));
            }
            if jobs.len() > MOST {
                menu::note(ui, &format!("and {} before", jobs.len() - MOST));
            }
        },
    );
}

/// Its queue has it, and its printer has not.
fn is_stuck(job: &PrintJob) -> bool {
    job.state == JobState::Sent
        && matches!(
            job.at_queue.state,
            Some(QueueWord::Waiting | QueueWord::Held | QueueWord::Stopped)
        )
}

/// Never "printed": that is the clerk's word alone.
fn word(job: &PrintJob) -> (Tone, &'static str) {
    match (job.state, job.at_queue.state) {
        (JobState::Spooling, _) => (Tone::Accent, "being sent"),
        (JobState::Sent, Some(QueueWord::Waiting)) => (Tone::Warning, "waiting"),
        (JobState::Sent, Some(QueueWord::Held)) => (Tone::Warning, "held"),
        (JobState::Sent, Some(QueueWord::Stopped)) => (Tone::Bad, "stopped"),
        (JobState::Sent, Some(QueueWord::Printing)) => (Tone::Accent, "on its way"),
        (JobState::Sent, _) => (Tone::Neutral, "sent to printer"),
        (JobState::Failed, Some(QueueWord::Cancelled)) => (Tone::Neutral, "cancelled"),
        (JobState::Failed, Some(QueueWord::Aborted)) => (Tone::Bad, "given up"),
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
    let (now, zone) = (context.shared.now, &context.shared.zone);
    let mut about = format!("{} · {}", clock(job.made, zone), job.printer);
    if !job.reason.is_empty() {
        about = format!("{about} · again: {}", job.reason);
    }
    ui.add(Label::new(text::small(about).color(p.muted)).truncate());
    for words in said(job, now, zone) {
        ui.add(Label::new(text::small(words).color(tone.ink(p))).wrap());
    }
    actions(ui, context, job);
}

/// What the queue says, how long it waits, or what became of it.
fn said(job: &PrintJob, now: Timestamp, zone: &str) -> Vec<String> {
    if is_stuck(job) {
        let minutes = now.duration_since(job.made).as_mins().max(0);
        let mut waits = match minutes {
            0 => "Waits for less than a minute".to_owned(),
            minutes => format!("Waits for {minutes} min"),
        };
        if let Some(expires) = job.at_queue.expires {
            waits = format!("{waits}; taken back at {}", clock(expires, zone));
        }
        let message = (!job.at_queue.message.is_empty()).then(|| job.at_queue.message.clone());
        return message.into_iter().chain([waits]).collect();
    }
    match job.state {
        JobState::Sent => (job.at_queue.state == Some(QueueWord::Printing)
            && !job.at_queue.message.is_empty())
        .then(|| job.at_queue.message.clone())
        .into_iter()
        .collect(),
        _ if job.words.is_empty() => Vec::new(),
        _ => vec![job.words.clone()],
    }
}

fn actions(ui: &mut Ui, context: &mut Context<'_>, job: &PrintJob) {
    let of = |words: &str| format!("{words}: {}", job.number);
    let mut button = |ui: &mut Ui, words: &str, command: LabelsCommand| {
        let spoken = of(words);
        if ui.add(Button::new(words).small().spoken(&spoken)).clicked() {
            context.ask(command);
        }
    };
    let at_queue = job.at_queue.state;
    let open = job.state == JobState::Sent && at_queue.is_some_and(|word| !word.is_final());
    if !(open || matches!(job.state, JobState::Ask | JobState::Failed)) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if open && at_queue == Some(QueueWord::Held) {
            button(ui, "Let it go", LabelsCommand::ReleaseJob(job.id));
        }
        if open {
            button(ui, "Cancel in the queue", LabelsCommand::CancelJob(job.id));
        }
        if job.state == JobState::Ask {
            for (words, came_out) in [("It came out", true), ("It did not", false)] {
                button(ui, words, LabelsCommand::AnswerJob(job.id, came_out));
            }
        }
        if job.state == JobState::Failed {
            let again = LabelsCommand::Reprint(job.consignment, job.reason.clone());
            button(ui, "Print again", again);
        }
    });
}
