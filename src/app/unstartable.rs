//! The window that explains why Packbench can't start. If it was started from a desktop icon, nobody sees
//! standard error.

use egui::ViewportCommand;

use super::open_service::capitalised;
use super::start::StartError;
use super::window::open_app;
use crate::config::Graphics;
use crate::state::ThemeChoice;
use crate::ui;

/// The explanation why Packbench can't start.
#[derive(Debug, Clone)]
pub struct Unstartable {
    pub headline: String,
    pub advice: String,
}

/// Shows the explanation in a window until that is closed.
pub fn show_unstartable(graphics: Graphics, why: &Unstartable) -> Result<(), StartError> {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Packbench can't start")
        .with_app_id("packbench")
        .with_inner_size([640.0, 280.0])
        .with_min_inner_size([480.0, 240.0]);
    open_app(graphics, &viewport, |ctx| {
        ui::install(ctx, ThemeChoice::System);
        Unstartable {
            headline: capitalised(&why.headline),
            advice: why.advice.clone(),
        }
    })
}

impl eframe::App for Unstartable {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        if ui::show_unstartable(ui, &self.headline, &self.advice) {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
