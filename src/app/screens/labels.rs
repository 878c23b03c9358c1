//! The Labels screen: labels and printers.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::{ScreenUpdate, poll_reads};
use crate::core::Core;
use crate::state::LabelsCommand;
use update::LabelsUpdate;

impl ScreenUpdate for LabelsUpdate {
    type Command = LabelsCommand;

    fn open(core: &mut Core) {
        core.open_labels_screen();
    }

    fn run(core: &mut Core, command: LabelsCommand) {
        core.run_labels(command);
    }

    fn poll(core: &mut Core) {
        let labels = &mut core.shared.labels;
        labels.preview.poll();
        labels.service_printers.poll();
        labels.printers.poll();
        labels.test_label.poll();
        labels.file.poll();
        labels.found.poll();
        poll_reads! { core:
            labels.polling.jobs => jobs_polled,
            labels.polling.acting => acted,
        }
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.watch_printers(at);
    }

    fn next_due(&self) -> Option<Duration> {
        self.polling.due
    }
}
