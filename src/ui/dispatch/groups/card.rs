//! One group: where from, its pickup as typed, what is in it, and the button that must be held.

use std::collections::HashSet;

use egui::{Label, Ui};

use super::super::super::Context;
use super::super::super::actions::Action;
use super::super::super::environment;
use super::super::super::kit::badge::Badge;
use super::super::super::kit::card::Card;
use super::super::super::kit::hold::HoldButton;
use super::super::super::kit::tokens::{Tone, palette};
use super::super::super::kit::{icons, text};
use super::super::super::operations::words::lock;
use super::super::super::words::{counted, day_and_time, weekday, zone_name};
use super::super::note;
use super::{fields, listed, members, refusal};
use crate::draft::{PickupDraft, PickupReview};
use crate::shipping::{ConsignmentId, LocalTime, ManifestGroup};
use crate::state::{DispatchCommand, Shared};

/// What was asked for at a card.
#[derive(Default)]
pub(super) struct Asked {
    /// To book this.
    pub(super) book: Option<ManifestGroup>,
    /// To take this one out, held back or not.
    pub(super) move_out: Option<(ConsignmentId, bool)>,
}

/// Draws the card. `alone` where there is no other.
pub(super) fn show(
    ui: &mut Ui,
    context: &mut Context<'_>,
    draft: &mut PickupDraft,
    (alone, open): (bool, &mut HashSet<ConsignmentId>),
) -> Asked {
    let shared = context.shared;
    let review = super::review(shared, draft);
    let name = carrier(&draft.group).to_owned();
    let first = draft.group.consignment_ids.first().copied();
    let (count, dangerous) = (
        draft.group.consignment_ids.len(),
        draft.holds_dangerous_goods(),
    );
    ui.push_id(first, |ui| {
        Card::new(&name)
            .icon(icons::ICON_LOCAL_SHIPPING)
            .show(
                ui,
                |ui| badges(ui, count, dangerous),
                |ui| {
                    let mut asked = Asked::default();
                    if let Some(refusal) = refusal::of(shared, &draft.group) {
                        refusal.show(ui, context);
                    }
                    origin(ui, shared, &draft.group);
                    fields::show(ui, shared, draft, &review);
                    asked.move_out = members::show(ui, shared, &draft.group, open);
                    asked.book = book(ui, context, draft, (review, alone));
                    asked
                },
            )
            .inner
    })
    .inner
}

pub(super) fn carrier(group: &ManifestGroup) -> &str {
    group.carrier_name.as_deref().unwrap_or("Carrier not named")
}

fn badges(ui: &mut Ui, count: usize, dangerous: bool) {
    let words = counted(count, "consignment", "consignments");
    let short = count.to_string();
    let words = if ui.available_width() > 260.0 {
        &words
    } else {
        &short
    };
    Badge::new(Tone::Neutral, words)
        .show(ui)
        .on_hover_text("Consignments in it");
    if dangerous {
        Badge::dangerous("DG").show(ui);
    }
}

/// Where it leaves from and when; whose it is, where the bench works for several.
fn origin(ui: &mut Ui, shared: &Shared, group: &ManifestGroup) {
    let Some(first) = listed(shared, group).next() else {
        return;
    };
    let mut words = first.from.to_string();
    if !first.from_spot.suburb.is_empty() {
        words = format!("{words}, {}", first.from_spot.suburb);
    }
    let despatch = listed(shared, group).filter_map(|one| one.despatch).min();
    if let Some(at) = despatch {
        words = format!("{words} · leaves {}", weekday(at));
    }
    let companies = shared.companies.value().map_or(&[][..], Vec::as_slice);
    let whose = companies
        .iter()
        .find(|company| Some(company.id) == group.company_id);
    if let (Some(company), true) = (whose, companies.len() > 1) {
        words = format!("{words} · {}", company.label());
    }
    let muted = palette(ui).muted;
    ui.add(Label::new(text::small(words).color(muted)).wrap());
}

/// The group's own button. Alone it takes the key that would book all of them.
fn book(
    ui: &mut Ui,
    context: &Context<'_>,
    draft: &PickupDraft,
    (review, alone): (PickupReview, bool),
) -> Option<ManifestGroup> {
    let shared = context.shared;
    let zone = shared.pickup_zone(&draft.group);
    let ids = &draft.group.consignment_ids;
    let lock = ids.iter().find_map(|id| lock(shared, *id));
    let locked = lock.is_some();
    if let Some(held) = lock {
        note(
            ui,
            &format!("{}. It can be booked once that is known", held.why),
        );
    } else if let Ok(group) = &review.group {
        let words = read_out(group, zone, shared);
        let dangerous = if group.dgs_declaration == Some(true) {
            ", dangerous goods declared"
        } else {
            ""
        };
        note(ui, &format!("{words}{dangerous}"));
    }
    // Where there are several, it stands by the button for all of them.
    if alone {
        environment::line(ui, shared.environment);
    }
    let button = match Action::Book.entry().shortcut {
        Some(shortcut) if alone => HoldButton::new("Hold to book").shortcut(shortcut),
        _ => HoldButton::new("Hold to book").secondary(),
    };
    let enabled = review.group.is_ok() && !locked;
    let held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    let name = format!("Hold to book {}", carrier(&draft.group));
    if !alone {
        ui.ctx()
            .accesskit_node_builder(held.response.id, |node| node.set_label(name.as_str()));
    }
    if alone && context.asked(Action::Book) {
        // Found by name: the button still wants to be held.
        held.response.request_focus();
    }
    review.group.ok().filter(|_| held.completed && !locked)
}

/// What is about to be booked, in words: carrier, count, time and zone.
fn read_out(group: &ManifestGroup, zone: &str, shared: &Shared) -> String {
    let count = counted(group.consignment_ids.len(), "consignment", "consignments");
    let when = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "no pickup".to_owned(),
        (false, Some(at)) => format!("pickup {} {}", day_and_time(at), zone_at(at, zone, shared)),
        (false, None) => "pickup when the carrier comes".to_owned(),
    };
    format!("{}: {count}, {when}", carrier(group))
}

/// What the clocks of that place are called then.
pub(super) fn zone_at(at: LocalTime, zone: &str, shared: &Shared) -> String {
    let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
    zone_name(moment, zone)
}

/// Asks the service to group all of it anew.
pub(super) fn group_again(context: &mut Context<'_>) {
    context.ask(DispatchCommand::GroupAgain);
}
