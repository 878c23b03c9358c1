//! The menu of a goods line.

use egui::Response;

use super::line_actions::LineAction;
use crate::ui::actions::Action;
use draft::{Draft, ItemSource, SAVED_FIELDS};
use widgets::button::Button;
use widgets::menu;
use widgets::{Icon, icons};

const WIDTH: f32 = 270.0;

/// Shows the menu of a line under its button. Returns the action that was picked.
pub(super) fn show(button: &Response, draft: &Draft, at: usize) -> Option<LineAction> {
    menu::under_with(button, WIDTH, |ui| {
        let line = &draft.goods[at];
        let mut picked = None;
        let mut entry =
            |ui: &mut egui::Ui, deed: LineAction, icon: Icon, words: &str, key: &str| {
                let mut item = Button::quiet(words).icon(icon).left().fill_width(ui);
                if !key.is_empty() {
                    item = item.key(key);
                }
                if ui.add(item).clicked() {
                    picked = Some(deed);
                }
            };
        let saved_key = Action::SavedItem.key();
        if line.source != ItemSource::Sku {
            let words = "Saved item by SKU";
            entry(
                ui,
                LineAction::BySku,
                icons::ICON_BOOKMARK,
                words,
                &saved_key,
            );
        }
        if line.source != ItemSource::Id {
            let words = "Saved item by its id";
            entry(ui, LineAction::ById, icons::ICON_BOOKMARK, words, "");
        }
        if line.is_saved() {
            let key = if line.source == ItemSource::Sku {
                &saved_key
            } else {
                ""
            };
            let words = "Not a saved item: enter all details";
            entry(
                ui,
                LineAction::NotSaved,
                icons::ICON_EDIT_SQUARE,
                words,
                key,
            );
            if SAVED_FIELDS.iter().any(|field| line.overrides(*field)) {
                let words = "Restore the saved values";
                entry(ui, LineAction::BackToSaved, icons::ICON_UNDO, words, "");
            }
        }
        for (deed, action) in [
            (LineAction::Dangerous, Action::DangerousGoods),
            (LineAction::Customs, Action::Customs),
            (LineAction::Duplicate, Action::DuplicateLine),
            (LineAction::Up, Action::LineUp),
            (LineAction::Down, Action::LineDown),
            (LineAction::Remove, Action::RemoveLine),
        ] {
            let hidden = match deed {
                LineAction::Up => at == 0,
                LineAction::Down => at + 1 == draft.goods.len(),
                LineAction::Customs => !draft.is_international() && line.contents.is_empty(),
                _ => false,
            };
            if !hidden {
                let known = action.entry();
                entry(ui, deed, known.icon, known.name, &action.key());
            }
        }
        picked
    })
}
