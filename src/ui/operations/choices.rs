//! The decisions that a person can make about an action item, as buttons with an explanation.

use egui::{Label, Layout, TextWrapMode, Ui, WidgetText, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::super::environment;
use super::super::kit::button::Button;
use super::super::kit::card::rule;
use super::super::kit::hold::HoldButton;
use super::super::kit::tokens::{palette, size};
use super::super::kit::{keys, text};
use crate::shipping::ConsignmentId;
use crate::state::{
    Choice, JobState, Kind, LabelsCommand, Matter, Operation, OperationState, OperationsCommand,
    PrintJob, Shared,
};

/// Width of the buttons, in points.
const BUTTON: f32 = 206.0;

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    Decide(Choice),
    CameOut(bool),
    PrintAgain,
}

/// How a decision is triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A click or the action's shortcut, on a primary button: the decision that is wanted most often.
    Primary(Action),
    Press(Action),
    /// A click, or Alt and the digit of this position (counted from 0).
    Digit(usize),
    /// The button must be held, because the decision can't be undone.
    Hold(Option<Action>),
}

/// A decision with its texts.
struct Offer {
    act: Act,
    words: String,
    meaning: String,
    way: Way,
}

impl Offer {
    fn new(act: Act, words: impl Into<String>, meaning: impl Into<String>, way: Way) -> Self {
        Self {
            act,
            words: words.into(),
            meaning: meaning.into(),
            way,
        }
    }
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, matter: Matter) {
    let offers = offers(context.shared, matter);
    if offers.is_empty() {
        return;
    }
    rule(ui);
    ui.add_space(2.0);
    let changes_the_service = |offer: &Offer| {
        matches!(
            offer.act,
            Act::Decide(Choice::SendAgain | Choice::DeleteTwin(_))
        )
    };
    if offers.iter().any(changes_the_service) {
        environment::line(ui, context.shared);
    }
    for offer in offers {
        if one(ui, context, &offer) {
            make(context, matter, offer.act);
        }
    }
}

fn make(context: &mut Context<'_>, matter: Matter, act: Act) {
    match (matter, act) {
        (Matter::Operation(id), Act::Decide(choice)) => {
            context.ask(OperationsCommand::Decide(id, choice));
        }
        (Matter::Job(id), Act::CameOut(came_out)) => {
            context.ask(LabelsCommand::AnswerJob(id, came_out));
        }
        (Matter::Job(id), Act::PrintAgain) => {
            let consignment = context
                .shared
                .job(id)
                .and_then(|job| job.subject.consignment());
            if let Some(consignment) = consignment {
                let reason = "not printed the first time".to_owned();
                context.ask(LabelsCommand::Reprint(consignment, reason));
            }
        }
        _ => {}
    }
}

/// Draws a decision. Returns whether the clerk made it.
fn one(ui: &mut Ui, context: &Context<'_>, offer: &Offer) -> bool {
    let (action, cap) = match offer.way {
        Way::Primary(action) | Way::Press(action) => (Some(action), action.key()),
        Way::Digit(at) => (None, keys::choice(at).map(keys::label).unwrap_or_default()),
        Way::Hold(action) => (action, String::new()),
    };
    let asked = action.is_some_and(|action| context.asked(action));
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::FIELD_GAP;
        let room = vec2(BUTTON, size::BUTTON);
        let made = ui
            .allocate_ui_with_layout(room, Layout::top_down(egui::Align::Min), |ui| {
                ui.set_width(BUTTON);
                if matches!(offer.way, Way::Hold(_)) {
                    let mut button = HoldButton::new(&offer.words).secondary();
                    if let Some(shortcut) = action.and_then(|action| action.entry().shortcut) {
                        button = button.shortcut(shortcut);
                    }
                    let held = button.show(ui);
                    if asked {
                        // Picking the action by name is not enough: the button still has to be held.
                        held.response.request_focus();
                    }
                    return held.completed;
                }
                let button = match offer.way {
                    Way::Primary(_) => Button::primary(&offer.words),
                    _ => Button::new(&offer.words),
                };
                let clicked = ui.add(button.key(&cap).fill_width(ui)).clicked();
                clicked || asked || (!context.in_front && by_digit(ui, offer.way))
            })
            .inner;
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let meaning = text::small(&offer.meaning).color(palette(ui).muted);
            let room = ui.available_width();
            let lines = WidgetText::from(meaning.clone())
                .into_galley(ui, Some(TextWrapMode::Wrap), room, text::small_font())
                .size()
                .y;
            // Centre the text beside its button, unless the text is higher.
            ui.add_space(((size::BUTTON - lines) / 2.0).max(0.0));
            ui.add(Label::new(meaning).wrap());
        });
        made
    })
    .inner
}

fn by_digit(ui: &Ui, way: Way) -> bool {
    let Way::Digit(at) = way else { return false };
    let shortcut = keys::choice(at);
    shortcut.is_some_and(|shortcut| ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}

fn offers(shared: &Shared, matter: Matter) -> Vec<Offer> {
    match matter {
        Matter::Operation(id) => shared.operation(id).map(|operation| {
            let mut offers = of_operation(shared, operation);
            offers.retain(|offer| match offer.act {
                Act::Decide(choice) => choice.fits(operation.kind, operation.state),
                Act::CameOut(_) | Act::PrintAgain => false,
            });
            offers
        }),
        Matter::Job(id) => shared.job(id).map(of_job),
    }
    .unwrap_or_default()
}

fn of_operation(shared: &Shared, operation: &Operation) -> Vec<Offer> {
    let decide = Act::Decide;
    let give_up = Offer::new(
        decide(Choice::Discard),
        "Hold to give up",
        giving_up(operation),
        Way::Hold(Some(Action::GiveUp)),
    );
    let check = Offer::new(
        decide(Choice::CheckNow),
        "Check now",
        "Looks at the service at once",
        Way::Press(Action::CheckNow),
    );
    match operation.state {
        OperationState::Unknown => vec![check, give_up],
        OperationState::Absent => vec![
            Offer::new(
                decide(Choice::SendAgain),
                "Send again",
                sending_again(operation),
                Way::Primary(Action::SendAgain),
            ),
            Offer::new(
                decide(Choice::Wait),
                "Wait longer",
                "Look for it all over again before anything else",
                Way::Press(Action::WaitLonger),
            ),
            give_up,
        ],
        OperationState::Conflict => {
            let mut offers = twins(shared, operation);
            offers.extend([check, give_up]);
            offers
        }
        OperationState::Ask => vec![
            Offer::new(
                decide(Choice::Happened(true)),
                "It happened",
                "You looked, and it is done",
                Way::Press(Action::Yes),
            ),
            Offer::new(
                decide(Choice::Happened(false)),
                "It did not happen",
                "You looked, and it is not: then it can be sent again",
                Way::Press(Action::No),
            ),
            give_up,
        ],
        _ => Vec::new(),
    }
}

fn giving_up(operation: &Operation) -> &'static str {
    match (operation.state, operation.draft.is_some()) {
        (OperationState::Absent, true) => "It did not happen: what was typed is a draft again",
        (OperationState::Absent, false) => "It did not happen, and is not to",
        (OperationState::Conflict, _) => "Only when you have put it right yourself",
        _ => "Only when you know what became of it: nobody looks for it any more",
    }
}

fn sending_again(operation: &Operation) -> &'static str {
    match operation.kind {
        Kind::Create => "With the same reference; looked for once more first",
        Kind::Manifest => "The same booking; its consignments are looked at once more first",
        kind if kind.can_be_read_back() => "The same again; looked for once more first",
        _ => "The same again, as it was",
    }
}

/// Returns the decisions about several matches: which consignment was sent, and what to do with the other.
fn twins(shared: &Shared, operation: &Operation) -> Vec<Offer> {
    let found = shared
        .matter
        .found
        .value()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let number = |id: ConsignmentId| {
        found
            .iter()
            .find(|one| one.id == id)
            .map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone())
    };
    let ids = &operation.consignments;
    let mut offers = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let meaning = if ids.len() > 1 {
            "This is the one that was sent; the other stays at the service"
        } else {
            "This is the one that was sent"
        };
        let words = format!("It is {}", number(*id));
        let act = Act::Decide(Choice::Adopt(*id));
        offers.push(Offer::new(act, words, meaning, Way::Digit(at)));
    }
    let can_go = |id: &&ConsignmentId| {
        found
            .iter()
            .any(|one| one.id == **id && one.is_unmanifested())
    };
    // Newest first, because the older consignment is usually the one to keep.
    for id in ids.iter().rev().filter(can_go).filter(|_| found.len() > 1) {
        let kept: Vec<_> = ids
            .iter()
            .filter(|other| *other != id)
            .map(|other| number(*other))
            .collect();
        let words = format!("Hold to delete {}", number(*id));
        let meaning = format!("Deletes it at the service and keeps {}", kept.join(", "));
        let act = Act::Decide(Choice::DeleteTwin(*id));
        offers.push(Offer::new(act, words, meaning, Way::Hold(None)));
    }
    let none = if ids.len() > 1 {
        "None of these"
    } else {
        "It is another one"
    };
    offers.push(Offer::new(
        Act::Decide(Choice::NotThese),
        none,
        "What was sent did not happen: then it can be sent again",
        Way::Press(Action::No),
    ));
    offers
}

fn of_job(job: &PrintJob) -> Vec<Offer> {
    match job.state {
        JobState::Ask => vec![
            Offer::new(
                Act::CameOut(true),
                "It came out",
                "You looked at the printer, and the label is there",
                Way::Press(Action::Yes),
            ),
            Offer::new(
                Act::CameOut(false),
                "It did not come out",
                "You looked at the printer: then it can be printed again",
                Way::Press(Action::No),
            ),
        ],
        JobState::Failed => vec![
            Offer::new(
                Act::PrintAgain,
                "Print again",
                "A new job on the printer that labels go to now",
                Way::Primary(Action::SendAgain),
            ),
            Offer::new(
                Act::CameOut(true),
                "It came out",
                "The label is there all the same",
                Way::Press(Action::Yes),
            ),
        ],
        JobState::Spooling | JobState::Sent | JobState::Printed => Vec::new(),
    }
}
