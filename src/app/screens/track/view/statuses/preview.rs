//! The preview of a status change: the affected consignments, the status that would be sent, and the
//! consignments that are left out.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use egui::{Label, Ui};

use crate::state::{ConsignmentRow, Shared};
use crate::ui::format::{counted, first_and_count, grouped};
use draft::{StatusChangeDraft, StatusField, StatusPlan, StatusTarget};
use shipping::{ConsignmentId, time_zone_of};
use widgets::notice::NoticeBar;
use widgets::text;
use widgets::tokens::{Tone, size};

/// Number of consignments that are named in a line.
const NAMED: usize = 4;

/// Height of the list of numbers to read out, in points.
const NUMBERS: f32 = 150.0;

/// The result of checking a draft against its consignments.
pub(super) struct StatusPreview {
    /// The loaded rows, in the requested order.
    pub(super) rows: Vec<Arc<ConsignmentRow>>,
    /// The changes to send, or the problems by field.
    pub(super) result: Result<StatusPlan, Vec<(StatusField, String)>>,
    /// Number of consignments that are not loaded.
    missing: usize,
    is_loading: bool,
    /// Number of requested consignments above the limit.
    over_limit: usize,
}

impl StatusPreview {
    /// Checks the draft.
    pub(super) fn of(
        shared: &Shared,
        ids: &[ConsignmentId],
        over_limit: usize,
        draft: &StatusChangeDraft,
    ) -> Self {
        let answers = &shared.track.status_rows;
        let known: HashMap<_, _> = { answers.value().into_iter().flatten() }
            .map(|row| (row.id, row))
            .collect();
        let shown = shared.track.page.history.value().and_then(Option::as_ref);
        let row = |id: &ConsignmentId| match shown {
            // The row on the open page is at least as new.
            Some(shown) if shown.row.id == *id => Some(Arc::new(shown.row.clone())),
            _ => known.get(id).map(|row| Arc::clone(row)),
        };
        let rows: Vec<_> = ids.iter().filter_map(row).collect();
        let targets: Vec<_> = rows.iter().map(|row| target(row, shared)).collect();
        Self {
            result: draft.check(&targets, shared.now, &shared.session.zone),
            missing: ids.len() - rows.len(),
            is_loading: answers.is_loading(),
            over_limit,
            rows,
        }
    }

    /// Returns how many changes will be sent, or would be without the problems.
    pub(super) fn count(&self) -> usize {
        let plan = self.result.as_ref();
        plan.map_or(self.rows.len(), |plan| plan.updates.len())
    }

    /// Shows how many will be set, and which are left out and why. Shows nothing for a single consignment
    /// that can be set.
    pub(super) fn show_summary(&self, ui: &mut Ui) {
        if self.is_loading && self.missing > 0 {
            return text::small_note(ui, format!("{} still loading", grouped(self.missing)));
        }
        if self.rows.len() > 1 {
            ui.label(text::strong(format!(
                "{} will be set",
                grouped(self.count())
            )));
        }
        let plan = self.result.as_ref().ok();
        let skipped = plan.map_or(&[][..], |plan| plan.skipped.as_slice());
        let headline = match skipped.len() + self.missing + self.over_limit {
            0 => return,
            1 => "1 will be skipped".to_owned(),
            count => format!("{} will be skipped", grouped(count)),
        };
        let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for one in skipped {
            let numbers = by_reason.entry(&one.reason).or_default();
            numbers.push(one.number.clone());
        }
        let mut lines: Vec<_> = { by_reason.iter() }
            .map(|(why, numbers)| format!("{}: {why}", first_and_count(numbers, NAMED)))
            .collect();
        if self.missing > 0 {
            let words = counted(self.missing, "is", "are");
            lines.push(format!("{words} not tracked on this bench"));
        }
        if self.over_limit > 0 {
            let over = grouped(self.over_limit);
            lines.push(format!("{over} more than can be set at once"));
        }
        NoticeBar::new(Tone::Warning, &headline)
            .what_to_do(&lines.join("\n"))
            .show(ui);
    }

    /// Lists the numbers to read out, carrier by carrier. Only the lines in view are laid out.
    pub(super) fn show_numbers(&self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 2.0;
        let numbers = numbers(&self.rows, self.result.as_ref().ok());
        let scroll = egui::ScrollArea::vertical().max_height(NUMBERS);
        scroll.show_rows(ui, size::LINE, numbers.len(), |ui, lines| {
            for (is_heading, words) in &numbers[lines] {
                let words = if *is_heading {
                    text::strong(words)
                } else {
                    text::mono(words)
                };
                let words = words.line_height(Some(size::LINE));
                ui.add(Label::new(words).selectable(true).truncate());
            }
        });
        ui.spacing_mut().item_spacing.y = size::GRID;
    }
}

/// Converts a row to the input of the draft's check.
fn target(row: &ConsignmentRow, shared: &Shared) -> StatusTarget {
    StatusTarget {
        id: row.id,
        number: row.number.clone(),
        status: row.status.id,
        zone: time_zone_of(&row.from_place).to_owned(),
        in_open_operation: shared.operations.locked.contains_key(&row.id),
    }
}

/// Returns the numbers to read out, by carrier: of the changes to send, or of all rows while
/// there are problems. True marks a heading with the carrier's name.
fn numbers(rows: &[Arc<ConsignmentRow>], plan: Option<&StatusPlan>) -> Vec<(bool, String)> {
    let sent: Option<HashSet<_>> = plan.map(|plan| {
        let ids = plan.updates.iter().map(|update| update.consignment_id);
        ids.collect()
    });
    let is_sent = |id| sent.as_ref().is_none_or(|sent| sent.contains(&id));
    let mut carriers: BTreeMap<&str, Vec<&ConsignmentRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| is_sent(row.id)) {
        carriers.entry(&row.carrier).or_default().push(row);
    }
    let mut lines = Vec::new();
    for (name, rows) in carriers {
        let name = if name.is_empty() { "No carrier" } else { name };
        lines.push((true, format!("{name}: {}", grouped(rows.len()))));
        lines.extend(rows.into_iter().map(|row| {
            let theirs = match row.carrier_number.as_str() {
                "" => "no carrier con. number",
                number => number,
            };
            (false, format!("{theirs}  ({})", row.number))
        }));
    }
    lines
}
