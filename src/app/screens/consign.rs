//! The Consign screen: what the clerk types for a consignment, and the drafts, prices, presets and imports around it.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::{ScreenUpdate, poll_reads};
use crate::core::Core;
use crate::state::ConsignCommand;
use update::ConsignUpdate;

impl ScreenUpdate for ConsignUpdate {
    type Command = ConsignCommand;

    fn open(_core: &mut Core) {}

    fn run(core: &mut Core, command: ConsignCommand) {
        core.run_consign(command);
    }

    fn poll(core: &mut Core) {
        core.shared.consign.live_prices.poll();
        core.shared.consign.last_orders.poll();
        poll_reads! { core:
            shared.consign.routes => routes_came,
            consign.form => form_came,
            consign.conversions => conversions_came,
            consign.taking => draft_taken,
            consign.import.opening => orders_opened,
            consign.import.checking => orders_checked,
            consign.import.taking => orders_taken,
            consign.import.saving => rejected_saved,
            consign.import.template => template_saved,
        }
    }

    fn run_timers(core: &mut Core, at: Duration) {
        core.send_next();
        core.watch_choice();
        core.follow_receiver();
        core.watch_typing(at);
        core.save_and_fetch_prices(at);
    }

    /// Returns the time of the next automatic save or price request, whichever comes first.
    fn next_due(&self) -> Option<Duration> {
        [self.save_due, self.routes_due].into_iter().flatten().min()
    }
}
