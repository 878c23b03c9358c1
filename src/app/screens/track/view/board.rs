//! The supervisor's board: metrics and exceptions, the most severe first, and counts by status, exception, age, carrier
//! and company.
//!
//! Every number can be pressed, by pointer or by Tab and Enter, and opens the consignments that it counts. Numbers
//! stay visible while they are counted again. The page of the exception under the cursor is open beside the board.
//! The page of the first exception opens with the board, so that its history is visible without pressing a key.

mod carriers;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use egui::{
    Align2, CornerRadius, CursorIcon, Id, Rect, Response, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use jiff::{SignedDuration, Timestamp};

use super::status_style::{self, exception_tone};
use crate::launcher::capitalised;
use crate::state::{
    Arrival, Board, ConsignmentRow, DrillDown, Exception, ExceptionRow, ListCommand, Metric,
    Shared, TrackCommand, TrackPane,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{grouped, largest_unit};
use crate::ui::frame::notices;
use crate::ui::lists::{RowPrefetch, key};
use shipping::{Company, ConsignmentId, TransitState};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::table::{self, Cell, Column, Rows, Table};
use widgets::tokens::{Ink, Tone, palette, size};
use widgets::{icons, layout, paint, progress, text};

const NOTHING_SENT: &str = "Nothing sent in this period";

/// Height of a row of bars, in points.
const ROW: f32 = 26.0;

/// Height of a metric, and the gap between two, in points.
const METRIC: f32 = 94.0;
const METRIC_GAP: f32 = 12.0;
/// If a metric is narrower than this, in points, its texts are smaller.
const WIDE_METRIC: f32 = 170.0;

/// Number of bars of a group that are shown before the rest is unfolded.
const FEW: usize = 7;
/// Smallest width of a group of bars, in points.
const GROUP: f32 = 176.0;
/// Smallest width of a bar, in points.
const LEAST: f32 = 5.0;

#[derive(Default)]
pub(super) struct BoardState {
    exceptions: ExceptionsCard,
    carriers: carriers::CarriersCard,
    /// Titles of the groups of counts that show all of their bars.
    unfolded: HashSet<&'static str>,
    /// Exceptions that appeared since the board was opened. They stay marked as new until the clerk leaves the board.
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
        metrics_row(ui, context, known.map(AsRef::as_ref), &self.fresh);
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
                self.overview(ui, context, &board);
                self.below = ui.min_rect().bottom() - top + size::GUTTER;
            });
    }

    /// Draws the card with the counts by status, exception, age, carrier and company.
    fn overview(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let mut all = false;
        Card::new("Overview").show(
            ui,
            |ui| {
                let words = format!("All {}", grouped(board.total));
                all = ui.add(Button::quiet(&words).small()).clicked();
            },
            |ui| self.groups(ui, context, board),
        );
        if all {
            context.push(TrackCommand::DrillDown(DrillDown::All));
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "columns on a screen"
    )]
    fn groups(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let groups = groups(board);
        let fit = ((ui.available_width() + size::GUTTER) / (GROUP + size::GUTTER)) as usize;
        let lines = groups.len().div_ceil(fit.max(1));
        let columns = groups.len().div_ceil(lines.max(1)).max(1);
        ui.spacing_mut().item_spacing.y = size::GUTTER;
        let weights = vec![1.0; columns];
        for line in groups.chunks(columns) {
            layout::columns(ui, &weights, size::GUTTER, |at, ui| {
                if let Some((title, tallies)) = line.get(at) {
                    self.group(ui, context, title, tallies);
                }
            });
        }
    }

    fn group(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        title: &'static str,
        tallies: &[Metric],
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let heading = text::small(title).font(text::small_strong_font());
        ui.label(heading.color(palette(ui).muted));
        ui.add_space(4.0);
        let count = tallies.len();
        let all = self.unfolded.contains(title);
        // If only one bar would be hidden, show it instead of a button of the same height.
        let shown = if all || count <= FEW + 1 { count } else { FEW };
        let most = tallies.iter().map(|tally| tally.count).max();
        for tally in &tallies[..shown] {
            count_bar(ui, context, title, tally, most.unwrap_or(1));
        }
        if count > FEW + 1 {
            let words = if all {
                "Fewer".to_owned()
            } else {
                format!("{} more", grouped(count - shown))
            };
            let spoken = format!("{title}: {words}");
            let button = Button::quiet(&words).small().accessible_name(&spoken);
            if ui.add(button).clicked() && !self.unfolded.remove(title) {
                self.unfolded.insert(title);
            }
        }
    }
}

/// Draws the empty board: without consignments in the scope, or until the first sync has ended.
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

struct MetricCard {
    name: &'static str,
    value: String,
    tone: Option<Tone>,
    drill_down: DrillDown,
    hint: String,
    /// The drill-down of the hint, if the hint has a separate number.
    hint_drill_down: Option<DrillDown>,
}

/// Draws the metrics in a row, with `–` until they are counted.
fn metrics_row(
    ui: &mut Ui,
    context: &mut Context<'_>,
    board: Option<&Board>,
    fresh: &HashSet<ConsignmentId>,
) {
    let unreadable = &context.shared.catalogue.unreadable.tracked.records;
    let is_certain = unreadable.is_empty();
    let width = (ui.available_width() - METRIC_GAP * 5.0) / 6.0;
    let room = vec2(ui.available_width(), METRIC);
    let (room, _) = ui.allocate_exact_size(room, Sense::hover());
    let metrics = metrics(board.unwrap_or(&Board::default()), fresh);
    for (at, mut metric) in metrics.into_iter().enumerate() {
        // With unreadable records, 0 is uncertain, because these records may belong to any metric.
        if board.is_none() || (!is_certain && metric.value == "0") {
            "–".clone_into(&mut metric.value);
        }
        if board.is_none() {
            metric.tone = Some(Tone::Neutral);
            metric.hint.clear();
            metric.hint_drill_down = None;
        }
        let left = room.left() + (width + METRIC_GAP) * at as f32;
        let rect = Rect::from_min_size(pos2(left, room.top()), vec2(width, METRIC));
        metric_card(ui, context, rect, &metric, board.is_some());
    }
}

fn metric_card(ui: &Ui, context: &mut Context<'_>, rect: Rect, metric: &MetricCard, known: bool) {
    let p = palette(ui);
    let (pad, label) = if rect.width() < WIDE_METRIC {
        (10.0, text::label_font())
    } else {
        (14.0, text::body_font())
    };
    let id = Id::unique(("track figure", metric.name));
    let name = format!("{}: {}, {}", metric.name, metric.value, metric.hint);
    let name = name.trim_end_matches([',', ' ']);
    let sense = if known { Sense::click() } else { Sense::CLICK };
    let response = drill_down_button(ui, context, rect, id, name, metric.drill_down, sense);
    let lit = known && response.hovered();
    let edge = Stroke::new(1.0, if lit { p.muted } else { p.border });
    let radius = CornerRadius::same(size::CARD_RADIUS);
    ui.painter()
        .rect(rect, radius, p.surface, edge, StrokeKind::Inside);
    paint::focus_ring(ui, &response, rect, size::CARD_RADIUS);
    let room = rect.width() - 2.0 * pad;
    let line = |words: &str, font, ink: Ink, y: f32| {
        let words = text::cut(ui, words, font, room, ink);
        let at = rect.left_top() + vec2(pad, y);
        paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, words)
    };
    let ink = metric.tone.map_or(p.text, |tone| tone.ink(p));
    line(&metric.value, text::figure_font(), ink, 28.0);
    line(metric.name, label, p.text, 55.0);
    let hint = line(&metric.hint, text::small_font(), p.muted, 75.0);
    let Some(to) = metric.hint_drill_down else {
        return;
    };
    let (id, rect) = (id.with("hint"), hint.expand2(vec2(4.0, 3.0)));
    let link = drill_down_button(ui, context, rect, id, &metric.hint, to, Sense::click());
    paint::focus_ring(ui, &link, rect, size::PILL_RADIUS);
    if link.hovered() {
        let stroke = Stroke::new(1.0, p.muted);
        ui.painter()
            .hline(hint.x_range(), hint.bottom() + 1.0, stroke);
    }
}

fn metrics(board: &Board, fresh: &HashSet<ConsignmentId>) -> [MetricCard; 6] {
    use DrillDown as To;
    let count = |name, count, tone: Tone, drill_down, hint: (String, Option<DrillDown>)| {
        let is_plain = count == 0 || tone == Tone::Neutral;
        MetricCard {
            name,
            value: grouped(count),
            tone: (!is_plain).then_some(tone),
            drill_down,
            hint: hint.0,
            hint_drill_down: hint.1,
        }
    };
    let state = |name, of, tone, state, hint| count(name, of, tone, To::TransitState(state), hint);
    let due = format!("{} due today", grouped(board.due_today));
    let due = (due, Some(To::DueToday));
    let not_collected = format!("{} not collected", grouped(board.not_collected));
    let not_collected = (not_collected, Some(To::Exception(Exception::NotCollected)));
    let median = board.median_transit.map(median).unwrap_or_default();
    let late = match board.late_since_midnight {
        0 => "none since midnight".to_owned(),
        since => format!("+{} since midnight", grouped(since)),
    };
    // The metric counts only exceptions with this tone.
    let is_new =
        |row: &&ExceptionRow| exception_tone(row.exception) == Tone::Bad && fresh.contains(&row.id);
    let new = match board.exceptions.iter().filter(is_new).count() {
        0 => "no new ones".to_owned(),
        new => format!("{} new", grouped(new)),
    };
    let (unmanifested, booked) = (TransitState::Unmanifested, TransitState::Booked);
    let (neutral, moving) = (Tone::Neutral, TransitState::Moving);
    let (past, wrong) = (To::Exception(Exception::Late), "Failed, damaged, lost");
    [
        state(
            "Unmanifested",
            board.unmanifested,
            neutral,
            unmanifested,
            due,
        ),
        state("Manifested", board.booked, neutral, booked, not_collected),
        state(
            "In transit",
            board.moving,
            Tone::Accent,
            moving,
            (median, None),
        ),
        count("Past ETA", board.late, Tone::Warning, past, (late, None)),
        count(
            wrong,
            board.went_wrong,
            Tone::Bad,
            To::WentWrong,
            (new, None),
        ),
        on_time(board),
    ]
}

/// Returns the share on time, and its change since the previous period.
fn on_time(board: &Board) -> MetricCard {
    let share = board.arrivals.on_time_share();
    let hint = match (share, board.arrivals_before.on_time_share()) {
        (None, _) => "nothing due".to_owned(),
        (Some(share), Some(before)) => {
            let days = board.scope.days;
            format!("{} vs the previous {days} days", points(share - before))
        }
        (Some(_), None) => format!("of {} due", grouped(board.arrivals.total())),
    };
    MetricCard {
        name: "On time",
        value: share.map_or_else(|| "–".to_owned(), percent),
        tone: Some(share.map_or(Tone::Neutral, tone_of)),
        drill_down: DrillDown::Arrived {
            carrier: None,
            day: None,
            how: Arrival::OnTime,
        },
        hint,
        hint_drill_down: None,
    }
}

/// Formats a share: `96.4 %`.
fn percent(share: f64) -> String {
    // Rounded down: 100 % must not show while anything was late.
    let tenths = (share * 1_000.0).floor() / 10.0;
    if share >= 1.0 {
        "100 %".to_owned()
    } else {
        format!("{tenths:.1} %")
    }
}

/// Formats a difference of two shares in percentage points: `+0.8`, `−1.2`.
fn points(difference: f64) -> String {
    let tenths = (difference * 1_000.0).round() / 10.0;
    let sign = if tenths < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1}", tenths.abs())
}

/// Returns the tone for a share on time.
fn tone_of(share: f64) -> Tone {
    if share >= 0.9 {
        Tone::Ok
    } else if share >= 0.75 {
        Tone::Warning
    } else {
        Tone::Bad
    }
}

/// Formats the median transit time: `median 1.8 days`, `median 7 h`.
fn median(took: SignedDuration) -> String {
    let hours = took.as_secs_f64() / 3_600.0;
    if hours < 24.0 {
        format!("median {hours:.0} h")
    } else {
        format!("median {:.1} days", hours / 24.0)
    }
}

/// The groups of bars, by title.
fn groups(board: &Board) -> Vec<(&'static str, &[Metric])> {
    let companies = match board.by_company.as_slice() {
        [_] => &[],
        several => several,
    };
    let mut groups = vec![
        ("By status", board.by_status.as_slice()),
        ("By exception", &board.by_exception),
        ("Open, by age", &board.by_age),
        ("By carrier", &board.by_carrier),
        ("By company", companies),
    ];
    groups.retain(|(_, tallies)| !tallies.is_empty());
    groups
}

/// Draws a name on a bar whose length is its share of the largest count of the group, with the count at the right.
fn count_bar(ui: &mut Ui, context: &mut Context<'_>, group: &str, tally: &Metric, most: usize) {
    let p = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let name = capitalised(bar_name(context.shared, tally));
    let (count, to) = (grouped(tally.count), tally.drill_down);
    let spoken = format!("{group}, {name}: {count}");
    let id = Id::unique(("track bar", group, &name, to));
    let response = drill_down_button(ui, context, rect, id, &spoken, to, Sense::click());
    let (inner, painter) = (rect.shrink2(vec2(0.0, 1.5)), ui.painter());
    let radius = CornerRadius::same(size::PILL_RADIUS);
    if response.hovered() {
        painter.rect_filled(inner, radius, p.raised);
    }
    let share = tally.count as f32 / most.max(1) as f32;
    let width = (inner.width() * share).max(LEAST);
    let bar = Rect::from_min_size(inner.min, vec2(width, inner.height()));
    let tone = match to {
        DrillDown::Exception(exception) => exception_tone(exception),
        DrillDown::Status(status) => status_style::tone(status),
        _ => Tone::Accent,
    };
    painter.rect_filled(bar, radius, tone.weak(p));
    let edge = Rect::from_min_size(bar.min, vec2(3.0, bar.height()));
    painter.rect_filled(edge, radius, tone.ink(p));
    let number = text::plain(ui, &count, text::strong_font(), p.text);
    let right = rect.right_center() - vec2(6.0, 0.0);
    let number = paint::text_at(painter, Align2::RIGHT_CENTER, right, number);
    let left = rect.left_center() + vec2(10.0, 0.0);
    let room = number.left() - left.x - 8.0;
    let label = text::cut(ui, &name, text::cell_font(), room, p.text);
    paint::text_at(painter, Align2::LEFT_CENTER, left, label);
    paint::focus_ring(ui, &response, rect, size::PILL_RADIUS);
}

/// Returns the name of a bar. A company has the name from the bench's list of companies, if it
/// is listed there.
fn bar_name<'a>(shared: &'a Shared, tally: &'a Metric) -> &'a str {
    let name = match tally.name.as_str() {
        "" => "Not specified",
        name => name,
    };
    let mut companies = shared.catalogue.known_companies().iter();
    let company = companies.find(|one| tally.drill_down == DrillDown::Company(Some(one.id)));
    company.map_or(name, Company::label)
}

/// Makes `rect` pressable, and opens the drill-down when it is pressed. `name` is for screen readers: the number and
/// what it counts. With [`Sense::CLICK`], Tab skips it.
fn drill_down_button(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    id: Id,
    name: &str,
    drill_down: DrillDown,
    sense: Sense,
) -> Response {
    let response = ui.interact(rect, id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if response.clicked() {
        context.push(TrackCommand::DrillDown(drill_down));
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

const EXCEPTION_COLUMNS: [Column; 5] = [
    Column::new("Number", 84.0).unsorted(),
    Column::new("To", 120.0).grow(1.6).unsorted(),
    Column::new("Carrier", 104.0).grow(0.8).unsorted(),
    Column::new("Since", 54.0).unsorted(),
    Column::new("What", 158.0).unsorted(),
];
/// Smallest number of visible rows, if there are enough rows. With less room, the whole board scrolls.
const LEAST_ROWS: usize = 10;
/// Height of the card without exceptions, in points.
const NOTHING: f32 = 170.0;

#[derive(Default)]
struct ExceptionsCard {
    table: table::TableState,
    /// True once the first row was opened after the board was shown.
    first_row_opened: bool,
    /// The last frame in which the board was hidden.
    last_hidden_frame: u64,
    prefetch: RowPrefetch,
}

struct ExceptionRows<'a> {
    rows: &'a [ExceptionRow],
    known: &'a HashMap<ConsignmentId, Arc<ConsignmentRow>>,
    fresh: &'a HashSet<ConsignmentId>,
    now: Timestamp,
}

fn ago(since: Timestamp, now: Timestamp) -> String {
    largest_unit(now.duration_since(since).max(SignedDuration::ZERO))
}

impl Rows for ExceptionRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.rows.get(index).map_or(u64::MAX, |row| key(row.id))
    }

    fn name(&self, index: usize) -> String {
        let Some(row) = self.rows.get(index) else {
            return String::new();
        };
        let new = if self.fresh.contains(&row.id) {
            ", new"
        } else {
            ""
        };
        let (what, since) = (row.exception.label(), ago(row.since, self.now));
        match self.known.get(&row.id) {
            Some(known) => format!("{} to {}, {what} for {since}{new}", known.number, known.to),
            None => format!("{}, {what} for {since}{new}", row.id),
        }
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let known = self.known.get(&row.id);
        match (column, known) {
            (0, Some(known)) => cell.mono(&known.number),
            (0, None) => cell.muted(&row.id.to_string()),
            (1, Some(known)) => cell.text(&known.to),
            (2, Some(known)) => cell.text(&known.carrier),
            (3, _) => cell.text(&ago(row.since, self.now)),
            (4, _) => {
                let tone = exception_tone(row.exception);
                cell.badge(&Badge::new(tone, row.exception.label()));
                if self.fresh.contains(&row.id) {
                    cell.badge(&Badge::new(Tone::Accent, "new").outlined());
                }
            }
            _ => {}
        }
    }
}

impl ExceptionsCard {
    fn on_shown(&mut self, frame: u64) {
        self.first_row_opened = false;
        self.last_hidden_frame = frame;
    }

    fn take_focus(&mut self) {
        self.table.request_focus();
    }

    /// Draws the card, up to `room` points high if the rows need it.
    fn card(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        board: &Board,
        fresh: &HashSet<ConsignmentId>,
        room: f32,
    ) {
        let count = board.by_exception.iter().map(|tally| tally.count).sum();
        let mut opened = false;
        Card::new("Needs attention").flush().show(
            ui,
            |ui| opened = count_button(ui, board, count),
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                if board.exceptions.is_empty() {
                    return layout::sized(ui, vec2(ui.available_width(), NOTHING), |ui| {
                        let headline = "Nothing needs attention";
                        let words = "All consignments are in transit or delivered";
                        empty_state(ui, icons::ICON_CHECK_CIRCLE, headline, words, None);
                    });
                }
                let rows = |count: usize| (count as f32).mul_add(size::ROW, size::ROW + 3.0);
                let all = board.exceptions.len();
                let least = rows(all.min(LEAST_ROWS));
                let height = (room - size::CARD_HEAD - 2.0).clamp(least, rows(all).max(least));
                let room = vec2(ui.available_width(), height);
                layout::sized(ui, room, |ui| self.rows(ui, context, board, fresh));
            },
        );
        if opened {
            context.push(TrackCommand::DrillDown(DrillDown::Exceptions));
        }
    }

    fn rows(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        board: &Board,
        fresh: &HashSet<ConsignmentId>,
    ) {
        let shared = context.shared;
        let mut list = ExceptionRows {
            rows: &board.exceptions,
            known: &shared.rows,
            fresh,
            now: shared.now,
        };
        let coming = !self.first_row_opened;
        if coming {
            self.first_row_opened = true;
            // If the rows arrive after the board was shown, the clerk may already be typing or scanning in a text
            // field, so keep the focus there.
            let comes_up = ui.ctx().cumulative_frame_nr() <= self.last_hidden_frame + 1;
            let typing = ui.ctx().text_edit_focused() && !comes_up;
            if !typing && !context.is_triggered(Action::Search) {
                self.table.request_focus();
            }
            let cursor = self.table.selection.cursor();
            if cursor.is_none_or(|cursor| list.find(cursor).is_none()) {
                self.table.selection.tick_only(key(board.exceptions[0].id));
            }
            self.table.reveal_cursor();
        }
        let before = self.table.selection.cursor();
        let shown =
            Table::new("Needs attention", &EXCEPTION_COLUMNS).show(ui, &mut self.table, &mut list);
        let cursor = self.table.selection.cursor();
        if let Some(cursor) = cursor {
            // Only one row is selected: the one whose page is open.
            self.table.selection.tick_only(cursor);
        }
        let open = shared.track.page.open;
        let wanted = cursor.and_then(|cursor| list.find(cursor));
        let wanted = wanted.map(|at| board.exceptions[at].id);
        let pressed = shown.opened.is_some();
        let moved = cursor != before || pressed;
        if let Some(id) =
            wanted.filter(|id| (moved && open != Some(*id)) || (coming && open.is_none()))
        {
            context.push(TrackCommand::Open(id));
        } else if pressed {
            // The page is open already, so opening the row again shows the proof of delivery.
            context.triggered.push(Action::ProofOfDelivery);
        }
        let ids: Vec<_> = board.exceptions.iter().map(|row| row.id).collect();
        let of = (ids.as_slice(), board.as_of.as_second().unsigned_abs());
        let (in_sight, time) = (self.table.visible_rows(), ui.input(|input| input.time));
        let needs = self.prefetch.needs(shared, of, in_sight, time);
        context.push_some(needs.map(ListCommand::NeedRows));
    }
}

/// Draws the number of exceptions at the right of the card's header, as a drill-down.
fn count_button(ui: &mut Ui, board: &Board, count: usize) -> bool {
    if count == 0 {
        return false;
    }
    let words = grouped(count);
    let name = format!("Needs attention: {words}");
    let tones = { board.exceptions.iter() }.map(|row| exception_tone(row.exception));
    let tone = tones.min_by_key(|tone| *tone != Tone::Bad);
    let badge = Badge::new(tone.unwrap_or(Tone::Warning), &words).name(&name);
    let pressed = badge.show_button(ui).clicked();
    if count > board.exceptions.len() {
        let shown = format!("showing the worst {}", grouped(board.exceptions.len()));
        ui.label(text::small(shown).color(palette(ui).muted));
    }
    pressed
}
