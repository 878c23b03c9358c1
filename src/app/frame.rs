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
            FrameCommand::PickCompany(company) => {
                self.shared.company = Some(company);
                if !self.editing.sending {
                    self.editing.draft.company = Some(company);
                }
                self.setup.settings.set_company(company);
                self.setup.write();
                self.setup.show(&mut self.shared.setup);
                self.clear_groups();
                self.refresh_unmanifested();
            }
            FrameCommand::PickTheme(theme) => {
                self.shared.theme = theme;
                self.setup.settings.theme = settings_theme(theme);
                self.setup.write();
            }
            FrameCommand::Dismiss(id) => self.shared.notices.retain(|(notice, _)| *notice != id),
            FrameCommand::Reconnect => self.reconnect(),
        }
    }

    pub(super) fn fetch_companies(&mut self) {
        let reads = self.work.reads();
        self.shared.companies.start(reads.companies());
        self.shared.locations.start(reads.locations());
    }

    /// The bench works for the company that it was told, else for the first.
    pub(super) fn companies_came(&mut self) {
        let Some(companies) = self.shared.companies.value() else {
            return;
        };
        let known = self
            .shared
            .company
            .is_some_and(|id| companies.iter().any(|company| company.id == id));
        if !known && let Some(first) = companies.first() {
            let untouched = self.editing.draft == self.baseline;
            self.shared.company = Some(first.id);
            self.editing.draft.company = Some(first.id);
            if untouched {
                // Set by us, not typed: nothing to save.
                self.baseline = self.editing.draft.clone();
                self.editing.notice_change();
            }
            self.refresh_unmanifested();
        }
    }
}
