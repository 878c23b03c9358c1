//! The decisions that a person can make about an action item, as buttons with an explanation.

use egui::{Label, Layout, TextWrapMode, Ui, WidgetText, vec2};

use crate::state::{
    ActionItem, JobState, LabelsCommand, Operation, OperationDecision, OperationKind,
    OperationState, OperationsCommand, PrintJob, Shared,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::card::rule;
use widgets::hold_button::HoldButton;
use widgets::tokens::{palette, size};
use widgets::{key_cap, text};

/// Width of the buttons, in points.
const BUTTON: f32 = 206.0;

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Decision {
    Decide(OperationDecision),
    CameOut(bool),
    PrintAgain,
}

/// How a decision is triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    /// A click or the action's shortcut, on a primary button: the decision that is wanted most often.
    Primary(Action),
    Press(Action),
    /// A click, or Alt and the digit of this position (counted from 0).
    Digit(usize),
    /// The button must be held, because the decision can't be undone.
    Hold(Option<Action>),
}

/// A decision with its texts.
struct DecisionOption {
    act: Decision,
    words: String,
    meaning: String,
    way: Trigger,
}

impl DecisionOption {
    fn new(
        act: Decision,
        words: impl Into<String>,
        meaning: impl Into<String>,
        way: Trigger,
    ) -> Self {
        Self {
            act,
            words: words.into(),
            meaning: meaning.into(),
            way,
        }
    }
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, matter: ActionItem) {
    let offers = offers(context.shared, matter);
    if offers.is_empty() {
        return;
    }
    rule(ui);
    ui.add_space(2.0);
    let changes_the_service = |offer: &DecisionOption| {
        matches!(
            offer.act,
            Decision::Decide(OperationDecision::SendAgain | OperationDecision::DeleteDuplicate(_))
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

fn make(context: &mut Context<'_>, matter: ActionItem, act: Decision) {
    match (matter, act) {
        (ActionItem::Operation(id), Decision::Decide(choice)) => {
            context.push(OperationsCommand::Decide(id, choice));
        }
        (ActionItem::Job(id), Decision::CameOut(came_out)) => {
            context.push(LabelsCommand::SetJobPrinted(id, came_out));
        }
        (ActionItem::Job(id), Decision::PrintAgain) => {
            let consignment = context
                .shared
                .job(id)
                .and_then(|job| job.subject.consignment());
            if let Some(consignment) = consignment {
                let reason = "not printed the first time".to_owned();
                context.push(LabelsCommand::Reprint(consignment, reason));
            }
        }
        _ => {}
    }
}

/// Draws a decision. Returns whether the clerk made it.
fn one(ui: &mut Ui, context: &Context<'_>, offer: &DecisionOption) -> bool {
    let (action, cap) = match offer.way {
        Trigger::Primary(action) | Trigger::Press(action) => (Some(action), action.key()),
        Trigger::Digit(at) => (
            None,
            key_cap::digit_shortcut(at)
                .map(key_cap::label)
                .unwrap_or_default(),
        ),
        Trigger::Hold(action) => (action, String::new()),
    };
    let asked = action.is_some_and(|action| context.is_triggered(action));
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::FIELD_GAP;
        let room = vec2(BUTTON, size::BUTTON);
        let made = ui
            .allocate_ui_with_layout(room, Layout::top_down(egui::Align::Min), |ui| {
                ui.set_width(BUTTON);
                if matches!(offer.way, Trigger::Hold(_)) {
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
                    Trigger::Primary(_) => Button::primary(&offer.words),
                    _ => Button::new(&offer.words),
                };
                let clicked = ui.add(button.key(&cap).fill_width(ui)).clicked();
                clicked || asked || (!context.is_dialog_open && by_digit(ui, offer.way))
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

fn by_digit(ui: &Ui, way: Trigger) -> bool {
    let Trigger::Digit(at) = way else {
        return false;
    };
    let shortcut = key_cap::digit_shortcut(at);
    shortcut.is_some_and(|shortcut| ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}

fn offers(shared: &Shared, matter: ActionItem) -> Vec<DecisionOption> {
    match matter {
        ActionItem::Operation(id) => shared.operation(id).map(|operation| {
            let mut offers = of_operation(shared, operation);
            offers.retain(|offer| match offer.act {
                Decision::Decide(choice) => choice.is_possible(operation.kind, operation.state),
                Decision::CameOut(_) | Decision::PrintAgain => false,
            });
            offers
        }),
        ActionItem::Job(id) => shared.job(id).map(of_job),
    }
    .unwrap_or_default()
}

fn of_operation(shared: &Shared, operation: &Operation) -> Vec<DecisionOption> {
    let decide = Decision::Decide;
    let give_up = DecisionOption::new(
        decide(OperationDecision::Discard),
        "Hold to give up",
        giving_up(operation),
        Trigger::Hold(Some(Action::GiveUp)),
    );
    let check = DecisionOption::new(
        decide(OperationDecision::CheckNow),
        "Check now",
        "Checks with the service now",
        Trigger::Press(Action::CheckNow),
    );
    match operation.state {
        OperationState::Unknown => vec![check, give_up],
        OperationState::Absent => vec![
            DecisionOption::new(
                decide(OperationDecision::SendAgain),
                "Send again",
                sending_again(operation),
                Trigger::Primary(Action::SendAgain),
            ),
            DecisionOption::new(
                decide(OperationDecision::KeepChecking),
                "Wait longer",
                "Search the service again for a while before you decide",
                Trigger::Press(Action::RestartChecks),
            ),
            give_up,
        ],
        OperationState::Conflict => {
            let mut offers = twins(shared, operation);
            offers.extend([check, give_up]);
            offers
        }
        OperationState::Ask => vec![
            DecisionOption::new(
                decide(OperationDecision::Happened(true)),
                "It went through",
                "You checked, and it went through",
                Trigger::Press(Action::ConfirmDone),
            ),
            DecisionOption::new(
                decide(OperationDecision::Happened(false)),
                "It didn't go through",
                "You checked, and it didn't go through. You can send it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
            give_up,
        ],
        _ => Vec::new(),
    }
}

fn giving_up(operation: &Operation) -> &'static str {
    match (operation.state, operation.draft.is_some()) {
        (OperationState::Absent, true) => "Not done; it becomes a draft again",
        (OperationState::Absent, false) => "Not done; cancelled",
        (OperationState::Conflict, _) => "Only if you have sorted it out yourself",
        _ => "Only if you know what happened: Packbench stops checking",
    }
}

fn sending_again(operation: &Operation) -> &'static str {
    match operation.kind {
        OperationKind::Create => "With the same reference; checks once more first",
        OperationKind::Manifest => "The same booking; checks its consignments once more first",
        kind if kind.can_be_reconciled() => "The same change; checks once more first",
        _ => "Sends the same change again, without a check",
    }
}

/// Returns the decisions about several matches: which consignment was sent, and what to do with the other.
fn twins(shared: &Shared, operation: &Operation) -> Vec<DecisionOption> {
    let found = shared
        .action_item
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
        let act = Decision::Decide(OperationDecision::Adopt(*id));
        offers.push(DecisionOption::new(act, words, meaning, Trigger::Digit(at)));
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
        let act = Decision::Decide(OperationDecision::DeleteDuplicate(*id));
        offers.push(DecisionOption::new(
            act,
            words,
            meaning,
            Trigger::Hold(None),
        ));
    }
    let none = if ids.len() > 1 {
        "None of these"
    } else {
        "It's a different one"
    };
    offers.push(DecisionOption::new(
        Decision::Decide(OperationDecision::RejectAll),
        none,
        "Your consignment was not created. You can send it again",
        Trigger::Press(Action::ConfirmNotDone),
    ));
    offers
}

fn of_job(job: &PrintJob) -> Vec<DecisionOption> {
    match job.state {
        JobState::Ask => vec![
            DecisionOption::new(
                Decision::CameOut(true),
                "It printed",
                "You checked the printer, and the label is there",
                Trigger::Press(Action::ConfirmDone),
            ),
            DecisionOption::new(
                Decision::CameOut(false),
                "It didn't print",
                "You checked the printer, and there is no label. You can print it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
        ],
        JobState::Failed => vec![
            DecisionOption::new(
                Decision::PrintAgain,
                "Print again",
                "Prints on the current label printer",
                Trigger::Primary(Action::SendAgain),
            ),
            DecisionOption::new(
                Decision::CameOut(true),
                "It printed",
                "The label was printed after all",
                Trigger::Press(Action::ConfirmDone),
            ),
        ],
        JobState::Spooling | JobState::Sent | JobState::Printed => Vec::new(),
    }
}
