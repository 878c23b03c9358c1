//! Undo and redo for the goods.
//!
//! A step stores one run of lines before and after, so that its size depends on the change and not on the
//! number of lines. All typing in one cell is one step. Changes are found by comparing the goods, so changes
//! made by a scan or a preset can be undone, too.

use std::collections::VecDeque;

use egui::Id;
use jiff::Timestamp;

use draft::GoodsLine;

/// Maximum number of steps that can be undone.
const MOST: usize = 200;

/// The goods as they were last seen, and the steps that led there.
#[derive(Debug, Default)]
pub(super) struct History {
    seen: Option<Vec<GoodsLine>>,
    past: VecDeque<Step>,
    future: Vec<Step>,
    /// The deletion on Dispatch that can be undone now, identified by the time at which it will be sent.
    deletion: Option<Timestamp>,
}

#[derive(Debug)]
struct Step {
    /// The first line that the step changed.
    at: usize,
    before: Vec<GoodsLine>,
    after: Vec<GoodsLine>,
    /// The cell that was typed into, if the step was typed.
    cell: Option<Id>,
    /// The deletion on Dispatch that could be undone when the step was made. The step is
    /// newer than that deletion.
    deletion: Option<Timestamp>,
}

/// The result of undoing or redoing a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Undone {
    /// The first line that the step changed.
    pub(super) line: usize,
    /// The cell that was typed into, if the step was typed.
    pub(super) cell: Option<Id>,
    /// True if the step changed one line and left it in its place.
    pub(super) in_place: bool,
}

impl History {
    /// Records the deletion on Dispatch that can be undone now, for the steps that follow.
    pub(super) fn note_deletion(&mut self, sent_at: Option<Timestamp>) {
        self.deletion = sent_at;
    }

    /// Returns true if the newest step is newer than the deletion that can be undone.
    pub(super) fn is_newer_than_deletion(&self) -> bool {
        let newest = self.past.back().and_then(|step| step.deletion);
        newest.is_some() && newest == self.deletion
    }

    /// Compares the goods with the last call and records a step if they changed; `cell` has the focus.
    /// Returns the first line that changed.
    pub(super) fn record_changes(
        &mut self,
        goods: &[GoodsLine],
        cell: Option<Id>,
    ) -> Option<usize> {
        let Some(seen) = &mut self.seen else {
            self.seen = Some(goods.to_vec());
            return None;
        };
        if seen == goods {
            return None;
        }
        let step = Step {
            deletion: self.deletion,
            ..Step::between(seen, goods, cell)
        };
        let at = step.at;
        seen.splice(at..at + step.before.len(), step.after.iter().cloned());
        self.future.clear();
        match self.past.back_mut() {
            Some(last) if last.is_continued_by(&step) => {
                last.after = step.after;
                last.deletion = step.deletion;
            }
            _ => self.past.push_back(step),
        }
        self.past.pop_back_if(Step::is_none);
        if self.past.len() > MOST {
            self.past.pop_front();
        }
        Some(at)
    }

    /// Adds automatic changes to the last step that changed the line. As steps of their own they could not be
    /// undone, because the program would make them again at once.
    pub(super) fn merge_into_last(&mut self, goods: &[GoodsLine]) {
        let Some(seen) = self.seen.as_mut().filter(|seen| seen.len() == goods.len()) else {
            return;
        };
        for (at, (seen, now)) in seen.iter_mut().zip(goods).enumerate() {
            if seen == now {
                continue;
            }
            seen.clone_from(now);
            if let Some(last) = self.past.back_mut()
                && let Some(after) = at.checked_sub(last.at)
                && let Some(line) = last.after.get_mut(after)
            {
                line.clone_from(now);
            }
        }
        self.past.pop_back_if(Step::is_none);
    }

    /// Undoes the last step; with `again`, redoes the step that was undone last.
    pub(super) fn undo(&mut self, goods: &mut Vec<GoodsLine>, again: bool) -> Option<Undone> {
        self.record_changes(goods, None);
        let step = if again {
            self.future.pop()?
        } else {
            self.past.pop_back()?
        };
        let (old, new) = if again {
            (&step.before, &step.after)
        } else {
            (&step.after, &step.before)
        };
        goods.splice(step.at..step.at + old.len(), new.iter().cloned());
        self.seen = Some(goods.clone());
        let undone = Undone {
            line: step.at.min(goods.len().saturating_sub(1)),
            cell: step.cell,
            in_place: old.len() == 1 && new.len() == 1,
        };
        if again {
            self.past.push_back(step);
        } else {
            self.future.push(step);
        }
        Some(undone)
    }
}

impl Step {
    fn between(before: &[GoodsLine], after: &[GoodsLine], cell: Option<Id>) -> Self {
        let same = |(one, other): &(&GoodsLine, &GoodsLine)| one == other;
        let head = before.iter().zip(after).take_while(same).count();
        let (before, after) = (&before[head..], &after[head..]);
        let tail = before.iter().rev().zip(after.iter().rev());
        let tail = tail.take_while(same).count();
        Self {
            at: head,
            before: before[..before.len() - tail].to_vec(),
            after: after[..after.len() - tail].to_vec(),
            cell,
            deletion: None,
        }
    }

    /// Returns true if nothing is left of the step, because its changes were undone by hand. Takes `&mut self` because
    /// [`VecDeque::pop_back_if`] passes a mutable reference.
    fn is_none(&mut self) -> bool {
        self.before == self.after
    }

    /// Returns true if `next` continues this step: it was typed into the same cell of the same line.
    fn is_continued_by(&self, next: &Self) -> bool {
        let one_line = [&self.before, &self.after, &next.before, &next.after]
            .iter()
            .all(|lines| lines.len() == 1);
        one_line && self.at == next.at && self.cell.is_some() && self.cell == next.cell
    }
}
