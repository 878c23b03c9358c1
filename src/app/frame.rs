//! Around the screens: company, theme, search, notices.

use super::core::Core;
use super::entry::settings_theme;
use crate::draft::Scanned;
use crate::shipping::Consignment;
use crate::state::{ConsignCommand, FrameCommand, Screen};

impl Core {
    pub(super) fn run_frame(&mut self, command: FrameCommand) {
        match command {
            FrameCommand::Find(text) => self.find(text.trim()),
            FrameCommand::AcknowledgeFind => self.shared.not_found = None,
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
        if self.counts_scan(text) {
            return;
        }
        let wanted = text.to_lowercase();
        let draft = self
            .shared
            .drafts
            .iter()
            .find(|draft| draft.reference1.trim().to_lowercase() == wanted);
        if let Some(id) = draft.map(|draft| draft.id.clone()) {
            self.run_consign(ConsignCommand::OpenDraft(id));
            self.shared.screen = Screen::Consign;
            return;
        }
        let consignments = self
            .shared
            .unmanifested
            .value()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let found = consignments
            .iter()
            .find(|consignment| numbers(consignment).any(|number| number.to_lowercase() == wanted))
            .or_else(|| {
                consignments
                    .iter()
                    .find(|consignment| mentions(consignment, &wanted))
            });
        match found.map(|consignment| consignment.id) {
            Some(id) => {
                self.shared.found = Some(id);
                self.shared.not_found = None;
                self.shared.screen = Screen::Dispatch;
            }
            None => self.shared.not_found = Some(text.to_owned()),
        }
    }

    /// While goods are typed, a SKU that is known counts a line up or adds one.
    fn counts_scan(&mut self, text: &str) -> bool {
        if self.shared.screen != Screen::Consign || self.editing.sending {
            return false;
        }
        let scanned = self.editing.draft.scan(text, &self.shared.items);
        if scanned == Scanned::Unknown {
            return false;
        }
        self.shared.not_found = None;
        true
    }
}

fn numbers(consignment: &Consignment) -> impl Iterator<Item = &str> {
    [
        Some(consignment.consignment_number.as_str()),
        consignment.customer_reference.as_deref(),
        consignment.customer_reference2.as_deref(),
        consignment.carrier_consignment_id.as_deref(),
        consignment.tracking_page_access_token.as_deref(),
    ]
    .into_iter()
    .flatten()
}

fn mentions(consignment: &Consignment, wanted: &str) -> bool {
    let name = consignment
        .to_name
        .as_deref()
        .unwrap_or_default()
        .to_lowercase();
    name.contains(wanted)
        || numbers(consignment).any(|number| number.to_lowercase().starts_with(wanted))
}
