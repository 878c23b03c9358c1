//! The notice above a list in which some records can't be read.

use egui::Ui;

use super::format::grouped;
use crate::state::UnreadRecords;
use widgets::notice::NoticeBar;
use widgets::tokens::Tone;

/// Maximum number of records that are listed.
const MOST_NAMED: usize = 50;

/// Returns `2 of 54 consignments can't be read`, or `None` if all can be read. `records` is the noun in
/// the plural.
pub(crate) fn headline(unread: &UnreadRecords, records: &str) -> Option<String> {
    let count = unread.records.len();
    (count > 0).then(|| {
        let (count, of) = (grouped(count), grouped(unread.of));
        format!("{count} of {of} {records} can't be read")
    })
}

/// Returns a line for each unreadable record: its number, the place in the record, and the value expected there.
pub(crate) fn detail(unread: &UnreadRecords) -> String {
    let named = unread.records.iter().take(MOST_NAMED);
    let mut lines: Vec<_> = named.map(ToString::to_string).collect();
    let others = unread.records.len().saturating_sub(MOST_NAMED);
    if others > 0 {
        lines.push(format!("and {} more", grouped(others)));
    }
    lines.join("\n")
}

/// Draws the notice if there are unreadable records.
pub(crate) fn bar(ui: &mut Ui, unread: &UnreadRecords, records: &str) {
    let Some(headline) = headline(unread, records) else {
        return;
    };
    let detail = detail(unread);
    egui::Frame::new().inner_margin(8).show(ui, |ui| {
        NoticeBar::new(Tone::Warning, &headline)
            .what_to_do("They may be missing or out of date here. Send the details to whoever looks after Packbench")
            .detail(&detail)
            .show(ui);
    });
}
