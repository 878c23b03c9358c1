//! What there is by status, carrier, company, age and exception: a bar each, each a door.

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

/// Bars that are shown of a group before the others are asked for.
const FEW: usize = 7;
/// The least that a group needs, in points.
const GROUP: f32 = 176.0;

/// What the card keeps for itself.
#[derive(Default)]
pub(super) struct State {
    /// The groups of which all is shown.
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
        // One more takes the place of the button that would show it.
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

/// What a bar is called: companies by the names that the bench has for them.
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

/// With a capital letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// The colour of what a bar counts.
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
