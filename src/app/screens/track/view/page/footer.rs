//! The actions on the open consignment: buttons below the page, always visible, each with its key.

use egui::Ui;

use super::{PageState, ShownConsignment};
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{ConsignCommand, DispatchCommand, PageCommand, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::StatusChangeDraft;
use shipping::StatusId;
use widgets::button::Button;
use widgets::{layout, text};

/// A narrower button (in points) has room for one word and no icon.
const NARROW: f32 = 150.0;
/// A button of this width (in points) has room for its key.
const WIDE: f32 = 190.0;

/// An action with its button text, and the reason if it is disabled.
struct ActionButton {
    action: Action,
    words: &'static str,
    why_not: Option<String>,
}

impl ActionButton {
    /// Draws the button, and returns its action if it was pressed.
    fn show(&self, ui: &mut Ui) -> Option<Action> {
        let width = ui.available_width();
        let narrow = width < NARROW;
        let words = match self.action {
            // Without room for both words, one is clear enough.
            Action::TrackingPage if narrow => "Tracking",
            Action::SetStatus if narrow => "Status…",
            _ => self.words,
        };
        let key = self.action.key();
        let mut button = Button::new(words).fill_width(ui);
        if width >= WIDE {
            button = button.key(&key);
        }
        if !narrow {
            button = button.icon(self.action.entry().icon);
        }
        let pressed = ui.add_enabled(self.why_not.is_none(), button);
        let hint = self.why_not.clone().unwrap_or_else(|| self.action.tip());
        let pressed = pressed.on_hover_text(&hint).on_disabled_hover_text(&hint);
        pressed.clicked().then_some(self.action)
    }
}

impl PageState {
    /// Draws the buttons in two columns, with advice below. A low page has three columns and no advice.
    pub(super) fn footer(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        low: bool,
    ) {
        ui.spacing_mut().item_spacing.y = 6.0;
        let columns: &[f32] = if low { &[1.0; 3] } else { &[1.0; 2] };
        for buttons in buttons(one).chunks(columns.len()) {
            layout::columns(ui, columns, 6.0, |at, ui| {
                let pressed = buttons.get(at).and_then(|button| button.show(ui));
                if let Some(action) = pressed {
                    self.run(context, one, action);
                }
            });
        }
        advice(ui, context, one, low);
    }

    /// Runs the actions that were requested by key.
    pub(super) fn run_buttons(&mut self, context: &mut Context<'_>, one: &ShownConsignment<'_>) {
        for button in buttons(one) {
            if context.is_triggered(button.action) && button.why_not.is_none() {
                self.run(context, one, button.action);
            }
        }
    }

    fn run(&mut self, context: &mut Context<'_>, one: &ShownConsignment<'_>, action: Action) {
        let id = one.row().id;
        match action {
            Action::TrackingPage => {
                let design = context.shared.session.tracking.default_design();
                context.push(PageCommand::ShowTracking(design));
            }
            Action::ConsignmentLabel => context.push(DispatchCommand::ShowLabel(id)),
            Action::SetStatus => {
                let draft = StatusChangeDraft::default();
                self.statuses.begin(context, vec![id], draft);
            }
            Action::CancelManifested => {
                let draft = StatusChangeDraft::cancel();
                self.statuses.begin(context, vec![id], draft);
            }
            Action::CloneConsignment => context.push(ConsignCommand::Clone(id)),
            Action::ChangeConsignment => context.push(ConsignCommand::Edit(id)),
            Action::ShowOnDispatch => context.push(DispatchCommand::Reveal(id)),
            _ => {}
        }
    }
}

/// Returns the actions for the consignment's status.
fn buttons(one: &ShownConsignment<'_>) -> Vec<ActionButton> {
    let rights = &one.shared.track.rights;
    let locked = lock_reason(one.shared, one.row().id).map(|locked| locked.why);
    let mut buttons = vec![
        (Action::TrackingPage, "Tracking page", None),
        (Action::ConsignmentLabel, "Labels", None),
        (Action::CloneConsignment, "Clone", None),
    ];
    match one.status() {
        StatusId::UNMANIFESTED => {
            buttons.push((Action::ChangeConsignment, "Change", locked));
            buttons.push((Action::ShowOnDispatch, "Dispatch", None));
        }
        StatusId::CANCELLED => {}
        status => {
            let refused = &rights.no_statuses;
            let why_not = refused.clone().or_else(|| locked.clone());
            buttons.push((Action::SetStatus, "Set status…", why_not));
            if status == StatusId::MANIFESTED {
                let why_not = refused.clone().or_else(|| rights.no_cancel.clone());
                buttons.push((Action::CancelManifested, "Cancel…", why_not.or(locked)));
            }
        }
    }
    { buttons.into_iter() }
        .map(|(action, words, why_not)| ActionButton {
            action,
            words,
            why_not,
        })
        .collect()
}

/// Shows why the service refused an earlier action, with a button to try again. Otherwise shows whom to call
/// about a cancellation.
fn advice(ui: &mut Ui, context: &mut Context<'_>, one: &ShownConsignment<'_>, low: bool) {
    let row = one.row();
    let rights = &one.shared.track.rights;
    let is_manifested = row.status.id == StatusId::MANIFESTED;
    let can_change = !matches!(row.status.id, StatusId::UNMANIFESTED | StatusId::CANCELLED);
    let refused = rights.no_statuses.as_ref().filter(|_| can_change);
    let refused = refused.or(rights.no_cancel.as_ref().filter(|_| is_manifested));
    if let Some(words) = refused {
        text::small_note(ui, words);
        let again = Button::quiet("Check permissions again").small();
        if ui.add(again).clicked() {
            context.push(TrackCommand::EnableRefused);
        }
    } else if is_manifested && !low {
        let whom = match row.carrier.as_str() {
            "" => "the carrier",
            carrier => carrier,
        };
        let mut words = format!("Cancelling here doesn't notify the carrier: call {whom}");
        if !row.carrier_number.is_empty() {
            words = format!("{words} and quote {}", row.carrier_number);
        }
        text::small_note(ui, words);
    }
}
