//! A deletion that was not sent yet. The status line of every screen shows it with the time left.
//!
//! Ctrl+Z undoes the newest change: the deletion, unless the goods on Consign or the text field with the
//! focus were changed after it.

use std::time::Duration;

use egui::{Event, Key, Ui};
use jiff::Timestamp;

use super::super::Context;
use super::super::actions::{Action, consume_shortcut};
use super::super::format::first_and_count;
use crate::screens::consign::view::ConsignState;
use crate::state::{DispatchCommand, PendingDeletion, Screen};
use widgets::button::Button;
use widgets::notice::announce;
use widgets::text;
use widgets::tokens::{Tone, palette};

/// Maximum number of consignment numbers: in a wide window, in a narrow window, and for screen readers.
const MOST_NAMED: [usize; 3] = [6, 3, 24];

#[derive(Default)]
pub(crate) struct DeletionUndo {
    /// The deletion during which the clerk typed into a text field, identified by the time of its sending.
    typed_during: Option<Timestamp>,
}

impl DeletionUndo {
    /// Undoes the deletion if the clerk asked for that and the deletion is the newest change.
    pub(crate) fn undo(&mut self, ui: &Ui, context: &mut Context<'_>, consign: &ConsignState) {
        let Some(deleting) = &context.shared.dispatch.deleting else {
            return;
        };
        let typing = ui.ctx().text_edit_focused();
        if typing && ui.input(|input| input.events.iter().any(is_typing)) {
            self.typed_during = Some(deleting.at);
        }
        let on_consign = context.shared.screen == Screen::Consign;
        let in_goods = on_consign && consign.has_focus_in_goods();
        let newer_goods = on_consign && consign.are_goods_newer_than_deletion();
        let newer_text = typing && !in_goods && self.typed_during == Some(deleting.at);
        if newer_goods || newer_text {
            return;
        }
        // egui also accepts Ctrl+Shift+Z, which means redo, as Ctrl+Z.
        let redoes = ui.input(|input| input.modifiers.shift);
        let by_key = !context.is_dialog_open && !redoes && consume_shortcut(ui, Action::Undo);
        let by_name = context.is_triggered(Action::Undo);
        if by_key || by_name {
            context.triggered.retain(|action| *action != Action::Undo);
            context.push(DispatchCommand::UndoDelete);
        }
    }
}

fn is_typing(event: &Event) -> bool {
    match event {
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) => true,
        Event::Key { key, pressed, .. } => *pressed && matches!(key, Key::Backspace | Key::Delete),
        _ => false,
    }
}

/// Draws the numbers to be deleted, the seconds left, and the button that undoes the deletion.
pub(crate) fn show(
    ui: &mut Ui,
    context: &mut Context<'_>,
    deleting: &PendingDeletion,
    narrow: bool,
) {
    let [wide, tight, spoken] = MOST_NAMED;
    let ids = deleting.ids.iter();
    let numbers: Vec<String> = ids.map(|id| context.shared.number(*id)).collect();
    let millis = deleting.at.duration_since(context.shared.now).as_millis();
    let millis = u64::try_from(millis).unwrap_or_default();
    let seconds = millis.div_ceil(1_000);
    let ink = Tone::Warning.ink(palette(ui));
    let named = first_and_count(&numbers, if narrow { tight } else { wide });
    let words = format!("Deleting {named} in {seconds} s");
    let shown = ui.label(text::small(words).strong().color(ink));
    let key = Action::Undo.key();
    // Announced without the seconds, because a screen reader would read each of them.
    let spoken = first_and_count(&numbers, spoken);
    announce(ui, &shown, &format!("Deleting {spoken}. {key} to undo"));
    shown.on_hover_text(spoken);
    let undo = Button::new("Undo deletion").key(&key).small();
    if ui.add(undo).clicked() {
        context.push(DispatchCommand::UndoDelete);
    }
    if let Some(before) = seconds.checked_sub(1) {
        let left = millis - before * 1_000;
        ui.ctx().request_repaint_after(Duration::from_millis(left));
    }
}
