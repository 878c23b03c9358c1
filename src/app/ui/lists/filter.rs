//! Moving the focus from a list's filter to its rows.

use egui::{Key, Modifiers, Ui};

use widgets::field::FieldResponse;
use widgets::table;

/// Gives the rows the focus if Enter, Down or Escape was pressed in their filter. Escape also clears the
/// filter. Returns whether the focus goes to the rows.
pub(crate) fn focus_rows(
    ui: &Ui,
    shown: &FieldResponse,
    filter: &mut String,
    table: &mut table::TableState,
) -> bool {
    let escaped = shown.response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
    if escaped {
        filter.clear();
    }
    let down = shown.response.has_focus()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
    let leaves = escaped || down || shown.entered;
    if leaves {
        table.request_focus();
        table.start_at_first_row();
    }
    leaves
}
