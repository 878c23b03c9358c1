//! The overview card: counts by status, exception, age, carrier and company. Each bar is a drill-down.

use std::collections::HashSet;

use egui::Ui;

use super::super::looks;
use super::bars::Counted;
use crate::shipping::StatusId;
use crate::state::{Board, Door, Shared, Tally};
use crate::ui::Context;
use crate::ui::kit::button::Button;
use crate::ui::kit::card::Card;
use crate::ui::kit::tokens::{Tone, palette, size};
use crate::ui::kit::{layout, text};
use crate::ui::words::grouped;

/// Number of bars of a group that are shown before the rest is unfolded.
const FEW: usize = 7;
/// Smallest width of a group, in points.
const GROUP: f32 = 176.0;

#[derive(Default)]
pub(super) struct State {
    /// Titles of the groups that show all of their bars.
    unfolded: HashSet<&'static str>,
}

struct Group<'a> {
    title: &'static str,
    tallies: &'a [Tally],
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

impl State {
    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let total = board.total;
        let mut all = false;
        Card::new("What there is").show(
            ui,
            |ui| {
                let words = format!("All {}", grouped(total));
                all = ui.add(Button::quiet(&words).small()).clicked();
            },
            |ui| self.groups(ui, context, board),
        );
        if all {
            context.ask(crate::state::TrackCommand::Enter(Door::All));
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
            Counted {
                name: &sentence(name(context.shared, tally)),
                count: tally.count,
                most: most.unwrap_or(1),
                tone: tone(tally.door),
                door: tally.door,
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
            let button = Button::quiet(&words).small().spoken(&spoken);
            if ui.add(button).clicked() && !self.unfolded.remove(group.title) {
                self.unfolded.insert(group.title);
            }
        }
    }
}

/// Returns the name of a bar. A company has the name from the bench's list of companies, if it
/// is listed there.
fn name<'a>(shared: &'a Shared, tally: &'a Tally) -> &'a str {
    let Door::Company(Some(id)) = tally.door else {
        return if tally.name.is_empty() {
            "None named"
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
fn tone(door: Door) -> Tone {
    match door {
        Door::Exception(exception) => looks::of_exception(exception),
        Door::Status(status) => of_status(status),
        _ => Tone::Accent,
    }
}

fn of_status(status: StatusId) -> Tone {
    use crate::shipping::{Course, Mishap};
    match (status.mishap(), status.course()) {
        (Some(Mishap::Delayed), _) => Tone::Warning,
        (Some(Mishap::TrackingExpired), _) => Tone::Unknown,
        (Some(_), _) => Tone::Bad,
        (None, Course::Delivered) => Tone::Ok,
        (None, Course::Unmanifested | Course::Ended) => Tone::Neutral,
        (None, Course::Booked | Course::Moving) => Tone::Accent,
    }
}
