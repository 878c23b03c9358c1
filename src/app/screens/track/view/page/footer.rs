//! The actions on the open consignment: buttons below the page, always visible, each with its key.

use egui::{Label, Ui};

use super::PageState;
use super::shown_consignment::ShownConsignment;
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{ConsignCommand, DispatchCommand, PageCommand, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use shipping::{ConsignmentId, StatusId};
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
    words: String,
    why_not: Option<String>,
}

impl ActionButton {
    fn new(action: Action, words: impl Into<String>) -> Self {
        Self {
            action,
            words: words.into(),
            why_not: None,
        }
    }

    fn unless(mut self, why_not: Option<String>) -> Self {
        self.why_not = self.why_not.or(why_not);
        self
    }

    /// Returns the width of the complete button, in points.
    fn width(&self, ui: &Ui) -> f32 {
        let words = text::plain(ui, &self.words, text::strong_font(), palette(ui).text);
        let key = key_cap::width(ui, &self.action.key());
        words.size().x + key + size::ICON + BESIDES
    }

    /// Returns the action as a menu entry.
    fn line<'a>(&'a self, key: &'a str) -> MenuEntry<'a> {
        MenuEntry {
            icon: Some(self.action.entry().icon),
            text: &self.words,
            key,
            chosen: false,
            enabled: self.why_not.is_none(),
        }
    }
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
        if low {
            self.row(ui, context, one, offers);
        } else {
            let width = (ui.available_width() - 6.0) / 2.0;
            let keys = offers.iter().all(|offer| offer.width(ui) <= width);
            for pair in offers.chunks(2) {
                layout::columns(ui, &[1.0, 1.0], 6.0, |at, ui| {
                    if let Some(offer) = pair.get(at) {
                        self.offer(ui, context, one, offer, keys);
                    }
                });
            }
        }
        advice(ui, context, one, low);
    }

    /// Draws the two most used actions, and a menu with the rest.
    fn row(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        mut rest: Vec<ActionButton>,
    ) {
        let changes = |offer: &ActionButton| {
            matches!(offer.action, Action::SetStatus | Action::ChangeConsignment)
        };
        let second = rest.iter().position(changes).unwrap_or(1);
        let second = rest.remove(second);
        let first = rest.remove(0);
        layout::columns(ui, &[1.0, 1.0, 0.8], 6.0, |at, ui| match at {
            0 => self.offer(ui, context, one, &first, false),
            1 => self.offer(ui, context, one, &second, false),
            _ => {
                let more = ui.add(Button::new("More").opens().fill_width(ui));
                let keys: Vec<_> = rest.iter().map(|offer| offer.action.key()).collect();
                let lines: Vec<_> = { rest.iter().zip(&keys) }
                    .map(|(offer, key)| offer.line(key))
                    .collect();
                let taken = menu::under_with(&more, MENU, |ui| menu::entries(ui, &lines));
                if let Some(taken) = taken {
                    self.run(context, one, rest[taken].action);
                }
            }
        });
    }

    /// Draws one button. Keys are shown only if there is room for the keys of all buttons.
    fn offer(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        offer: &ActionButton,
        with_key: bool,
    ) {
        let entry = offer.action.entry();
        let key = entry.action.key();
        let cap = if with_key { key.as_str() } else { "" };
        let narrow = ui.available_width() < NARROW;
        let words = match offer.action {
            // Without room for both words, one is clear enough.
            Action::TrackingPage if narrow => "Tracking",
            Action::SetStatus if narrow => "Status…",
            _ => &offer.words,
        };
        let button = Button::new(words).key(cap).fill_width(ui);
        let button = if narrow {
            button
        } else {
            button.icon(entry.icon)
        };
        let pressed = ui.add_enabled(offer.why_not.is_none(), button);
        let hint = match &offer.why_not {
            Some(why_not) => why_not.clone(),
            None => format!("{} ({key})", entry.tooltip),
        };
        let pressed = pressed.on_hover_text(&hint).on_disabled_hover_text(&hint);
        if pressed.clicked() {
            self.run(context, one, offer.action);
        }
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
                let design = context.shared.tracking.default_design();
                context.push(PageCommand::ShowTracking(design));
            }
            Action::ConsignmentLabel => context.push(DispatchCommand::ShowLabel(id)),
            Action::SetStatus => self.statuses.set(context, vec![id]),
            Action::CancelManifested => self.statuses.cancel(context, vec![id]),
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
            offers.push(set.unless(may_not.clone()).unless(held.clone()));
            if status == StatusId::MANIFESTED {
                let cancel = ActionButton::new(Action::CancelManifested, "Cancel…");
                let may_not = may_not.or_else(|| rights.no_cancel.clone());
                offers.push(cancel.unless(may_not).unless(held));
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
    let can_change =
        is_manifested || !matches!(row.status.id, StatusId::UNMANIFESTED | StatusId::CANCELLED);
    let refused = rights.no_statuses.as_ref().filter(|_| can_change);
    let refused = refused.or(rights.no_cancel.as_ref().filter(|_| is_manifested));
    let p = palette(ui);
    if let Some(words) = refused {
        ui.add(Label::new(text::small(words.as_str()).color(p.muted)).wrap());
        if ui
            .add(Button::quiet("Check permissions again").small())
            .clicked()
        {
            context.push(TrackCommand::EnableRefused);
        }
    } else if is_manifested && !low {
        let whom = if row.carrier.is_empty() {
            "the carrier"
        } else {
            row.carrier.as_str()
        };
        let words = if row.carrier_number.is_empty() {
            format!("Cancelling here doesn't notify the carrier: call {whom}")
        } else {
            let number = &row.carrier_number;
            format!("Cancelling here doesn't notify the carrier: call {whom} and quote {number}")
        };
        ui.add(Label::new(text::small(words).color(p.muted)).wrap());
    }
}

pub(super) fn open_id(context: &Context<'_>) -> Option<ConsignmentId> {
    context.shared.track.page.open
}
