//! The Operations screen: the list of operations and print jobs on the left, the selected one on the right.
//!
//! Invariant: an unknown result is drawn neither as a success nor as a failure. Every decision explains its
//! consequence before the clerk makes it.

mod comparison;
mod decisions;
mod detail;
mod list;
pub(crate) mod operation_text;

use egui::Ui;

use crate::state::{Editing, Shared};
use crate::ui::actions::Action;
use crate::ui::{Context, ScreenView};
use list::FilteredItems;
use widgets::tokens::size;
use widgets::{layout, table};

/// State of the screen.
#[derive(Default)]
pub(crate) struct OperationsScreen {
    filter: String,
    /// Lists all action items, not only open items.
    all: bool,
    table: table::TableState,
    index: FilteredItems,
    export: crate::ui::export::ExportDialog,
}

impl ScreenView for OperationsScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.export.is_open()
    }

    fn offer_focus(&mut self) {
        self.table.request_focus_if_free();
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        if context.is_triggered(Action::AllOperations) {
            self.all = !self.all;
        }
        self.index.refresh(context.shared, &self.filter, self.all);
        let room = ui.available_width() - size::GUTTER;
        let right = (room * 0.44).clamp(404.0, 660.0);
        layout::panes(ui, &[room - right, right], |pane, ui| {
            if pane == 0 {
                list::card(ui, context, self);
            } else {
                detail::card(ui, context);
            }
        });
        list::export(ui, context, self);
    }
}
