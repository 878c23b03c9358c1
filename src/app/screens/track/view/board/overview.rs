//! The overview card: counts by status, exception, age, carrier and company. Each bar is a drill-down.

use std::collections::HashSet;

use egui::Ui;

use super::super::status_style;
use super::bars::CountBar;
use crate::state::{Board, DrillDown, Metric, Shared};
use crate::ui::Context;
use crate::ui::format::grouped;
use shipping::StatusId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette, size};
use widgets::{layout, text};

/// Number of bars of a group that are shown before the rest is unfolded.
const FEW: usize = 7;
/// Smallest width of a group, in points.
const GROUP: f32 = 176.0;

#[derive(Default)]
pub(super) struct OverviewCard {
    /// Titles of the groups that show all of their bars.
    unfolded: HashSet<&'static str>,
}

struct Group<'a> {
    title: &'static str,
    tallies: &'a [Metric],
}

fn groups(board: &Board) -> Vec<Group<'_>> {
    let companies = if board.by_company.len() > 1 {
        board.by_company.as_slice()
    } else {
        &[]
    };
    let all = [
        ("By status", board.by_status.as_slice()),
        ("By exception", &board.by_exception),
        ("Open, by age", &board.by_age),
        ("By carrier", &board.by_carrier),
        ("By company", companies),
    ];
    let groups = all.map(|(title, tallies)| Group { title, tallies });
    let groups = groups.into_iter();
    groups.filter(|group| !group.tallies.is_empty()).collect()
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
                if let Some(group) = line.get(at) {
                    self.group(ui, context, group);
                }
            });
        }
    }

    fn group(&mut self, ui: &mut Ui, context: &mut Context<'_>, group: &Group<'_>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let p = palette(ui);
        ui.label(
            text::small(group.title)
                .font(text::small_strong_font())
                .color(p.muted),
        );
        ui.add_space(4.0);
        let count = group.tallies.len();
        let all = self.unfolded.contains(group.title);
        // When only one bar is left over, show it instead of a button of the same height.
        let shown = if all || count <= FEW + 1 { count } else { FEW };
        let most = group.tallies.iter().map(|tally| tally.count).max();
        for tally in &group.tallies[..shown] {
            CountBar {
                name: &sentence(name(context.shared, tally)),
                count: tally.count,
                most: most.unwrap_or(1),
                tone: tone(tally.drill_down),
                drill_down: tally.drill_down,
            }
            .show(ui, context, group.title);
        }
        if count > FEW + 1 {
            let words = if all {
                "Fewer".to_owned()
            } else {
                format!("{} more", grouped(count - shown))
            };
            let spoken = format!("{}: {words}", group.title);
            let button = Button::quiet(&words).small().accessible_name(&spoken);
            if ui.add(button).clicked() && !self.unfolded.remove(group.title) {
                self.unfolded.insert(group.title);
            }
        }
    }
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
    let mut companies = shared.companies.value().into_iter().flatten();
    let company = companies.find(|company| company.id == id);
    company.map_or(tally.name.as_str(), |company| company.label())
}

/// Returns the text with its first letter in upper case.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// Returns the colour of a bar.
fn tone(door: DrillDown) -> Tone {
    match door {
        DrillDown::Exception(exception) => status_style::exception_tone(exception),
        DrillDown::Status(status) => of_status(status),
        _ => Tone::Accent,
    }
}

fn of_status(status: StatusId) -> Tone {
    use shipping::{ExceptionKind, TransitState};
    match (status.exception(), status.transit_state()) {
        (Some(ExceptionKind::Delayed), _) => Tone::Warning,
        (Some(ExceptionKind::TrackingExpired), _) => Tone::Unknown,
        (Some(_), _) => Tone::Bad,
        (None, TransitState::Delivered) => Tone::Ok,
        (None, TransitState::Unmanifested | TransitState::Ended) => Tone::Neutral,
        (None, TransitState::Booked | TransitState::Moving) => Tone::Accent,
    }
}
