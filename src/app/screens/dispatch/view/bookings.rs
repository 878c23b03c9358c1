//! Cards of the bookings that were sent to carriers: the result, the next step and its buttons.

use egui::{Align, Label, Layout, Ui, vec2};

use super::groups::is_shown_in_group_card;
use super::manifests::ManifestsState;
use crate::screens::operations::view::operation_text;
use crate::screens::operations::view::operation_text::StateLabel;
use crate::state::{
    ActionItem, Booking, BookingMember, DispatchCommand, GroupsCommand, MemberState, Operation,
    OperationDecision, OperationState, OperationsCommand, Shared,
};
use crate::ui::Context;
use crate::ui::format::{clock_seconds, counted, day_and_time};
use widgets::button::Button;
use widgets::card::Card;
use widgets::hold_button::HoldButton;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, text};

/// Height of the row of buttons in a card, in points.
const LINK: f32 = 26.0;

/// Maximum number of consignments listed one by one; the remaining consignments are only counted.
const MOST_NAMED: usize = 12;

/// A booking that was sent, with its consignments as they were last read back.
struct BookingCard<'a> {
    booking: &'a Booking,
    operation: &'a Operation,
    members: &'a [BookingMember],
}

pub(super) fn cards(ui: &mut Ui, context: &mut Context<'_>, manifests: &mut ManifestsState) {
    let shared = context.shared;
    for booking in &shared.dispatch.bookings {
        let Some(operation) = shared.operations.by_id(booking.operation) else {
            continue;
        };
        if is_shown_in_group_card(shared, operation) {
            continue;
        }
        let members = shared.dispatch.groups_view.members.get(&operation.id);
        let card = BookingCard {
            booking,
            operation,
            members: members.map_or(&[][..], Vec::as_slice),
        };
        ui.push_id(operation.id, |ui| card.show(ui, context, manifests));
    }
}

fn booking_style(operation: &Operation) -> StateLabel {
    let state = operation_text::operation_state(operation.state);
    match operation.state {
        OperationState::Done => StateLabel {
            word: "booked",
            ..state
        },
        OperationState::Ready | OperationState::Sending => StateLabel {
            word: "being booked",
            ..state
        },
        _ => state,
    }
}

impl BookingCard<'_> {
    fn show(&self, ui: &mut Ui, context: &mut Context<'_>, manifests: &mut ManifestsState) {
        let label = booking_style(self.operation);
        let carrier = self.booking.carrier();
        let mut card = Card::new(carrier).icon(icons::ICON_LOCAL_SHIPPING);
        if !matches!(label.tone, Tone::Accent | Tone::Ok | Tone::Neutral) {
            card = card.tone(label.tone);
        }
        let mut is_dismissed = false;
        card.show(
            ui,
            |ui| {
                if !self.operation.state.is_open() {
                    let name = format!("Dismiss the booking with {carrier}");
                    let cross = Button::icon_only(icons::ICON_CLOSE, &name).small();
                    is_dismissed = ui.add(cross).clicked();
                }
                label.badge().show(ui);
            },
            |ui| self.body(ui, context, manifests),
        );
        if is_dismissed {
            context.push(DispatchCommand::CloseBooking(self.operation.id));
        }
    }

    fn body(&self, ui: &mut Ui, context: &mut Context<'_>, manifests: &mut ManifestsState) {
        let Self {
            booking,
            operation,
            members,
        } = *self;
        ui.spacing_mut().item_spacing.y = 4.0;
        let manifest = booked_manifest(operation, members);
        if !operation.reference.is_empty() || manifest.is_some() {
            ui.horizontal(|ui| {
                ui.add(Label::new(text::mono_strong(&operation.reference)).selectable(true));
                if let Some(id) = manifest {
                    text::small_note(ui, format!("manifest {id}"));
                }
            });
        }
        let count = counted(booking.count(), "consignment", "consignments");
        let pickup = booking
            .group
            .pickup_date_time
            .filter(|_| !booking.group.pickup_already_booked)
            .map(|at| format!(" · pickup {}", day_and_time(at)))
            .unwrap_or_default();
        text::note(ui, format!("{count}{pickup}"));
        let is_plain = operation.state == OperationState::Done && operation.message == "Booked";
        if !operation.message.is_empty() && !is_plain {
            ui.add(Label::new(text::body(&operation.message)).wrap());
        }
        if operation.state != OperationState::Done {
            member_list(ui, members, operation.state);
        }
        if let Some(next) = self.next_step(context.shared) {
            text::small_note(ui, &next);
        }
        if operation.state == OperationState::Absent {
            let held = HoldButton::new("Hold to book again").secondary().show(ui);
            if held.completed {
                let decision = OperationDecision::SendAgain;
                context.push(OperationsCommand::Decide(operation.id, decision));
            }
        }
        let room = vec2(ui.available_width(), LINK);
        ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = size::GRID;
            self.buttons(ui, context, manifests);
        });
    }

    /// Returns advice on the next step, if the operation's own message gives none.
    fn next_step(&self, shared: &Shared) -> Option<String> {
        let (operation, members) = (self.operation, self.members);
        let left = waiting_count(members);
        Some(match operation.state {
            OperationState::Unknown => {
                let look = shared.operations.next_checks.get(&operation.id);
                let look = look.map(|look| {
                    let at = clock_seconds(look.at, &shared.session.zone);
                    format!("Checking again at {at}. ")
                });
                format!(
                    "{}Don't book it any other way: its consignments are locked until the result is known",
                    look.unwrap_or_default()
                )
            }
            OperationState::Conflict => {
                "Ask the carrier what is booked before you send anything again. Then give up this booking, to unlock its other consignments"
                    .to_owned()
            }
            OperationState::Rejected | OperationState::Discarded if left == 0 && !members.is_empty() => {
                "None of its consignments is unmanifested any more: nothing left to book".to_owned()
            }
            OperationState::Rejected | OperationState::Discarded if left < members.len() => {
                format!("{} can still be booked", counted(left, "consignment", "consignments"))
            }
            OperationState::Done if operation.reference.is_empty() => {
                "The carrier gave no reference".to_owned()
            }
            _ => return None,
        })
    }

    fn buttons(&self, ui: &mut Ui, context: &mut Context<'_>, manifests: &mut ManifestsState) {
        let (operation, members) = (self.operation, self.members);
        let id = operation.id;
        let carrier = self.booking.carrier();
        let press = |ui: &mut Ui, word: &str| {
            let name = format!("{word}: booking with {carrier}");
            let button = Button::new(word).small().accessible_name(&name);
            ui.add(button).clicked()
        };
        let has_page = match operation.state {
            OperationState::Done => true,
            OperationState::Conflict | OperationState::Discarded => {
                common_manifest(members).is_some()
            }
            _ => false,
        };
        if has_page && press(ui, "Print") {
            context.push(GroupsCommand::PrintManifest(id));
        }
        if has_page && press(ui, "Manifest") {
            manifests.open(context, Some(id));
        }
        let ended = matches!(
            operation.state,
            OperationState::Rejected | OperationState::Discarded
        );
        let left = waiting_count(members);
        if ended
            && left > 0
            && left < members.len()
            && press(ui, &format!("Group the other {left}"))
        {
            context.push(GroupsCommand::RegroupRest(id));
        }
        if operation.state == OperationState::Unknown && press(ui, "Check now") {
            context.push(OperationsCommand::Decide(id, OperationDecision::CheckNow));
        }
        // Decisions about an operation are made on the Operations screen only.
        let word = match operation.state {
            OperationState::Absent | OperationState::Conflict => "Decide…",
            OperationState::Unknown => "Show progress",
            OperationState::Done => return,
            _ => "What happened",
        };
        if press(ui, word) {
            context.push(OperationsCommand::Show(ActionItem::Operation(id)));
        }
    }
}

/// Returns the manifest of a finished booking, if all its manifested consignments are on the same manifest.
fn booked_manifest(operation: &Operation, members: &[BookingMember]) -> Option<String> {
    (operation.state == OperationState::Done).then(|| common_manifest(members))?
}

/// Returns the manifest that all manifested consignments share, if there is exactly one.
fn common_manifest(members: &[BookingMember]) -> Option<String> {
    let mut ids = members.iter().filter_map(|member| match member.state {
        MemberState::Manifested(id) => Some(id),
        _ => None,
    });
    let first = ids.next()?;
    ids.all(|id| id == first).then(|| first.to_string())
}

/// Lists the state of each consignment, unless all of them are still waiting.
fn member_list(ui: &mut Ui, members: &[BookingMember], state: OperationState) {
    let waiting = |member: &BookingMember| member.state == MemberState::Waiting;
    if members.iter().all(waiting) {
        return;
    }
    let p = palette(ui);
    // Consignments that are no longer waiting come first.
    let (rest, taken): (Vec<_>, Vec<_>) = members.iter().partition(|member| waiting(member));
    // The lines can't be clicked, so they need less height than buttons.
    ui.spacing_mut().interact_size.y = size::LINE;
    for member in taken.iter().chain(&rest).take(MOST_NAMED) {
        let words = match &member.state {
            MemberState::Waiting => "waiting, not booked".to_owned(),
            MemberState::Elsewhere(id) => format!("booked elsewhere, on manifest {id}"),
            MemberState::Manifested(id) if state == OperationState::Rejected => {
                format!("booked elsewhere, on manifest {id}")
            }
            MemberState::Manifested(id) => format!("on manifest {id}"),
            MemberState::Other(name) => name.clone(),
            MemberState::Gone => "no longer at the service".to_owned(),
        };
        ui.horizontal(|ui| {
            ui.label(text::mono(member.number.as_str()));
            ui.add(Label::new(text::small(words).color(p.muted)).truncate());
        });
    }
    let more = members.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        text::small_note(ui, format!("and {more} more"));
    }
}

fn waiting_count(members: &[BookingMember]) -> usize {
    let waiting = |member: &&BookingMember| member.state == MemberState::Waiting;
    members.iter().filter(waiting).count()
}
