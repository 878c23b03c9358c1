//! Groups to be picked up: each with its editable pickup, its problems and a hold-to-book button.
//!
//! Only this screen stores the clerk's edits. They are kept when the consignments are grouped again.

mod state;

pub(super) use state::GroupsState;
use state::Pickup;

use egui::{Align, Label, Layout, ScrollArea, Ui, vec2};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::manifests;
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{
    Booking, BookingRun, DispatchCommand, GroupsCommand, Operation, OperationKind, OperationState,
    RemovedMember, Shared,
};
use crate::ui::actions::Action;
use crate::ui::format::{counted, day_and_time, kilograms, weekday, zone_name};
use crate::ui::frame::notices;
use crate::ui::{Context, environment};
use draft::{PickupDraft, PickupField, PickupReview, pickup_field_from_error};
use shipping::{Company, ConsignmentId, LocalTime, ManifestGroup, UtcTime};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::hold_button::{HoldButton, HoldResponse};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{badge, icons, layout, progress, text};

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
    // In a narrow pane, the shortcut on the button is omitted to leave room for the title.
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
    for pickup in &mut state.pickups {
        let id = pickup.draft.id;
        let is_open = state.open.contains(&id);
        let asked = card(ui, context, pickup, (alone, is_open));
        if asked.toggle && !state.open.remove(&id) {
            state.open.insert(id);
        }
        if let Some((id, hold)) = asked.move_out {
            state.unticked.push(id);
            context.push(GroupsCommand::MoveOut(id, hold));
        }
    }
}

/// Shows the consignment that was last taken out of a group, with a button that puts it back.
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

/// Returns the booking of several groups that is in progress.
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
    let free = { state.pickups.iter() }.filter(|one| one.details.locked(shared).is_none());
    let ready: Vec<(ManifestGroup, &str)> = free
        .filter_map(|one| Some((one.review(shared).group.ok()?, one.details.zone.as_str())))
        .collect();
    let words = if ready.len() == all {
        format!("Hold to book {}", counted(ready.len(), "group", "groups"))
    } else {
        format!("Hold to book {} of {all} groups", ready.len())
    };
    environment::line(ui, shared);
    let muted = palette(ui).muted;
    ui.add(Label::new(text::small(booking_summary(shared, &ready)).color(muted)).truncate());
    let held = hold_to_book(ui, context, &words, true, !ready.is_empty());
    if held.completed {
        let groups = ready.into_iter().map(|(group, _)| group);
        context.push(DispatchCommand::Book(groups.collect()));
    }
}

/// Draws a button that must be held to book. `is_main` is true for the button that has the shortcut.
fn hold_to_book(
    ui: &mut Ui,
    context: &Context<'_>,
    words: &str,
    is_main: bool,
    enabled: bool,
) -> HoldResponse {
    let button = match Action::Book.entry().shortcut {
        Some(shortcut) if is_main => HoldButton::new(words).shortcut(shortcut),
        _ => HoldButton::new(words).secondary(),
    };
    let mut held = ui.add_enabled_ui(enabled, |ui| button.show(ui)).inner;
    if is_main && context.is_triggered(Action::Book) {
        // The action was picked in the command palette. The clerk must still hold the button.
        held.response.request_focus();
    }
    held.completed &= enabled;
    held
}

/// Describes what would be booked: the number of consignments, the first pickup and whether dangerous goods are
/// declared. `ready` has each group with the time zone of its pickup place.
fn booking_summary(shared: &Shared, ready: &[(ManifestGroup, &str)]) -> String {
    let count = { ready.iter() }
        .map(|(group, _)| group.consignment_ids.len())
        .sum();
    let mut words = counted(count, "consignment", "consignments");
    let pickups = ready
        .iter()
        .filter(|(group, _)| !group.pickup_already_booked);
    let times = pickups.map(|(group, zone)| (group.pickup_date_time, *zone));
    // `min_by_key` prefers a group without a time. In this case, the time of the first pickup is unknown.
    let moment = |(at, zone): &(Option<LocalTime>, &str)| {
        let moment = (*at)?.in_zone(zone).ok()?;
        Some(moment.0)
    };
    if let Some((Some(at), zone)) = times.min_by_key(moment) {
        let zone = zone_abbreviation(at, zone, shared);
        words = format!("{words}, from {} {zone}", day_and_time(at));
    }
    let declared = |(group, _): &(ManifestGroup, &str)| group.dgs_declaration == Some(true);
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

/// Shown instead of the time zone's name if the zone of the pickup place is unknown.
const UNKNOWN_ZONE: &str = "local time at the pickup place";

/// The clerk's requests on a card in this frame.
#[derive(Default)]
struct CardRequests {
    /// True to show or hide the list of the consignments.
    toggle: bool,
    /// The consignment to take out of the group, and whether to put it on hold.
    move_out: Option<(ConsignmentId, bool)>,
}

/// Draws the card. `alone` is true if there is no other group; `is_open` is true if its consignments are listed.
fn card(
    ui: &mut Ui,
    context: &mut Context<'_>,
    pickup: &mut Pickup,
    (alone, is_open): (bool, bool),
) -> CardRequests {
    let shared = context.shared;
    let review = pickup.review(shared);
    let name = carrier(&pickup.draft.group).to_owned();
    let count = pickup.draft.group.consignment_ids.len();
    let dangerous = pickup.draft.has_dangerous_goods();
    let mut asked = CardRequests::default();
    ui.push_id(pickup.draft.id, |ui| {
        Card::new(&name).icon(icons::ICON_LOCAL_SHIPPING).show(
            ui,
            |ui| asked.toggle = badges(ui, &name, (count, dangerous, is_open)),
            |ui| {
                refusal(ui, context, &pickup.draft.group);
                origin(ui, shared, pickup);
                pickup_fields(ui, shared, pickup, &review);
                if is_open {
                    asked.move_out = members(ui, shared, &pickup.draft.group);
                }
                book(ui, context, pickup, (&review, alone));
            },
        );
    });
    asked
}

fn carrier(group: &ManifestGroup) -> &str {
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

/// Draws the group's own hold-to-book button, and books the group once it was held. If there is only one group,
/// its button has the shortcut that otherwise books all groups.
fn book(
    ui: &mut Ui,
    context: &mut Context<'_>,
    pickup: &Pickup,
    (review, alone): (&PickupReview, bool),
) {
    let shared = context.shared;
    let locked = pickup.details.locked(shared);
    if let Some(lock) = locked.and_then(|id| lock_reason(shared, id)) {
        let words = format!(
            "{}. You can book this group once this consignment is unlocked",
            lock.why
        );
        text::small_note(ui, words);
    } else if let Ok(group) = &review.group {
        text::small_note(ui, group_summary(group, &pickup.details.zone, shared));
    }
    // With several groups, the environment is shown next to the button for all groups instead.
    if alone {
        environment::line(ui, shared);
    }
    let group = review.group.as_ref().ok().filter(|_| locked.is_none());
    let held = hold_to_book(ui, context, "Hold to book", alone, group.is_some());
    if !alone {
        let name = format!("Hold to book {}", carrier(&pickup.draft.group));
        ui.ctx()
            .accesskit_node_builder(held.response.id, |node| node.set_label(name.as_str()));
    }
    if let Some(group) = group.filter(|_| held.completed) {
        context.push(DispatchCommand::Book(vec![group.clone()]));
    }
}

/// Describes what would be booked: carrier, count, time, zone and the dangerous goods declaration.
fn group_summary(group: &ManifestGroup, zone: &str, shared: &Shared) -> String {
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
fn zone_abbreviation(at: LocalTime, zone: &str, shared: &Shared) -> String {
    if zone.is_empty() {
        return format!("({UNKNOWN_ZONE})");
    }
    let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
    zone_name(moment, zone)
}

/// Minimum width for three fields side by side, in points.
const THREE_FIELDS: f32 = 286.0;

fn pickup_fields(ui: &mut Ui, shared: &Shared, pickup: &mut Pickup, review: &PickupReview) {
    let id = pickup.time_field_id();
    let Pickup {
        draft,
        details: known,
        ..
    } = pickup;
    let refused = refused_field(shared, review);
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
    if ui.available_width() > THREE_FIELDS {
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

/// Draws a warning about an unusual value. It does not prevent the booking.
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
    // Formats only the time on the day of the pickup, otherwise the day and the time.
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

/// Number of rows that are visible without scrolling.
const MEMBER_ROWS: f32 = 6.0;

/// Draws the group's consignments. Returns the consignment to take out, and whether to put it on hold.
fn members(ui: &mut Ui, shared: &Shared, group: &ManifestGroup) -> Option<(ConsignmentId, bool)> {
    let top = ui.cursor().top();
    let mut out = None;
    let all = &group.consignment_ids;
    let list = ScrollArea::vertical()
        .max_height(MEMBER_ROWS * size::ROW)
        .auto_shrink([false, true]);
    ui.spacing_mut().item_spacing.y = 0.0;
    list.show_rows(ui, size::ROW, all.len(), |ui, rows| {
        for id in &all[rows] {
            if let Some(hold) = member_row(ui, shared, *id) {
                out = Some((*id, hold));
            }
        }
    });
    ui.spacing_mut().item_spacing.y = size::GRID;
    unknown_fields(ui, group);
    if ui.cursor().top() > top {
        ui.add_space(4.0);
    }
    out
}

/// Draws a row. Returns `Some` if the clerk takes its consignment out of the group; true also puts it on hold.
fn member_row(ui: &mut Ui, shared: &Shared, id: ConsignmentId) -> Option<bool> {
    let known = shared.row(id).filter(|_| shared.dispatch.lists(id));
    let number = shared.number(id);
    let is_free = !shared.operations.locked.contains_key(&id);
    let p = palette(ui);
    let mut asked = None;
    let room = vec2(ui.available_width(), size::ROW);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (hold, icon, name, tip) in [
            (
                true,
                icons::ICON_PAN_TOOL,
                format!("Put {number} on hold"),
                "Take out of the group and put on hold",
            ),
            (
                false,
                icons::ICON_LOGOUT,
                format!("Take {number} out of the group"),
                "Return to the list",
            ),
        ] {
            let button = Button::icon_only(icon, &name).small();
            let button = ui.add_enabled(is_free, button).on_hover_text(tip);
            if button.clicked() {
                asked = Some(hold);
            }
        }
        if let Some(one) = known {
            let amounts = if let Some(weight) = one.weight {
                format!("{} · {} kg", one.pieces, kilograms(weight))
            } else {
                let pieces = usize::try_from(one.pieces).unwrap_or_default();
                counted(pieces, "piece", "pieces")
            };
            ui.label(text::small(amounts).color(p.muted));
            if one.dangerous == Some(true) {
                badge::dangerous_mark(ui);
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = size::GRID;
            ui.label(text::mono(number.as_str()));
            let to = match known {
                Some(one) => &one.to,
                None if shared.dispatch.lists(id) => "",
                None => "No longer in the list",
            };
            ui.add(Label::new(text::small(to)).truncate());
        });
    });
    asked
}

/// Shows the fields that Packbench does not know. They are sent back to the service unchanged.
fn unknown_fields(ui: &mut Ui, group: &ManifestGroup) {
    if group.other.is_empty() {
        return;
    }
    text::small_note(ui, "Other details from the service");
    for (name, value) in &group.other {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        ui.add(Label::new(text::mono(format!("{name}: {value}")).size(size::SMALL)).truncate());
    }
}

/// Returns the latest booking of exactly these consignments, if it was refused.
fn last_refused_booking<'a>(
    shared: &'a Shared,
    group: &ManifestGroup,
) -> Option<(&'a Booking, &'a Operation)> {
    let ids = &group.consignment_ids;
    let same = |booking: &&Booking| booking.group.consignment_ids == *ids;
    let booking = shared.dispatch.bookings.iter().find(same)?;
    let operation = shared.operations.by_id(booking.operation)?;
    (operation.kind == OperationKind::Manifest && operation.state == OperationState::Rejected)
        .then_some((booking, operation))
}

/// Returns whether a refused booking is shown in the card of its group, so that it needs no separate card.
pub(super) fn is_shown_in_group_card(shared: &Shared, operation: &Operation) -> bool {
    let groups = shared.dispatch.groups.value().into_iter().flatten();
    operation.state == OperationState::Rejected && { groups }
        .any(|group| group.consignment_ids == operation.consignments)
}

/// Returns the field that the service refused and its message, until the clerk changes the group that was sent.
fn refused_field(shared: &Shared, review: &PickupReview) -> Option<(PickupField, String)> {
    let group = review.group.as_ref().ok()?;
    let (booking, operation) = last_refused_booking(shared, group)?;
    let field = pickup_field_from_error(&operation.message)?;
    (booking.group == *group).then(|| (field, operation.message.clone()))
}

/// Draws the refusal of this group's booking, unless the refusal is shown at a field.
fn refusal(ui: &mut Ui, context: &mut Context<'_>, group: &ManifestGroup) {
    let Some((_, operation)) = last_refused_booking(context.shared, group) else {
        return;
    };
    let words = operation.message.as_str();
    if pickup_field_from_error(words).is_some() {
        return;
    }
    let again = words.contains("Group again");
    let headline = if words.is_empty() {
        "Not booked"
    } else {
        words
    };
    let advice = if again {
        ""
    } else if words.starts_with("Not sent") || words.starts_with("Nothing was sent") {
        "Nothing reached the carrier. Book again once the service is available"
    } else {
        "The group is unchanged. Fix what the carrier refused, or take out the consignments it refused, then book again"
    };
    let mut bar = NoticeBar::new(Tone::Bad, headline)
        .what_to_do(advice)
        .dismissable();
    if again {
        bar = bar.action("Group again");
    }
    let pressed = bar.show(ui);
    if pressed.acted {
        context.push(DispatchCommand::GroupAgain);
    }
    if pressed.acted || pressed.dismissed {
        context.push(DispatchCommand::CloseBooking(operation.id));
    }
}
