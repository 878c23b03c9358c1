//! Tools that work on more than the open draft: presets, the import of orders, and sending all ready drafts.
//! Draws their buttons in the title row and their dialogs, and handles their keys.

use egui::Ui;

use super::{import, presets, send_all};
use crate::state::{Editing, OrdersCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use widgets::button::Button;
use widgets::menu;

/// The dialogs and their input.
#[derive(Default)]
pub(super) struct Tools {
    presets: presets::PresetDialogs,
    orders: import::ImportDialog,
    send_all: send_all::SendAllDialog,
}

impl Tools {
    /// Returns true if one of the dialogs is open.
    pub(super) fn is_open(&self, shared: &Shared) -> bool {
        self.presets.is_open() || import::is_open(shared) || self.send_all.is_open()
    }

    /// Draws two buttons for the title row.
    pub(super) fn entries(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let entry = Action::Presets.entry();
        let presets = Button::quiet("Presets").icon(entry.icon).small();
        if ui
            .add(presets)
            .on_hover_text(tip(Action::Presets))
            .clicked()
        {
            self.presets.open();
        }
        let ready = context.shared.send_all.ready.len();
        let words = match ready {
            0 => "Batch".to_owned(),
            ready => format!("Batch · {ready} ready"),
        };
        let several = ui.add(Button::quiet(&words).opens().small());
        let picked = menu::under_with(&several, 250.0, |ui| {
            let mut picked = None;
            for (action, name) in [
                (Action::ImportOrders, "Import orders…".to_owned()),
                (Action::SendAll, format!("Send all ready ({ready})…")),
            ] {
                let key = action.key();
                let line = Button::quiet(&name)
                    .icon(action.entry().icon)
                    .key(&key)
                    .left();
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

fn tip(action: Action) -> String {
    format!("{} ({})", action.entry().tooltip, action.key())
}
