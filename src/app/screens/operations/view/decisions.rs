//! The decisions that a person can make about an action item, as buttons with an explanation.

use egui::{Label, Layout, TextWrapMode, Ui, WidgetText, vec2};

use crate::state::{
    ActionItem, Command, JobState, LabelsCommand, Operation, OperationDecision, OperationKind,
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

/// A decision that the clerk can make.
struct DecisionOption {
    command: Command,
    words: String,
    meaning: String,
    trigger: Trigger,
    /// Whether the decision sends something to the service.
    changes_service: bool,
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, matter: ActionItem) {
    let shared = context.shared;
    let offers = match matter {
        ActionItem::Operation(id) => shared
            .operations
            .by_id(id)
            .map(|operation| of_operation(shared, operation)),
        ActionItem::Job(id) => shared.labels.job(id).map(of_job),
    };
    let offers = offers.unwrap_or_default();
    if offers.is_empty() {
        return;
    }
    rule(ui);
    ui.add_space(2.0);
    if offers.iter().any(|offer| offer.changes_service) {
        environment::line(ui, shared);
    }
    for offer in offers {
        if one(ui, context, &offer) {
            context.push(offer.command);
        }
    }
}

/// Draws a decision. Returns whether the clerk made it.
fn one(ui: &mut Ui, context: &Context<'_>, offer: &DecisionOption) -> bool {
    let (action, cap) = match offer.trigger {
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
                if matches!(offer.trigger, Trigger::Hold(_)) {
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
                let button = match offer.trigger {
                    Trigger::Primary(_) => Button::primary(&offer.words),
                    _ => Button::new(&offer.words),
                };
                let clicked = ui.add(button.key(&cap).fill_width(ui)).clicked();
                clicked || asked || (!context.is_dialog_open && by_digit(ui, offer.trigger))
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

/// A decision about an operation, with its text, its consequence and its trigger.
type OperationOption = (OperationDecision, String, String, Trigger);

fn option(
    decision: OperationDecision,
    words: &str,
    meaning: &str,
    trigger: Trigger,
) -> OperationOption {
    (decision, words.to_owned(), meaning.to_owned(), trigger)
}

fn of_operation(shared: &Shared, operation: &Operation) -> Vec<DecisionOption> {
    let give_up = option(
        OperationDecision::Discard,
        "Hold to give up",
        giving_up(operation),
        Trigger::Hold(Some(Action::GiveUp)),
    );
    let check = option(
        OperationDecision::CheckNow,
        "Check now",
        "Checks with the service now",
        Trigger::Press(Action::CheckNow),
    );
    let options = match operation.state {
        OperationState::Unknown => vec![check, give_up],
        OperationState::Absent => vec![
            option(
                OperationDecision::SendAgain,
                "Send again",
                sending_again(operation),
                Trigger::Primary(Action::SendAgain),
            ),
            option(
                OperationDecision::KeepChecking,
                "Wait longer",
                "Search the service again for a while before you decide",
                Trigger::Press(Action::RestartChecks),
            ),
            give_up,
        ],
        OperationState::Conflict => {
            let mut options = twins(shared, operation);
            options.extend([check, give_up]);
            options
        }
        OperationState::Ask => vec![
            option(
                OperationDecision::Happened(true),
                "It went through",
                "You checked, and it went through",
                Trigger::Press(Action::ConfirmDone),
            ),
            option(
                OperationDecision::Happened(false),
                "It didn't go through",
                "You checked, and it didn't go through. You can send it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
            give_up,
        ],
        _ => Vec::new(),
    };
    let is_possible =
        |option: &OperationOption| option.0.is_possible(operation.kind, operation.state);
    let offer = |(decision, words, meaning, trigger): OperationOption| DecisionOption {
        command: OperationsCommand::Decide(operation.id, decision).into(),
        words,
        meaning,
        trigger,
        changes_service: matches!(
            decision,
            OperationDecision::SendAgain | OperationDecision::DeleteDuplicate(_)
        ),
    };
    options.into_iter().filter(is_possible).map(offer).collect()
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

/// Returns the decisions about several matches: which consignment was sent, and what to
/// do with the other consignment.
fn twins(shared: &Shared, operation: &Operation) -> Vec<OperationOption> {
    let found = shared
        .operations
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
    let mut options = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let meaning = if ids.len() > 1 {
            "This is the one that was sent; the other stays at the service"
        } else {
            "This is the one that was sent"
        };
        let (decision, words) = (
            OperationDecision::Adopt(*id),
            format!("It is {}", number(*id)),
        );
        options.push(option(decision, &words, meaning, Trigger::Digit(at)));
    }
    let can_go = |id: &&ConsignmentId| {
        let mut found = found.iter();
        found.any(|one| one.id == **id && one.is_unmanifested())
    };
    // Newest first, because the older consignment is usually the one to keep.
    for id in ids.iter().rev().filter(can_go).filter(|_| found.len() > 1) {
        let kept = ids.iter().filter(|other| *other != id);
        let kept: Vec<_> = kept.map(|other| number(*other)).collect();
        let words = format!("Hold to delete {}", number(*id));
        let meaning = format!("Deletes it at the service and keeps {}", kept.join(", "));
        let decision = OperationDecision::DeleteDuplicate(*id);
        options.push(option(decision, &words, &meaning, Trigger::Hold(None)));
    }
    let none = if ids.len() > 1 {
        "None of these"
    } else {
        "It's a different one"
    };
    options.push(option(
        OperationDecision::RejectAll,
        none,
        "Your consignment was not created. You can send it again",
        Trigger::Press(Action::ConfirmNotDone),
    ));
    options
}

fn of_job(job: &PrintJob) -> Vec<DecisionOption> {
    let offer = |command: LabelsCommand, words: &str, meaning: &str, trigger| DecisionOption {
        command: command.into(),
        words: words.to_owned(),
        meaning: meaning.to_owned(),
        trigger,
        changes_service: false,
    };
    let printed = |meaning| {
        let command = LabelsCommand::SetJobPrinted(job.id, true);
        offer(
            command,
            "It printed",
            meaning,
            Trigger::Press(Action::ConfirmDone),
        )
    };
    match job.state {
        JobState::Ask => vec![
            printed("You checked the printer, and the label is there"),
            offer(
                LabelsCommand::SetJobPrinted(job.id, false),
                "It didn't print",
                "You checked the printer, and there is no label. You can print it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
        ],
        JobState::Failed => {
            let again = job.subject.consignment().map(|consignment| {
                let reason = "not printed the first time".to_owned();
                offer(
                    LabelsCommand::Reprint(consignment, reason),
                    "Print again",
                    "Prints on the current label printer",
                    Trigger::Primary(Action::SendAgain),
                )
            });
            let printed = printed("The label was printed after all");
            again.into_iter().chain([printed]).collect()
        }
        JobState::Spooling | JobState::Sent | JobState::Printed => Vec::new(),
    }
}
