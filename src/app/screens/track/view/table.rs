//! Track's table: all consignments of the period, or the consignments of a drill-down. Only rows near the view are
//! requested and drawn, of up to a million. Ticks are kept by consignment id, so that they stay after sorting,
//! filtering and refreshing; another drill-down or scope clears them. Filtering and sorting are done by the store.

use egui::{Id, Key, Modifiers, Ui};

use super::status_style::{self, late_text, lateness};
use crate::launcher::capitalised;
use crate::state::{
    Arrival, Board, ConsignCommand, ConsignmentRow, DispatchCommand, DrillDown, Exception,
    ListField, ListOrder, Metric, PageView, SaveRequest, Shared, TrackCommand, TrackScope,
    ViewedList,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day, midnight, time_or_day};
use crate::ui::lists::{
    ListKind, ListScreen, ListState, ListWidth, RowLook, copy_key, id_of, key, problem_bar,
    row_menu, run_triggered, show_head, views,
};
use draft::{refusal_reason, settable_statuses};
use shipping::{CarrierId, Company, ConsignmentId, LocalTime, StatusId, TransitState};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::icons;
use widgets::table::Cell;
use widgets::tokens::Tone;

/// The longest period of Track, in days.
const FARTHEST_DAYS: u16 = 90;

/// Number of ticked rows that are checked for a possible status change. Equal to the limit of
/// one status change.
const MOST_SET: usize = 1_000;
/// Actions of a consignment's page. Without an open page, the table runs them for the row under the cursor.
const PAGE_ACTIONS: [Action; 6] = [
    Action::TrackingPage,
    Action::ProofOfDelivery,
    Action::ConsignmentLabel,
    Action::CloneConsignment,
    Action::ReturnConsignment,
    Action::SaveFiles,
];

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
        Action::ReturnConsignment,
        Action::TrackCopyCell,
        Action::TrackCopyRows,
    ],
    list_actions: &[
        Action::TrackColumns,
        Action::TrackSaveView,
        Action::TrackSearchService,
    ],
};

/// The default columns of the list, each with the smallest list width at which it is shown.
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

/// Returns the default columns for a list with this width, in points. For a token that may use several companies, the
/// company takes the place of the suburb or, in the widest list, of the weight.
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
    /// The filter that this table requested last, and the filter of the query that was shown last.
    words: (String, String),
    /// The order that was requested last.
    order: ListOrder,
    /// The drill-down and scope in which the rows were ticked.
    ticks_of: Option<(DrillDown, TrackScope)>,
    /// The consignment whose page was requested last, and the consignment whose page was open last.
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
    /// Returns true while a dialog or menu is open.
    pub(super) fn is_open(&self) -> bool {
        self.list.is_open()
    }

    /// Returns the consignments for an action: the ticked consignments in list order, then ticked consignments that
    /// the filter hides. If none is ticked, returns the consignment under the cursor, even if the list does not
    /// contain it.
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
        let companies = context.shared.catalogue.known_companies().len();
        let by_room = fitting_columns(ui.available_width(), companies);
        self.list.update_columns(&by_room);
        if let Some(list) = context.shared.track.list.value() {
            self.list.adopt(list);
        }
        run(ui, context, self);
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
        let chips = chips(context.shared);
        if chips.is_empty() {
            return;
        }
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            for (words, removal) in chips {
                if chip(ui, &words) {
                    context.push(removal);
                    self.list.table.request_focus();
                }
            }
        });
    }

    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let track = &context.shared.track;
        // Rows from the last read stay visible.
        if let Some(problem) = track.list.problem()
            && problem_bar(ui, "Couldn't load the rows", problem)
        {
            context.push(TrackCommand::Order(track.query.order));
        }
        ui.set_min_size(ui.available_size());
        match track.list.value() {
            None if track.list.problem().is_none() => {
                let words = "Loading the consignments stored on this bench";
                empty_state(ui, icons::ICON_TRACK_CHANGES, "Reading", words, None);
            }
            None => {}
            Some(list) if list.ids.is_empty() => match track.query.words.trim() {
                "" => no_rows(ui, context),
                words => self.no_match(ui, context, words),
            },
            Some(_) => self.rows(ui, context),
        }
    }

    /// Shows a query that came from elsewhere: from a drill-down on the board, or from a scan.
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
            // Clears the ticks, because they were meant for the rows of another drill-down or scope.
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

    /// Shows that no row matches the filter, and offers to ask the service.
    fn no_match(&mut self, ui: &mut Ui, context: &mut Context<'_>, words: &str) {
        if context.shared.search.searching_for.is_some() {
            let advice = "Searching by number, carrier consignment number and both references";
            empty_state(ui, icons::ICON_CLOUD_SYNC, "Loading…", advice, None);
            return;
        }
        let ask = Button::primary("Ask the service").key("↵");
        let advice = format!(
            "No match for “{words}” on this bench. The service can search by number or reference"
        );
        let ask = empty_state(
            ui,
            icons::ICON_SEARCH,
            "Not on this bench",
            &advice,
            Some(ask),
        );
        if ask.is_some_and(|ask| ask.clicked()) {
            context.push(TrackCommand::AskService(words.to_owned()));
        }
        let farther = context.shared.track.scope.days < FARTHEST_DAYS;
        let days = format!("Show {FARTHEST_DAYS} days");
        // Each offer has the estimated width of its button, to centre the buttons.
        let mut offers = vec![("Clear the filter", 130.0, vec![])];
        if farther {
            let command = TrackCommand::Days(FARTHEST_DAYS);
            offers.push((days.as_str(), 170.0, vec![command]));
        }
        if is_narrowed(context.shared) {
            offers.push(("Show all", 130.0, SHOW_ALL.to_vec()));
        }
        let width: f32 = offers.iter().map(|(_, width, _)| width).sum();
        ui.horizontal(|ui| {
            ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
            for (words, _, commands) in offers {
                if !ui.add(Button::quiet(words)).clicked() {
                    continue;
                }
                if commands.is_empty() {
                    self.list.filter.clear();
                    self.list.table.request_focus();
                }
                for command in commands {
                    context.push(command);
                }
            }
        });
    }

    /// Returns the row under the cursor, if it is loaded.
    fn row_under_cursor<'a>(&self, shared: &'a Shared) -> Option<&'a ConsignmentRow> {
        shared.row(id_of(self.list.table.selection.cursor()?))
    }

    /// Returns true if any selected consignment may change to this status. Assumes this of rows that are not loaded.
    fn can_become(&self, to: StatusId, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        let can = |key: u64| {
            let id = id_of(key);
            let row = shared.row(id);
            let refused = row.is_some_and(|row| refusal_reason(row.status.id, to).is_some());
            !refused && !shared.operations.locked.contains_key(&id)
        };
        if selection.is_empty() {
            selection.cursor().is_some_and(can)
        } else {
            selection.keys().take(MOST_SET).any(can)
        }
    }
}

/// The commands that remove the filters above the rows.
const SHOW_ALL: [TrackCommand; 2] = [TrackCommand::ClearDrillDown, TrackCommand::Carrier(None)];

/// Shows why the list is empty, although no filter is typed.
fn no_rows(ui: &mut Ui, context: &mut Context<'_>) {
    let track = &context.shared.track;
    let sync = || vec![TrackCommand::Sync { whole: false }];
    let key = Action::TrackSync.key();
    let (headline, advice, button, commands) = if is_narrowed(context.shared) {
        let advice = "No results. Remove the filters above";
        let button = Some(Button::new("Show all"));
        ("Nothing to show", advice, button, SHOW_ALL.to_vec())
    } else if track.sync.is_loading() {
        let advice = "The first sync loads all consignments; rows appear as they arrive";
        ("Loading consignments", advice, None, Vec::new())
    } else if track.mark.is_none() {
        let advice = "Rows appear after the first sync";
        let button = Some(Button::new("Refresh").key(&key));
        ("Not synced yet", advice, button, sync())
    } else {
        let advice = "Consignments appear as soon as the service lists them";
        let button = Some(Button::new("Sync now"));
        ("Nothing sent in this period", advice, button, sync())
    };
    let button = empty_state(ui, icons::ICON_TRACK_CHANGES, headline, advice, button);
    if button.is_some_and(|button| button.clicked()) {
        for command in commands {
            context.push(command);
        }
    }
}

/// Runs the actions that were requested in this frame, and an action that was picked from a menu in
/// the previous frame.
fn run(ui: &Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    if !context.is_dialog_open {
        context.triggered.extend(state.deferred_action.take());
    }
    for action in [Action::SaveFiles, Action::TrackSearchService] {
        if context.is_triggered(action) {
            state.run(ui, context, action);
        }
    }
    run_triggered(ui, context, state);
    // With an open page, the page handles these actions.
    if context.shared.track.page.open.is_none() {
        if context.is_triggered(Action::ShowOnDispatch) {
            state.run(ui, context, Action::ShowOnDispatch);
        }
        without_page(context, state);
    }
    hand_to_page(context, state);
}

/// Runs page actions for the row under the cursor: at once if the action needs only the id, otherwise after opening
/// the page.
fn without_page(context: &mut Context<'_>, state: &mut TrackTableState) {
    let Some(id) = state.list.table.selection.cursor().map(id_of) else {
        return;
    };
    for action in PAGE_ACTIONS {
        if !context.is_triggered(action) {
            continue;
        }
        context.triggered.retain(|asked| *asked != action);
        match action {
            Action::ConsignmentLabel => context.push(DispatchCommand::ShowLabel(id)),
            Action::CloneConsignment => context.push(ConsignCommand::Clone(id)),
            Action::ReturnConsignment => context.push(ConsignCommand::Return(id)),
            Action::SaveFiles => context.push(SaveRequest::Files(vec![id])),
            _ => {
                context.push(TrackCommand::Open(id));
                state.pending_page_action = Some((action, id));
            }
        }
    }
}

/// Requests a waiting action again once the page is ready to run it.
fn hand_to_page(context: &mut Context<'_>, state: &mut TrackTableState) {
    let page = &context.shared.track.page;
    let ready =
        |(action, id): &mut (Action, _)| page.open == Some(*id) && is_page_ready(page, *action);
    if !context.is_dialog_open
        && let Some((action, _)) = state.pending_page_action.take_if(ready)
    {
        context.triggered.push(action);
    }
}

/// Returns true if the page has loaded enough to run the action.
fn is_page_ready(page: &PageView, action: Action) -> bool {
    match action {
        // The page itself waits for the list of files.
        Action::ProofOfDelivery => page.files.is_loading() || page.files.value().is_some(),
        _ => {
            page.consignment.value().is_some() || page.history.value().is_some_and(Option::is_some)
        }
    }
}

impl ListScreen for TrackTableState {
    fn list(&mut self) -> &mut ListState {
        &mut self.list
    }

    fn count_text(&self, shared: &Shared) -> String {
        let Some(list) = shared.track.list.value() else {
            return "Reading…".to_owned();
        };
        let mut count = counted(list.ids.len(), "row", "rows");
        if list.more {
            count = format!("The newest {count}");
        }
        self.list.with_ticks(&count)
    }

    /// Removes the last chip when Backspace is pressed in an empty filter.
    fn before_filter(&mut self, ui: &Ui, context: &mut Context<'_>, filter: Id) {
        if self.list.filter.is_empty() && ui.memory(|memory| memory.has_focus(filter)) {
            let pressed = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Backspace));
            let last = chips(context.shared).pop().filter(|_| pressed);
            context.push_some(last.map(|(_, removal)| removal));
        }
    }

    /// Searches at the service if no row matches the filter.
    fn takes_enter(&mut self, context: &mut Context<'_>) -> bool {
        let words = self.list.filter.trim();
        let nothing = context.shared.track.list.value().is_some_and(|list| {
            // The list may still belong to an earlier filter text.
            list.ids.is_empty() && list.query.words.trim() == words
        });
        let asks = nothing && !words.is_empty();
        if asks {
            context.push(TrackCommand::AskService(words.to_owned()));
        }
        asks
    }

    fn can(&self, action: Action, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        match action {
            Action::ShowOnDispatch => self.row_under_cursor(shared).is_some_and(is_unmanifested),
            Action::TrackCopyCell
            | Action::ProofOfDelivery
            | Action::TrackingPage
            | Action::ConsignmentLabel
            | Action::CloneConsignment
            | Action::ReturnConsignment => self.row_under_cursor(shared).is_some(),
            Action::SaveFiles => !selection.is_empty() || self.row_under_cursor(shared).is_some(),
            Action::SetStatus => {
                let may = shared.track.rights.no_statuses.is_none();
                may && settable_statuses().any(|to| self.can_become(to, shared))
            }
            Action::CancelManifested => {
                let rights = &shared.track.rights;
                let may = rights.no_statuses.is_none() && rights.no_cancel.is_none();
                may && self.can_become(StatusId::CANCELLED, shared)
            }
            Action::TrackCopyRows => !selection.is_empty() || selection.cursor().is_some(),
            _ => true,
        }
    }

    fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        match action {
            Action::ShowOnDispatch => {
                let row = self.row_under_cursor(context.shared);
                if let Some(row) = row.filter(|row| is_unmanifested(row)) {
                    context.push(DispatchCommand::Reveal(row.id));
                }
            }
            Action::SaveFiles if self.list.table.selection.len() > 1 => {
                context.push(SaveRequest::Files(self.chosen()));
                // Handled here, so that the open page does not save its files again.
                context.triggered.retain(|asked| *asked != action);
            }
            Action::TrackSearchService => {
                let words = self.list.filter.trim();
                if words.is_empty() {
                    // Without a filter text there is nothing to search for, so the clerk must type it first.
                    context.triggered.push(Action::TrackFilter);
                } else {
                    context.push(TrackCommand::AskService(words.to_owned()));
                }
            }
            action => self.list.run(ui, context, action),
        }
    }

    /// Runs the action, or defers it to the page until the menu is closed.
    fn run_picked(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        if is_of_page(action) {
            self.deferred_action = Some(action);
            ui.ctx().request_repaint();
        } else {
            self.run(ui, context, action);
        }
    }
}

/// Returns true if the consignment is unmanifested, so that Dispatch lists it.
fn is_unmanifested(one: &ConsignmentRow) -> bool {
    one.status.id.transit_state() == TransitState::Unmanifested
}

/// Returns whether the consignment's page runs the action, as soon as the menu is closed.
fn is_of_page(action: Action) -> bool {
    PAGE_ACTIONS.contains(&action) || matches!(action, Action::SetStatus | Action::CancelManifested)
}

/// Returns the restrictions of the list, in a fixed order, each with the command that removes it: one carrier, a
/// drill-down, and the result of a scan or a lookup, which ignores age and company.
fn chips(shared: &Shared) -> Vec<(String, TrackCommand)> {
    let (track, query) = (&shared.track, &shared.track.query);
    let mut chips = Vec::new();
    if let Some(id) = query.scope.carrier {
        let words = format!("Carrier: {}", carrier(shared, Some(id)));
        chips.push((words, TrackCommand::Carrier(None)));
    }
    if query.drill_down != DrillDown::All {
        let words = drill_down_label(shared, query.drill_down);
        chips.push((words, TrackCommand::ClearDrillDown));
    }
    if query.scope.days > track.scope.days && !query.words.is_empty() {
        let words = format!("Search: {}", query.words);
        chips.push((words, TrackCommand::FilterWords(String::new())));
    }
    chips
}

/// Returns whether the rows are restricted to a carrier or a drill-down.
fn is_narrowed(shared: &Shared) -> bool {
    let query = &shared.track.query;
    query.scope.carrier.is_some() || query.drill_down != DrillDown::All
}

/// Draws a chip. Returns whether it was removed, by the pointer or a key.
fn chip(ui: &mut Ui, words: &str) -> bool {
    let (shown, name) = (format!("{words}  ×"), format!("Remove {words}"));
    let badge = Badge::new(Tone::Accent, &shown).name(&name);
    let pill = badge.show_button(ui).on_hover_text(&name);
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    pill.clicked() || (pill.has_focus() && (pressed(Key::Delete) || pressed(Key::Backspace)))
}

/// Returns the label of a drill-down.
fn drill_down_label(shared: &Shared, door: DrillDown) -> String {
    match door {
        DrillDown::All => "All".to_owned(),
        DrillDown::TransitState(course) => course.label().to_owned(),
        DrillDown::Status(id) => {
            let known = || id.name().map(str::to_owned);
            let name = tally_name(shared, |board| &board.by_status, door).or_else(known);
            format!("Status: {}", name.unwrap_or_else(|| id.get().to_string()))
        }
        DrillDown::Carrier(id) => format!("Carrier: {}", carrier(shared, id)),
        DrillDown::Company(id) => {
            let mut all = shared.catalogue.known_companies().iter();
            let known = all.find(|company| Some(company.id) == id);
            let number = || id.map_or_else(|| "not named".to_owned(), |id| id.to_string());
            let name = known.map(Company::label).map(str::to_owned);
            format!("Company: {}", name.unwrap_or_else(number))
        }
        DrillDown::Age(band) => format!("Age: {}", band.words()),
        DrillDown::DueToday => "Due today".to_owned(),
        DrillDown::Exception(what) => capitalised(what.label()),
        DrillDown::Exceptions => "Needs attention".to_owned(),
        DrillDown::WentWrong => "Failed, damaged, lost".to_owned(),
        DrillDown::Arrived {
            carrier: of,
            day: on,
            how,
        } => {
            let how = match how {
                Arrival::OnTime => "On time",
                Arrival::Late => "Late",
                Arrival::Failed => "Failed",
            };
            let carrier = of.map(|id| carrier(shared, Some(id)));
            let on = on.map(|on| day(midnight(on)));
            let parts = [Some(how.to_owned()), carrier, on];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
        }
    }
}

/// Returns a carrier's name: from the board's counts, else from the company's list, else its number.
fn carrier(shared: &Shared, id: Option<CarrierId>) -> String {
    let Some(id) = id else {
        return "not named".to_owned();
    };
    let door = DrillDown::Carrier(Some(id));
    let counted = tally_name(shared, |board| &board.by_carrier, door);
    let listed = || {
        let one = shared.catalogue.carriers.iter().find(|one| one.id == id)?;
        Some(one.label().to_owned())
    };
    counted.or_else(listed).unwrap_or_else(|| id.to_string())
}

/// Returns the name of a drill-down in the board's counts.
fn tally_name(
    shared: &Shared,
    of: impl Fn(&Board) -> &Vec<Metric>,
    door: DrillDown,
) -> Option<String> {
    let board = shared.track.board.value()?;
    let tally = of(board).iter().find(|tally| tally.drill_down == door)?;
    Some(tally.name.clone())
}

/// How Track shows statuses and ETAs.
struct TrackLook<'a> {
    shared: &'a Shared,
}

impl TrackLook<'_> {
    fn status(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let label = one.status.label();
        let badge = Badge::new(status_style::tone(one.status.id), &label);
        cell.badge(&badge.icon(status_style::icon(one.status.id)));
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
            let tone = status_style::exception_tone(wrong);
            cell.badge(&Badge::new(tone, wrong.label()));
        }
    }

    fn eta(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) {
        let now = LocalTime::at(self.shared.now, &self.shared.session.zone).0;
        let by = one.eta.map(|at| time_or_day(at, now));
        cell.text(&by.unwrap_or_default());
        let late = lateness(one, self.shared.track.thresholds, self.shared.now);
        if let Some(late) = late.map(late_text) {
            // Muted after delivery, because nobody needs to act any more.
            match one.status.id.transit_state() {
                TransitState::Delivered => cell.muted(&late),
                _ => cell.toned(&late, Tone::Warning),
            }
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
