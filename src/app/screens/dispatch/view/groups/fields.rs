//! The input fields of a pickup, each with its problem, and the times in full as they were understood.

use egui::{Label, Ui};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::card::{UNKNOWN_ZONE, zone_abbreviation};
use super::refusal;
use super::state::Pickup;
use crate::state::Shared;
use crate::ui::format::{counted, day_and_time, zone_name};
use draft::{PickupDraft, PickupField, PickupReview};
use shipping::{LocalTime, UtcTime};
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, text};

/// Minimum width for three fields side by side, in points.
const WIDE: f32 = 286.0;

pub(super) fn show(ui: &mut Ui, shared: &Shared, pickup: &mut Pickup, review: &PickupReview) {
    let id = pickup.time_field_id();
    let Pickup {
        draft,
        details: known,
        ..
    } = pickup;
    let refused = refusal::refused_field(shared, review);
    let error = |field: PickupField| {
        let problems = match &review.group {
            Ok(_) => refused.as_slice(),
            Err(problems) => problems.as_slice(),
        };
        let mut here = problems.iter().filter(|(at, _)| *at == field);
        here.next().map(|(_, words)| words.as_str())
    };
    let zone = known.zone.as_str();
    let place = zone.rsplit('/').next().unwrap_or(zone).replace('_', " ");
    let label = if zone.is_empty() {
        format!("Pickup ({UNKNOWN_ZONE})")
    } else {
        format!("Pickup ({place}, {})", zone_name(shared.now, zone))
    };
    let times = |ui: &mut Ui, at: usize, draft: &mut PickupDraft| match at {
        0 => {
            let field = Field::new(&label, &mut draft.pickup).id(id).limit(40);
            let shown = field.error(error(PickupField::Pickup)).show(ui);
            if shown.response.gained_focus() {
                shown.response.scroll_to_me(None);
            }
        }
        1 => {
            let field = Field::new("Closes", &mut draft.closing).limit(40);
            field.error(error(PickupField::Closing)).show(ui);
        }
        _ => {
            let field = Field::new("Spaces", &mut draft.spaces).number();
            field.error(error(PickupField::Spaces)).show(ui);
        }
    };
    if ui.available_width() > WIDE {
        layout::row(ui, &[5.0, 2.7, 2.0], |at, ui| times(ui, at, draft));
    } else {
        layout::row(ui, &[1.0], |_, ui| times(ui, 0, draft));
        layout::row(ui, &[1.0, 1.0], |at, ui| times(ui, at + 1, draft));
    }
    if let Some(words) = understood_times(shared, zone, draft, review) {
        text::small_note(ui, &words);
    }
    for (_, words) in &review.warnings {
        warning(ui, words);
    }
    if let Some(words) = estimate(known.taken_out, draft) {
        text::small_note(ui, &words);
    }
    let field = Field::new("Driver instructions", &mut draft.instructions);
    field.error(error(PickupField::Instructions)).show(ui);
    checkbox(ui, &mut draft.already_booked, "Pickup already booked");
    if draft.has_dangerous_goods() {
        let words = "I declare the dangerous goods in this group";
        checkbox(ui, &mut draft.dangerous_goods_declared, words);
    }
    if let Some(words) = error(PickupField::Declaration) {
        let words = text::small(words).color(palette(ui).bad);
        ui.add(Label::new(words).wrap());
    }
}

/// Shows something unusual that does not prevent the booking.
fn warning(ui: &mut Ui, words: &str) {
    let ink = palette(ui).warning;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        text::decorative_icon(ui, icons::ICON_WARNING, size::SMALL_LINE, ink);
        ui.add(Label::new(text::small(words).color(ink)).wrap());
    });
}

/// Returns the pickup times as parsed from the typed text, and again in the bench's time
/// zone if its offset differs.
fn understood_times(
    shared: &Shared,
    zone: &str,
    draft: &PickupDraft,
    review: &PickupReview,
) -> Option<String> {
    if draft.already_booked {
        return None;
    }
    let at = review.pickup?;
    // A time on the day of the pickup, or else the day and the time.
    let short = |time: LocalTime| {
        if time.0.date() == at.0.date() {
            time.0.strftime("%H:%M").to_string()
        } else {
            day_and_time(time)
        }
    };
    let until = review
        .closing
        .map(|closing| format!("to {} ", short(closing)));
    let until = until.unwrap_or_default();
    let name = zone_abbreviation(at, zone, shared);
    let mut words = format!("{} {until}{name}", day_and_time(at));
    let Ok(UtcTime(moment)) = at.in_zone(zone) else {
        return Some(words);
    };
    if offset(moment, zone) != offset(moment, &shared.session.zone) {
        let here = short(LocalTime::at(moment, &shared.session.zone));
        let name = zone_name(moment, &shared.session.zone);
        words = format!("{words} · {here} {name} at the bench");
    }
    if offset(moment, zone) != offset(shared.now, zone) {
        words = format!("{words} · daylight saving changes before then");
    }
    Some(words)
}

fn offset(at: Timestamp, zone: &str) -> i32 {
    let clocks = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    clocks.to_offset(at).seconds()
}

/// Returns a note if the service's estimate of pallet spaces includes consignments that were taken out since.
fn estimate(fewer: usize, draft: &PickupDraft) -> Option<String> {
    let untouched = draft.group.pallet_spaces?.to_string() == draft.spaces.trim();
    (fewer > 0 && untouched).then(|| {
        let taken = counted(fewer, "consignment", "consignments");
        format!("The estimate of spaces still includes {taken} that you took out")
    })
}
