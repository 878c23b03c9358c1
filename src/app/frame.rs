//! Runs the commands of the frame around the screens (company, theme, search), and retires old notices.

use std::time::Duration;

use super::core::Core;
use super::launcher::settings_theme;
use crate::state::{NoticeId, Tone, WindowCommand};

/// How long a confirmation stays on the screen.
const CONFIRMED_FOR: Duration = Duration::from_secs(8);
/// Maximum number of past notices that are kept.
const MOST_PAST: usize = 50;

/// Confirmations on the screen, each with the time when it disappears.
pub(super) type ExpiringNotices = Vec<(NoticeId, Duration)>;

impl Core {
    /// Retires confirmations after a few seconds. Other notices stay until the clerk dismisses them.
    pub(super) fn watch_notices(&mut self, at: Duration) {
        let shown = &self.shared.notices.shown;
        let is_shown = |id: NoticeId| shown.iter().any(|(shown, _)| *shown == id);
        self.leaving_notices.retain(|(id, _)| is_shown(*id));
        for (id, notice) in shown {
            let known = self.leaving_notices.iter().any(|(known, _)| known == id);
            if notice.tone == Tone::Good && !known {
                self.leaving_notices.push((*id, at + CONFIRMED_FOR));
            }
        }
        for (id, due) in self.leaving_notices.clone() {
            if due <= at {
                self.retire_notice(id);
            }
        }
    }

    /// Returns when the next confirmation disappears.
    pub(super) fn next_leaving(&self) -> Option<Duration> {
        self.leaving_notices.iter().map(|(_, due)| *due).min()
    }

    /// Moves a notice to the past notices.
    fn retire_notice(&mut self, id: NoticeId) {
        self.leaving_notices.retain(|(leaving, _)| *leaving != id);
        let shared = &mut self.shared;
        if let Some(at) = shared
            .notices
            .shown
            .iter()
            .position(|(shown, _)| *shown == id)
        {
            shared.notices.past.push(shared.notices.remove(at));
            let over = shared.notices.past.len().saturating_sub(MOST_PAST);
            shared.notices.past.drain(..over);
        }
    }

    pub(super) fn run_frame(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::Find(text) => self.find(text.trim()),
            WindowCommand::AcknowledgeFind => {
                self.shared.search.not_found = None;
                self.shared.search.failures.clear();
                self.shared.consign.not_counted = None;
            }
            WindowCommand::PickCompany(company) => self.pick_company(company),
            WindowCommand::PickTheme(theme) => {
                self.shared.theme = theme;
                self.setup.settings.theme = settings_theme(theme);
                self.setup.write();
            }
            WindowCommand::Dismiss(id) => self.retire_notice(id),
            WindowCommand::Reconnect => self.reconnect(),
        }
    }
}
