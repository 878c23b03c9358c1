//! The Settings screen: connections, the bench and the appearance.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use super::ScreenUpdate;
use crate::core::Core;
use crate::state::SettingsCommand;
use update::SettingsUpdate;

impl ScreenUpdate for SettingsUpdate {
    type Command = SettingsCommand;

    fn open(core: &mut Core) {
        core.setup.find_token_places();
    }

    fn run(core: &mut Core, command: SettingsCommand) {
        if let SettingsCommand::PickSender(sender) = command {
            return core.pick_sender(sender);
        }
        if command == SettingsCommand::TestScale {
            return core.test_scale();
        }
        let is_of_bench = matches!(command, SettingsCommand::SetBench(_));
        if let Some(next) = core.setup.run(command, &mut core.shared) {
            core.handle_service_request(next);
        }
        if is_of_bench {
            let bench = &core.setup.settings.bench;
            core.work.rename(&bench.name, &bench.staff);
        }
    }

    fn poll(core: &mut Core) {
        if let Some(next) = core.setup.poll(&mut core.shared) {
            core.handle_service_request(next);
        }
    }

    fn run_timers(_core: &mut Core, _at: Duration) {}

    fn next_due(&self) -> Option<Duration> {
        None
    }
}
