//! The baseline: text fields in a scroll area, nine in a row, and nothing else.

use egui::{Event, ScrollArea, TextEdit, Ui};

use crate::editor::Form;

const IN_A_ROW: usize = 9;

/// Text that is typed into plain fields.
pub(crate) struct Plain {
    texts: Vec<String>,
    drawn: bool,
}

impl Plain {
    pub(crate) fn new(fields: usize) -> Self {
        Self {
            texts: vec!["12.5".to_owned(); fields],
            drawn: false,
        }
    }
}

impl Form for Plain {
    fn draw(&mut self, ui: &mut Ui) {
        let first = !std::mem::replace(&mut self.drawn, true);
        ScrollArea::vertical().show(ui, |ui| {
            for (row, texts) in self.texts.chunks_mut(IN_A_ROW).enumerate() {
                ui.horizontal(|ui| {
                    for (at, text) in texts.iter_mut().enumerate() {
                        let field = ui.add(TextEdit::singleline(text).desired_width(80.0));
                        if first && (row, at) == (0, 0) {
                            field.request_focus();
                        }
                    }
                });
            }
        });
    }

    fn way_in(&self) -> Vec<Event> {
        Vec::new()
    }

    fn fields(&self) -> usize {
        self.texts.len()
    }
}
