//! Around the screens: company, theme, search, notices.

use super::core::Core;
use super::entry::settings_theme;
use crate::state::FrameCommand;

impl Core {
    pub(super) fn run_frame(&mut self, command: FrameCommand) {
        match command {
            FrameCommand::Find(text) => self.find(text.trim()),
            FrameCommand::AcknowledgeFind => {
                self.shared.not_found = None;
                self.shared.not_asked.clear();
                self.shared.not_counted = None;
            }
            FrameCommand::PickCompany(company) => self.pick_company(company),
            FrameCommand::PickTheme(theme) => {
                self.shared.theme = theme;
                self.setup.settings.theme = settings_theme(theme);
                self.setup.write();
            }
            FrameCommand::Dismiss(id) => self.shared.notices.retain(|(notice, _)| *notice != id),
            FrameCommand::Reconnect => self.reconnect(),
        }
    }
}
