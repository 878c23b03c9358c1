//! The supervisor's board: metrics and exceptions, the worst first. Each number is a drill-down to the
//! consignments that it counts. Previous numbers stay visible while they are counted again.

mod bars;
mod carriers;
mod chart;
mod day_table;
mod drill_down;
mod exceptions;
mod metrics;
mod overview;

use std::collections::HashSet;

use egui::{ScrollArea, Ui};

use crate::state::{Board, Notice, TrackCommand, TrackPane};
use crate::ui::Context;
use crate::ui::frame::notices;
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::tokens::size;
use widgets::{icons, progress, tokens::Tone};

#[derive(Default)]
pub(super) struct BoardState {
    exceptions: exceptions::ExceptionsCard,
    carriers: carriers::CarriersCard,
    counts: overview::OverviewCard,
    /// Exceptions that appeared since the board was opened. They stay marked as new until the board is left.
    fresh: HashSet<ConsignmentId>,
    /// Height of everything below the exceptions in the last frame, in points.
    below: f32,
}

impl BoardState {
    /// True while a dialog or menu of the board is in front.
    #[expect(
        clippy::unused_self,
        reason = "every part of the screen is asked the same"
    )]
    pub(super) fn is_open(&self) -> bool {
        false
    }

    /// Prepares the board for being opened: the exceptions get the focus, and the "new" marks are cleared.
    pub(super) fn on_shown(&mut self, frame: u64) {
        self.exceptions.on_shown(frame);
        self.fresh.clear();
    }

    /// Gives the focus back to the exceptions.
    pub(super) fn take_focus(&mut self) {
        self.exceptions.take_focus();
    }

    /// Draws the metrics, which span the full width above the page.
    pub(super) fn show_metrics(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.fresh
            .extend(context.shared.track.new_exceptions.iter().copied());
        if let Some(problem) = context.shared.track.board.problem() {
            let notice = Notice::failed("Couldn't update the figures", problem);
            if notices::bar(&notice).action("Try again").show(ui).acted {
                context.push(TrackCommand::Show(TrackPane::Board));
            }
        }
        let board = context.shared.track.board.value().cloned();
        let is_asked = context.shared.track.mark.is_some();
        // Before the first sync, an empty board means "unknown" and must not show as 0.
        let known = board.filter(|board| board.total > 0 || is_asked);
        metrics::show(ui, context, known.as_deref(), &self.fresh);
    }

    /// Draws everything below the metrics, in the width that the page leaves.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let track = &context.shared.track;
        let Some(board) = track.board.value().cloned() else {
            return waiting(ui, context);
        };
        if board.total == 0 && track.mark.is_none() {
            return waiting(ui, context);
        }
        if board.total == 0 {
            return nothing_in_scope(ui, context);
        }
        let room = ui.available_height();
        ScrollArea::vertical()
            .id_salt("board")
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = size::GUTTER;
                let height = room - self.below;
                self.exceptions
                    .card(ui, context, &board, &self.fresh, height);
                let top = ui.cursor().top();
                self.rest(ui, context, &board);
                self.below = ui.min_rect().bottom() - top + size::GUTTER;
            });
    }

    fn rest(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        if board.arrivals.total() > 0 {
            self.carriers.card(ui, context, board);
        }
        self.counts.card(ui, context, board);
    }
}

/// Draws the empty state of a scope without consignments, with a button that widens the scope.
fn nothing_in_scope(ui: &mut Ui, context: &mut Context<'_>) {
    let scope = &context.shared.track.scope;
    let carrier = scope.carrier.is_some();
    let (words, button, command) = if carrier {
        (
            "Only one carrier is shown",
            "Show all carriers",
            TrackCommand::Carrier(None),
        )
    } else {
        (
            "New consignments and all open ones are counted here",
            "Show the last 90 days",
            TrackCommand::Days(90),
        )
    };
    // 90 days is the longest period.
    let button = (carrier || scope.days < 90).then(|| Button::new(button));
    let pressed = Card::plain().fill_height().show(
        ui,
        |_| {},
        |ui| {
            let icon = icons::ICON_CHECK_CIRCLE;
            empty_state(ui, icon, "Nothing sent in this period", words, button)
        },
    );
    if pressed.inner.is_some_and(|button| button.clicked()) {
        context.push(command);
    }
}

/// Draws the placeholder for a board that has not been counted yet, with the progress of the sync.
fn waiting(ui: &mut Ui, context: &mut Context<'_>) {
    let track = &context.shared.track;
    Card::plain().fill_height().show(
        ui,
        |_| {},
        |ui| {
            let icon = icons::ICON_TRACK_CHANGES;
            if track.sync.is_loading() || track.board.is_loading() {
                let words =
                    "The first sync loads all recent consignments; later ones load only changes";
                empty_state(ui, icon, "Loading consignments", words, None);
                if let Some(of) = track.progress
                    && let Some(total) = of.of
                {
                    progress::bar(ui, of.came, total, "consignments loaded", Tone::Accent);
                }
                return;
            }
            let words = "After the first sync, late and failed consignments are shown here";
            let button = Button::new("Sync now").icon(icons::ICON_SYNC);
            let pressed = empty_state(ui, icon, "Nothing tracked yet", words, Some(button));
            if pressed.is_some_and(|button| button.clicked()) {
                context.push(TrackCommand::Sync { whole: false });
            }
        },
    );
}
