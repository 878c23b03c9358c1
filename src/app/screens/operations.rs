//! The Operations screen: operations and print jobs, and the decisions that they need.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::ScreenUpdate;
use crate::core::Core;
use crate::state::{OperationsCommand, Screen};
use engine::Request;
use update::OperationsUpdate;

impl ScreenUpdate for OperationsUpdate {
    type Command = OperationsCommand;

    /// Keeps the shown action item while it is open. Otherwise selects the first item in the list, which needs a
    /// person most urgently.
    fn open(core: &mut Core) {
        core.sort_action_items();
        let operations = &core.shared.operations;
        let items = &operations.action_items;
        let is_kept =
            { operations.action_item.of }.is_some_and(|item| items.open().contains(&item));
        if let Some(first) = items.all().first().copied().filter(|_| !is_kept) {
            core.select_action_item(first);
        }
    }

    fn run(core: &mut Core, command: OperationsCommand) {
        match command {
            OperationsCommand::Decide(id, decision) => {
                core.work.submit(Request::Decide(id, decision));
            }
            OperationsCommand::ShowBenches(is_shown) => core.show_benches(is_shown),
            OperationsCommand::AskAboutClaims(claims) => core.ask_about_claims(*claims),
            OperationsCommand::ReturnDraft { bench, id } => {
                core.operations.benches_due = None;
                core.work.submit(Request::ReturnDraft { bench, id });
            }
            OperationsCommand::ReleaseClaims(claims) => {
                core.shared.operations.benches.asked_for = None;
                core.work.submit(Request::ReleaseClaims(claims));
            }
            OperationsCommand::Select(item) => core.select_action_item(item),
            OperationsCommand::Show(item) => {
                core.shared.screen = Screen::Operations;
                core.select_action_item(item);
            }
        }
    }

    fn poll(core: &mut Core) {
        let shown = &mut core.shared.operations.action_item;
        shown.history.poll();
        shown.job_history.poll();
        shown.found.poll();
        let benches = &mut core.shared.operations.benches;
        benches.overview.poll();
        benches.asked.poll();
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.refresh_benches(at);
        core.tell_activity(at);
        if core.operations.have_items_changed {
            core.sort_action_items();
        }
    }

    fn next_due(&self) -> Option<Duration> {
        self.benches_due
    }
}
