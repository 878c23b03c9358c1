//! The page of one consignment: status, history, files, details and actions, and the dialog for its public tracking
//! page. Stored data is shown at once, and stays visible even if the service does not answer. Actions that the
//! service has refused to this token are disabled.

mod details;
mod history;

use std::borrow::Cow;
use std::collections::HashSet;

use egui::{
    Align, Frame, Label, Layout, Margin, Mesh, OpenUrl, Rect, ScrollArea, Sense, Ui, UiBuilder,
    Vec2, vec2,
};

use super::files::FilesState;
use super::{status_style, statuses};
use crate::screens::operations::view::operation_text::{lock_reason, operation_state};
use crate::state::{
    ActionItem, Command, ConsignCommand, ConsignmentHistory, ConsignmentRow, DispatchCommand,
    Exception, Notice, OperationId, OperationState, OperationsCommand, PageCommand, Screen, Shared,
    TrackCommand,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::clock;
use crate::ui::frame::notices;
pub(super) use details::{copy, copy_confirmation};
use details::{copy_button, wrapped};
use draft::StatusChangeDraft;
use printing::qr::{QrCode, qr_code};
use shipping::{Consignment, ConsignmentId, StatusId, TrackingDesign, time_zone_of};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::empty_state::empty_state;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::tokens::{INK, PAPER, Tone, palette, size};
use widgets::{icons, layout, text};

/// If a page is lower than this, in points, its buttons have three columns, to leave room for reading.
const LOW: f32 = 560.0;
/// If a button is narrower than this, in points, it has room for only one word and no icon.
const NARROW: f32 = 150.0;
/// A button of this width (in points) has room for its key.
const WIDE: f32 = 190.0;
/// Largest width of the QR code, in points.
const WIDEST: f32 = 264.0;

#[derive(Default)]
pub(super) struct PageState {
    /// The consignment of which all steps of a long history are shown.
    unfolded: Option<ConsignmentId>,
    /// Outcomes of status changes whose notice was dismissed.
    dismissed_outcomes: HashSet<(OperationId, OperationState)>,
    statuses: statuses::StatusDialog,
    /// Height of the buttons in the last frame, in points.
    footer: f32,
}

impl PageState {
    /// Returns true while a dialog is open.
    pub(super) fn is_open(&self) -> bool {
        self.statuses.is_open()
    }

    /// Opens the status dialog for rows of the table. Does nothing if `ids` contains only the consignment of the open
    /// page, because the page handles the action itself.
    pub(super) fn begin(&mut self, context: &mut Context<'_>, ids: Vec<ConsignmentId>) {
        let track = &context.shared.track;
        let rights = &track.rights;
        let is_page = ids.as_slice() == track.page.open.as_slice();
        if context.is_dialog_open || is_page || rights.no_statuses.is_some() {
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
        tracking_page(ui, context);
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, files: &FilesState) {
        let shared = context.shared;
        let one = ShownConsignment::of(shared);
        if !context.is_dialog_open && !self.statuses.is_open() {
            self.run_triggered(ui, context, one.as_ref());
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

    fn run_triggered(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        one: Option<&ShownConsignment<'_>>,
    ) {
        if context.is_triggered(Action::RefreshConsignment) {
            context.push(PageCommand::Refresh);
        }
        let Some(one) = one else { return };
        for (action, number) in [
            (Action::CopyNumber, &one.row().number),
            (Action::CopyCarrierNumber, &one.row().carrier_number),
        ] {
            if context.is_triggered(action) && !number.is_empty() {
                copy(ui, number);
            }
        }
        for (action, _, why_not) in buttons(one) {
            if context.is_triggered(action) && why_not.is_none() {
                self.run(context, one, action);
            }
        }
    }

    fn page(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
        files: &FilesState,
    ) {
        let low = ui.available_height() < LOW;
        header(ui, context, Some(one));
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
        files: &FilesState,
    ) {
        ui.spacing_mut().item_spacing.y = size::GRID;
        if let Some(words) = copy_confirmation(ui) {
            ui.label(text::small(words).color(palette(ui).ok));
        }
        freshness(ui, context);
        self.status_change(ui, context, one);
        details::summary(ui, one);
        // Proofs of delivery are the main reason to open a page, so files come first once there are any.
        let has_files =
            { context.shared.track.page.files.value() }.is_some_and(|all| !all.is_empty());
        if has_files {
            details::rule(ui);
            files.section(ui, context);
        }
        details::rule(ui);
        history_head(ui, context);
        let is_unfolded = self.unfolded == Some(one.row().id);
        if history::show(ui, one, is_unfolded) {
            self.unfolded = Some(one.row().id);
        }
        if !has_files {
            details::rule(ui);
            files.section(ui, context);
        }
        details::show(ui, one);
        if one.full_record.is_none() && context.shared.track.page.consignment.is_loading() {
            details::line(ui, "Loading the full details");
        }
    }

    /// Shows the progress or the outcome of the newest status change for this consignment.
    fn status_change(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
    ) {
        let shared = context.shared;
        let changes = &shared.track.rights.changes;
        let newest = { changes.iter() }
            .filter_map(|id| shared.operations.by_id(*id))
            .find(|operation| operation.consignments.contains(&one.row().id));
        let Some(operation) = newest else { return };
        let outcome = (operation.id, operation.state);
        if self.dismissed_outcomes.contains(&outcome) {
            return;
        }
        let label = operation_state(operation.state);
        let headline = match operation.state {
            OperationState::Done => "The status is set".to_owned(),
            OperationState::Rejected => "The service refused it".to_owned(),
            OperationState::Unknown => "Checking whether the status was set".to_owned(),
            _ => format!("The status is {}", label.word),
        };
        let carrier = &one.row().carrier;
        let words = if operation.state == OperationState::Done && !carrier.is_empty() {
            format!("{carrier} was not notified")
        } else {
            operation.message.clone()
        };
        let bar = NoticeBar::new(label.tone, &headline).what_to_do(&words);
        let bar = match operation.state {
            OperationState::Unknown
            | OperationState::Absent
            | OperationState::Conflict
            | OperationState::Ask => bar.action("Show it"),
            state if state.is_open() => bar,
            _ => bar.dismissable(),
        };
        let pressed = bar.show(ui);
        if pressed.acted {
            context.push(OperationsCommand::Show(ActionItem::Operation(operation.id)));
        }
        if pressed.dismissed {
            self.dismissed_outcomes.insert(outcome);
        }
    }

    /// Draws the buttons in two columns, with advice below. A low page has three columns, and no
    /// advice about cancelling.
    fn footer(
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
                if let Some((action, words, why_not)) = buttons.get(at)
                    && action_button(ui, *action, words, why_not.as_deref())
                {
                    self.run(context, one, *action);
                }
            });
        }
        advice(ui, context, one, low);
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
            Action::ReturnConsignment => context.push(ConsignCommand::Return(id)),
            Action::ChangeConsignment => context.push(ConsignCommand::Edit(id)),
            Action::ShowOnDispatch => context.push(DispatchCommand::Reveal(id)),
            _ => {}
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

    /// Returns the time zone (IANA) of the pickup place; empty if unknown.
    fn sender_zone(&self) -> &str {
        time_zone_of(&self.row().from_place)
    }

    /// Returns the time zone (IANA) of the delivery place; empty if unknown.
    fn to_zone(&self) -> &str {
        time_zone_of(&self.row().to_place)
    }

    /// Returns the token of the public tracking page; empty if the service gave none.
    fn tracking_token(&self) -> &str {
        let token = { self.full_record }.and_then(|one| one.tracking_page_access_token.as_deref());
        token.unwrap_or(&self.row().tracking_token)
    }

    /// Returns the exception that the board shows. If the board does not list the consignment, uses only its status.
    fn exception(&self) -> Option<Exception> {
        let board = self.shared.track.board.value();
        let listed = board.and_then(|board| board.exception(self.row().id));
        let by_board = listed.map(|row| row.exception);
        by_board.or_else(|| self.status().exception())
    }

    /// Returns the name of the consignment's manifest: the carrier's reference if it was booked on this bench, else
    /// its number.
    fn manifest(&self) -> Option<String> {
        let id = self.row().manifest?;
        let mine = self.shared.dispatch.groups_view.manifests.value();
        let mut mine = mine.into_iter().flat_map(|all| all.iter());
        let found = mine.find(|row| row.manifest == Some(id) && !row.reference.is_empty());
        Some(found.map_or_else(|| format!("manifest {id}"), |row| row.reference.clone()))
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
    header(ui, context, None);
    if page.consignment.problem().is_some() || page.history.problem().is_some() {
        padded(ui, |ui| freshness(ui, context));
    } else if page.consignment.is_loading() || page.history.is_loading() {
        padded(ui, |ui| details::line(ui, "Loading…"));
    } else {
        let words = "This bench hasn't tracked this consignment";
        let (icon, ask) = (icons::ICON_SEARCH_OFF, Button::new("Ask the service"));
        let pressed = empty_state(ui, icon, "Not found here", words, Some(ask));
        if pressed.is_some_and(|pressed| pressed.clicked()) {
            context.push(PageCommand::Refresh);
        }
    }
}

/// Draws the header: the number at the left, the status at the right.
fn header(ui: &mut Ui, context: &mut Context<'_>, one: Option<&ShownConsignment<'_>>) {
    let height = vec2(ui.available_width(), size::CARD_HEAD);
    let (rect, _) = ui.allocate_exact_size(height, Sense::hover());
    let inner = rect.shrink2(vec2(f32::from(size::CARD_PADDING), 0.0));
    let layout = Layout::right_to_left(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(inner).layout(layout));
    row.spacing_mut().item_spacing.x = 4.0;
    let close = Button::icon_only(icons::ICON_CLOSE, "Close this page").small();
    let hint = format!("Close this page ({})", Action::CloseConsignment.key());
    let close = row.add(close.skip_in_tab_order()).on_hover_text(hint);
    if close.clicked() {
        context.push(TrackCommand::Close);
    }
    if let Some(one) = one {
        let status = &one.row().status;
        let label = status.label();
        let badge = Badge::new(status_style::tone(status.id), &label);
        let badge = badge.icon(status_style::icon(status.id));
        badge.name(&format!("Status {label}")).show(&mut row);
    }
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let number = one.map_or("", |one| one.row().number.as_str());
        let label = Label::new(text::mono_strong(number));
        ui.add(label.truncate().selectable(true));
        if !number.is_empty() {
            copy_button(ui, "Copy number", number);
        }
    });
    card::rule(ui);
}

/// Shows why a refresh failed. The stored data stays visible below.
fn freshness(ui: &mut Ui, context: &mut Context<'_>) {
    let page = &context.shared.track.page;
    if let Some(problem) = page.consignment.problem() {
        let mut notice = Notice::failed("Couldn't refresh this consignment", problem);
        if page.history.value().is_some_and(Option::is_some) {
            "Showing the details stored on this bench".clone_into(&mut notice.advice);
        }
        if notices::bar(&notice).action("Retry").show(ui).acted {
            context.push(PageCommand::Refresh);
        }
    }
    if let Some(problem) = page.history.problem() {
        let notice = Notice::failed("Couldn't read the details stored on this bench", problem);
        notices::bar(&notice).show(ui);
    }
}

/// Draws the heading "History", with the time of the last refresh and a refresh button.
fn history_head(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let page = &shared.track.page;
    ui.horizontal(|ui| {
        ui.label(text::strong("History"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let refresh = Action::RefreshConsignment.entry();
            let name = format!("{} ({})", refresh.name, refresh.action.key());
            let button = Button::icon_only(refresh.icon, &name).small();
            if ui.add(button.skip_in_tab_order()).clicked() {
                context.push(PageCommand::Refresh);
            }
            let words = match page.fetched_at {
                _ if page.consignment.is_loading() => "asking the service".to_owned(),
                Some(at) => format!("as of {}", clock(at, &shared.session.zone)),
                None => "as of the last sync".to_owned(),
            };
            ui.label(text::small(words).color(palette(ui).muted));
        });
    });
}

/// An action of the footer with its button text, and the reason if it is disabled.
type PageButton = (Action, &'static str, Option<String>);

/// Returns the actions for the consignment's status.
fn buttons(one: &ShownConsignment<'_>) -> Vec<PageButton> {
    let rights = &one.shared.track.rights;
    let locked = lock_reason(one.shared, one.row().id).map(|locked| locked.why);
    let mut buttons = vec![
        (Action::TrackingPage, "Tracking page", None),
        (Action::ConsignmentLabel, "Labels", None),
        (Action::CloneConsignment, "Clone", None),
        (Action::ReturnConsignment, "Return", None),
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
    buttons
}

/// Draws a button of the footer, and returns whether it was pressed.
fn action_button(ui: &mut Ui, action: Action, words: &str, why_not: Option<&str>) -> bool {
    let width = ui.available_width();
    let words = match action {
        // If there is no room for both words, one word is clear enough.
        Action::TrackingPage if width < NARROW => "Tracking",
        Action::SetStatus if width < NARROW => "Status…",
        _ => words,
    };
    let key = action.key();
    let mut button = Button::new(words).fill_width(ui);
    if width >= WIDE {
        button = button.key(&key);
    }
    if width >= NARROW {
        button = button.icon(action.entry().icon);
    }
    let hint = why_not.map_or_else(|| action.tip(), str::to_owned);
    let pressed = ui.add_enabled(why_not.is_none(), button);
    let pressed = pressed.on_hover_text(&hint).on_disabled_hover_text(&hint);
    pressed.clicked()
}

/// Shows why the service refused an earlier action, with a button to try again. Otherwise, unless the page is `low`,
/// says whom to call about a cancellation.
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

/// Draws the dialog that opens the public tracking page, copies its address, or shows a QR code.
fn tracking_page(ui: &Ui, context: &mut Context<'_>) {
    let shown = ShownConsignment::of(context.shared);
    let mut open = context.shared.track.page.tracking.is_some();
    let was_open = open;
    Modal::new("tracking page", "Tracking page").show(ui, &mut open, |ui, open| {
        if let Some(design) = context.shared.track.page.tracking {
            let token = shown.as_ref().map_or("", ShownConsignment::tracking_token);
            tracking_address(ui, context, design, token, open);
        }
    });
    if was_open && !open {
        context.push(PageCommand::CloseTracking);
    }
}

fn tracking_address(
    ui: &mut Ui,
    context: &mut Context<'_>,
    design: TrackingDesign,
    token: &str,
    open: &mut bool,
) {
    ui.spacing_mut().item_spacing.y = size::GRID;
    let address = match context.shared.session.tracking.browser_url(design, token) {
        Ok(address) => address,
        Err(why) => {
            NoticeBar::new(Tone::Warning, &why.to_string())
                .what_to_do("Set the tracking page address under Connection on Settings")
                .show(ui);
            designs(ui, context, design);
            if ui.add(Button::primary("Settings")).clicked() {
                context.push(PageCommand::CloseTracking);
                context.push(Command::Show(Screen::Settings));
            }
            return;
        }
    };
    ui.horizontal(|ui| {
        let icon = Action::TrackingPage.entry().icon;
        let button = Button::primary("Open in the browser").icon(icon);
        if ui.add(button).clicked() {
            ui.open_url(OpenUrl::new_tab(&address));
            *open = false;
        }
        let button = Button::new("Copy address").icon(icons::ICON_CONTENT_COPY);
        if ui.add(button).clicked() {
            copy(ui, &address);
        }
    });
    designs(ui, context, design);
    wrapped(ui, text::mono(address.as_str()));
    if let Some(code) = qr_code(&address) {
        ui.vertical_centered(|ui| draw_code(ui, &code, &address));
    }
    let words = match copy_confirmation(ui) {
        Some(_) => "Address copied",
        None => "Anyone with the address can see the page. Scan the code to open it on a phone",
    };
    text::small_note(ui, words);
}

/// Draws the choice of the page's design, if the connection has addresses for both.
fn designs(ui: &mut Ui, context: &mut Context<'_>, current: TrackingDesign) {
    let bases = &context.shared.session.tracking;
    let has_page = |design| bases.has_page(design);
    if !TrackingDesign::ALL.into_iter().all(has_page) {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for design in TrackingDesign::ALL {
            let button = Button::quiet(design.label()).small();
            if ui.add(button.selected(design == current)).clicked() {
                context.push(PageCommand::ShowTracking(design));
            }
        }
    });
}

/// Draws the QR code: each square a whole number of pixels wide, dark on light in every theme.
fn draw_code(ui: &mut Ui, code: &QrCode, address: &str) {
    let pixel = 1.0 / ui.pixels_per_point();
    let side = code.side.max(1) as f32;
    let square = ((WIDEST / side) / pixel).floor().max(1.0) * pixel;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side) * square, Sense::hover());
    let name = format!("QR code of {address}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
    let corner = ((rect.min.to_vec2() / pixel).round() * pixel).to_pos2();
    // A mesh has no blurred edges, so that no seam shows between adjacent squares.
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(Rect::from_min_size(corner, rect.size()), PAPER);
    for (at, _) in { code.dark.iter().enumerate() }.filter(|(_, dark)| **dark) {
        let at = vec2((at % code.side) as f32, (at / code.side) as f32);
        let dark = Rect::from_min_size(corner + at * square, Vec2::splat(square));
        mesh.add_colored_rect(dark, INK);
    }
    ui.painter().add(mesh);
}
