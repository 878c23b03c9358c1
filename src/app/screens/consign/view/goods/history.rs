//! Undo and redo for the goods.
//!
//! A step keeps the goods from before the step. Steps share the lines that did not change. All typing in one cell is
//! one step. Changes are found by comparing the goods, so changes made by a scan or a preset can be undone, too.

use std::collections::VecDeque;
use std::sync::Arc;

use egui::Id;
use jiff::Timestamp;

use draft::GoodsLine;

/// Maximum number of steps that can be undone.
const MOST: usize = 200;

type Lines = Vec<Arc<GoodsLine>>;

/// The last recorded goods, and the steps that led to these goods.
#[derive(Debug, Default)]
pub(super) struct History {
    seen: Option<Lines>,
    past: VecDeque<Step>,
    future: Vec<Step>,
    /// The deletion on Dispatch that can be undone now, identified by the time at which it will be sent.
    deletion: Option<Timestamp>,
}

#[derive(Debug)]
struct Step {
    /// The goods before the step. If the step was undone, the goods after the step.
    goods: Lines,
    undone: Undone,
    /// The deletion on Dispatch that could be undone when the step was made. The step is
    /// newer than that deletion.
    deletion: Option<Timestamp>,
}

/// The result of undoing or redoing a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Undone {
    /// The first line that the step changed.
    pub(super) line: usize,
    /// The cell that was typed into, if the step was made by typing.
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

    /// Compares the goods with the goods of the last call and records a step if they changed; `cell` has the focus.
    /// Returns the first line that changed.
    pub(super) fn record_changes(
        &mut self,
        goods: &[GoodsLine],
        cell: Option<Id>,
    ) -> Option<usize> {
        let changed = self.changed_lines(goods);
        if self.seen.is_some() && changed.is_empty() {
            return None;
        }
        let before = self.see(goods)?;
        let line = *changed.first()?;
        let undone = Undone {
            line,
            cell,
            in_place: changed.len() == 1 && before.len() == goods.len(),
        };
        self.future.clear();
        let deletion = self.deletion;
        match self.past.back_mut() {
            // Typing continues in the same cell of the same line, so no new step is recorded.
            Some(last) if undone.in_place && cell.is_some() && last.undone == undone => {
                last.deletion = deletion;
            }
            _ => self.past.push_back(Step {
                goods: before,
                undone,
                deletion,
            }),
        }
        self.drop_empty_step();
        if self.past.len() > MOST {
            self.past.pop_front();
        }
        Some(line)
    }

    /// Makes automatic changes a part of the last step. As separate steps, these changes could not be undone, because
    /// the program would make them again at once.
    pub(super) fn merge_into_last(&mut self, goods: &[GoodsLine]) {
        if self.see(goods).is_some() {
            self.drop_empty_step();
        }
    }

    /// Undoes the last step; with `again`, redoes the step that was undone last.
    pub(super) fn undo(&mut self, goods: &mut Vec<GoodsLine>, again: bool) -> Option<Undone> {
        self.record_changes(goods, None);
        let step = if again {
            self.future.pop()?
        } else {
            self.past.pop_back()?
        };
        *goods = step.goods.iter().map(|line| (**line).clone()).collect();
        let other = Step {
            goods: self.seen.replace(step.goods).unwrap_or_default(),
            ..step
        };
        if again {
            self.past.push_back(other);
        } else {
            self.future.push(other);
        }
        Some(Undone {
            line: step.undone.line.min(goods.len().saturating_sub(1)),
            ..step.undone
        })
    }

    /// Returns the indices of lines that are new, removed, or different from the last recorded version.
    fn changed_lines(&self, goods: &[GoodsLine]) -> Vec<usize> {
        let seen = self.seen.as_deref().unwrap_or_default();
        let most = seen.len().max(goods.len());
        let is_changed = |at: &usize| seen.get(*at).map(|line| &**line) != goods.get(*at);
        (0..most).filter(is_changed).collect()
    }

    /// Stores the goods as the last recorded version and returns the version before, if there is one. Unchanged
    /// lines are shared between the two versions.
    fn see(&mut self, goods: &[GoodsLine]) -> Option<Lines> {
        let seen = self.seen.as_deref().unwrap_or_default();
        let lines = goods.iter().enumerate().map(|(at, line)| {
            let same = seen.get(at).filter(|seen| ***seen == *line);
            same.map_or_else(|| Arc::new(line.clone()), Arc::clone)
        });
        let lines = lines.collect();
        self.seen.replace(lines)
    }

    /// Drops the last step if the clerk has undone all of its changes by typing.
    fn drop_empty_step(&mut self) {
        let seen = self.seen.as_ref();
        self.past.pop_back_if(|last| Some(&last.goods) == seen);
    }
}
