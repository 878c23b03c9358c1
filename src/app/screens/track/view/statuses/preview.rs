//! The preview of a status change: the affected consignments, what would be sent, and what is left out. With
//! up to 1,000 rows it is computed when an input changes, not in each frame.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use egui::{Label, Ui};

use super::Problems;
use crate::state::{ConsignmentRow, Shared};
use crate::ui::format::{counted, grouped};
use draft::{SkippedConsignment, StatusChangeDraft, StatusPlan, StatusTarget};
use shipping::{ConsignmentId, StatusId, time_zone_of};
use widgets::notice::NoticeBar;
use widgets::text;
use widgets::tokens::{Tone, palette, size};

/// Number of consignments that are named in a line.
const NAMED: usize = 4;

/// Height of the list of numbers to read out, in points.
const NUMBERS: f32 = 150.0;

/// The inputs of the preview, which stays valid while they are equal.
#[derive(PartialEq)]
struct PreviewInputs {
    draft: StatusChangeDraft,
    loading: bool,
    /// The consignment whose page is open, and its status.
    shown: Option<(ConsignmentId, StatusId)>,
    held: Vec<ConsignmentId>,
    /// The current minute: a typed time may stop being in the future.
    minute: i64,
}

/// The result of checking a draft against its consignments.
pub(super) struct StatusPreview {
    basis: PreviewInputs,
    /// The rows that were read from the store for this preview.
    source_rows: Vec<Arc<ConsignmentRow>>,
    /// The loaded rows, in the requested order.
    pub(super) rows: Vec<Arc<ConsignmentRow>>,
    /// The changes to send, or the problems.
    pub(super) result: Result<StatusPlan, Problems>,
    summary: PreviewSummary,
    /// Numbers to read out to each carrier. True marks a heading with the carrier's name.
    numbers: Vec<(bool, String)>,
}

/// The texts about many consignments.
#[derive(Default)]
struct PreviewSummary {
    reading: Option<String>,
    set: Option<String>,
    left_out: Option<(String, String)>,
}

impl PreviewInputs {
    fn of(shared: &Shared, ids: &[ConsignmentId], draft: &StatusChangeDraft) -> Self {
        let track = &shared.track;
        let shown = track.page.history.value().and_then(Option::as_ref);
        let held = ids.iter().filter(|id| shared.locked.contains_key(id));
        Self {
            draft: draft.clone(),
            loading: track.status_rows.is_loading(),
            shown: shown.map(|shown| (shown.row.id, shown.row.status.id)),
            held: held.copied().collect(),
            minute: shared.now.as_second().div_euclid(60),
        }
    }
}

impl StatusPreview {
    /// Returns true if the preview was made from these inputs.
    pub(super) fn is_current(
        &self,
        shared: &Shared,
        ids: &[ConsignmentId],
        draft: &StatusChangeDraft,
    ) -> bool {
        let answers = answers(shared);
        let same =
            answers.len() == self.source_rows.len() && { answers.iter().zip(&self.source_rows) }
                .all(|(one, other)| Arc::ptr_eq(one, other));
        same && self.basis == PreviewInputs::of(shared, ids, draft)
    }

    /// Checks the draft. `beyond` is the number of consignments above the limit.
    pub(super) fn of(
        shared: &Shared,
        ids: &[ConsignmentId],
        beyond: usize,
        draft: &StatusChangeDraft,
    ) -> Self {
        let basis = PreviewInputs::of(shared, ids, draft);
        let answers = answers(shared).to_vec();
        let mut known: HashMap<_, _> = { answers.iter() }
            .map(|row| (row.id, Arc::clone(row)))
            .collect();
        // The row on the open page is at least as new.
        if let Some(shown) = shared.track.page.history.value().and_then(Option::as_ref)
            && ids.contains(&shown.row.id)
        {
            known.insert(shown.row.id, Arc::new(shown.row.clone()));
        }
        let rows: Vec<_> = ids.iter().filter_map(|id| known.get(id).cloned()).collect();
        let targets: Vec<_> = rows.iter().map(|row| target(row, shared)).collect();
        let said = draft.check(&targets, shared.now, &shared.zone);
        let missing = ids.len() - rows.len();
        let (set, left_out) = match &said {
            Ok(plan) => (plan.updates.len(), plan.skipped.as_slice()),
            Err(_) => (rows.len(), &[][..]),
        };
        let summary = if basis.loading && missing > 0 {
            let reading = Some(format!("{} still loading", grouped(missing)));
            PreviewSummary {
                reading,
                ..PreviewSummary::default()
            }
        } else {
            PreviewSummary {
                reading: None,
                set: (rows.len() > 1).then(|| format!("{} will be set", grouped(set))),
                left_out: left_out_words(left_out, missing, beyond),
            }
        };
        let numbers = numbers(&rows, said.as_ref().ok());
        Self {
            basis,
            source_rows: answers,
            rows,
            result: said,
            summary,
            numbers,
        }
    }

    pub(super) fn first(&self) -> Option<&ConsignmentRow> {
        self.rows.first().map(AsRef::as_ref)
    }

    /// Returns how many changes will be sent, or would be without the problems.
    pub(super) fn count(&self) -> usize {
        let plan = self.result.as_ref();
        plan.map_or(self.rows.len(), |plan| plan.updates.len())
    }

    /// Shows how many will be set, and which are left out and why. Shows nothing for a single consignment
    /// that can be set.
    pub(super) fn show_summary(&self, ui: &mut Ui) {
        let summary = &self.summary;
        if let Some(words) = &summary.reading {
            ui.label(text::small(words.as_str()).color(palette(ui).muted));
        }
        if let Some(words) = &summary.set {
            ui.label(text::strong(words.as_str()));
        }
        if let Some((headline, words)) = &summary.left_out {
            NoticeBar::new(Tone::Warning, headline)
                .what_to_do(words)
                .show(ui);
        }
    }

    /// Lists the numbers to read out, carrier by carrier. Only the lines in view are laid out.
    pub(super) fn show_numbers(&self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 2.0;
        let scroll = egui::ScrollArea::vertical().max_height(NUMBERS);
        scroll.show_rows(ui, size::LINE, self.numbers.len(), |ui, lines| {
            for (is_heading, words) in &self.numbers[lines] {
                let words = if *is_heading {
                    text::strong(words.as_str())
                } else {
                    text::mono(words.as_str())
                };
                let words = words.line_height(Some(size::LINE));
                ui.add(Label::new(words).selectable(true).truncate());
            }
        });
        ui.spacing_mut().item_spacing.y = size::GRID;
    }
}

fn answers(shared: &Shared) -> &[Arc<ConsignmentRow>] {
    let weighed = shared.track.status_rows.value();
    weighed.map(Vec::as_slice).unwrap_or_default()
}

/// Converts a row to the input of the draft's check.
fn target(row: &ConsignmentRow, shared: &Shared) -> StatusTarget {
    StatusTarget {
        id: row.id,
        number: row.number.clone(),
        status: row.status.id,
        zone: time_zone_of(&row.from_place).to_owned(),
        in_open_operation: shared.locked.contains_key(&row.id),
    }
}

/// Returns how many are left out, and why.
fn left_out_words(
    left_out: &[SkippedConsignment],
    missing: usize,
    beyond: usize,
) -> Option<(String, String)> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in left_out {
        by_reason.entry(&one.reason).or_default().push(&one.number);
    }
    let mut lines: Vec<_> = { by_reason.iter() }
        .map(|(why, numbers)| listed(why, numbers))
        .collect();
    if missing > 0 {
        let words = counted(missing, "is", "are");
        lines.push(format!("{words} not tracked on this bench"));
    }
    if beyond > 0 {
        lines.push(format!("{} more than can be set at once", grouped(beyond)));
    }
    let headline = match left_out.len() + missing + beyond {
        0 => return None,
        1 => "1 will be skipped".to_owned(),
        count => format!("{} will be skipped", grouped(count)),
    };
    Some((headline, lines.join("\n")))
}

/// `MS200102, MS200103: already cancelled`.
fn listed(why: &str, numbers: &[&str]) -> String {
    let named = { numbers.iter().take(NAMED) }
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    let rest = numbers.len().saturating_sub(NAMED);
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{named}{more}: {why}")
}

/// Returns the numbers to read out, by carrier: of the changes to send, or of all rows while
/// there are problems.
fn numbers(rows: &[Arc<ConsignmentRow>], plan: Option<&StatusPlan>) -> Vec<(bool, String)> {
    let sent: Option<HashSet<_>> = plan.map(|plan| {
        let ids = plan.updates.iter().map(|update| update.consignment_id);
        ids.collect()
    });
    let mut carriers: BTreeMap<&str, Vec<&ConsignmentRow>> = BTreeMap::new();
    for row in rows {
        if sent.as_ref().is_none_or(|sent| sent.contains(&row.id)) {
            carriers.entry(&row.carrier).or_default().push(row);
        }
    }
    let mut lines = Vec::new();
    for (name, rows) in carriers {
        let name = if name.is_empty() { "No carrier" } else { name };
        lines.push((true, format!("{name}: {}", grouped(rows.len()))));
        lines.extend(rows.into_iter().map(|row| {
            let theirs = if row.carrier_number.is_empty() {
                "no carrier number"
            } else {
                &row.carrier_number
            };
            (false, format!("{theirs}  ({})", row.number))
        }));
    }
    lines
}
