//! Groups to be picked up: each with its pickup as typed, what is wrong at the field, and the button that must be held.
//!
//! What is typed belongs to this screen alone, and survives grouping anew as [`carry_over`] says.

mod card;
mod fields;
mod members;
mod refusal;

pub(super) use refusal::is_told_there;

use std::collections::HashSet;

use egui::{Align, Id, Label, Layout, Ui, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::super::environment;
use super::super::frame::notices;
use super::super::kit::button::Button;
use super::super::kit::empty::empty;
use super::super::kit::hold::HoldButton;
use super::super::kit::tokens::{Tone, palette, size};
use super::super::kit::{progress, text};
use super::super::words::{counted, day_and_time};
use super::{manifests, note};
use crate::draft::{PickupContext, PickupDraft, UsualHours, carry_over};
use crate::shipping::{ConsignmentId, ManifestGroup};
use crate::state::{BookingRun, DispatchCommand, GroupsCommand, MovedOut, Notice, Shared, Waiting};

/// Groups that are gone and may come back, with what was typed into them.
const MOST_PARTED: usize = 40;

/// What is typed into the groups.
#[derive(Default)]
pub(super) struct State {
    drafts: Vec<PickupDraft>,
    /// What was typed into groups that are there no longer, the last one last.
    parted: Vec<PickupDraft>,
    /// The groups whose consignments are listed, by their first one.
    open: HashSet<ConsignmentId>,
    /// The pickup that the clerk was led to last.
    led_to: Option<usize>,
    /// Taken out of their groups in this frame: no longer ticked.
    unticked: Vec<ConsignmentId>,
}

impl State {
    /// The consignments that were taken out of their groups since this was last asked.
    pub(super) fn take_unticked(&mut self) -> Vec<ConsignmentId> {
        std::mem::take(&mut self.unticked)
    }

    /// What is typed goes with the groups as they are now.
    fn follow(&mut self, shared: &Shared) {
        let groups = shared.groups.value().map_or(&[][..], Vec::as_slice);
        let same = |(draft, group): (&PickupDraft, &ManifestGroup)| draft.group == *group;
        if self.drafts.len() == groups.len() && self.drafts.iter().zip(groups).all(same) {
            return;
        }
        let mut old = std::mem::take(&mut self.drafts);
        old.append(&mut self.parted);
        (self.drafts, self.parted) = carry_over(old, groups);
        self.parted.retain(PickupDraft::is_adjusted);
        self.parted.truncate(MOST_PARTED);
        for draft in &mut self.drafts {
            let dangerous = |one: &Waiting| one.dangerous;
            draft.known_dangerous = listed(shared, &draft.group).any(dangerous);
        }
    }

    /// Leads to the next pickup that something is wrong with; where nothing is, to the next one.
    fn lead(&mut self, ui: &Ui, shared: &Shared) {
        let count = self.drafts.len();
        let from = self.led_to.map_or(0, |at| at + 1);
        let next = (0..count).map(|step| (from + step) % count);
        let wrong = next
            .clone()
            .find(|at| review(shared, &self.drafts[*at]).group.is_err());
        if let Some(at) = wrong.or_else(|| next.clone().next()) {
            self.led_to = Some(at);
            let id = pickup_id(&self.drafts[at].group);
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

/// The consignments of a group, as far as they are listed.
fn listed<'a>(shared: &'a Shared, group: &'a ManifestGroup) -> impl Iterator<Item = &'a Waiting> {
    let list = shared.unmanifested.value();
    let ids = group.consignment_ids.iter();
    ids.filter_map(move |id| list?.get(*id))
}

/// The field of a group's pickup time.
fn pickup_id(group: &ManifestGroup) -> Id {
    Id::unique(("pickup", group.consignment_ids.first()))
}

/// Everything that is to be said of a pickup as it is typed.
fn review(shared: &Shared, draft: &PickupDraft) -> crate::draft::PickupReview {
    let first = listed(shared, &draft.group).next();
    let despatch = listed(shared, &draft.group).filter_map(|one| one.despatch);
    draft.review(&PickupContext {
        now: shared.now,
        zone: shared.pickup_zone(&draft.group),
        usual: first.map_or_else(UsualHours::default, |one| usual_hours(shared, one)),
        despatch: despatch.min().map(|at| at.0.date()),
    })
}

/// Of the saved location that it leaves from: known by its name and postcode.
fn usual_hours(shared: &Shared, one: &Waiting) -> UsualHours {
    let saved = shared.locations.value().into_iter().flatten();
    let mut same = saved.filter(|saved| {
        *saved.name == *one.from && *saved.location.postcode == *one.from_spot.postcode
    });
    same.next()
        .map_or_else(UsualHours::default, |saved| UsualHours {
            pickup: saved.default_pickup_time,
            closing: saved.default_closing_time,
        })
}

/// Answers whether grouping is asked for.
pub(super) fn head(
    ui: &mut Ui,
    context: &mut Context<'_>,
    ticked: usize,
    manifests: &mut manifests::State,
) -> bool {
    let groups = context.shared.groups.value().map(Vec::len);
    let title = match groups {
        Some(count) if count > 0 => counted(count, "group", "groups"),
        _ => "Pickups".to_owned(),
    };
    let words = match (ticked, groups.is_some()) {
        (0, false) => "Group all".to_owned(),
        (0, true) => "Group again".to_owned(),
        (ticked, _) => format!("Group {ticked}"),
    };
    // In a narrow pane the title needs the room that the cap would take.
    let roomy = ui.available_width() > 300.0;
    let room = vec2(ui.available_width(), size::BUTTON);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        let entry = Action::Group.entry();
        let key = Action::Group.key();
        let mut button = Button::new(&words).icon(entry.icon);
        if roomy {
            button = button.key(&key);
        }
        let group = ui.add(button).on_hover_text(entry.tooltip);
        let booked = Action::Manifests.entry();
        let hint = format!("{} ({})", booked.tooltip, Action::Manifests.key());
        let button = ui.add(Button::icon_only(booked.icon, booked.name));
        if button.on_hover_text(hint).clicked() {
            manifests.open(context, None);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text::title(title)).truncate());
        });
        group.clicked()
    })
    .inner
}

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    ui.spacing_mut().item_spacing.y = size::GUTTER;
    let shared = context.shared;
    state.follow(shared);
    if context.asked(Action::NextPickup) {
        state.lead(ui, shared);
    }
    if let Some(problem) = shared.groups.problem() {
        let notice = Notice::failed("The consignments could not be grouped", problem);
        if notices::bar(&notice).action("Try again").show(ui).acted {
            context.ask(DispatchCommand::GroupAgain);
        }
    }
    if state.drafts.is_empty() && shared.bookings.is_empty() && shared.groups.problem().is_none() {
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
    moved_out(ui, context);
    let alone = state.drafts.len() == 1;
    let State {
        drafts,
        open,
        unticked,
        ..
    } = state;
    for draft in drafts {
        let asked = card::show(ui, context, draft, (alone, open));
        if let Some(group) = asked.book {
            context.ask(DispatchCommand::Book(vec![group]));
        }
        if let Some((id, hold)) = asked.move_out {
            unticked.push(id);
            context.ask(GroupsCommand::MoveOut(id, hold));
        }
    }
}

/// What was taken out last, and the way back.
fn moved_out(ui: &mut Ui, context: &mut Context<'_>) {
    let asked = context.asked(Action::MoveBack);
    let Some(MovedOut { number, held, .. }) = context.shared.pickups.moved_out.last() else {
        return;
    };
    let words = if *held {
        format!("{number} is held back")
    } else {
        format!("{number} is back in the list")
    };
    let p = palette(ui);
    let key = Action::MoveBack.key();
    let pressed = ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let undo = Button::new("Undo").small().key(&key);
            let pressed = ui.add(undo.spoken(&format!("Put {number} back into its group")));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text::small(words).color(p.muted)).truncate());
            });
            pressed.clicked()
        })
        .inner
    });
    if pressed.inner || asked {
        context.ask(GroupsCommand::MoveBack);
    }
}

/// The room that [`book_all`] takes.
pub(super) fn book_height(context: &Context<'_>) -> f32 {
    let shared = context.shared;
    let progress = if shared.pickups.run.as_ref().is_some_and(is_worth_a_bar) {
        size::BUTTON + size::SMALL_LINE + 2.0 * size::GUTTER
    } else {
        0.0
    };
    match shared.groups.value().map_or(0, Vec::len) {
        _ if progress > 0.0 => progress,
        0 | 1 => 0.0,
        _ => size::PILL + size::PRIMARY + size::SMALL_LINE + 3.0 * size::GUTTER,
    }
}

const fn is_worth_a_bar(run: &BookingRun) -> bool {
    run.total > 1
}

/// All groups at once, where there are several and all of them can be booked; while some are on their way, how far that is.
pub(super) fn book_all(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let shared = context.shared;
    if let Some(run) = shared
        .pickups
        .run
        .as_ref()
        .filter(|run| is_worth_a_bar(run))
    {
        return under_way(ui, context, run);
    }
    state.follow(shared);
    if state.drafts.len() < 2 {
        return;
    }
    let is_free = |draft: &&PickupDraft| {
        let mut ids = draft.group.consignment_ids.iter();
        !ids.any(|id| shared.locked.contains_key(id))
    };
    let free = state.drafts.iter().filter(is_free);
    let ready: Vec<ManifestGroup> = free
        .filter_map(|draft| review(shared, draft).group.ok())
        .collect();
    let all = state.drafts.len();
    let words = if ready.len() == all {
        format!("Hold to book {}", counted(ready.len(), "group", "groups"))
    } else {
        format!("Hold to book {} of {all} groups", ready.len())
    };
    environment::line(ui, shared.environment);
    let muted = palette(ui).muted;
    ui.add(Label::new(text::small(all_in_words(shared, &ready)).color(muted)).truncate());
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

/// What would be booked: how many, from when, and whether dangerous goods are declared.
fn all_in_words(shared: &Shared, ready: &[ManifestGroup]) -> String {
    let count = ready.iter().map(|group| group.consignment_ids.len()).sum();
    let mut words = counted(count, "consignment", "consignments");
    let pickups = ready.iter().filter(|group| !group.pickup_already_booked);
    let moment = |group: &&ManifestGroup| {
        let at = group.pickup_date_time?;
        Some(at.in_zone(shared.pickup_zone(group)).ok()?.0)
    };
    let first = pickups.min_by_key(|group| moment(group));
    if let Some((group, at)) = first.and_then(|group| Some((group, group.pickup_date_time?))) {
        let zone = card::zone_at(at, shared.pickup_zone(group), shared);
        words = format!("{words}, from {} {zone}", day_and_time(at));
    }
    if ready
        .iter()
        .any(|group| group.dgs_declaration == Some(true))
    {
        words.push_str(", DG declared");
    }
    words
}

fn under_way(ui: &mut Ui, context: &mut Context<'_>, run: &BookingRun) {
    progress::bar(
        ui,
        run.done,
        run.total,
        "groups booked or answered",
        Tone::Accent,
    );
    if run.stopping {
        return note(ui, "Stops after the group that is being booked");
    }
    let entry = Action::StopBooking.entry();
    let key = Action::StopBooking.key();
    let stop = Button::new("Stop after this group")
        .icon(entry.icon)
        .key(&key);
    if ui.add(stop.fill_width(ui)).clicked() || context.asked(Action::StopBooking) {
        context.ask(GroupsCommand::StopBooking);
    }
}
