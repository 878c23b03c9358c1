//! The one stream of events: outcomes of the engine, finished reads, commands of the clerk, and time.
//!
//! A turn handles them in this order, so that a command sees every outcome that was there before it.

use std::time::Duration;

use super::core::Core;
use crate::state::Command;
use engine::Outcome;

/// Something that changes the state of the program.
pub(super) enum Event {
    /// A step of background work, such as a change of an operation.
    Outcome(Outcome),
    /// A read has ended.
    Read(&'static Read),
    Command(Command),
    /// Time has passed: everything that is due is done.
    Timer,
}

/// A read in the background: how it is polled, and what happens when it has ended.
pub(super) struct Read {
    poll: fn(&mut Core) -> bool,
    ended: fn(&mut Core),
}

impl Core {
    /// Handles one event. `at` is a monotonic time.
    pub(super) fn handle(&mut self, event: Event, at: Duration) {
        match event {
            Event::Outcome(outcome) => self.apply_outcome(outcome),
            Event::Read(read) => (read.ended)(self),
            Event::Command(command) => self.run(command),
            Event::Timer => self.run_timers(at),
        }
    }

    /// Polls all reads, and handles finished reads.
    pub(super) fn handle_finished_reads(&mut self, at: Duration) {
        for read in READS {
            if (read.poll)(self) {
                self.handle(Event::Read(read), at);
            }
        }
        self.poll_setup();
    }
}

const fn read(poll: fn(&mut Core) -> bool, ended: fn(&mut Core)) -> Read {
    Read { poll, ended }
}

/// A read whose result is shown by the screens as it is.
const fn shown(poll: fn(&mut Core) -> bool) -> Read {
    Read {
        poll,
        ended: |_| {},
    }
}

/// All reads, in the order in which their results are handled.
static READS: &[Read] = &[
    read(
        |core| core.shared.catalogue.companies.poll(),
        Core::settle_company,
    ),
    read(
        |core| core.shared.catalogue.locations.poll(),
        Core::locations_came,
    ),
    read(
        |core| core.shared.catalogue.carrier_list.poll(),
        Core::carriers_came,
    ),
    read(
        |core| core.shared.catalogue.un_lookup.poll(),
        Core::un_numbers_came,
    ),
    shown(|core| core.shared.consign.live_prices.poll()),
    read(|core| core.shared.consign.routes.poll(), Core::routes_came),
    read(Core::poll_list, Core::list_came),
    read(|core| core.search.here.poll(), Core::here_came),
    read(|core| core.search.waiting.poll(), Core::waiting_came),
    read(|core| core.search.asked.poll(), Core::service_answered),
    read(|core| core.shared.dispatch.groups.poll(), Core::groups_came),
    read(
        |core| core.shared.dispatch.groups_view.manifests.poll(),
        Core::manifests_came,
    ),
    shown(|core| core.shared.dispatch.groups_view.manifest.poll()),
    read(
        |core| core.dispatch.saving_manifest.poll(),
        Core::saved_manifest,
    ),
    read(|core| core.consign.form.poll(), Core::form_came),
    read(
        |core| core.consign.conversions.poll(),
        Core::conversions_came,
    ),
    shown(|core| core.shared.operations.action_item.history.poll()),
    shown(|core| core.shared.operations.action_item.job_history.poll()),
    shown(|core| core.shared.operations.action_item.found.poll()),
    shown(|core| core.shared.labels.preview.poll()),
    shown(|core| core.shared.labels.service_printers.poll()),
    read(|core| core.labels.saving.poll(), Core::saved_labels),
    shown(|core| core.shared.labels.printers.poll()),
    shown(|core| core.shared.labels.test_label.poll()),
    read(|core| core.labels.polling.jobs.poll(), Core::jobs_polled),
    read(|core| core.labels.polling.acting.poll(), Core::acted),
    read(
        |core| core.consign.import.opening.poll(),
        Core::orders_opened,
    ),
    read(
        |core| core.consign.import.checking.poll(),
        Core::orders_checked,
    ),
    read(|core| core.consign.import.taking.poll(), Core::orders_taken),
    read(
        |core| core.consign.import.saving.poll(),
        Core::rejected_saved,
    ),
    read(
        |core| core.consign.import.template.poll(),
        Core::template_saved,
    ),
    read(|core| core.track.stored_mark.poll(), Core::stored_mark_came),
    read(|core| core.shared.track.sync.poll(), Core::sync_came),
    shown(|core| core.shared.track.board.poll()),
    read(|core| core.track.news.asked.poll(), Core::news_came),
    shown(|core| core.shared.track.list.poll()),
    read(|core| core.track.rows.poll_rows(), Core::rows_came),
    read(|core| core.track.rows.poll_copied(), Core::copied_rows_came),
    shown(|core| core.shared.track.page.history.poll()),
    shown(|core| core.shared.track.page.files.poll()),
    read(
        |core| core.shared.track.page.consignment.poll(),
        Core::page_came,
    ),
    shown(|core| core.shared.track.status_rows.poll()),
    read(
        |core| core.track.page.reading_back.poll(),
        Core::statuses_read_back,
    ),
    shown(|core| core.shared.track.page.shown.poll()),
    read(
        |core| core.track.jobs.files.result.poll(),
        Core::saved_files,
    ),
    read(|core| core.track.jobs.export.result.poll(), Core::exported),
    shown(|core| core.shared.track.exports.sheet.poll()),
    read(
        |core| core.track.jobs.day_sheet.result.poll(),
        Core::saved_day_sheet,
    ),
    shown(|core| core.shared.practice.drills.poll()),
];
