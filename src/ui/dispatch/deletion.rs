//! Deleting consignments at the service: a few can be brought back for some seconds, for many it is asked before, too.

use egui::{Label, Ui};

use super::super::Context;
use super::super::actions::Action;
use super::super::environment;
use super::super::kit::button::Button;
use super::super::kit::hold::HoldButton;
use super::super::kit::modal::Modal;
use super::super::kit::notice::NoticeBar;
use super::super::kit::text;
use super::super::kit::tokens::{Tone, palette};
use super::super::operations::words::lock;
use super::super::words::counted;
use crate::shipping::ConsignmentId;
use crate::state::{DispatchCommand, Shared};

/// So many are deleted without a question: the bar by which they are brought back is enough.
const UNASKED: usize = 10;
/// How high the bar is by which they are brought back.
const BAR: f32 = 58.0;
/// How many numbers are named.
const NAMED: usize = 24;

/// The question, and what it is about.
#[derive(Default)]
pub(super) struct State {
    open: bool,
    ids: Vec<ConsignmentId>,
    numbers: Vec<String>,
    /// Of these numbers the last so many are of rows that the filter hides.
    hidden: usize,
    /// Why none of them can be deleted.
    held: Option<String>,
}

impl State {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Deletes those that nothing holds, or asks before: where they are many, or some are not seen. Where all are held, says
    /// by what. The `hidden` ones are the last of the chosen.
    pub(super) fn begin(
        &mut self,
        context: &mut Context<'_>,
        chosen: &[ConsignmentId],
        hidden: &[ConsignmentId],
    ) {
        let shared = context.shared;
        if chosen.is_empty() {
            return;
        }
        let free = |id: &ConsignmentId| !shared.locked.contains_key(id);
        let list = shared.unmanifested.value();
        let listed = chosen.iter().filter_map(|id| list?.get(*id));
        let found = listed.filter(|one| free(&one.id));
        (self.ids, self.numbers) = found.map(|one| (one.id, one.number.to_string())).unzip();
        let hidden = hidden.iter().filter_map(|id| list?.get(*id));
        self.hidden = hidden.filter(|one| free(&one.id)).count();
        self.held = chosen
            .iter()
            .find_map(|id| lock(shared, *id))
            .map(|held| held.why)
            .filter(|_| self.ids.is_empty());
        self.open = self.held.is_some() || self.ids.len() > UNASKED || self.hidden > 0;
        if !self.open {
            context.ask(DispatchCommand::Delete(std::mem::take(&mut self.ids)));
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let Self {
            open,
            ids,
            numbers,
            hidden,
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
            let (shown, unseen) = numbers.split_at(numbers.len() - *hidden);
            if !shown.is_empty() {
                ui.add(Label::new(text::mono(named(shown))).wrap());
            }
            if !unseen.is_empty() {
                ui.label(text::body("Hidden by the filter:").color(p.muted));
                ui.add(Label::new(text::mono(named(unseen))).wrap());
            }
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

/// The first of these numbers, and how many more they are.
fn named(numbers: &[String]) -> String {
    let (named, rest) = numbers.split_at(numbers.len().min(NAMED));
    let named = named.join(", ");
    match rest.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// How much room the bar takes, in points.
pub(super) fn bar_height(shared: &Shared) -> f32 {
    if shared.deleting.is_some() { BAR } else { 0.0 }
}

/// While consignments are about to be deleted: how many, how soon, and the way back.
pub(super) fn bar(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(deleting) = &context.shared.deleting else {
        return;
    };
    let left = deleting.at.duration_since(context.shared.now);
    let seconds = (left.as_millis().max(0) + 999) / 1_000;
    let number = |id: &ConsignmentId| {
        let list = context.shared.unmanifested.value();
        let listed = list.and_then(|list| list.get(*id));
        listed.map_or_else(|| format!("MS{id}"), |one| one.number.to_string())
    };
    let what = match deleting.ids.as_slice() {
        [one] => number(one),
        ids => counted(ids.len(), "consignment", "consignments"),
    };
    let words = format!("Deleting {what} in {seconds} s");
    let undo = format!("Undo ({})", Action::UndoDelete.key());
    let acted = egui::Frame::new()
        .inner_margin(egui::Margin {
            left: 8,
            right: 8,
            top: 6,
            bottom: 6,
        })
        .show(ui, |ui| {
            let bar = NoticeBar::new(Tone::Warning, &words).action(&undo);
            bar.show(ui).acted
        })
        .inner;
    if acted {
        context.ask(DispatchCommand::UndoDelete);
    }
    // The figure counts down.
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(500));
}
