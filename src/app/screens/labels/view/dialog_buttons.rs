//! The buttons that the dialogs of the Labels screen have in common.

use egui::Ui;

use widgets::button::Button;

/// Draws the buttons below a dialog; returns whether the main one was pressed.
pub(super) fn buttons(ui: &mut Ui, main: &str, can: bool, open: &mut bool) -> bool {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let pressed = ui.add_enabled(can, Button::primary(main)).clicked();
        if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
            *open = false;
        }
        pressed
    })
    .inner
}
