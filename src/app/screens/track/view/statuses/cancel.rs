//! The dialog that cancels manifested consignments: whom to call with which number, a reason, and a
//! hold-to-confirm button.

use egui::{Id, Label, Ui};

use super::preview::StatusPreview;
use super::{SEND, StatusDialog};
use crate::state::ConsignmentRow;
use crate::ui::format::grouped;
use draft::StatusField;
use widgets::button::Button;
use widgets::field::{Field, show_error};
use widgets::hold_button::HoldButton;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, text};

const REASONS: [&str; 4] = [
    "No longer needed",
    "Wrong address or goods",
    "Sent with another carrier",
    "Booked twice",
];

impl StatusDialog {
    /// Draws the form. Returns true once the hold is complete.
    pub(super) fn ask_cancel(&mut self, ui: &mut Ui, preview: &StatusPreview) -> bool {
        if let ([one], 1) = (preview.rows.as_slice(), self.ids.len()) {
            self.whom_to_call(ui, one);
        } else {
            NoticeBar::new(Tone::Warning, "This doesn't notify the carriers")
                .what_to_do("Call the carriers and quote these numbers")
                .show(ui);
            preview.show_numbers(ui);
        }
        preview.show_summary(ui);
        let by_digit = key_cap::pressed_digit(ui, REASONS.len());
        if let Some(at) = by_digit {
            REASONS[at].clone_into(&mut self.draft.information);
        }
        let problem = self.problem(preview, StatusField::Information);
        let field = Field::new("Reason", &mut self.draft.information)
            .hint("Type a reason, or press Alt and a number")
            .error(problem)
            .limit(500);
        let id = Id::unique("reason to cancel");
        if field.id(id).show(ui).response.has_focus() {
            self.wants_reason = false;
        } else if self.wants_reason {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        list(ui, &mut self.draft.information);
        let words = match self.ids.len() {
            1 => {
                let number = preview.rows.first().map(|row| row.number.as_str());
                format!("Hold to cancel {}", number.unwrap_or("it"))
            }
            _ => format!("Hold to cancel {}", grouped(preview.count())),
        };
        ui.add_space(2.0);
        // Nothing is sent in the frame in which a digit picked a reason: the reason is checked in the next
        // frame.
        let held = HoldButton::new(&words)
            .shortcut(SEND)
            .destructive()
            .show(ui);
        if let Some(words) = self.problem(preview, StatusField::Status) {
            show_error(ui, &held.response, words);
        }
        held.completed && by_digit.is_none()
    }

    /// Shows the carrier's own number, large enough to read out on the phone.
    fn whom_to_call(&mut self, ui: &mut Ui, row: &ConsignmentRow) {
        let carrier = match row.carrier.as_str() {
            "" => "The carrier",
            carrier => carrier,
        };
        let headline = format!("{carrier} isn't notified");
        NoticeBar::new(Tone::Warning, &headline)
            .what_to_do("Call the carrier and quote this number")
            .show(ui);
        let (name, number) = if row.carrier_number.is_empty() {
            ("No carrier consignment number: quote ours", &row.number)
        } else {
            ("Carrier consignment number", &row.carrier_number)
        };
        text::small_note(ui, name);
        ui.horizontal(|ui| {
            let large = text::mono_strong(number).size(size::FIGURE);
            ui.add(Label::new(large).selectable(true).truncate());
            let copy = Button::new("Copy").icon(icons::ICON_CONTENT_COPY);
            let copy = copy.accessible_name("Copy carrier con. number");
            if ui.add(copy).clicked() {
                self.copied.copy(ui, number);
            }
            if let Some(words) = self.copied.words(ui) {
                ui.label(text::small(words).color(palette(ui).ok));
            }
        });
        let to = [row.to.as_str(), row.to_place.suburb.as_str()];
        let to: Vec<_> = to.into_iter().filter(|part| !part.is_empty()).collect();
        text::note(ui, format!("To {}", to.join(", ")));
    }
}

/// Draws the suggested reasons.
fn list(ui: &mut Ui, reason: &mut String) {
    ui.spacing_mut().item_spacing.y = 4.0;
    for (at, words) in REASONS.into_iter().enumerate() {
        let key = key_cap::digit_shortcut(at).map(key_cap::label);
        let key = key.unwrap_or_default();
        let button = Button::new(words)
            .key(&key)
            .left()
            .selected(reason.as_str() == words)
            .fill_width(ui)
            .small()
            .skip_in_tab_order();
        if ui.add(button).clicked() {
            words.clone_into(reason);
        }
    }
    ui.spacing_mut().item_spacing.y = 8.0;
}
