//! Around the screens: company, theme, search, notices.

use super::core::Core;
use super::entry::settings_theme;
use crate::draft::{Draft, Scanned};
use crate::state::{ConsignCommand, FrameCommand, Screen, Waiting, WaitingList};

impl Core {
    pub(super) fn run_frame(&mut self, command: FrameCommand) {
        match command {
            FrameCommand::Find(text) => self.find(text.trim()),
            FrameCommand::AcknowledgeFind => {
                self.shared.not_found = None;
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
                self.shared.groups.clear();
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

    /// Opens what was scanned: a draft by its reference, or a consignment by any of its numbers, whole or by their
    /// beginning; names by any part.
    fn find(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.scanned_test_label(text) || self.counts_scan(text) {
            return;
        }
        let wanted = text.to_lowercase();
        if self.open_found(|draft| is_called(draft, &wanted)) {
            return;
        }
        let list = self.shared.unmanifested.value();
        let waiting = || list.into_iter().flat_map(WaitingList::iter);
        let found = waiting()
            .find(|one| one.numbers().any(|number| number.to_lowercase() == wanted))
            .or_else(|| waiting().find(|one| mentions(one, &wanted)));
        match found.map(|one| one.id) {
            Some(id) => {
                self.shared.found = Some(id);
                self.shared.not_found = None;
                self.shared.screen = Screen::Dispatch;
            }
            None if self.open_found(|draft| is_like(draft, &wanted)) => {}
            None => self.shared.not_found = Some(text.to_owned()),
        }
    }

    /// While goods are typed, a SKU that is known counts a line up or adds one.
    fn counts_scan(&mut self, text: &str) -> bool {
        if self.shared.screen != Screen::Consign || self.editing.sending {
            return false;
        }
        let scanned = self.editing.draft.scan(text, &self.shared.items);
        match scanned {
            Scanned::Unknown => return false,
            Scanned::NoCount(line) => self.shared.not_counted = Some((text.to_owned(), line)),
            Scanned::CountedUp(_) | Scanned::Added(_) => {}
        }
        self.shared.not_found = None;
        true
    }

    /// Opens the first draft that it is; what is being sent keeps the form until its end is known.
    fn open_found(&mut self, is_it: impl Fn(&Draft) -> bool) -> bool {
        let is_open = is_it(&self.editing.draft);
        let found = self.shared.drafts.iter().find(|draft| is_it(draft));
        let found = found.map(|draft| draft.id.clone());
        if !is_open && let Some(id) = &found {
            self.run_consign(ConsignCommand::OpenDraft(id.clone()));
        }
        let shown = is_open || found.is_some();
        if shown {
            self.shared.not_found = None;
            self.shared.screen = Screen::Consign;
        }
        shown
    }
}

/// By one of its names: references, receiver, its number at the service, the number of what it changes.
fn is_called(draft: &Draft, wanted: &str) -> bool {
    names(draft).any(|name| name.trim().to_lowercase() == wanted)
}

/// By the beginning of a name, or a part of the receiver's.
fn is_like(draft: &Draft, wanted: &str) -> bool {
    draft.to.title().to_lowercase().contains(wanted)
        || names(draft).any(|name| name.to_lowercase().starts_with(wanted))
}

fn names(draft: &Draft) -> impl Iterator<Item = &str> {
    [
        draft.reference1.as_str(),
        draft.reference2.as_str(),
        draft.to.title(),
        draft.pending.as_ref().map_or("", |pending| &pending.number),
        draft.edits.as_ref().map_or("", |edited| &edited.number),
    ]
    .into_iter()
    .filter(|name| !name.is_empty())
}

fn mentions(one: &Waiting, wanted: &str) -> bool {
    one.to.to_lowercase().contains(wanted)
        || one
            .numbers()
            .any(|number| number.to_lowercase().starts_with(wanted))
}
