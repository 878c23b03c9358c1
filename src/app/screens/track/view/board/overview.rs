//! The overview card: counts by status, exception, age, carrier and company. Each bar is a drill-down.

use std::collections::HashSet;

use egui::{Align2, CornerRadius, Id, Rect, Sense, Ui, vec2};

use super::super::status_style;
use super::{ROW, drill_down};
use crate::launcher::capitalised;
use crate::state::{Board, DrillDown, Metric, Shared};
use crate::ui::Context;
use crate::ui::format::grouped;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette, size};
use widgets::{layout, paint, text};

/// Number of bars of a group that are shown before the rest is unfolded.
const FEW: usize = 7;
/// Smallest width of a group, in points.
const GROUP: f32 = 176.0;
/// Smallest width of a bar, in points.
const LEAST: f32 = 5.0;

#[derive(Default)]
pub(super) struct OverviewCard {
    /// Titles of the groups that show all of their bars.
    unfolded: HashSet<&'static str>,
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

impl OverviewCard {
    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let total = board.total;
        let mut all = false;
        Card::new("Overview").show(
            ui,
            |ui| {
                let words = format!("All {}", grouped(total));
                all = ui.add(Button::quiet(&words).small()).clicked();
            },
            |ui| self.groups(ui, context, board),
        );
        if all {
            context.push(crate::state::TrackCommand::DrillDown(DrillDown::All));
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

/// Draws a name on a bar whose length is its share of the largest count of the group, with the count at the right.
fn count_bar(ui: &mut Ui, context: &mut Context<'_>, group: &str, tally: &Metric, most: usize) {
    let p = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let (name, count) = (
        capitalised(name(context.shared, tally)),
        grouped(tally.count),
    );
    let spoken = format!("{group}, {name}: {count}");
    let id = Id::unique(("track bar", group, &name, tally.drill_down));
    let (to, sense) = (tally.drill_down, Sense::click());
    let response = drill_down::button(ui, context, rect, id, &spoken, to, sense);
    let (inner, painter) = (rect.shrink2(vec2(0.0, 1.5)), ui.painter());
    let radius = CornerRadius::same(size::PILL_RADIUS);
    if response.hovered() {
        painter.rect_filled(inner, radius, p.raised);
    }
    let share = tally.count as f32 / most.max(1) as f32;
    let width = (inner.width() * share).max(LEAST);
    let bar = Rect::from_min_size(inner.min, vec2(width, inner.height()));
    let tone = tone(tally.drill_down);
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
fn name<'a>(shared: &'a Shared, tally: &'a Metric) -> &'a str {
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
fn tone(door: DrillDown) -> Tone {
    match door {
        DrillDown::Exception(exception) => status_style::exception_tone(exception),
        DrillDown::Status(status) => status_style::tone(status),
        _ => Tone::Accent,
    }
}
