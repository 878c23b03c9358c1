//! The card of one group: its origin, its editable pickup, its consignments and a hold-to-book button.

use std::collections::HashSet;

use egui::{Label, Ui};

use super::state::Pickup;
use super::{fields, members, refusal};
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::Shared;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::format::{counted, day_and_time, weekday, zone_name};
use draft::PickupReview;
use shipping::{Company, ConsignmentId, LocalTime, ManifestGroup};
use widgets::badge::Badge;
use widgets::card::Card;
use widgets::hold_button::HoldButton;
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};

/// Shown instead of the time zone's name if the zone of the pickup place is unknown.
pub(super) const UNKNOWN_ZONE: &str = "local time at the pickup place";

/// The clerk's requests on a card in this frame.
#[derive(Default)]
pub(super) struct CardRequests {
    /// The group to book.
    pub(super) book: Option<ManifestGroup>,
    /// The consignment to take out of the group, and whether to put it on hold.
    pub(super) move_out: Option<(ConsignmentId, bool)>,
}

/// Draws the card. `alone` is true if there is no other group; `open` has the ids of the groups whose
/// consignments are listed.
pub(super) fn show(
    ui: &mut Ui,
    context: &mut Context<'_>,
    pickup: &mut Pickup,
    (alone, open): (bool, &mut HashSet<u32>),
) -> CardRequests {
    let shared = context.shared;
    let review = pickup.review(shared);
    let name = carrier(&pickup.draft.group).to_owned();
    let id = pickup.draft.id;
    let (count, dangerous) = (
        pickup.draft.group.consignment_ids.len(),
        pickup.draft.has_dangerous_goods(),
    );
    let was_open = open.contains(&id);
    let mut toggled = false;
    let asked = ui.push_id(id, |ui| {
        Card::new(&name)
            .icon(icons::ICON_LOCAL_SHIPPING)
            .show(
                ui,
                |ui| toggled = badges(ui, &name, (count, dangerous, was_open)),
                |ui| {
                    let mut asked = CardRequests::default();
                    refusal::show(ui, context, &pickup.draft.group);
                    origin(ui, shared, pickup);
                    fields::show(ui, shared, pickup, &review);
                    if was_open {
                        asked.move_out = members::show(ui, shared, &pickup.draft.group);
                    }
                    asked.book = book(ui, context, pickup, (&review, alone));
                    asked
                },
            )
            .inner
    });
    if toggled && !open.remove(&id) {
        open.insert(id);
    }
    asked.inner
}

pub(super) fn carrier(group: &ManifestGroup) -> &str {
    group.carrier_name.as_deref().unwrap_or("Unknown carrier")
}

/// Draws the badges; returns whether the clerk asked to show or hide the list of consignments.
fn badges(ui: &mut Ui, carrier: &str, (count, dangerous, open): (usize, bool, bool)) -> bool {
    let words = counted(count, "consignment", "consignments");
    let short = count.to_string();
    let roomy = if dangerous { 330.0 } else { 280.0 };
    let seen = if ui.available_width() > roomy {
        &words
    } else {
        &short
    };
    let (icon, verb) = if open {
        (icons::ICON_EXPAND_LESS, "Hide consignments")
    } else {
        (icons::ICON_EXPAND_MORE, "Show consignments")
    };
    let name = format!("{verb}: {words} with {carrier}");
    let pill = Badge::new(Tone::Neutral, seen).icon(icon).name(&name);
    let pressed = pill.show_button(ui).on_hover_text(verb).clicked();
    if dangerous {
        Badge::dangerous("DG").show(ui);
    }
    pressed
}

/// Shows the place and day of despatch, and the company if the bench works for several.
fn origin(ui: &mut Ui, shared: &Shared, pickup: &Pickup) {
    let Some(first) = &pickup.details.first else {
        return;
    };
    let group = &pickup.draft.group;
    let suburb = first.from_place.suburb.as_str();
    let mut place = first.from.clone();
    // The name of a depot usually contains its suburb.
    if !suburb.is_empty() && !place.contains(',') && !place.contains(suburb) {
        let comma = if place.is_empty() { "" } else { ", " };
        place = format!("{place}{comma}{suburb}");
    }
    let despatch = pickup.details.despatch;
    let companies = shared
        .catalogue
        .companies
        .value()
        .map_or(&[][..], Vec::as_slice);
    let told = |name: &str| companies.len() > 1 && !first.from.starts_with(name);
    let whose = companies
        .iter()
        .find(|company| Some(company.id) == group.company_id)
        .map(Company::label)
        .filter(|name| told(name));
    let parts = [
        Some(place).filter(|place| !place.is_empty()),
        despatch.map(|at| format!("leaves {}", weekday(at))),
        whose.map(str::to_owned),
    ];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let muted = palette(ui).muted;
    let place = [
        first.from.as_str(),
        suburb,
        &first.from_place.state,
        &first.from_place.postcode,
    ];
    ui.add(Label::new(text::small(words).color(muted)).truncate())
        .on_hover_text(place.join(" "));
}

/// Draws the group's own hold-to-book button; returns the group once the button was held. If there is only
/// one group, its button has the shortcut that otherwise books all groups.
fn book(
    ui: &mut Ui,
    context: &Context<'_>,
    pickup: &Pickup,
    (review, alone): (&PickupReview, bool),
) -> Option<ManifestGroup> {
    let shared = context.shared;
    let zone = &pickup.details.zone;
    let held = pickup.details.locked(shared);
    let locked = held.is_some();
    let lock = held.and_then(|id| lock_reason(shared, id));
    if let Some(held) = lock {
        let words = format!(
            "{}. You can book this group once that is resolved",
            held.why
        );
        text::small_note(ui, words);
    } else if let Ok(group) = &review.group {
        text::small_note(ui, booking_summary(group, zone, shared));
    }
    // With several groups, the environment is shown next to the button for all groups instead.
    if alone {
        environment::line(ui, shared);
    }
    let button = match Action::Book.entry().shortcut {
        Some(shortcut) if alone => HoldButton::new("Hold to book").shortcut(shortcut),
        _ => HoldButton::new("Hold to book").secondary(),
    };
    let enabled = review.group.is_ok() && !locked;
    let held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    let name = format!("Hold to book {}", carrier(&pickup.draft.group));
    if !alone {
        ui.ctx()
            .accesskit_node_builder(held.response.id, |node| node.set_label(name.as_str()));
    }
    if alone && context.is_triggered(Action::Book) {
        // From the action palette: the clerk must still hold the button.
        held.response.request_focus();
    }
    let group = review.group.as_ref().ok();
    group.filter(|_| held.completed && !locked).cloned()
}

/// Describes what would be booked: carrier, count, time, zone and the dangerous goods declaration.
fn booking_summary(group: &ManifestGroup, zone: &str, shared: &Shared) -> String {
    let count = counted(group.consignment_ids.len(), "consignment", "consignments");
    let when = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "no pickup".to_owned(),
        (false, Some(at)) => {
            let zone = zone_abbreviation(at, zone, shared);
            format!("{} {zone}", day_and_time(at))
        }
        (false, None) => "pickup when the carrier comes".to_owned(),
    };
    let declared = group.dgs_declaration == Some(true);
    let dangerous = if declared { ", DG declared" } else { "" };
    format!("{}: {count}, {when}{dangerous}", carrier(group))
}

/// Returns the short name of the pickup place's zone at that time, such as `AEDT`.
pub(super) fn zone_abbreviation(at: LocalTime, zone: &str, shared: &Shared) -> String {
    if zone.is_empty() {
        return format!("({UNKNOWN_ZONE})");
    }
    let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
    zone_name(moment, zone)
}
