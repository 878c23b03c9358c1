//! Commands for presets, for the import of orders and for sending all drafts.

use crate::core::Core;
use crate::state::{ImportStage, OrdersCommand};
use draft::Preset;
use engine::Request;

impl Core {
    pub(crate) fn run_orders(&mut self, command: OrdersCommand) {
        match command {
            OrdersCommand::SavePreset { preset, was } => self.save_preset(*preset, was),
            OrdersCommand::RemovePreset(name) => {
                self.work.submit(Request::RemovePreset(name));
            }
            OrdersCommand::Import => self.open_orders(None),
            OrdersCommand::ImportFrom(path) => self.open_orders(Some(path.trim().into())),
            OrdersCommand::Check { mapping, routing } => self.check_orders(mapping, routing),
            OrdersCommand::BackToColumns => {
                if self.shared.consign.import.stage == ImportStage::Review {
                    self.shared.consign.import.stage = ImportStage::Columns;
                }
            }
            OrdersCommand::CreateDrafts(again) => self.import_orders(&again),
            OrdersCommand::SaveRejected => self.save_rejected(None),
            OrdersCommand::SaveRejectedAt(path) => self.save_rejected(Some(path.trim().into())),
            OrdersCommand::PutAway => self.close_import(),
            OrdersCommand::SaveTemplate => self.save_template(None),
            OrdersCommand::SaveTemplateAt(path) => self.save_template(Some(path.trim().into())),
            OrdersCommand::SendAll(drafts) => self.send_all(drafts),
            OrdersCommand::StopSending => self.stop_sending(),
        }
    }

    /// Saves a preset in place of the one called `was`. The dialog has already made sure that no other preset
    /// uses its key.
    fn save_preset(&mut self, preset: Preset, was: Option<String>) {
        if preset.name.is_empty() {
            return;
        }
        self.work.submit(Request::SavePreset(Box::new(preset), was));
    }
}
