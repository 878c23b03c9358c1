//! The dialog for exception thresholds: after how many hours a consignment is late, not collected or without
//! a scan. Nothing is saved while any field is invalid; problems are shown at their fields.

use egui::Ui;

use crate::state::{Thresholds, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::text;

/// Largest number of hours.
const MOST_HOURS: u16 = 999;
/// The problem shown for invalid input.
const WRONG: &str = "A whole number of hours from 0 to 999";

/// The fields in order: label and explanation.
const FIELDS: [(&str, &str); 3] = [
    (
        "Late after the ETA",
        "0 means late as soon as the ETA has passed",
    ),
    (
        "Not collected after the despatch time",
        "Counted from the booking if that is later",
    ),
    (
        "No scan while with the carrier",
        "Counted from the last carrier scan",
    ),
];

/// The dialog, and the texts typed into it.
#[derive(Default)]
pub(super) struct ThresholdsDialog {
    open: bool,
    hours: [String; 3],
}

/// Parses a whole number of hours within the limit.
fn hours(text: &str) -> Option<u16> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let hours: u16 = digits.then(|| text.parse().ok())??;
    (hours <= MOST_HOURS).then_some(hours)
}

impl ThresholdsDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog with the current thresholds.
    pub(super) fn begin(&mut self, now: Thresholds) {
        self.type_in(now);
        self.open = true;
    }

    fn type_in(&mut self, thresholds: Thresholds) {
        let Thresholds {
            late_hours,
            not_collected_hours,
            no_scan_hours,
        } = thresholds;
        self.hours =
            [late_hours, not_collected_hours, no_scan_hours].map(|hours| hours.to_string());
    }

    /// Returns the typed thresholds; `None` while any field is invalid.
    fn typed(&self) -> Option<Thresholds> {
        let [late, collected, scan] = &self.hours;
        Some(Thresholds {
            late_hours: hours(late)?,
            not_collected_hours: hours(collected)?,
            no_scan_hours: hours(scan)?,
        })
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let title = Action::TrackThresholds.entry().name.trim_end_matches('…');
        let mut open = self.open;
        Modal::new("thresholds", title)
            .width(420.0)
            .show(ui, &mut open, |ui, open| self.content(ui, context, open));
        self.open = open;
    }

    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>, open: &mut bool) {
        ui.spacing_mut().item_spacing.y = 10.0;
        let mut entered = false;
        for ((label, meaning), typed) in FIELDS.iter().zip(&mut self.hours) {
            let wrong = hours(typed).is_none().then_some(WRONG);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                let field = Field::new(label, typed).number().limit(6).unit("h");
                let shown = field.error(wrong).on_enter(OnEnter::Stay).show(ui);
                entered |= shown.entered;
                if wrong.is_none() {
                    text::small_note(ui, *meaning);
                }
            });
        }
        let typed = self.typed();
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let save = Button::primary("Save").key("↵");
            let save = ui.add_enabled(typed.is_some(), save).clicked() || entered;
            if let Some(thresholds) = typed.filter(|_| save) {
                context.push(TrackCommand::SetThresholds(thresholds));
                *open = false;
            }
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
            if ui.add(Button::quiet("Reset to defaults")).clicked() {
                self.type_in(Thresholds::default());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::hours;

    #[test]
    fn only_whole_hours_within_their_limits_are_taken() {
        for (text, read) in [
            ("0", Some(0)),
            (" 48 ", Some(48)),
            ("999", Some(999)),
            ("1000", None),
            ("99999999", None),
            ("1,5", None),
            ("1.5", None),
            ("-1", None),
            ("+1", None),
            ("", None),
            ("two", None),
        ] {
            assert_eq!(hours(text), read, "{text:?}");
        }
    }
}
