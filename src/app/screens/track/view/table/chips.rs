//! Filter chips above the rows: each shows a restriction of the list, and removes it when pressed.

use egui::{Id, Key, Modifiers, Ui};

use crate::state::{Arrival, Board, DrillDown, Metric, Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::format::day;
use shipping::{CarrierId, Company, LocalTime};
use widgets::badge::Badge;
use widgets::tokens::Tone;

/// A restriction of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chip {
    /// Only one carrier.
    Carrier,
    /// Only the consignments behind a number on the board.
    DrillDown,
    /// The result of a scan or a lookup, whatever its age and company.
    Lookup,
}

impl Chip {
    /// Returns the command that removes the chip.
    fn removal_command(self) -> TrackCommand {
        match self {
            Self::Carrier => TrackCommand::Carrier(None),
            Self::DrillDown => TrackCommand::ClearDrillDown,
            Self::Lookup => TrackCommand::FilterWords(String::new()),
        }
    }
}

/// Returns the active chips with their labels, in a fixed order: carrier, drill-down, lookup.
pub(super) fn all(shared: &Shared) -> Vec<(Chip, String)> {
    let track = &shared.track;
    let carrier = track.query.scope.carrier.map(|id| {
        let words = format!("Carrier: {}", carrier(shared, Some(id)));
        (Chip::Carrier, words)
    });
    let query = &track.query;
    let found = (query.scope.days > track.scope.days && !query.words.is_empty())
        .then(|| (Chip::Lookup, format!("Search: {}", query.words)));
    let door = query.drill_down;
    let door = (door != DrillDown::All).then(|| (Chip::DrillDown, drill_down_label(shared, door)));
    { carrier.into_iter() }.chain(door).chain(found).collect()
}

/// Returns true if an active chip hides rows.
pub(super) fn narrow(shared: &Shared) -> bool {
    all(shared).iter().any(|(chip, _)| *chip != Chip::Lookup)
}

/// Draws the chips. Returns true if one was removed.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) -> bool {
    let mut taken = false;
    for (chip, words) in all(context.shared) {
        let shown = format!("{words}  ×");
        let name = format!("Remove {words}");
        let badge = Badge::new(Tone::Accent, &shown).name(&name);
        let pill = badge.show_button(ui).on_hover_text(&name);
        let by_key = pill.has_focus()
            && ui.input_mut(|input| {
                input.consume_key(Modifiers::NONE, Key::Delete)
                    || input.consume_key(Modifiers::NONE, Key::Backspace)
            });
        if pill.clicked() || by_key {
            context.push(chip.removal_command());
            taken = true;
        }
    }
    taken
}

/// Removes the last chip when Backspace is pressed in an empty filter.
pub(super) fn by_backspace(ui: &Ui, context: &mut Context<'_>, filter: Id, text: &str) {
    if !text.is_empty() || !ui.memory(|memory| memory.has_focus(filter)) {
        return;
    }
    let pressed = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Backspace));
    if pressed && let Some((chip, _)) = all(context.shared).last() {
        context.push(chip.removal_command());
    }
}

/// Returns the label of a drill-down.
fn drill_down_label(shared: &Shared, door: DrillDown) -> String {
    match door {
        DrillDown::All => "All".to_owned(),
        DrillDown::TransitState(course) => course.label().to_owned(),
        DrillDown::Status(id) => {
            let known = || id.name().map(str::to_owned);
            let name = counted(shared, |board| &board.by_status, door).or_else(known);
            format!("Status: {}", name.unwrap_or_else(|| id.get().to_string()))
        }
        DrillDown::Carrier(id) => format!("Carrier: {}", carrier(shared, id)),
        DrillDown::Company(id) => {
            let mut all = shared.catalogue.companies.value().into_iter().flatten();
            let known = all.find(|company| Some(company.id) == id);
            match (known, id) {
                (Some(company), _) => format!("Company: {}", Company::label(company)),
                (None, Some(id)) => format!("Company: {id}"),
                (None, None) => "Company: not named".to_owned(),
            }
        }
        DrillDown::Age(band) => format!("Age: {}", band.words()),
        DrillDown::DueToday => "Due today".to_owned(),
        DrillDown::Exception(what) => sentence(what.label()),
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
            let on = on.map(|on| day(LocalTime(on.at(0, 0, 0, 0))));
            let parts = [Some(how.to_owned()), carrier, on];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
        }
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Returns a carrier's name: from the board's counts, else from the company's list, else its number.
fn carrier(shared: &Shared, id: Option<CarrierId>) -> String {
    let Some(id) = id else {
        return "not named".to_owned();
    };
    let counted = counted(
        shared,
        |board| &board.by_carrier,
        DrillDown::Carrier(Some(id)),
    );
    let listed = || {
        let one = shared.catalogue.carriers.iter().find(|one| one.id == id)?;
        Some(one.label().to_owned())
    };
    counted.or_else(listed).unwrap_or_else(|| id.to_string())
}

fn counted(
    shared: &Shared,
    of: impl Fn(&Board) -> &Vec<Metric>,
    door: DrillDown,
) -> Option<String> {
    let board = shared.track.board.value()?;
    let tally = of(board).iter().find(|tally| tally.drill_down == door)?;
    Some(tally.name.clone())
}
