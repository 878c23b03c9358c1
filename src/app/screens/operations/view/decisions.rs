//! The decisions that a person can make about an action item, as buttons with an explanation.

use egui::{Align, Label, Layout, TextWrapMode, Ui, WidgetText, vec2};

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

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, item: ActionItem) {
    let shared = context.shared;
    let options = match item {
        ActionItem::Operation(id) => {
            { shared.operations.by_id(id) }.map(|operation| OperationOptions::of(shared, operation))
        }
        ActionItem::Job(id) => shared.labels.job(id).map(of_job),
    };
    let Some(options) = options.filter(|options| !options.is_empty()) else {
        return;
    };
    rule(ui);
    ui.add_space(2.0);
    if options.iter().any(|option| option.changes_service) {
        environment::line(ui, shared);
    }
    for option in options {
        if is_made(ui, context, &option) {
            context.push(option.command);
        }
    }
}

/// Draws a decision. Returns whether the clerk made it.
fn is_made(ui: &mut Ui, context: &Context<'_>, option: &DecisionOption) -> bool {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::FIELD_GAP;
        let room = vec2(BUTTON, size::BUTTON);
        let layout = Layout::top_down(Align::Min);
        let made = ui.allocate_ui_with_layout(room, layout, |ui| {
            ui.set_width(BUTTON);
            button(ui, context, option)
        });
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let meaning = text::small(&option.meaning).color(palette(ui).muted);
            let (words, wrap) = (WidgetText::from(meaning.clone()), Some(TextWrapMode::Wrap));
            let lines = words.into_galley(ui, wrap, ui.available_width(), text::small_font());
            // Centre the text beside its button, unless the text is higher.
            ui.add_space(((size::BUTTON - lines.size().y) / 2.0).max(0.0));
            ui.add(Label::new(meaning).wrap());
        });
        made.inner
    })
    .inner
}

fn button(ui: &mut Ui, context: &Context<'_>, option: &DecisionOption) -> bool {
    let words = option.words.as_str();
    let (button, action) = match option.trigger {
        Trigger::Primary(action) => (Button::primary(words), action),
        Trigger::Press(action) => (Button::new(words), action),
        Trigger::Digit(at) => {
            let shortcut = key_cap::digit_shortcut(at);
            let key = shortcut.map(key_cap::label).unwrap_or_default();
            let button = Button::new(words).key(&key).fill_width(ui);
            let by_key = !context.is_dialog_open
                && shortcut.is_some_and(|keys| ui.input_mut(|input| input.consume_shortcut(&keys)));
            return ui.add(button).clicked() || by_key;
        }
        Trigger::Hold(action) => {
            let mut button = HoldButton::new(words).secondary();
            if let Some(shortcut) = action.and_then(|action| action.entry().shortcut) {
                button = button.shortcut(shortcut);
            }
            let held = button.show(ui);
            if action.is_some_and(|action| context.is_triggered(action)) {
                // Picking the action by name is not enough: the button still has to be held.
                held.response.request_focus();
            }
            return held.completed;
        }
    };
    let button = ui.add(button.key(&action.key()).fill_width(ui));
    button.clicked() || context.is_triggered(action)
}

/// Collects the decisions that are possible about an operation.
struct OperationOptions<'a> {
    operation: &'a Operation,
    options: Vec<DecisionOption>,
}

impl OperationOptions<'_> {
    fn of(shared: &Shared, operation: &Operation) -> Vec<DecisionOption> {
        let mut options = OperationOptions {
            operation,
            options: Vec::new(),
        };
        let check = |options: &mut OperationOptions<'_>| {
            let trigger = Trigger::Press(Action::CheckNow);
            let meaning = "Checks with the service now";
            options.offer(OperationDecision::CheckNow, "Check now", meaning, trigger);
        };
        match operation.state {
            OperationState::Unknown => check(&mut options),
            OperationState::Absent => options.send_or_wait(),
            OperationState::Conflict => {
                options.twins(shared);
                check(&mut options);
            }
            OperationState::Ask => options.happened(),
            _ => {}
        }
        let meaning = match (operation.state, operation.draft.is_some()) {
            (OperationState::Absent, true) => "Not done; it becomes a draft again",
            (OperationState::Absent, false) => "Not done; cancelled",
            (OperationState::Conflict, _) => "Only if you have sorted it out yourself",
            _ => "Only if you know what happened: Packbench stops checking",
        };
        let trigger = Trigger::Hold(Some(Action::GiveUp));
        options.offer(
            OperationDecision::Discard,
            "Hold to give up",
            meaning,
            trigger,
        );
        options.options
    }

    /// Adds a decision, if it is possible.
    fn offer(&mut self, decision: OperationDecision, words: &str, meaning: &str, trigger: Trigger) {
        if !decision.is_possible(self.operation.kind, self.operation.state) {
            return;
        }
        self.options.push(DecisionOption {
            command: OperationsCommand::Decide(self.operation.id, decision).into(),
            words: words.to_owned(),
            meaning: meaning.to_owned(),
            trigger,
            changes_service: matches!(
                decision,
                OperationDecision::SendAgain | OperationDecision::DeleteDuplicate(_)
            ),
        });
    }

    fn send_or_wait(&mut self) {
        let meaning = match self.operation.kind {
            OperationKind::Create => "With the same reference; checks once more first",
            OperationKind::Manifest => "The same booking; checks its consignments once more first",
            kind if kind.can_be_reconciled() => "The same change; checks once more first",
            _ => "Sends the same change again, without a check",
        };
        let trigger = Trigger::Primary(Action::SendAgain);
        self.offer(OperationDecision::SendAgain, "Send again", meaning, trigger);
        let meaning = "Search the service again for a while before you decide";
        let trigger = Trigger::Press(Action::RestartChecks);
        self.offer(
            OperationDecision::KeepChecking,
            "Wait longer",
            meaning,
            trigger,
        );
    }

    fn happened(&mut self) {
        self.offer(
            OperationDecision::Happened(true),
            "It went through",
            "You checked, and it went through",
            Trigger::Press(Action::ConfirmDone),
        );
        self.offer(
            OperationDecision::Happened(false),
            "It didn't go through",
            "You checked, and it didn't go through. You can send it again",
            Trigger::Press(Action::ConfirmNotDone),
        );
    }

    /// Adds the decisions about several matches: which consignment was sent, and what to
    /// do with the other consignment.
    fn twins(&mut self, shared: &Shared) {
        let found = shared.operations.action_item.found.value();
        let found = found.map_or(&[][..], Vec::as_slice);
        let number = |id: ConsignmentId| {
            let known = found.iter().find(|one| one.id == id);
            known.map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone())
        };
        let operation = self.operation;
        let ids = &operation.consignments;
        let (meaning, none) = if ids.len() > 1 {
            let meaning = "This is the one that was sent; the other stays at the service";
            (meaning, "None of these")
        } else {
            ("This is the one that was sent", "It's a different one")
        };
        for (at, id) in ids.iter().enumerate() {
            let words = format!("It is {}", number(*id));
            let decision = OperationDecision::Adopt(*id);
            self.offer(decision, &words, meaning, Trigger::Digit(at));
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
            self.offer(decision, &words, &meaning, Trigger::Hold(None));
        }
        let meaning = "Your consignment was not created. You can send it again";
        let trigger = Trigger::Press(Action::ConfirmNotDone);
        self.offer(OperationDecision::RejectAll, none, meaning, trigger);
    }
}

fn of_job(job: &PrintJob) -> Vec<DecisionOption> {
    let option = |command: LabelsCommand, words: &str, meaning: &str, trigger| DecisionOption {
        command: command.into(),
        words: words.to_owned(),
        meaning: meaning.to_owned(),
        trigger,
        changes_service: false,
    };
    let printed = |meaning| {
        let trigger = Trigger::Press(Action::ConfirmDone);
        let command = LabelsCommand::SetJobPrinted(job.id, true);
        option(command, "It printed", meaning, trigger)
    };
    match job.state {
        JobState::Ask => vec![
            printed("You checked the printer, and the label is there"),
            option(
                LabelsCommand::SetJobPrinted(job.id, false),
                "It didn't print",
                "You checked the printer, and there is no label. You can print it again",
                Trigger::Press(Action::ConfirmNotDone),
            ),
        ],
        JobState::Failed => {
            let again = job.subject.consignment().map(|consignment| {
                let reason = "not printed the first time".to_owned();
                let command = LabelsCommand::Reprint(vec![consignment], reason);
                let meaning = "Prints on the current label printer";
                let trigger = Trigger::Primary(Action::SendAgain);
                option(command, "Print again", meaning, trigger)
            });
            let printed = printed("The label was printed after all");
            again.into_iter().chain([printed]).collect()
        }
        JobState::Spooling | JobState::Sent | JobState::Printed => Vec::new(),
    }
}
