//! The dialogs for exception thresholds and for the tracking scope. Nothing changes until Save.

use egui::Ui;

use super::toolbar::carriers;
use crate::state::{Shared, SyncScope, Thresholds, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::choice;
use shipping::CompanyId;
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::field::{Field, OnEnter};
use widgets::modal::{self, Modal};
use widgets::text;

/// Largest number of hours.
const MOST_HOURS: u16 = 999;
/// The problem shown for invalid input.
const WRONG: &str = "A whole number of hours from 0 to 999";

/// The fields of the thresholds in order: label and explanation.
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

/// Both dialogs, and what was typed and selected in them.
#[derive(Default)]
pub(super) struct ScopeDialogs {
    /// The typed hours; `Some` while the dialog for thresholds is open.
    hours: Option<[String; 3]>,
    /// The selected scope; `Some` while the dialog for the tracking scope is open.
    scope: Option<SyncScope>,
}

impl ScopeDialogs {
    pub(super) const fn is_open(&self) -> bool {
        self.hours.is_some() || self.scope.is_some()
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::TrackThresholds) {
            self.hours = Some(texts(context.shared.track.thresholds));
        }
        if context.is_triggered(Action::TrackScope) {
            self.scope = Some(context.shared.track.sync_scope);
        }
        dialog(
            ui,
            Action::TrackThresholds,
            &mut self.hours,
            |ui, hours, open| {
                thresholds(ui, context, hours, open);
            },
        );
        dialog(
            ui,
            Action::TrackScope,
            &mut self.scope,
            |ui, scope, open| {
                tracking_scope(ui, context, scope, open);
            },
        );
    }
}

/// Draws the dialog that this action opens, while there is a value to edit.
fn dialog<T>(
    ui: &Ui,
    action: Action,
    value: &mut Option<T>,
    content: impl FnOnce(&mut Ui, &mut T, &mut bool),
) {
    let title = action.entry().name.trim_end_matches('…');
    let mut open = value.is_some();
    let modal = Modal::new(title, title).width(420.0);
    modal.show(ui, &mut open, |ui, open| {
        ui.spacing_mut().item_spacing.y = 10.0;
        if let Some(value) = value {
            content(ui, value, open);
        }
    });
    value.take_if(|_| !open);
}

fn texts(thresholds: Thresholds) -> [String; 3] {
    let Thresholds {
        late_hours,
        not_collected_hours,
        no_scan_hours,
    } = thresholds;
    [late_hours, not_collected_hours, no_scan_hours].map(|hours| hours.to_string())
}

/// Parses a whole number of hours within the limit.
fn hours(text: &str) -> Option<u16> {
    let text = text.trim();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let hours = text.parse().ok().filter(|_| digits)?;
    (hours <= MOST_HOURS).then_some(hours)
}

/// Returns the typed thresholds; `None` while any field is invalid.
fn typed_thresholds([late, collected, scan]: &[String; 3]) -> Option<Thresholds> {
    Some(Thresholds {
        late_hours: hours(late)?,
        not_collected_hours: hours(collected)?,
        no_scan_hours: hours(scan)?,
    })
}

fn thresholds(ui: &mut Ui, context: &mut Context<'_>, all: &mut [String; 3], open: &mut bool) {
    let mut entered = false;
    for ((label, meaning), typed) in FIELDS.iter().zip(&mut *all) {
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
    let typed = typed_thresholds(all);
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
            *all = texts(Thresholds::default());
        }
    });
}

fn tracking_scope(ui: &mut Ui, context: &mut Context<'_>, chosen: &mut SyncScope, open: &mut bool) {
    let all = companies(context.shared, chosen.company);
    choice(ui, "Company", &mut chosen.company, &all);
    checkbox(ui, &mut chosen.children, "Include child companies");
    let mut all = vec![(None, "All carriers".to_owned())];
    let named = carriers(context.shared).into_iter();
    all.extend(named.map(|(id, name)| (Some(id), name)));
    if let Some(id) = chosen.carrier
        && all.iter().all(|(known, _)| *known != Some(id))
    {
        all.push((Some(id), format!("Carrier {id}")));
    }
    choice(ui, "Carrier", &mut chosen.carrier, &all);
    let words =
        "Only these consignments are tracked. Use the filters above the board to narrow them down";
    text::small_note(ui, words);
    if modal::confirm_or_cancel(ui, open, Button::primary("Save"), true) {
        if *chosen != context.shared.track.sync_scope {
            context.push(TrackCommand::SetSyncScope(*chosen));
        }
        *open = false;
    }
}

/// Returns the choices: the bench's company, the default company of the token (`None`), then all others that
/// the token may use.
fn companies(shared: &Shared, chosen: Option<CompanyId>) -> Vec<(Option<CompanyId>, String)> {
    let known = shared.catalogue.known_companies();
    let name = |id: CompanyId| {
        let found = known.iter().find(|company| company.id == id);
        found.map_or_else(|| format!("Company {id}"), |found| found.label().to_owned())
    };
    let mut all = Vec::new();
    let bench = shared.session.company;
    all.extend(bench.map(|id| (Some(id), format!("{} (this bench)", name(id)))));
    all.push((None, "The token's default company".to_owned()));
    let others = known.iter().map(|company| company.id).chain(chosen);
    for id in others {
        if all.iter().all(|(there, _)| *there != Some(id)) {
            all.push((Some(id), name(id)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::hours;

    #[test]
    fn only_whole_hours_within_their_limits_are_taken() {
        for (text, read) in [("0", 0), (" 48 ", 48), ("999", 999)] {
            assert_eq!(hours(text), Some(read), "{text:?}");
        }
        for text in ["1000", "99999999", "1,5", "1.5", "-1", "+1", "", "two"] {
            assert_eq!(hours(text), None, "{text:?}");
        }
    }
}
