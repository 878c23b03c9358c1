//! A menu that opens under a button.

use egui::{Popup, Response, Ui};

use super::button::Button;
use super::tokens::palette;
use super::{Icon, text};

/// A line of a menu.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its icon.
    pub icon: Option<Icon>,
    /// What it does or is.
    pub text: &'a str,
    /// It is the one chosen.
    pub chosen: bool,
}

/// Shows the menu that belongs to a button, which opens and closes it; answers the line picked.
pub fn under(button: &Response, width: f32, lines: &[Line<'_>]) -> Option<usize> {
    under_with(button, width, |ui| {
        let mut picked = None;
        for (index, line) in lines.iter().enumerate() {
            let mut item = Button::quiet(line.text)
                .left()
                .selected(line.chosen)
                .fill_width(ui);
            if let Some(icon) = line.icon {
                item = item.icon(icon);
            }
            if ui.add(item).clicked() {
                picked = Some(index);
            }
        }
        picked
    })
}

/// As [`under`], with other content; it closes when `content` answers something.
pub fn under_with<R>(
    button: &Response,
    width: f32,
    content: impl FnOnce(&mut Ui) -> Option<R>,
) -> Option<R> {
    let shown = Popup::menu(button)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 2.0;
            let picked = content(ui);
            if picked.is_some() {
                ui.close();
            }
            picked
        });
    shown?.inner
}

/// A line that only says something.
pub fn note(ui: &mut Ui, words: &str) {
    ui.label(text::small(words).color(palette(ui).muted));
}
