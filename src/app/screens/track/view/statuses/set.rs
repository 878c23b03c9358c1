//! The dialog that sets a status: status, time, piece and note.

use egui::Ui;

use super::preview::StatusPreview;
use super::{SEND, StatusDialog, name};
use crate::ui::Context;
use crate::ui::format::{clock, day_and_time, grouped, zone_name};
use draft::{StatusField, settable_statuses};
use shipping::{LocalTime, StatusId, time_zone_of};
use widgets::button::Button;
use widgets::field::{Field, show_error};
use widgets::hold_button::HoldButton;
use widgets::select::Select;
use widgets::{layout, text};

/// With more pieces than this, a single piece can't be selected.
const MOST_PIECES: usize = 500;

impl StatusDialog {
    /// Draws the form. Returns true once the clerk has confirmed.
    pub(super) fn ask_set(
        &mut self,
        ui: &mut Ui,
        context: &Context<'_>,
        preview: &StatusPreview,
    ) -> bool {
        let shared = context.shared;
        let first = preview.rows.first();
        let place = first.map_or("", |row| time_zone_of(&row.from_place));
        let zone = match place {
            "" => shared.session.zone.as_str(),
            place => place,
        };
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                self.status_field(ui, self.problem(preview, StatusField::Status));
            } else {
                let unit = zone_name(shared.now, zone);
                let hint = format!("Now, {}", clock(shared.now, zone));
                let problem = self.problem(preview, StatusField::Time);
                let field = Field::new("Happened at", &mut self.draft.time).limit(60);
                field.hint(&hint).unit(&unit).error(problem).show(ui);
            }
        });
        if let Some(at) = preview.result.as_ref().ok().and_then(|plan| plan.at) {
            let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
            self.read_as(ui, at, &zone_name(moment, zone), place.is_empty());
        }
        if self.ids.len() == 1 {
            let pieces = { shared.track.page.consignment.value() }
                .filter(|whole| self.ids.contains(&whole.id))
                .map(|whole| whole.item_references())
                .unwrap_or_default();
            // Shown by the row's piece count, before the pieces are loaded, so that the fields below do not
            // move while the clerk types.
            let count = preview.rows.first().map_or(0, |row| row.pieces);
            if count > 1 || pieces.len() > 1 {
                self.piece(ui, &pieces, self.problem(preview, StatusField::Item));
            }
        }
        let problem = self.problem(preview, StatusField::Information);
        Field::new("Note", &mut self.draft.information)
            .hint("For example: who signed, or what was damaged")
            .error(problem)
            .limit(500)
            .show(ui);
        preview.show_summary(ui);
        text::small_note(ui, "This doesn't notify the carrier");
        self.confirm(ui, preview)
    }

    fn status_field(&mut self, ui: &mut Ui, problem: Option<&str>) {
        let mut all: Vec<StatusId> = settable_statuses().collect();
        all.sort_by_key(|status| name(*status));
        let names: Vec<String> = all.iter().map(|status| name(*status)).collect();
        let options: Vec<&str> = names.iter().map(String::as_str).collect();
        let current = self.draft.status;
        let current = all.iter().position(|status| Some(*status) == current);
        let select = Select::new("Status", current, &options).error(problem);
        if let Some(picked) = select.show(ui).picked {
            self.draft.status = all.get(picked).copied();
        }
    }

    /// Shows how the typed time was understood, as it will be sent.
    fn read_as(&self, ui: &mut Ui, at: LocalTime, zone: &str, unknown: bool) {
        let whose = match (unknown, self.ids.len()) {
            (true, _) => "the bench's clocks (pickup time zone unknown)",
            (false, 1) => "the pickup place's clocks",
            (false, _) => "each pickup place's own clocks",
        };
        let words = format!("{} {zone}, on {whose}", day_and_time(at));
        text::small_note(ui, words);
    }

    fn piece(&mut self, ui: &mut Ui, pieces: &[String], problem: Option<&str>) {
        let pieces = if pieces.len() > MOST_PIECES {
            &[]
        } else {
            pieces
        };
        let options: Vec<&str> = { ["All of it"].into_iter() }
            .chain(pieces.iter().map(String::as_str))
            .collect();
        let of = { self.draft.item.as_deref() }
            .and_then(|item| pieces.iter().position(|piece| piece == item));
        let current = Some(of.map_or(0, |at| at + 1));
        let select = Select::new("Piece", current, &options).error(problem);
        if let Some(picked) = select.show(ui).picked {
            self.draft.item = picked.checked_sub(1).and_then(|at| pieces.get(at).cloned());
        }
    }

    fn confirm(&self, ui: &mut Ui, preview: &StatusPreview) -> bool {
        let status = self.draft.status.map(name);
        let status = status.as_deref().unwrap_or("a status");
        if self.ids.len() == 1 {
            let words = format!("Set {status}");
            let key = widgets::key_cap::label(SEND);
            // The button is not emphasised until a status is selected.
            let button = match self.draft.status {
                Some(_) => Button::primary(&words),
                None => Button::new(&words),
            };
            let button = button.key(&key).fill_width(ui);
            let by_key = ui.input_mut(|input| input.consume_shortcut(&SEND));
            ui.add(button).clicked() || by_key
        } else {
            let words = format!("Hold to set {status} for {}", grouped(preview.count()));
            let button = HoldButton::new(&words).shortcut(SEND);
            let held = match self.draft.status {
                Some(_) => button.show(ui),
                None => button.secondary().show(ui),
            };
            if let (None, Some(words)) = (
                self.draft.status,
                self.problem(preview, StatusField::Status),
            ) {
                show_error(ui, &held.response, words);
            }
            held.completed
        }
    }
}
