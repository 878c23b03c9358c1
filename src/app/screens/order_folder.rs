//! The Orders screen: the files that came into the watched folder, and the orders that wait.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::{ScreenUpdate, poll_reads};
use crate::core::Core;
use crate::state::OrderFolderCommand;
use update::OrderFolderUpdate;

impl ScreenUpdate for OrderFolderUpdate {
    type Command = OrderFolderCommand;

    fn open(core: &mut Core) {
        core.look_into_folder();
    }

    fn run(core: &mut Core, command: OrderFolderCommand) {
        match command {
            OrderFolderCommand::LookNow => core.look_into_folder(),
            OrderFolderCommand::SendReady => core.send_ready_orders(),
            OrderFolderCommand::ResumeSending => core.shared.order_folder.is_paused = false,
            OrderFolderCommand::Retry(name) => core.retry_folder_file(name),
        }
    }

    fn poll(core: &mut Core) {
        poll_reads! { core:
            order_folder.round => folder_round_done,
            order_folder.results => results_written,
            order_folder.retry => folder_file_retried,
        }
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.watch_order_folder(at);
    }

    fn next_due(&self) -> Option<Duration> {
        OrderFolderUpdate::next_due(self)
    }
}
