//! The page of one consignment: status, history, files, details and actions. Stored data shows at
//! once and stays visible whatever the service answers. Actions that the service has refused to this
//! token are disabled.

mod facts;
mod footer;
mod goods;
mod head;
mod page_widgets;
mod steps;
mod timeline;
mod tracking_page;

use std::borrow::Cow;
use std::collections::HashSet;

use egui::{Frame, Margin, ScrollArea, Ui};

use super::{files, statuses};
use crate::state::{
    ConsignmentHistory, ConsignmentRow, Exception, OperationId, OperationState, PageCommand, Shared,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::StatusChangeDraft;
pub(super) use page_widgets::CopyConfirmation;
use shipping::{Consignment, ConsignmentId, StatusId, time_zone_of};
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::empty_state::empty_state;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

/// On a lower page (in points), the actions are one row of buttons, to leave room for reading.
const LOW: f32 = 560.0;

#[derive(Default)]
pub(super) struct PageState {
    /// The consignment for which this state is kept.
    of: Option<ConsignmentId>,
    /// True when all steps of a long history are shown.
    shows_all_steps: bool,
    copied: CopyConfirmation,
    /// Outcomes of status changes whose notice was dismissed.
    dismissed_outcomes: HashSet<(OperationId, OperationState)>,
    statuses: statuses::StatusDialog,
    /// Height of the buttons in the last frame, in points.
    footer: f32,
}

impl PageState {
    /// True while a dialog is in front.
    pub(super) fn is_open(&self) -> bool {
        self.statuses.is_open()
    }

    /// Opens the status dialog for rows of the table. Does nothing if `ids` is just the open page, which
    /// handles the action itself.
    pub(super) fn begin(&mut self, context: &mut Context<'_>, ids: Vec<ConsignmentId>) {
        let rights = &context.shared.track.rights;
        let shown = context.shared.track.page.open;
        if context.is_dialog_open
            || ids.as_slice() == shown.as_slice()
            || rights.no_statuses.is_some()
        {
            return;
        }
        if context.is_triggered(Action::SetStatus) {
            self.statuses
                .begin(context, ids, StatusChangeDraft::default());
        } else if context.is_triggered(Action::CancelManifested) && rights.no_cancel.is_none() {
            self.statuses
                .begin(context, ids, StatusChangeDraft::cancel());
        }
    }

    /// Draws the dialogs. The screen calls this even when the page is hidden.
    pub(super) fn show_in_front(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.statuses.show(ui, context);
        tracking_page::show(ui, context, &mut self.copied);
    }

    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        files: &mut files::FilesState,
    ) {
        let shared = context.shared;
        if self.of != shared.track.page.open {
            self.of = shared.track.page.open;
            self.shows_all_steps = false;
        }
        let one = ShownConsignment::of(shared);
        if !context.is_dialog_open && !self.statuses.is_open() {
            self.actions(ui, context, one.as_ref());
        }
        let card = Card::plain().flush().fill_height();
        card.body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            match &one {
                Some(one) => self.page(ui, context, one, files),
                None if shared.track.page.open.is_some() => waiting(ui, context),
                None => {
                    let advice =
                        "Select a row or scan a number to see its history, files and status";
                    let icon = icons::ICON_PACKAGE_2;
                    empty_state(ui, icon, "No consignment selected", advice, None);
                }
            }
        });
    }

    fn actions(&mut self, ui: &Ui, context: &mut Context<'_>, one: Option<&ShownConsignment<'_>>) {
        if context.is_triggered(Action::RefreshConsignment) {
            context.push(PageCommand::Refresh);
        }
        if let Some(one) = one {
            if context.is_triggered(Action::CopyNumber) {
                self.copied.copy(ui, &one.row().number);
            }
            if context.is_triggered(Action::CopyCarrierNumber)
                && !one.row().carrier_number.is_empty()
            {
                self.copied.copy(ui, &one.row().carrier_number);
            }
            self.keys(context, one);
        }
    }

    fn page(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        files: &mut files::FilesState,
    ) {
        let low = ui.available_height() < LOW;
        head::header(ui, context, Some(one), &mut self.copied);
        let room = (ui.available_height() - self.footer).max(80.0);
        ScrollArea::vertical()
            .id_salt(one.row().id.get())
            .max_height(room)
            .auto_shrink(false)
            .show(ui, |ui| {
                padded(ui, |ui| self.body(ui, context, one, files));
            });
        let top = ui.cursor().top();
        card::rule(ui);
        padded(ui, |ui| self.footer(ui, context, one, low));
        let height = ui.cursor().top() - top;
        if (height - self.footer).abs() > 0.5 {
            self.footer = height;
            ui.ctx().request_repaint();
        }
    }

    fn body(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        files: &mut files::FilesState,
    ) {
        ui.spacing_mut().item_spacing.y = size::GRID;
        if let Some(words) = self.copied.words(ui) {
            ui.label(text::small(words).color(palette(ui).ok));
        }
        head::freshness(ui, context);
        self.under_way(ui, context, one);
        head::summary(ui, one);
        // Proofs of delivery are the main reason to open a page, so files come first once there are any.
        let has_files =
            { context.shared.track.page.files.value() }.is_some_and(|all| !all.is_empty());
        if has_files {
            page_widgets::rule(ui);
            files::section(ui, context, files);
        }
        page_widgets::rule(ui);
        head::as_of(ui, context);
        timeline::show(ui, one, &mut self.shows_all_steps);
        if !has_files {
            page_widgets::rule(ui);
            files::section(ui, context, files);
        }
        facts::show(ui, one, &mut self.copied);
        goods::show(ui, one);
        if one.full_record.is_none() && context.shared.track.page.consignment.is_loading() {
            page_widgets::line(ui, "Loading the full details");
        }
    }
}

/// The consignment of the open page: the stored row and history, and the service's full record.
struct ShownConsignment<'a> {
    shared: &'a Shared,
    followed: Cow<'a, ConsignmentHistory>,
    /// The full record, once the service has answered.
    full_record: Option<&'a Consignment>,
}

impl<'a> ShownConsignment<'a> {
    /// Returns `None` while neither the store nor the service has answered.
    fn of(shared: &'a Shared) -> Option<Self> {
        let page = &shared.track.page;
        let open = page.open?;
        let whole = page.consignment.value().map(AsRef::as_ref);
        let followed = match page.history.value().and_then(Option::as_ref) {
            Some(followed) => Cow::Borrowed(followed),
            None => Cow::Owned(ConsignmentHistory::of(whole?, None)),
        };
        (followed.row.id == open).then_some(Self {
            shared,
            followed,
            full_record: whole,
        })
    }

    fn row(&self) -> &ConsignmentRow {
        &self.followed.row
    }

    fn status(&self) -> StatusId {
        self.row().status.id
    }

    /// The time zone (IANA) of the pickup place; empty if unknown.
    fn sender_zone(&self) -> &str {
        time_zone_of(&self.row().from_place)
    }

    /// The time zone (IANA) of the delivery place; empty if unknown.
    fn to_zone(&self) -> &str {
        time_zone_of(&self.row().to_place)
    }

    /// Returns the exception as counted on the board, or by status alone if the board does not
    /// list the consignment.
    fn exception(&self) -> Option<Exception> {
        let board = self.shared.track.board.value();
        let listed = board.and_then(|board| board.exception(self.row().id));
        let by_board = listed.map(|row| row.exception);
        by_board.or_else(|| self.status().exception().map(Exception::from))
    }
}

fn padded(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let margin = Margin::symmetric(size::CARD_PADDING, 12);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
}

/// Draws an open page whose consignment is not loaded yet.
fn waiting(ui: &mut Ui, context: &mut Context<'_>) {
    let page = &context.shared.track.page;
    head::header(ui, context, None, &mut CopyConfirmation::default());
    if page.consignment.problem().is_some() || page.history.problem().is_some() {
        padded(ui, |ui| head::freshness(ui, context));
    } else if page.consignment.is_loading() || page.history.is_loading() {
        padded(ui, |ui| page_widgets::line(ui, "Loading…"));
    } else {
        let words = "This bench hasn't tracked this consignment";
        let (icon, ask) = (icons::ICON_SEARCH_OFF, Button::new("Ask the service"));
        let pressed = empty_state(ui, icon, "Not found here", words, Some(ask));
        if pressed.is_some_and(|pressed| pressed.clicked()) {
            context.push(PageCommand::Refresh);
        }
    }
}
