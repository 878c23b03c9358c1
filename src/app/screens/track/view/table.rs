//! Track's table: all consignments of the period, or the consignments of a drill-down. Only rows near the
//! view are requested and drawn, of up to a million. Ticks are kept by consignment id, so they survive
//! sorting, filtering and refreshing; another drill-down or scope clears them. Filtering and sorting are done
//! by the store.

mod actions;
mod chips;
mod empty;

use egui::Ui;

use super::late::lateness_of;
use super::status_style;
use crate::state::{
    ConsignmentRow, DrillDown, Exception, ListField, ListOrder, Shared, TrackCommand, TrackScope,
    ViewedList,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::time_or_day;
use crate::ui::lists::{
    ListKind, ListState, ListWidth, RowLook, copy_key, id_of, key, row_menu, show_head, views,
};
use shipping::{ConsignmentId, LocalTime};
use widgets::badge::Badge;
use widgets::card::Card;
use widgets::table::Cell;
use widgets::tokens::Tone;

static FOLLOWED: ListKind = ListKind {
    list: ViewedList::Track,
    table_name: "Followed",
    menu_name: "Selected rows",
    title: None,
    filter_id: "track filter",
    filter_hint: "Number, reference, receiver, suburb",
    // A filter from yesterday should not hide rows this morning.
    keeps_filter: false,
    one_line_points: 700.0,
    count_points: 190.0,
    filter_points: 140.0..=360.0,
    filter: Action::TrackFilter,
    views: Action::TrackViews,
    save_view: Action::TrackSaveView,
    columns: Action::TrackColumns,
    copy_rows: Action::TrackCopyRows,
    copy_cell: Action::TrackCopyCell,
    row_menu: Action::TrackRowMenu,
    row_actions: &[
        Action::ShowOnDispatch,
        Action::SetStatus,
        Action::CancelManifested,
        Action::ProofOfDelivery,
        Action::SaveFiles,
        Action::TrackingPage,
        Action::ConsignmentLabel,
        Action::CloneConsignment,
        Action::TrackCopyCell,
        Action::TrackCopyRows,
    ],
    list_actions: &[
        Action::TrackColumns,
        Action::TrackSaveView,
        Action::TrackSearchService,
    ],
};

/// The columns of a list until the clerk chooses columns, and the width from which on each is shown.
const COLUMNS: [(ListField, ListWidth); 12] = [
    (ListField::Number, ListWidth::Narrow),
    (ListField::Status, ListWidth::Narrow),
    (ListField::To, ListWidth::Narrow),
    (ListField::Suburb, ListWidth::Wide),
    (ListField::Carrier, ListWidth::Narrow),
    (ListField::Reference, ListWidth::Wide),
    (ListField::CarrierNumber, ListWidth::Widest),
    (ListField::Company, ListWidth::Wide),
    (ListField::Eta, ListWidth::Narrow),
    (ListField::Changed, ListWidth::Widest),
    (ListField::Weight, ListWidth::Widest),
    (ListField::Files, ListWidth::Widest),
];

/// Returns the columns for a list of this width, in points, until the clerk chooses columns. For a token that may
/// use several companies, the company takes the place of the suburb or, in the widest list, of the weight.
fn fitting_columns(points: f32, companies: usize) -> Vec<ListField> {
    let width = ListWidth::of(points);
    let fits = |(column, from): (ListField, ListWidth)| {
        let is_shown = match column {
            ListField::Company => companies > 1,
            ListField::Suburb => companies <= 1 || width == ListWidth::Widest,
            ListField::Weight => companies <= 1,
            _ => true,
        };
        (from <= width && is_shown).then_some(column)
    };
    COLUMNS.into_iter().filter_map(fits).collect()
}

pub(super) struct TrackTableState {
    list: ListState,
    /// The filter that this table requested last, and the filter of the last query seen.
    words: (String, String),
    /// The order that was requested last.
    order: ListOrder,
    /// The drill-down and scope to which the ticks belong.
    ticks_of: Option<(DrillDown, TrackScope)>,
    /// The consignment whose page was requested last, and the one whose page was open last.
    opened: Option<ConsignmentId>,
    open: Option<ConsignmentId>,
    /// An action from a menu that the page runs once the menu is closed.
    deferred_action: Option<Action>,
    /// An action that the page runs once it has loaded this consignment.
    pending_page_action: Option<(Action, ConsignmentId)>,
}

impl Default for TrackTableState {
    fn default() -> Self {
        Self {
            list: ListState::new(&FOLLOWED),
            words: (String::new(), String::new()),
            order: ListOrder::default(),
            ticks_of: None,
            opened: None,
            open: None,
            deferred_action: None,
            pending_page_action: None,
        }
    }
}

impl TrackTableState {
    /// True while a dialog or menu is in front.
    pub(super) fn is_open(&self) -> bool {
        self.list.is_open()
    }

    /// Returns the consignments for an action: the ticked consignments in list order, then ticked
    /// consignments that the filter hides. If none is ticked, returns the consignment under the cursor, which
    /// the list need not contain.
    pub(super) fn chosen(&mut self) -> Vec<ConsignmentId> {
        self.list.refresh_chosen();
        match (self.list.chosen.ids(), self.list.table.selection.cursor()) {
            ([], Some(cursor)) => vec![id_of(cursor)],
            (chosen, _) => chosen.to_vec(),
        }
    }

    /// Offers the focus to the rows when the screen opens.
    pub(super) fn offer_focus(&mut self) {
        self.list.table.request_focus_if_free();
    }

    /// Gives the focus back to the rows.
    pub(super) fn take_focus(&mut self) {
        self.list.table.request_focus();
    }

    /// Returns the visible columns.
    pub(super) fn columns(&self) -> &[ListField] {
        &self.list.columns
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.adopt_query(context);
        views::restore_and_autosave(ui, context, &mut self.list);
        let companies = context
            .shared
            .catalogue
            .companies
            .value()
            .map_or(1, Vec::len);
        let by_room = fitting_columns(ui.available_width(), companies);
        self.list.update_columns(&by_room);
        if let Some(list) = context.shared.track.list.value() {
            self.list.adopt(list);
        }
        actions::run(ui, context, self);
        row_menu(ui, context, self);
        let shown = Card::plain().flush().fill_height();
        shown.show(
            ui,
            |_| {},
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                egui::Frame::new()
                    .inner_margin(egui::Margin::symmetric(12, 8))
                    .show(ui, |ui| self.head(ui, context));
                self.content(ui, context);
            },
        );
        self.list.show_dialogs(ui, context);
        self.ask(context);
    }

    fn head(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        show_head(ui, context, self);
        if chips::all(context.shared).is_empty() {
            return;
        }
        ui.add_space(6.0);
        let removed = ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            chips::show(ui, context)
        });
        if removed.inner {
            self.list.table.request_focus();
        }
    }

    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        empty::read_error(ui, context);
        ui.set_min_size(ui.available_size());
        match context.shared.track.list.value() {
            None => empty::none_yet(ui, context),
            Some(list) if list.ids.is_empty() => empty::no_rows(ui, context, self),
            Some(_) => self.rows(ui, context),
        }
    }

    /// Takes over a query from elsewhere: a drill-down on the board, or a scan.
    fn adopt_query(&mut self, context: &Context<'_>) {
        let track = &context.shared.track;
        let (asked, followed) = &mut self.words;
        if *followed != track.query.words {
            followed.clone_from(&track.query.words);
            if *asked != track.query.words {
                asked.clone_from(followed);
                self.list.filter.clone_from(followed);
            }
        }
        let of = (track.query.drill_down, track.scope.clone());
        if self.ticks_of.as_ref() != Some(&of) {
            // Ticks of one drill-down make no sense in another.
            self.ticks_of = Some(of);
            self.list.table.selection.clear();
        }
        if track.page.open != self.open {
            self.open = track.page.open;
            self.pending_page_action
                .take_if(|(_, id)| track.page.open != Some(*id));
            if let Some(id) = self.open.filter(|id| Some(*id) != self.opened) {
                self.list.table.selection.set_cursor(Some(key(id)));
                self.list.table.reveal_cursor();
            }
            self.opened = self.open;
        }
    }

    fn rows(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let look = TrackLook {
            shared: context.shared,
        };
        let shown = self.list.show_rows(ui, context, &look);
        let under = self.list.table.selection.cursor().map(id_of);
        let opened = shown.opened.and_then(|row| self.list.rows.ids().get(row));
        let moved = under.filter(|id| Some(*id) != self.opened && shown.selection_changed);
        if let Some(id) = opened.copied().or(moved) {
            self.opened = Some(id);
            context.push(TrackCommand::Open(id));
        }
        if shown.response.has_focus() && !context.is_dialog_open {
            copy_key(ui, context, self);
        }
    }

    /// Requests a new list if the filter or the order has changed.
    fn ask(&mut self, context: &mut Context<'_>) {
        if self.words.0 != self.list.filter {
            self.words.0.clone_from(&self.list.filter);
            context.push(TrackCommand::FilterWords(self.list.filter.clone()));
        }
        let order = self.list.order.unwrap_or_default();
        if self.order != order {
            self.order = order;
            context.push(TrackCommand::Order(order));
        }
    }
}

/// How Track shows statuses and ETAs.
struct TrackLook<'a> {
    shared: &'a Shared,
}

impl TrackLook<'_> {
    fn status(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let (tone, icon) = (
            status_style::tone(one.status.id),
            status_style::icon(one.status.id),
        );
        cell.badge(&Badge::new(tone, &one.status.label()).icon(icon));
        if one.is_test {
            cell.badge(&Badge::new(Tone::Warning, "TEST"));
        }
        let board = self.shared.track.board.value();
        let wrong = board.and_then(|board| board.exception(one.id));
        let wrong = wrong.map(|row| row.exception);
        // Don't repeat an exception that the status already shows, or lateness, which is in the ETA column.
        let told =
            |wrong: &Exception| one.status.id.exception().is_none() && *wrong != Exception::Late;
        if let Some(wrong) = wrong.filter(told) {
            cell.badge(&Badge::new(
                status_style::exception_tone(wrong),
                wrong.label(),
            ));
        }
    }

    fn eta(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let now = LocalTime::at(self.shared.now, &self.shared.session.zone).0;
        let by = one.eta.map(|at| time_or_day(at, now));
        cell.text(&by.unwrap_or_default());
        match lateness_of(one, self.shared.track.thresholds, self.shared.now) {
            Some(late) if late.is_over() => cell.muted(&late.text()),
            Some(late) => cell.toned(&late.text(), Tone::Warning),
            None => {}
        }
    }
}

impl RowLook for TrackLook<'_> {
    fn draw(&self, cell: &mut Cell<'_>, row: &ConsignmentRow, field: ListField) -> bool {
        match field {
            ListField::Status => self.status(cell, row),
            ListField::Eta => self.eta(cell, row),
            _ => return false,
        }
        true
    }

    fn name(&self, row: &ConsignmentRow) -> String {
        let test = if row.is_test { ", test" } else { "" };
        format!(", {}{test}", row.status.label())
    }
}
