//! Groups to be picked up: each with its pickup as typed, what is wrong at the field, and the button that must be held.

use std::collections::HashMap;

use egui::{Align, Layout, Ui};

use super::super::Context;
use super::super::actions::Action;
use super::super::environment;
use super::super::frame::notices;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::checkbox::checkbox;
use super::super::kit::empty::empty;
use super::super::kit::field::Field;
use super::super::kit::hold::HoldButton;
use super::super::kit::tokens::{Tone, palette, size};
use super::super::kit::{icons, layout, text};
use super::super::operations::words::lock;
use super::super::words::{counted, day_and_time, zone_name};
use super::note;
use crate::draft::{PickupDraft, PickupField, refused_pickup};
use crate::shipping::{ConsignmentId, LocalTime, ManifestGroup};
use crate::state::{DispatchCommand, Notice, OperationState, Shared};

/// What is typed into the groups, by the first consignment of each.
#[derive(Default)]
pub(super) struct State {
    pickups: HashMap<Option<ConsignmentId>, PickupDraft>,
}

impl State {
    /// The pickup as typed; begun anew where the service grouped otherwise.
    fn pickup(&mut self, group: &ManifestGroup) -> &mut PickupDraft {
        let first = group.consignment_ids.first().copied();
        let kept = self
            .pickups
            .get(&first)
            .is_some_and(|pickup| pickup.group == *group);
        if !kept {
            self.pickups.insert(first, PickupDraft::from(group.clone()));
        }
        self.pickups
            .entry(first)
            .or_insert_with(|| PickupDraft::from(group.clone()))
    }
}

type Checked = Result<ManifestGroup, Vec<(PickupField, String)>>;

/// Answers whether grouping is asked for.
pub(super) fn head(ui: &mut Ui, context: &Context<'_>, ticked: usize) -> bool {
    let groups = context.shared.groups.value().map(Vec::len);
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        let title = match groups {
            Some(count) if count > 0 => counted(count, "group", "groups"),
            _ => "Pickups".to_owned(),
        };
        ui.label(text::title(title));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let entry = Action::Group.entry();
            let words = match (ticked, groups.is_some()) {
                (0, false) => "Group all".to_owned(),
                (0, true) => "Group again".to_owned(),
                (ticked, _) => format!("Group {ticked}"),
            };
            let key = Action::Group.key();
            ui.add(Button::new(&words).icon(entry.icon).key(&key))
                .on_hover_text(entry.tooltip)
                .clicked()
        })
        .inner
    })
    .inner
}

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    ui.spacing_mut().item_spacing.y = size::GUTTER;
    let shared = context.shared;
    if let Some(problem) = shared.groups.problem() {
        let notice = Notice::failed("The consignments could not be grouped", problem);
        if notices::bar(&notice).action("Try again").show(ui).acted {
            context.ask(DispatchCommand::GroupAgain);
        }
    }
    let groups = shared.groups.value().map_or(&[][..], Vec::as_slice);
    if groups.is_empty() && shared.bookings.is_empty() && shared.groups.problem().is_none() {
        let (headline, words) = if shared.groups.is_loading() {
            ("Grouping", "The service sorts by carrier, place and day")
        } else {
            (
                "Nothing grouped yet",
                "Tick consignments, or group all of them",
            )
        };
        empty(ui, Action::Group.entry().icon, headline, words, None);
    }
    for group in groups {
        if let Some(booked) = card(ui, context, state.pickup(group), groups.len() == 1) {
            context.ask(DispatchCommand::Book(vec![booked]));
        }
    }
}

fn carrier(group: &ManifestGroup) -> &str {
    group.carrier_name.as_deref().unwrap_or("Carrier not named")
}

/// Answers the group to book.
fn card(
    ui: &mut Ui,
    context: &Context<'_>,
    pickup: &mut PickupDraft,
    alone: bool,
) -> Option<ManifestGroup> {
    let shared = context.shared;
    let zone = shared.pickup_zone(&pickup.group).to_owned();
    let checked = pickup.check(shared.now, &zone);
    let count = pickup.group.consignment_ids.len();
    let name = carrier(&pickup.group).to_owned();
    let dangerous = pickup.holds_dangerous_goods();
    let first = pickup.group.consignment_ids.first().copied();
    ui.push_id(first, |ui| {
        let badges = |ui: &mut Ui| {
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
        };
        Card::new(&name)
            .icon(icons::ICON_LOCAL_SHIPPING)
            .show(ui, badges, |ui| {
                fields(ui, shared, pickup, &zone, &checked);
                book(ui, context, pickup, &zone, (checked, alone))
            })
            .inner
    })
    .inner
}

/// What the service refused of just this group, as long as it is as it was sent.
fn refusal(shared: &Shared, checked: &Checked) -> Option<(PickupField, String)> {
    let group = checked.as_ref().ok()?;
    let sent = shared
        .bookings
        .iter()
        .filter(|booking| booking.group == *group);
    let mut words = sent.filter_map(|booking| {
        let operation = shared
            .operations
            .iter()
            .find(|one| one.id == booking.operation)?;
        (operation.state == OperationState::Rejected).then_some(operation.words.as_str())
    });
    words.find_map(|words| Some((refused_pickup(words)?, words.to_owned())))
}

fn fields(ui: &mut Ui, shared: &Shared, pickup: &mut PickupDraft, zone: &str, checked: &Checked) {
    let refused = refusal(shared, checked);
    let error = |field: PickupField| {
        let problems = match checked {
            Ok(_) => refused.as_slice(),
            Err(problems) => problems.as_slice(),
        };
        problems
            .iter()
            .find(|(at, _)| *at == field)
            .map(|(_, words)| words.as_str())
    };
    let place = zone.rsplit('/').next().unwrap_or(zone).replace('_', " ");
    let label = format!("Pickup ({place}, {})", zone_name(shared.now, zone));
    let PickupDraft {
        pickup: arrives,
        closing,
        spaces,
        instructions,
        ..
    } = pickup;
    // A date and a time need so much room side by side.
    let together = ui.available_width() > 300.0;
    let times: &[f32] = if together { &[1.0, 1.0] } else { &[1.0] };
    layout::row(ui, times, |at, ui| {
        if at == 0 {
            Field::new(&label, arrives)
                .error(error(PickupField::Pickup))
                .show(ui);
        } else {
            Field::new("Closes", closing)
                .error(error(PickupField::Closing))
                .show(ui);
        }
    });
    if !together {
        Field::new("Closes", closing)
            .error(error(PickupField::Closing))
            .show(ui);
    }
    layout::row(ui, &[2.0, 5.0], |at, ui| {
        if at == 0 {
            Field::new("Spaces", spaces)
                .number()
                .error(error(PickupField::Spaces))
                .show(ui);
        } else {
            Field::new("For the driver", instructions).show(ui);
        }
    });
    checkbox(
        ui,
        &mut pickup.already_booked,
        "Already booked: no pickup needed",
    );
    if pickup.holds_dangerous_goods() {
        checkbox(
            ui,
            &mut pickup.dangerous_goods_declared,
            "I declare the dangerous goods in this group",
        );
        if let Some(words) = error(PickupField::Declaration) {
            ui.label(text::small(words).color(palette(ui).bad));
        }
    }
}

/// The group's own button. Alone it takes the key that would book all of them.
fn book(
    ui: &mut Ui,
    context: &Context<'_>,
    pickup: &PickupDraft,
    zone: &str,
    (checked, alone): (Checked, bool),
) -> Option<ManifestGroup> {
    let shared = context.shared;
    let ids = &pickup.group.consignment_ids;
    let lock = ids.iter().find_map(|id| lock(shared, *id));
    let locked = lock.is_some();
    if let Some(held) = lock {
        note(
            ui,
            &format!("{}. It can be booked once that is known", held.why),
        );
    } else if let Ok(group) = &checked {
        note(ui, &read_out(group, zone, shared));
    }
    // Where there are several, it stands by the button for all of them.
    if alone {
        environment::line(ui, shared.environment);
    }
    let button = match Action::Book.entry().shortcut {
        Some(shortcut) if alone => HoldButton::new("Hold to book").shortcut(shortcut),
        _ => HoldButton::new("Hold to book").secondary(),
    };
    let enabled = checked.is_ok() && !locked;
    let held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    if alone && context.asked(Action::Book) {
        // Found by name: the button still wants to be held.
        held.response.request_focus();
    }
    checked.ok().filter(|_| held.completed && !locked)
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

fn zone_at(at: LocalTime, zone: &str, shared: &Shared) -> String {
    let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
    zone_name(moment, zone)
}

/// The room that [`book_all`] takes.
pub(super) fn book_height(context: &Context<'_>) -> f32 {
    match context.shared.groups.value().map_or(0, Vec::len) {
        0 | 1 => 0.0,
        _ => size::PILL + size::GUTTER + size::PRIMARY + size::GUTTER,
    }
}

/// All groups at once, where there are several and all of them can be booked.
pub(super) fn book_all(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let shared = context.shared;
    let groups = shared.groups.value().map_or(&[][..], Vec::as_slice);
    if groups.len() < 2 {
        return;
    }
    let ready: Vec<ManifestGroup> = groups
        .iter()
        .filter(|group| {
            !group
                .consignment_ids
                .iter()
                .any(|id| shared.locked.contains_key(id))
        })
        .filter_map(|group| {
            state
                .pickup(group)
                .check(shared.now, shared.pickup_zone(group))
                .ok()
        })
        .collect();
    let words = if ready.len() == groups.len() {
        format!("Hold to book {}", counted(ready.len(), "group", "groups"))
    } else {
        format!("Hold to book {} of {} groups", ready.len(), groups.len())
    };
    environment::line(ui, shared.environment);
    let mut button = HoldButton::new(&words);
    if let Some(shortcut) = Action::Book.entry().shortcut {
        button = button.shortcut(shortcut);
    }
    let enabled = !ready.is_empty();
    let held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    if context.asked(Action::Book) {
        // Found by name: the button still wants to be held.
        held.response.request_focus();
    }
    if held.completed && enabled {
        context.ask(DispatchCommand::Book(ready));
    }
}
