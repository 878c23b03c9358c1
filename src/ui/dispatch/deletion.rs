//! What is asked before consignments are deleted at the service: how many, and which.

use egui::{Label, Ui};

use super::super::Context;
use super::super::environment;
use super::super::kit::button::Button;
use super::super::kit::hold::HoldButton;
use super::super::kit::modal::Modal;
use super::super::kit::text;
use super::super::kit::tokens::palette;
use super::super::operations::words::lock;
use super::super::words::counted;
use crate::shipping::ConsignmentId;
use crate::state::{DispatchCommand, Shared};

/// How many numbers are named.
const NAMED: usize = 24;

/// The question, and what it is about.
#[derive(Default)]
pub(super) struct State {
    open: bool,
    ids: Vec<ConsignmentId>,
    numbers: Vec<String>,
    /// Why none of them can be deleted.
    held: Option<String>,
}

impl State {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Asks about those that nothing holds; where all are held, says by what.
    pub(super) fn begin(&mut self, shared: &Shared, chosen: &[ConsignmentId]) {
        if chosen.is_empty() {
            return;
        }
        let free = |id: &ConsignmentId| !shared.locked.contains_key(id);
        let list = shared.unmanifested.value();
        let listed = chosen.iter().filter_map(|id| list?.get(*id));
        let found = listed.filter(|one| free(&one.id));
        (self.ids, self.numbers) = found.map(|one| (one.id, one.number.to_string())).unzip();
        self.held = chosen
            .iter()
            .find_map(|id| lock(shared, *id))
            .map(|held| held.why)
            .filter(|_| self.ids.is_empty());
        self.open = self.held.is_some() || !self.ids.is_empty();
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let Self {
            open,
            ids,
            numbers,
            held,
        } = self;
        let count = counted(ids.len(), "consignment", "consignments");
        let title = match (held.is_some(), numbers.as_slice()) {
            (true, _) => "This can't be deleted now".to_owned(),
            (false, [one]) => format!("Delete {one}"),
            (false, _) => format!("Delete {count}"),
        };
        Modal::new("deletion", &title).show(ui, open, |ui, open| {
            let p = palette(ui);
            if let Some(why) = held {
                ui.add(Label::new(text::body(why.as_str())).wrap());
                ui.add_space(6.0);
                if ui.add(Button::new("Close").min_width(80.0)).clicked() {
                    *open = false;
                }
                return;
            }
            let words = "Gone from the service and from this list, for everybody. No carrier was told of it";
            ui.add(Label::new(text::body(words).color(p.muted)).wrap());
            let mut named = numbers
                .iter()
                .take(NAMED)
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ");
            if numbers.len() > NAMED {
                named = format!("{named} and {} more", numbers.len() - NAMED);
            }
            ui.add(Label::new(text::mono(named)).wrap());
            environment::line(ui, context.shared.environment);
            ui.add_space(2.0);
            let words = format!("Hold to delete {count}");
            if HoldButton::new(&words).show(ui).completed {
                context.ask(DispatchCommand::Delete(std::mem::take(ids)));
                *open = false;
            }
            if ui.add(Button::new("Keep").min_width(80.0)).clicked() {
                *open = false;
            }
        });
    }
}
