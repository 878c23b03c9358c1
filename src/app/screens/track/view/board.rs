//! The supervisor's board: metrics and exceptions, the most severe first. Each number is a drill-down to the
//! consignments that it counts. Previous numbers stay visible while they are counted again.

mod carriers;
mod chart;
mod day_table;
mod drill_down;
mod exceptions;
mod metrics;
mod overview;

use std::collections::HashSet;
use std::sync::Arc;

use egui::{ScrollArea, Ui};

use crate::state::{Board, TrackCommand, TrackPane};
use crate::ui::Context;
use crate::ui::frame::notices;
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::tokens::size;
use widgets::{icons, progress, tokens::Tone};

const NOTHING_SENT: &str = "Nothing sent in this period";

/// Height of a row of bars, in points.
const ROW: f32 = 26.0;

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
        if let Some(problem) = context.shared.track.board.problem()
            && notices::failed(ui, "Couldn't update the figures", problem, "Try again")
        {
            context.push(TrackCommand::Show(TrackPane::Board));
        }
        let track = &context.shared.track;
        // Before the first sync, an empty board means "unknown" and must not show as 0.
        let is_known = |board: &&Arc<Board>| board.total > 0 || track.mark.is_some();
        let known = track.board.value().filter(is_known);
        metrics::show(ui, context, known.map(AsRef::as_ref), &self.fresh);
    }

    /// Draws everything below the metrics, in the width that the page leaves.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let track = &context.shared.track;
        let board = match track.board.value() {
            Some(board) if board.total > 0 => Arc::clone(board),
            _ => return empty(ui, context),
        };
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
                if board.arrivals.total() > 0 {
                    self.carriers.card(ui, context, &board);
                }
                self.counts.card(ui, context, &board);
                self.below = ui.min_rect().bottom() - top + size::GUTTER;
            });
    }
}

/// Draws the empty board: without consignments in the scope, during the first sync, or before it.
fn empty(ui: &mut Ui, context: &mut Context<'_>) {
    let track = &context.shared.track;
    let is_counted = track.board.value().is_some() && track.mark.is_some();
    let is_loading = !is_counted && (track.sync.is_loading() || track.board.is_loading());
    let scope = &track.scope;
    let (headline, words, button) = if is_loading {
        let words = "The first sync loads all recent consignments; later ones load only changes";
        ("Loading consignments", words, None)
    } else if !is_counted {
        let words = "After the first sync, late and failed consignments are shown here";
        let button = ("Sync now", TrackCommand::Sync { whole: false });
        ("Nothing tracked yet", words, Some(button))
    } else if scope.carrier.is_some() {
        let button = ("Show all carriers", TrackCommand::Carrier(None));
        (NOTHING_SENT, "Only one carrier is shown", Some(button))
    } else {
        let words = "New consignments and all open ones are counted here";
        // 90 days is the longest period.
        let button = (scope.days < 90).then_some(("Show the last 90 days", TrackCommand::Days(90)));
        (NOTHING_SENT, words, button)
    };
    let icon = if is_counted {
        icons::ICON_CHECK_CIRCLE
    } else {
        icons::ICON_TRACK_CHANGES
    };
    let (label, command) = button.unzip();
    let pressed = Card::plain().fill_height().body(ui, |ui| {
        let button = empty_state(ui, icon, headline, words, label.map(Button::new));
        if let Some(of) = track.progress.filter(|_| is_loading)
            && let Some(total) = of.of
        {
            progress::bar(ui, of.came, total, "consignments loaded", Tone::Accent);
        }
        button.is_some_and(|button| button.clicked())
    });
    context.push_some(command.filter(|_| pressed.inner));
}
