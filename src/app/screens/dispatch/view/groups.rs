//! Groups to be picked up: each with its editable pickup, its problems and a hold-to-book button.
//!
//! The clerk's edits are kept by this screen only, and survive regrouping.

mod card;
mod fields;
mod members;
mod refusal;
mod state;

pub(super) use refusal::is_shown_in_group_card;
pub(super) use state::GroupsState;

use std::rc::Rc;

use egui::{Align, Label, Layout, Ui, vec2};

use super::manifests;
use crate::state::{BookingRun, DispatchCommand, GroupsCommand, RemovedMember, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::format::{counted, day_and_time};
use crate::ui::frame::notices;
use draft::PickupReview;
use shipping::{LocalTime, ManifestGroup};
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::hold_button::HoldButton;
use widgets::tokens::{Tone, palette, size};
use widgets::{progress, text};

/// Draws the title and the buttons above the groups; returns whether the clerk pressed the Group button.
pub(super) fn head(
    ui: &mut Ui,
    context: &mut Context<'_>,
    ticked: usize,
    manifests: &mut manifests::ManifestsState,
) -> bool {
    let groups = context.shared.dispatch.groups.value().map(Vec::len);
    let title = match groups {
        Some(count) if count > 0 => counted(count, "group", "groups"),
        _ => "Pickups".to_owned(),
    };
    let words = match ticked {
        0 => "Group all".to_owned(),
        ticked => format!("Group {ticked}"),
    };
    // In a narrow pane the title needs the room that the shortcut on the button would take.
    let roomy = ui.available_width() > 300.0;
    let room = vec2(ui.available_width(), size::BUTTON);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        let (entry, key) = (Action::Group.entry(), Action::Group.key());
        let mut button = Button::new(&words).icon(entry.icon);
        if roomy {
            button = button.key(&key);
        }
        let group = ui.add(button).on_hover_text(entry.tooltip);
        let booked = Action::Manifests.entry();
        let button = ui.add(Button::icon_only(booked.icon, booked.name));
        if button.on_hover_text(Action::Manifests.tip()).clicked() {
            manifests.open(context, None);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text::title(title)).truncate());
        });
        group.clicked()
    })
    .inner
}

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>, state: &mut GroupsState) {
    ui.spacing_mut().item_spacing.y = size::GUTTER;
    let shared = context.shared;
    state.update(shared);
    if context.is_triggered(Action::NextPickup) {
        state.focus_next_problem(ui, shared);
    }
    if let Some(problem) = shared.dispatch.groups.problem() {
        let headline = "Couldn't group the consignments";
        if notices::failed(ui, headline, problem, "Try again") {
            context.push(DispatchCommand::GroupAgain);
        }
    }
    if state.pickups.is_empty()
        && shared.dispatch.bookings.is_empty()
        && shared.dispatch.groups.problem().is_none()
    {
        let (headline, words) = if shared.dispatch.groups.is_loading() {
            ("Grouping", "The service sorts by carrier, place and day")
        } else {
            (
                "Nothing grouped yet",
                "Tick consignments, or group all of them",
            )
        };
        empty_state(ui, Action::Group.entry().icon, headline, words, None);
    }
    moved_out(ui, context);
    let alone = state.pickups.len() == 1;
    let GroupsState {
        pickups,
        open,
        unticked,
        ..
    } = state;
    for pickup in pickups {
        let asked = card::show(ui, context, pickup, (alone, open));
        if let Some(group) = asked.book {
            context.push(DispatchCommand::Book(vec![group]));
        }
        if let Some((id, hold)) = asked.move_out {
            unticked.push(id);
            context.push(GroupsCommand::MoveOut(id, hold));
        }
    }
}

/// Shows the consignment that was last taken out of a group, with a button to undo that.
fn moved_out(ui: &mut Ui, context: &mut Context<'_>) {
    let asked = context.is_triggered(Action::ReturnToGroup);
    let Some(RemovedMember { number, held, .. }) =
        context.shared.dispatch.groups_view.moved_out.last()
    else {
        return;
    };
    let words = if *held {
        format!("{number} is on hold")
    } else {
        format!("{number} is back in the list")
    };
    let p = palette(ui);
    let key = Action::ReturnToGroup.key();
    let pressed = ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let name = format!("Put {number} back into its group");
            let undo = Button::new("Undo").small().key(&key);
            let pressed = ui.add(undo.accessible_name(&name));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text::small(words).color(p.muted)).truncate());
            });
            pressed.clicked()
        })
        .inner
    });
    if pressed.inner || asked {
        context.push(GroupsCommand::MoveBack);
    }
}

/// Returns the height of [`book_all`], in points.
pub(super) fn book_height(context: &Context<'_>) -> f32 {
    let shared = context.shared;
    match shared.dispatch.groups.value().map_or(0, Vec::len) {
        _ if run_with_progress(shared).is_some() => {
            size::BUTTON + size::SMALL_LINE + 2.0 * size::GUTTER
        }
        0 | 1 => 0.0,
        _ => size::PILL + size::PRIMARY + size::SMALL_LINE + 3.0 * size::GUTTER,
    }
}

/// Returns the booking of several groups that is under way.
fn run_with_progress(shared: &Shared) -> Option<&BookingRun> {
    let run = shared.dispatch.groups_view.run.as_ref();
    run.filter(|run| run.total > 1)
}

/// Draws the button that books all groups that are ready, if there are at least two groups. While several
/// groups are being booked, draws the progress instead.
pub(super) fn book_all(ui: &mut Ui, context: &mut Context<'_>, state: &mut GroupsState) {
    let shared = context.shared;
    if let Some(run) = run_with_progress(shared) {
        return under_way(ui, context, run);
    }
    state.update(shared);
    if state.pickups.len() < 2 {
        return;
    }
    let all = state.pickups.len();
    let free = { state.pickups.iter_mut() }.filter(|one| one.details.locked(shared).is_none());
    let reviews: Vec<(Rc<PickupReview>, &str)> = free
        .map(|one| (one.review(shared), one.details.zone.as_str()))
        .collect();
    let ready = reviews.iter();
    let ready: Vec<(&ManifestGroup, &str)> = ready
        .filter_map(|(review, zone)| Some((review.group.as_ref().ok()?, *zone)))
        .collect();
    let words = if ready.len() == all {
        format!("Hold to book {}", counted(ready.len(), "group", "groups"))
    } else {
        format!("Hold to book {} of {all} groups", ready.len())
    };
    environment::line(ui, shared);
    let muted = palette(ui).muted;
    ui.add(Label::new(text::small(booking_summary(shared, &ready)).color(muted)).truncate());
    let mut button = HoldButton::new(&words);
    if let Some(shortcut) = Action::Book.entry().shortcut {
        button = button.shortcut(shortcut);
    }
    let enabled = !ready.is_empty();
    let held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    if context.is_triggered(Action::Book) {
        // From the action palette: the clerk must still hold the button.
        held.response.request_focus();
    }
    if held.completed && enabled {
        let groups = ready.iter().map(|(group, _)| ManifestGroup::clone(group));
        context.push(DispatchCommand::Book(groups.collect()));
    }
}

/// Describes what would be booked: the number of consignments, the first pickup and whether dangerous goods
/// are declared. Each group comes with the time zone of its pickup place.
fn booking_summary(shared: &Shared, ready: &[(&ManifestGroup, &str)]) -> String {
    let count = { ready.iter() }
        .map(|(group, _)| group.consignment_ids.len())
        .sum();
    let mut words = counted(count, "consignment", "consignments");
    let pickups = ready
        .iter()
        .filter(|(group, _)| !group.pickup_already_booked);
    let times = pickups.map(|(group, zone)| (group.pickup_date_time, *zone));
    // A group without a time comes first: then it isn't known when the first pickup is.
    let moment = |(at, zone): &(Option<LocalTime>, &str)| {
        let moment = (*at)?.in_zone(zone).ok()?;
        Some(moment.0)
    };
    if let Some((Some(at), zone)) = times.min_by_key(moment) {
        let zone = card::zone_abbreviation(at, zone, shared);
        words = format!("{words}, from {} {zone}", day_and_time(at));
    }
    let declared = |(group, _): &(&ManifestGroup, &str)| group.dgs_declaration == Some(true);
    if ready.iter().any(declared) {
        words.push_str(", DG declared");
    }
    words
}

fn under_way(ui: &mut Ui, context: &mut Context<'_>, run: &BookingRun) {
    progress::bar(ui, run.done, run.total, "groups processed", Tone::Accent);
    if run.stopping {
        return text::small_note(ui, "Stopping after the group that is being booked");
    }
    let (entry, key) = (Action::StopBooking.entry(), Action::StopBooking.key());
    let stop = Button::new("Stop after this group")
        .icon(entry.icon)
        .key(&key);
    if ui.add(stop.fill_width(ui)).clicked() || context.is_triggered(Action::StopBooking) {
        context.push(GroupsCommand::StopBooking);
    }
}
