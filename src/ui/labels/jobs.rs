//! Print jobs: what the bench knows of each, and the question that only a person can answer.

use egui::{Align, Label, Layout, Ui};

use super::super::Context;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::{Card, rule};
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{menu, text};
use super::super::words::clock;
use crate::state::{JobState, LabelsCommand, PrintJob};

/// How many jobs are listed.
const MOST: usize = 20;

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>) {
    let jobs = &context.shared.jobs;
    let asks = jobs.iter().filter(|job| job.state == JobState::Ask).count();
    Card::new("Jobs").show(
        ui,
        |ui| {
            if asks > 0 {
                Badge::new(Tone::Unknown, &format!("{asks} to look at")).show(ui);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            if jobs.is_empty() {
                ui.label(text::body("Nothing was printed yet").color(palette(ui).muted));
            }
            // What needs a person comes first.
            let asked = jobs.iter().filter(|job| job.state == JobState::Ask);
            let others = jobs.iter().filter(|job| job.state != JobState::Ask);
            for (at, job) in asked.chain(others).take(MOST).enumerate() {
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

const fn word(state: JobState) -> (Tone, &'static str) {
    match state {
        JobState::Spooling => (Tone::Accent, "being sent"),
        JobState::Sent => (Tone::Neutral, "sent to printer"),
        JobState::Failed => (Tone::Bad, "not sent"),
        JobState::Ask => (Tone::Unknown, "look at the printer"),
        JobState::Printed => (Tone::Ok, "came out"),
    }
}

fn entry(ui: &mut Ui, context: &mut Context<'_>, job: &PrintJob) {
    let p = palette(ui);
    let (tone, word) = word(job.state);
    ui.horizontal(|ui| {
        ui.label(text::mono(&job.number));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            Badge::new(tone, word).show(ui);
        });
    });
    let mut about = format!(
        "{} · {}",
        clock(job.made, &context.shared.zone),
        job.printer
    );
    if !job.reason.is_empty() {
        about = format!("{about} · again: {}", job.reason);
    }
    ui.add(Label::new(text::small(about).color(p.muted)).truncate());
    if !job.words.is_empty() && job.state != JobState::Sent {
        ui.add(Label::new(text::small(&job.words).color(tone.ink(p))).wrap());
    }
    if job.state == JobState::Ask {
        ui.horizontal_wrapped(|ui| {
            for (words, came_out) in [("It came out", true), ("It did not", false)] {
                if ui.add(Button::new(words).small()).clicked() {
                    context.ask(LabelsCommand::AnswerJob(job.id, came_out));
                }
            }
        });
    }
}
