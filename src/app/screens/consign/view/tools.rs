//! Tools that work on more than the open draft: presets, the import of orders, and sending all ready drafts.
//! Draws their buttons in the title row and their dialogs, and handles their keys.

use std::cmp::Reverse;

use egui::{Align, Key, KeyboardShortcut, Layout, Modifiers, Ui, vec2};

use super::{import, presets};
use crate::state::{Editing, OrdersCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::format::counted;
use draft::DraftId;
use widgets::button::Button;
use widgets::hold_button::HoldButton;
use widgets::modal::Modal;
use widgets::tokens::Tone;
use widgets::{menu, progress as progress_bar, text};

/// Height of the progress bar with its text, in points.
const BAR_HEIGHT: f32 = 32.0;

/// The dialogs and their input.
#[derive(Default)]
pub(super) struct Tools {
    presets: presets::PresetDialogs,
    orders: import::ImportDialog,
    send_all: SendAllDialog,
}

impl Tools {
    /// Returns true if one of the dialogs is open.
    pub(super) fn is_open(&self, shared: &Shared) -> bool {
        self.presets.is_open() || import::is_open(shared) || self.send_all.open
    }

    /// Draws two buttons for the title row.
    pub(super) fn entries(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let entry = Action::Presets.entry();
        let tooltip = format!("{} ({})", entry.tooltip, Action::Presets.key());
        let presets = Button::quiet("Presets").icon(entry.icon).small();
        if ui.add(presets).on_hover_text(tooltip).clicked() {
            self.presets.open();
        }
        let ready = context.shared.consign.send_all.ready.len();
        let words = match ready {
            0 => "Batch".to_owned(),
            ready => format!("Batch · {ready} ready"),
        };
        let batch = ui.add(Button::quiet(&words).opens().small());
        let picked = menu::under_with(&batch, 250.0, |ui| {
            let mut picked = None;
            for (action, name) in [
                (Action::ImportOrders, "Import orders…".to_owned()),
                (Action::SendAll, format!("Send all ready ({ready})…")),
            ] {
                let (icon, key) = (action.entry().icon, action.key());
                let line = Button::quiet(&name).icon(icon).key(&key).left();
                if ui.add(line.fill_width(ui)).clicked() {
                    picked = Some(action);
                }
            }
            picked
        });
        match picked {
            Some(Action::SendAll) => self.send_all.begin(context.shared),
            Some(_) => context.push(OrdersCommand::Import),
            None => {}
        }
    }

    /// Handles the actions that keys and the list of all actions request.
    pub(super) fn actions(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        if context.is_triggered(Action::ImportOrders) {
            context.push(OrdersCommand::Import);
        }
        if context.is_triggered(Action::SendAll) {
            self.send_all.begin(context.shared);
        }
        self.presets.actions(ui, context, editing);
    }

    /// Draws the dialogs. Must be called in every frame, open or not.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        self.presets.show(ui, context, editing);
        self.orders.show(ui, context);
        self.send_all.show(ui, context);
    }
}

/// The dialog that confirms sending all ready drafts, and the drafts that it is about.
#[derive(Default)]
struct SendAllDialog {
    open: bool,
    drafts: Vec<DraftId>,
    /// Number of drafts for each way in which their carrier is chosen.
    routings: Vec<(String, usize)>,
    unready: usize,
    excluded: usize,
}

impl SendAllDialog {
    /// Opens the dialog for the drafts that are ready now. Drafts that become ready later are not included.
    fn begin(&mut self, shared: &Shared) {
        let view = &shared.consign.send_all;
        if view.run.is_some() {
            return;
        }
        let mut routings: Vec<(String, usize)> = Vec::new();
        for (_, routing) in view.ready.iter() {
            match routings.iter_mut().find(|(known, _)| known == routing) {
                Some((_, count)) => *count += 1,
                None => routings.push((routing.clone(), 1)),
            }
        }
        routings.sort_by_key(|(_, count)| Reverse(*count));
        *self = Self {
            open: true,
            drafts: view.ready.iter().map(|(id, _)| id.clone()).collect(),
            routings,
            unready: view.unready,
            excluded: view.not_batchable,
        };
    }

    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let count = counted(self.drafts.len(), "draft", "drafts");
        let title = if self.drafts.is_empty() {
            "No draft is ready".to_owned()
        } else {
            format!("Send {count}")
        };
        let mut open = self.open;
        Modal::new("send all", &title).show(ui, &mut open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 6.0;
            for (routing, count) in &self.routings {
                ui.horizontal(|ui| {
                    ui.label(text::strong(format!("{count}")));
                    ui.label(text::body(routing));
                });
            }
            self.notes(ui);
            if !self.drafts.is_empty() {
                environment::line(ui, context.shared);
                let words = format!("Hold to send {count}");
                let shortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
                if HoldButton::new(&words)
                    .shortcut(shortcut)
                    .show(ui)
                    .completed
                {
                    let drafts = std::mem::take(&mut self.drafts);
                    context.push(OrdersCommand::SendAll(drafts));
                    *open = false;
                }
            }
            if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        self.open = open;
    }

    /// Draws notes about how the drafts are sent, and how many drafts are not sent.
    fn notes(&self, ui: &mut Ui) {
        if !self.drafts.is_empty() {
            text::note(
                ui,
                "Drafts are sent one by one and checked again first. Refused ones stay drafts",
            );
        }
        if self.unready > 0 {
            let left = counted(self.unready, "draft has", "drafts have");
            text::note(ui, format!("{left} something to fix and won't be sent"));
        }
        if self.excluded > 0 {
            let left = counted(self.excluded, "draft is left out", "drafts are left out");
            text::note(
                ui,
                format!(
                    "{left}: changes to a consignment, pending consignments, and drafts that may already have been sent"
                ),
            );
        }
        text::note(ui, "The draft that is open on the form isn't included");
    }
}

/// Draws the progress of sending all ready drafts, with a button to stop it. Draws nothing while no drafts are sent.
pub(super) fn progress(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(run) = &context.shared.consign.send_all.run else {
        return;
    };
    let mut words = String::from("sent");
    for (count, word) in [
        (run.refused, "refused"),
        (run.unknown, "being checked"),
        (run.skipped, "skipped"),
    ] {
        if count > 0 {
            words = format!("{words} · {count} {word}");
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
        let label = if run.stopping { "Stopping" } else { "Stop" };
        stop = ui
            .add_enabled(!run.stopping, Button::new(label).small())
            .on_hover_text("The consignment that is being sent will finish")
            .clicked();
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            progress_bar::bar(ui, run.done(), run.total, &words, tone);
        });
    });
    if stop {
        context.push(OrdersCommand::StopSending);
    }
}
