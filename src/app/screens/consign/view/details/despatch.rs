//! The despatch time in the sender's time zone, with the name of the zone and a note
//! before its clocks change.

use egui::Ui;
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use super::super::form::{FieldOptions, Form};
use crate::ui::Context;
use crate::ui::format::{day_and_time, zone_name};
use draft::Field;
use shipping::LocalTime;
use widgets::text;

/// The note about a clock change appears this many hours before the change.
const CLOCK_CHANGE_NOTICE_HOURS: i64 = 7 * 24;
/// From this width on the UTC offset is shown in the field, otherwise below it.
const WIDE_POINTS: f32 = 210.0;

pub(super) fn field(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let check = context.shared.check_context();
    let zone = form.draft.despatch_zone(&check);
    let name = zone_name(context.shared.now, zone);
    let change = change(context.shared.now, zone);
    let whole = format!("{name}, {}", offset(context.shared.now, zone));
    let wide = ui.available_width() >= WIDE_POINTS;
    let options = FieldOptions {
        unit: Some(if wide { &whole } else { &name }),
        ..FieldOptions::default()
    };
    let shown = form.text_with(ui, Field::Despatch, options);
    let note = match (change, wide) {
        (Some(change), _) => change,
        (None, true) => String::new(),
        (None, false) => whole,
    };
    if !note.is_empty() {
        ui.spacing_mut().item_spacing.y = 3.0;
        text::small_note(ui, &note);
        ui.ctx().accesskit_node_builder(shown.response.id, |node| {
            if node.description().is_none() {
                node.set_description(note);
            }
        });
    }
}

/// Formats the UTC offset of a zone: `UTC+11`, `UTC+9:30`.
fn offset(at: Timestamp, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let seconds = zone.to_offset(at).seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, rest) => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

/// Returns a note if the clocks of `zone` (an IANA name) change within the next seven days.
fn change(now: Timestamp, zone: &str) -> Option<String> {
    let zone = TimeZone::get(zone).ok()?;
    let next = zone.following(now).next()?;
    let hours = next.timestamp().duration_since(now).as_hours();
    let before: Offset = zone.to_offset(now);
    if hours > CLOCK_CHANGE_NOTICE_HOURS || next.offset() == before {
        return None;
    }
    let way = if next.offset() > before {
        "forward"
    } else {
        "back"
    };
    let at = LocalTime(before.to_datetime(next.timestamp()));
    Some(format!("Clocks go {way} {}", day_and_time(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a moment")
    }

    #[test]
    fn a_zone_is_told_by_its_distance_from_utc() {
        for (moment, zone, told) in [
            ("2026-11-20T03:05:00Z", "Australia/Sydney", "UTC+11"),
            ("2026-07-20T03:05:00Z", "Australia/Sydney", "UTC+10"),
            ("2026-07-20T03:05:00Z", "Australia/Darwin", "UTC+9:30"),
            ("2026-07-20T03:05:00Z", "Pacific/Honolulu", "UTC-10"),
        ] {
            assert_eq!(offset(at(moment), zone), told);
        }
    }

    #[test]
    fn a_change_of_clocks_is_told_a_week_before() {
        let sydney = |moment: &str| change(at(moment), "Australia/Sydney");
        assert_eq!(
            sydney("2026-10-01T00:00:00Z").as_deref(),
            Some("Clocks go forward Sun 4 Oct 02:00")
        );
        assert_eq!(
            sydney("2027-04-01T00:00:00Z").as_deref(),
            Some("Clocks go back Sun 4 Apr 03:00")
        );
        assert_eq!(sydney("2026-11-20T03:05:00Z"), None);
        assert_eq!(
            change(at("2026-10-01T00:00:00Z"), "Australia/Brisbane"),
            None
        );
    }
}
