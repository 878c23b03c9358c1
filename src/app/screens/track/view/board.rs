//! The supervisor's board: metrics and exceptions, the most severe first, and counts by status, exception, age, carrier
//! and company.
//!
//! Every number can be pressed, by pointer or by Tab and Enter, and opens the consignments that it counts. Previous
//! numbers stay visible while they are counted again.

mod carriers;
mod chart;
mod exceptions;

use std::collections::HashSet;
use std::sync::Arc;

use egui::{
    Align2, CornerRadius, CursorIcon, Id, Rect, Response, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use jiff::SignedDuration;

use super::status_style;
use crate::launcher::capitalised;
use crate::state::{
    Arrival, Board, DrillDown, Exception, ExceptionRow, Metric, Shared, TrackCommand, TrackPane,
};
use crate::ui::Context;
use crate::ui::format::grouped;
use crate::ui::frame::notices;
use shipping::{ConsignmentId, TransitState};
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::tokens::{Ink, Tone, palette, size};
use widgets::{icons, layout, paint, progress, text};

const NOTHING_SENT: &str = "Nothing sent in this period";

/// Height of a row of bars, in points.
const ROW: f32 = 26.0;

/// Height of a metric, and the gap between two, in points.
const METRIC: f32 = 94.0;
const METRIC_GAP: f32 = 12.0;
/// In a narrower metric (in points) the texts are smaller.
const WIDE_METRIC: f32 = 170.0;

/// Number of bars of a group that are shown before the rest is unfolded.
const FEW: usize = 7;
/// Smallest width of a group of bars, in points.
const GROUP: f32 = 176.0;
/// Smallest width of a bar, in points.
const LEAST: f32 = 5.0;

#[derive(Default)]
pub(super) struct BoardState {
    exceptions: exceptions::ExceptionsCard,
    carriers: carriers::CarriersCard,
    /// Titles of the groups of counts that show all of their bars.
    unfolded: HashSet<&'static str>,
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
        // When only one bar is left over, show it instead of a button of the same height.
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

/// One of the six metrics.
struct MetricCard {
    value: String,
    tone: Option<Tone>,
    name: &'static str,
    drill_down: DrillDown,
    hint: String,
    /// The drill-down of the hint, if the hint has a separate number.
    hint_drill_down: Option<DrillDown>,
}

impl MetricCard {
    fn unknown(name: &'static str) -> Self {
        Self {
            value: "–".to_owned(),
            tone: Some(Tone::Neutral),
            name,
            drill_down: DrillDown::All,
            hint: String::new(),
            hint_drill_down: None,
        }
    }

    /// Creates a metric with this count, which has its tone only if anything is counted.
    fn count(name: &'static str, count: usize, tone: Option<Tone>, drill_down: DrillDown) -> Self {
        Self {
            value: grouped(count),
            tone: tone.filter(|_| count > 0),
            drill_down,
            ..Self::unknown(name)
        }
    }

    fn hint(mut self, hint: String, drill_down: Option<DrillDown>) -> Self {
        self.hint = hint;
        self.hint_drill_down = drill_down;
        self
    }
}

/// Draws the metrics in a row; `–` while nothing is counted.
fn metrics_row(
    ui: &mut Ui,
    context: &mut Context<'_>,
    board: Option<&Board>,
    fresh: &HashSet<ConsignmentId>,
) {
    let mut all = metrics(board.unwrap_or(&Board::default()), fresh);
    let is_certain = context
        .shared
        .catalogue
        .unreadable
        .tracked
        .records
        .is_empty();
    for metric in &mut all {
        if board.is_none() {
            *metric = MetricCard::unknown(metric.name);
        } else if !is_certain && metric.value == "0" {
            // Unreadable records may belong to any of these metrics.
            "–".clone_into(&mut metric.value);
        }
    }
    let width = (ui.available_width() - METRIC_GAP * 5.0) / 6.0;
    let room = vec2(ui.available_width(), METRIC);
    let (room, _) = ui.allocate_exact_size(room, Sense::hover());
    for (at, metric) in all.iter().enumerate() {
        let left = room.left() + (width + METRIC_GAP) * at as f32;
        let rect = Rect::from_min_size(pos2(left, room.top()), vec2(width, METRIC));
        metric_card(ui, context, rect, metric, board.is_some());
    }
}

fn metric_card(ui: &Ui, context: &mut Context<'_>, rect: Rect, metric: &MetricCard, known: bool) {
    let p = palette(ui);
    let narrow = rect.width() < WIDE_METRIC;
    let pad = if narrow { 10.0 } else { 14.0 };
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
    let label = if narrow {
        text::label_font()
    } else {
        text::body_font()
    };
    line(metric.name, label, p.text, 55.0);
    let hint = line(&metric.hint, text::small_font(), p.muted, 75.0);
    if let Some(of_hint) = metric.hint_drill_down {
        let id = id.with("hint");
        drill_down_link(ui, context, hint, id, &metric.hint, of_hint, p.muted);
    }
}

fn metrics(board: &Board, fresh: &HashSet<ConsignmentId>) -> [MetricCard; 6] {
    use DrillDown as To;
    let state =
        |name, count, tone, state| MetricCard::count(name, count, tone, To::TransitState(state));
    let due = format!("{} due today", grouped(board.due_today));
    let not_collected = format!("{} not collected", grouped(board.not_collected));
    let late = match board.late_since_midnight {
        0 => "none since midnight".to_owned(),
        since => format!("+{} since midnight", grouped(since)),
    };
    // The metric counts exceptions of this tone only.
    let is_new = |row: &&ExceptionRow| {
        status_style::exception_tone(row.exception) == Tone::Bad && fresh.contains(&row.id)
    };
    let new = match board.exceptions.iter().filter(is_new).count() {
        0 => "no new ones".to_owned(),
        new => format!("{} new", grouped(new)),
    };
    [
        state(
            "Unmanifested",
            board.unmanifested,
            None,
            TransitState::Unmanifested,
        )
        .hint(due, Some(To::DueToday)),
        state("Manifested", board.booked, None, TransitState::Booked)
            .hint(not_collected, Some(To::Exception(Exception::NotCollected))),
        state(
            "In transit",
            board.moving,
            Some(Tone::Accent),
            TransitState::Moving,
        )
        .hint(board.median_transit.map(median).unwrap_or_default(), None),
        MetricCard::count(
            "Past ETA",
            board.late,
            Some(Tone::Warning),
            To::Exception(Exception::Late),
        )
        .hint(late, None),
        MetricCard::count(
            "Failed, damaged, lost",
            board.went_wrong,
            Some(Tone::Bad),
            To::WentWrong,
        )
        .hint(new, None),
        on_time(board),
    ]
}

/// Returns the share on time, and its change against the period before.
fn on_time(board: &Board) -> MetricCard {
    let metric = MetricCard {
        drill_down: DrillDown::Arrived {
            carrier: None,
            day: None,
            how: Arrival::OnTime,
        },
        ..MetricCard::unknown("On time")
    };
    let Some(share) = board.arrivals.on_time_share() else {
        return metric.hint("nothing due".to_owned(), None);
    };
    let days = board.scope.days;
    let hint = match board.arrivals_before.on_time_share() {
        Some(before) => format!("{} on prior {days} days", points(share - before)),
        None => format!("of {} due", grouped(board.arrivals.total())),
    };
    let metric = metric.hint(hint, None);
    MetricCard {
        value: percent(share),
        tone: Some(tone_of(share)),
        ..metric
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
    let (name, count) = (
        capitalised(bar_name(context.shared, tally)),
        grouped(tally.count),
    );
    let spoken = format!("{group}, {name}: {count}");
    let id = Id::unique(("track bar", group, &name, tally.drill_down));
    let (to, sense) = (tally.drill_down, Sense::click());
    let response = drill_down_button(ui, context, rect, id, &spoken, to, sense);
    let (inner, painter) = (rect.shrink2(vec2(0.0, 1.5)), ui.painter());
    let radius = CornerRadius::same(size::PILL_RADIUS);
    if response.hovered() {
        painter.rect_filled(inner, radius, p.raised);
    }
    let share = tally.count as f32 / most.max(1) as f32;
    let width = (inner.width() * share).max(LEAST);
    let bar = Rect::from_min_size(inner.min, vec2(width, inner.height()));
    let tone = bar_tone(tally.drill_down);
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
    let DrillDown::Company(Some(id)) = tally.drill_down else {
        return if tally.name.is_empty() {
            "Not specified"
        } else {
            &tally.name
        };
    };
    let mut companies = shared.catalogue.companies.value().into_iter().flatten();
    let company = companies.find(|company| company.id == id);
    company.map_or(tally.name.as_str(), |company| company.label())
}

/// Returns the colour of a bar.
fn bar_tone(door: DrillDown) -> Tone {
    match door {
        DrillDown::Exception(exception) => status_style::exception_tone(exception),
        DrillDown::Status(status) => status_style::tone(status),
        _ => Tone::Accent,
    }
}

/// Makes `rect` pressable, and opens the drill-down when it is pressed. `name` tells screen readers the number and
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

/// Makes a painted text pressable: underlined under the pointer, with a ring while it has the focus.
fn drill_down_link(
    ui: &Ui,
    context: &mut Context<'_>,
    line: Rect,
    id: Id,
    name: &str,
    drill_down: DrillDown,
    ink: Ink,
) -> Response {
    let rect = line.expand2(vec2(4.0, 3.0));
    let response = drill_down_button(ui, context, rect, id, name, drill_down, Sense::click());
    paint::focus_ring(ui, &response, rect, size::PILL_RADIUS);
    if response.hovered() {
        let stroke = Stroke::new(1.0, ink);
        ui.painter()
            .hline(line.x_range(), line.bottom() + 1.0, stroke);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::{median, percent, points};
    use jiff::SignedDuration;

    #[test]
    fn a_share_is_never_rounded_up_to_all() {
        assert_eq!(percent(0.999_9), "99.9 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.0), "0.0 %");
    }

    #[test]
    fn a_difference_says_its_direction() {
        assert_eq!(points(0.008), "+0.8");
        assert_eq!(points(-0.012), "−1.2");
    }

    #[test]
    fn less_than_a_day_is_told_in_hours() {
        assert_eq!(median(SignedDuration::from_hours(7)), "median 7 h");
        assert_eq!(median(SignedDuration::from_hours(43)), "median 1.8 days");
    }
}
