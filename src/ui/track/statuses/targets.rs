//! The consignments whose status is to be set, as far as their rows are known.

use egui::{Label, Ui};

use crate::draft::{LeftOut, StatusTarget};
use crate::shipping::{ConsignmentId, zone_of};
use crate::state::{Shared, Tracked};
use crate::ui::kit::notice::NoticeBar;
use crate::ui::kit::text;
use crate::ui::kit::tokens::{Tone, palette};
use crate::ui::words::{counted, grouped};

/// Numbers that are named in a line.
const NAMED: usize = 4;

/// Rows in the order that was asked for, and how many are not known.
pub(super) struct Targets<'a> {
    pub(super) rows: Vec<&'a Tracked>,
    pub(super) missing: usize,
    pub(super) loading: bool,
}

impl<'a> Targets<'a> {
    pub(super) fn of(shared: &'a Shared, ids: &[ConsignmentId]) -> Self {
        let track = &shared.track;
        let weighed = track.weighed.value().map(Vec::as_slice).unwrap_or_default();
        let shown = track.page.followed.value().and_then(Option::as_ref);
        let mut known: std::collections::HashMap<_, &Tracked> = { weighed.iter() }
            .map(|row| (row.id, row.as_ref()))
            .collect();
        // What the page shows is as new, or newer.
        known.extend(shown.map(|shown| (shown.row.id, &shown.row)));
        let rows: Vec<_> = ids.iter().filter_map(|id| known.get(id).copied()).collect();
        Self {
            missing: ids.len() - rows.len(),
            rows,
            loading: track.weighed.is_loading(),
        }
    }

    pub(super) fn first(&self) -> Option<&'a Tracked> {
        self.rows.first().copied()
    }

    /// As the check needs them.
    pub(super) fn weighed(&self, shared: &Shared) -> Vec<StatusTarget> {
        let target = |row: &&Tracked| StatusTarget {
            id: row.id,
            number: row.number.clone(),
            status: row.status.id,
            zone: zone_of(&row.from_place).to_owned(),
            held: shared.locked.contains_key(&row.id),
        };
        self.rows.iter().map(target).collect()
    }
}

/// How many will be set, and which are left out and why; nothing where it is one that can be.
pub(super) fn summary(
    ui: &mut Ui,
    targets: &Targets<'_>,
    set: usize,
    left_out: &[LeftOut],
    beyond: usize,
) {
    if targets.loading && targets.missing > 0 {
        let words = format!("{} are being read", grouped(targets.missing));
        ui.label(text::small(words).color(palette(ui).muted));
        return;
    }
    if targets.rows.len() > 1 {
        let words = match set {
            1 => "1 will be set".to_owned(),
            count => format!("{} will be set", grouped(count)),
        };
        ui.label(text::strong(words));
    }
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for one in left_out {
        match lines.iter_mut().find(|(why, _)| *why == one.why) {
            Some((_, numbers)) => numbers.push(&one.number),
            None => lines.push((one.why.clone(), vec![&one.number])),
        }
    }
    if targets.missing > 0 {
        let words = counted(targets.missing, "is", "are");
        lines.push((format!("{words} not followed on this bench"), Vec::new()));
    }
    if beyond > 0 {
        let words = format!("{} more than can be set at once", grouped(beyond));
        lines.push((words, Vec::new()));
    }
    if lines.is_empty() {
        return;
    }
    let count = left_out.len() + targets.missing + beyond;
    let headline = match count {
        1 => "1 is left out".to_owned(),
        count => format!("{} are left out", grouped(count)),
    };
    let words: Vec<_> = { lines.iter() }
        .map(|(why, numbers)| listed(why, numbers))
        .collect();
    NoticeBar::new(Tone::Warning, &headline)
        .what_to_do(&words.join("\n"))
        .show(ui);
}

/// `2 cancelled already: MS200102, MS200103`.
fn listed(why: &str, numbers: &[&str]) -> String {
    if numbers.is_empty() {
        return why.to_owned();
    }
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

/// Whom to call, and with which number: carrier by carrier.
pub(super) fn by_carrier(ui: &mut Ui, targets: &Targets<'_>, ids: &[ConsignmentId]) {
    let mut carriers: Vec<(&str, Vec<&Tracked>)> = Vec::new();
    let rows = { targets.rows.iter() }.filter(|row| ids.contains(&row.id));
    for row in rows {
        match carriers.iter_mut().find(|(name, _)| *name == row.carrier) {
            Some((_, rows)) => rows.push(row),
            None => carriers.push((&row.carrier, vec![row])),
        }
    }
    let scroll = egui::ScrollArea::vertical().max_height(150.0);
    scroll.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (name, rows) in carriers {
            let name = if name.is_empty() {
                "No carrier named"
            } else {
                name
            };
            ui.label(text::strong(format!("{name}: {}", grouped(rows.len()))));
            for row in rows {
                let carriers_own = if row.carrier_number.is_empty() {
                    "no number of theirs"
                } else {
                    &row.carrier_number
                };
                let words = format!("{carriers_own}  ({})", row.number);
                ui.add(Label::new(text::mono(words)).selectable(true));
            }
        }
    });
}
