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
use widgets::menu::{self, MenuEntry};
use widgets::tokens::{palette, size};
use widgets::{key_cap, layout, text};

/// A narrower button (in points) has room for one word and no icon.
const NARROW: f32 = 150.0;
/// Width of a button without its icon, text and key: the padding and the gaps, in points.
const BESIDES: f32 = 42.0;
/// Width of the menu with the other actions, in points.
const MENU: f32 = 240.0;

/// An action with its button text, and the reason if it is disabled.
struct ActionButton {
    action: Action,
    words: &'static str,
    why_not: Option<String>,
}

impl ActionButton {
    const fn new(action: Action, words: &'static str) -> Self {
        Self {
            action,
            words,
            why_not: None,
        }
    }

    fn unless(mut self, why_not: Option<String>) -> Self {
        self.why_not = why_not;
        self
    }

    /// Returns the width of the complete button, in points.
    fn width(&self, ui: &Ui) -> f32 {
        let words = text::plain(ui, self.words, text::strong_font(), palette(ui).text);
        let key = key_cap::width(ui, &self.action.key());
        words.size().x + key + size::ICON + BESIDES
    }

    /// Draws the button, and returns its action if it was pressed.
    fn show(&self, ui: &mut Ui, with_key: bool) -> Option<Action> {
        let narrow = ui.available_width() < NARROW;
        let words = match self.action {
            // Without room for both words, one is clear enough.
            Action::TrackingPage if narrow => "Tracking",
            Action::SetStatus if narrow => "Status…",
            _ => self.words,
        };
        let key = self.action.key();
        let mut button = Button::new(words).fill_width(ui);
        if with_key {
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

/// Draws the two most used actions, and a menu with the rest. Returns the action that was pressed.
fn row(ui: &mut Ui, mut rest: Vec<ActionButton>) -> Option<Action> {
    let changes = |offer: &ActionButton| {
        matches!(offer.action, Action::SetStatus | Action::ChangeConsignment)
    };
    let second = rest.iter().position(changes).unwrap_or(1);
    let second = rest.remove(second);
    let first = rest.remove(0);
    let mut pressed = None;
    layout::columns(ui, &[1.0, 1.0, 0.8], 6.0, |at, ui| match at {
        0 => pressed = first.show(ui, false),
        1 => pressed = second.show(ui, false).or(pressed),
        _ => {
            let more = ui.add(Button::new("More").opens().fill_width(ui));
            let keys: Vec<_> = rest.iter().map(|offer| offer.action.key()).collect();
            let lines = { rest.iter().zip(&keys) }.map(|(offer, key)| MenuEntry {
                icon: Some(offer.action.entry().icon),
                key,
                enabled: offer.why_not.is_none(),
                ..MenuEntry::new(offer.words, false)
            });
            let taken = menu::under(&more, MENU, &lines.collect::<Vec<_>>());
            pressed = taken.map(|taken| rest[taken].action).or(pressed);
        }
    });
    pressed
}

impl PageState {
    /// Draws the buttons in two columns, with advice below. A low page has one row, with the other actions in
    /// a menu.
    pub(super) fn footer(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        low: bool,
    ) {
        ui.spacing_mut().item_spacing.y = 6.0;
        let offers = offers(one);
        let mut pressed = None;
        if low {
            pressed = row(ui, offers);
        } else {
            let width = (ui.available_width() - 6.0) / 2.0;
            // Keys are shown only if there is room for the keys of all buttons.
            let keys = offers.iter().all(|offer| offer.width(ui) <= width);
            for pair in offers.chunks(2) {
                layout::columns(ui, &[1.0, 1.0], 6.0, |at, ui| {
                    if let Some(offer) = pair.get(at) {
                        pressed = offer.show(ui, keys).or(pressed);
                    }
                });
            }
        }
        if let Some(action) = pressed {
            self.run(context, one, action);
        }
        advice(ui, context, one, low);
    }

    /// Runs the actions that were requested by key.
    pub(super) fn keys(&mut self, context: &mut Context<'_>, one: &ShownConsignment<'_>) {
        for offer in offers(one) {
            if context.is_triggered(offer.action) && offer.why_not.is_none() {
                self.run(context, one, offer.action);
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
                self.statuses
                    .begin(context, vec![id], StatusChangeDraft::default());
            }
            Action::CancelManifested => {
                self.statuses
                    .begin(context, vec![id], StatusChangeDraft::cancel());
            }
            Action::CloneConsignment => context.push(ConsignCommand::Clone(id)),
            Action::ChangeConsignment => context.push(ConsignCommand::Edit(id)),
            Action::ShowOnDispatch => context.push(DispatchCommand::Reveal(id)),
            _ => {}
        }
    }
}

/// Returns the actions for the consignment's status.
fn offers(one: &ShownConsignment<'_>) -> Vec<ActionButton> {
    let (row, shared) = (one.row(), one.shared);
    let rights = &shared.track.rights;
    let held = lock_reason(shared, row.id).map(|held| held.why);
    let mut offers = vec![
        ActionButton::new(Action::TrackingPage, "Tracking page"),
        ActionButton::new(Action::ConsignmentLabel, "Labels"),
        ActionButton::new(Action::CloneConsignment, "Clone"),
    ];
    match row.status.id {
        StatusId::UNMANIFESTED => {
            offers.push(ActionButton::new(Action::ChangeConsignment, "Change").unless(held));
            offers.push(ActionButton::new(Action::ShowOnDispatch, "Dispatch"));
        }
        StatusId::CANCELLED => {}
        status => {
            let may_not = rights.no_statuses.clone();
            let set = ActionButton::new(Action::SetStatus, "Set status…");
            offers.push(set.unless(may_not.clone().or_else(|| held.clone())));
            if status == StatusId::MANIFESTED {
                let cancel = ActionButton::new(Action::CancelManifested, "Cancel…");
                let may_not = may_not.or_else(|| rights.no_cancel.clone());
                offers.push(cancel.unless(may_not.or(held)));
            }
        }
    }
    offers
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
