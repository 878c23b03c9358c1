//! The dialog that lists the shortcuts of the present screen, from the table of actions.

use egui::{Label, ScrollArea, Ui, vec2};

use crate::ui::Context;
use crate::ui::actions::{self, ActionEntry};
use widgets::modal::Modal;
use widgets::tokens::palette;
use widgets::{key_cap, text};

/// Width of the column of keys in points.
const KEYS: f32 = 112.0;

/// Draws the dialog while `open`.
pub(crate) fn dialog(ui: &Ui, open: &mut bool, context: &Context<'_>) {
    Modal::new("shortcuts", "Keyboard shortcuts")
        .width(620.0)
        .show(ui, open, |ui, _| {
            let room = ui.ctx().content_rect().height() - 200.0;
            let list = ScrollArea::vertical()
                .max_height(room)
                .min_scrolled_height(room);
            list.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                let (screen, everywhere): (Vec<_>, Vec<_>) =
                    { actions::actions_of_screen(context.shared) }
                        .filter(|entry| entry.shortcut.is_some())
                        .partition(|entry| entry.screen.is_some());
                for (heading, entries) in
                    [("On this screen", screen), ("On every screen", everywhere)]
                {
                    if entries.is_empty() {
                        continue;
                    }
                    ui.add_space(4.0);
                    ui.label(text::strong(heading));
                    for entry in entries {
                        line(ui, entry);
                    }
                }
            });
        });
}

fn line(ui: &mut Ui, entry: &ActionEntry) {
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(KEYS, 20.0), |ui| {
            ui.set_min_width(KEYS);
            key_cap::cap(ui, &entry.action.key());
        });
        let muted = palette(ui).muted;
        ui.label(text::body(entry.name.trim_end_matches('…')));
        ui.add(Label::new(text::small(entry.tooltip).color(muted)).truncate());
    });
}
