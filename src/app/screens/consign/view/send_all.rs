//! Sends all ready drafts: the dialog with its hold-to-confirm button, and the progress of the run.

use egui::{Align, Key, KeyboardShortcut, Label, Layout, Modifiers, Ui, vec2};

use crate::state::{OrdersCommand, Shared};
use crate::ui::Context;
use crate::ui::environment;
use crate::ui::format::counted;
use draft::DraftId;
use widgets::button::Button;
use widgets::hold_button::HoldButton;
use widgets::modal::Modal;
use widgets::tokens::{Tone, palette};
use widgets::{progress as kit_progress, text};

/// Height of the progress bar with its text, in points.
const BAR_HEIGHT: f32 = 32.0;

/// The confirmation dialog, and the drafts that it is about.
#[derive(Default)]
pub(super) struct SendAllDialog {
    open: bool,
    drafts: Vec<DraftId>,
    /// Number of drafts for each way in which their carrier is chosen.
    routings: Vec<(String, usize)>,
    unready: usize,
    excluded: usize,
}

impl SendAllDialog {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog for the drafts that are ready now. Drafts that become ready later are not included.
    pub(super) fn begin(&mut self, shared: &Shared) {
        let view = &shared.send_all;
        if view.run.is_some() {
            return;
        }
        let mut ways: Vec<(String, usize)> = Vec::new();
        for (_, way) in view.ready.iter() {
            match ways.iter_mut().find(|(known, _)| known == way) {
                Some((_, count)) => *count += 1,
                None => ways.push((way.clone(), 1)),
            }
        }
        ways.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        *self = Self {
            open: true,
            drafts: view.ready.iter().map(|(id, _)| id.clone()).collect(),
            routings: ways,
            unready: view.unready,
            excluded: view.not_batchable,
        };
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let Self {
            open,
            drafts,
            routings: ways,
            unready,
            excluded: apart,
        } = self;
        let count = counted(drafts.len(), "draft", "drafts");
        let title = if drafts.is_empty() {
            "No draft is ready".to_owned()
        } else {
            format!("Send {count}")
        };
        Modal::new("send all", &title).show(ui, open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 6.0;
            for (way, count) in ways.iter() {
                ui.horizontal(|ui| {
                    ui.label(text::strong(format!("{count}")));
                    ui.label(text::body(way));
                });
            }
            let mut note = |words: String| {
                ui.add(Label::new(text::body(words).color(palette(ui).muted)).wrap());
            };
            if !drafts.is_empty() {
                note("Drafts are sent one by one and checked again first. Refused ones stay drafts".to_owned());
            }
            if *unready > 0 {
                let left = counted(*unready, "draft has", "drafts have");
                note(format!("{left} something to fix and won't be sent"));
            }
            if *apart > 0 {
                let left = counted(*apart, "draft is left out", "drafts are left out");
                note(format!("{left}: changes to a consignment, pending consignments, and drafts that may already have been sent"));
            }
            note("The draft that is open on the form isn't included".to_owned());
            if !drafts.is_empty() {
                environment::line(ui, context.shared);
                let words = format!("Hold to send {count}");
                let shortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
                if HoldButton::new(&words).shortcut(shortcut).show(ui).completed {
                    context.push(OrdersCommand::SendAll(std::mem::take(drafts)));
                    *open = false;
                }
            }
            if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                *open = false;
            }
        });
    }
}

/// Draws the progress of the run, with a button to stop it. Draws nothing while there is no run.
pub(super) fn progress(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(run) = &context.shared.send_all.run else {
        return;
    };
    let mut said = String::from("sent");
    for (count, word) in [
        (run.refused, "refused"),
        (run.unknown, "being checked"),
        (run.skipped, "skipped"),
    ] {
        if count > 0 {
            said = format!("{said} · {count} {word}");
        }
    }
    let tone = if run.refused > 0 {
        Tone::Warning
    } else {
        Tone::Accent
    };
    let mut stop = false;
    let room = vec2(ui.available_width(), BAR_HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        let words = if run.stopping { "Stopping" } else { "Stop" };
        stop = ui
            .add_enabled(!run.stopping, Button::new(words).small())
            .on_hover_text("The consignment that is being sent will finish")
            .clicked();
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            kit_progress::bar(ui, run.done(), run.total, &said, tone);
        });
    });
    if stop {
        context.push(OrdersCommand::StopSending);
    }
}
