//! The page that reviews a file before drafts are created: orders that can be imported, orders already known,
//! and rejected rows with their reasons.

use std::ops::Range;

use egui::{Label, ScrollArea, Ui};

use super::{ImportDialog, main_button};
use crate::state::{ImportView, OrdersCommand};
use crate::ui::format::counted;
use draft::orders::{CheckedOrders, Duplicate, Sheet};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::text;
use widgets::tokens::{Tone, palette};

/// Maximum height of each list, in points.
const LIST_HEIGHT: f32 = 150.0;
const LINE: f32 = 26.0;

impl ImportDialog {
    pub(super) fn review(
        &mut self,
        ui: &mut Ui,
        view: &ImportView,
        open: &mut bool,
    ) -> Option<OrdersCommand> {
        let (checked, sheet) = (view.checked.as_ref()?, view.sheet.as_ref()?);
        let known: Vec<usize> = (0..checked.orders.len())
            .filter(|at| checked.orders[*at].duplicate.is_some())
            .collect();
        let new = checked.orders.len() - known.len();
        let words = match new {
            0 => "No new orders to import".to_owned(),
            new => counted(new, "order ready to import", "orders ready to import"),
        };
        ui.label(text::strong(words));
        if !known.is_empty() {
            self.known(ui, checked, &known);
        }
        if !checked.rejected.is_empty() {
            rejected(ui, sheet, checked);
        }
        let taken = new + self.again.len();
        let words = match (taken, checked.rejected.len()) {
            (0, 0) => "Nothing to import".to_owned(),
            (0, _) => "Save the rejected rows to a file".to_owned(),
            (taken, _) => counted(taken, "draft", "drafts"),
        };
        let words = if taken > 0 {
            format!("Create {words}")
        } else {
            words
        };
        let mut asked = None;
        ui.horizontal(|ui| {
            let can = taken + checked.rejected.len() > 0;
            if main_button(ui, &words, can) {
                let mut again: Vec<_> = self.again.iter().copied().collect();
                again.sort_unstable();
                asked = Some(OrdersCommand::CreateDrafts(again));
            }
            if ui.add(Button::new("Back to the columns")).clicked() {
                asked = Some(OrdersCommand::BackToColumns);
            }
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
        });
        asked
    }

    fn known(&mut self, ui: &mut Ui, checked: &CheckedOrders, known: &[usize]) {
        let count = counted(known.len(), "order already exists", "orders already exist");
        ui.add_space(4.0);
        ui.label(text::body(format!(
            "{count} and will be skipped. Tick those that you want to import anyway"
        )));
        list(ui, "known", known.len(), |ui, rows| {
            for at in &known[rows] {
                let order = &checked.orders[*at];
                let mut on = self.again.contains(at);
                let why = match &order.duplicate {
                    Some(Duplicate::Sent(number)) if number.is_empty() => "sent".to_owned(),
                    Some(Duplicate::Sent(number)) => format!("sent as {number}"),
                    Some(Duplicate::Draft) => "a draft".to_owned(),
                    Some(Duplicate::Imported) | None => "imported before".to_owned(),
                };
                let words = format!(
                    "{} → {}: {why}",
                    order.draft.title(),
                    order.draft.to.title()
                );
                if checkbox(ui, &mut on, &words).changed() {
                    if on {
                        self.again.insert(*at);
                    } else {
                        self.again.remove(at);
                    }
                }
            }
        });
    }
}

fn rejected(ui: &mut Ui, sheet: &Sheet, checked: &CheckedOrders) {
    let orders = counted(checked.rejected_orders, "order", "orders");
    let rows = counted(checked.rejected.len(), "row", "rows");
    ui.add_space(4.0);
    let words = format!(
        "{orders} rejected: {rows} will be saved to a new file next to this one, with the reasons"
    );
    ui.add(Label::new(text::body(words).color(Tone::Warning.ink(palette(ui)))).wrap());
    list(ui, "rejected", checked.rejected.len(), |ui, shown| {
        for one in &checked.rejected[shown] {
            let line = sheet.rows[one.row].line;
            let words = format!("Line {line}: {}", one.reason);
            let row = ui.add(Label::new(text::body(&words)).truncate());
            row.on_hover_text(&one.reason);
        }
    });
}

/// Draws a long list of lines, of which only those in sight are drawn.
fn list(ui: &mut Ui, name: &str, count: usize, lines: impl FnOnce(&mut Ui, Range<usize>)) {
    ScrollArea::vertical()
        .id_salt(name)
        .max_height(LIST_HEIGHT)
        .auto_shrink([false, true])
        .show_rows(ui, LINE, count, |ui, shown| {
            ui.spacing_mut().interact_size.y = LINE;
            lines(ui, shown);
        });
}
