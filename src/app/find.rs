//! The search box and scans: whatever was typed or scanned is opened, wherever it is.
//!
//! What always holds: what goes by the whole of it comes before what only holds it; the bench is looked through before the
//! service is asked, and that is said; a number is found among 100,000 without a look at each, and names in a long list are
//! looked for behind the screen. What is found nowhere is said until that is acknowledged. What was scanned last is what counts.

mod follow;

use super::core::Core;
use crate::draft::{Draft, Scanned};
use crate::shipping::ConsignmentId;
use crate::state::{ConsignCommand, Screen};
use crate::work::{AtService, Here, Remote, Wanted};

/// A list up to this long is looked through at once.
const AT_ONCE: usize = 2_000;

/// A search that is under way.
#[derive(Default)]
pub(super) struct Finding {
    text: String,
    /// What is followed and goes by it, or is like it.
    here: Remote<Here>,
    /// What waits for a manifest and is like it.
    waiting: Remote<Option<ConsignmentId>>,
    /// What the service has.
    asked: Remote<AtService>,
}

impl Core {
    /// Opens what was scanned: a draft by its reference, or a consignment by any of its numbers, whole or by their
    /// beginning; names by any part.
    pub(super) fn find(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        // What is looked for still is not what is wanted now.
        self.finding = Finding::default();
        self.shared.asking = None;
        if self.scanned_test_label(text) || self.counts_scan(text) {
            return;
        }
        let wanted = text.to_lowercase();
        if self.open_found(|draft| is_called(draft, &wanted)) {
            return;
        }
        let list = self.shared.unmanifested.value();
        if let Some(one) = list.and_then(|list| list.called(text)) {
            let id = one.id;
            return self.show_found(id);
        }
        text.clone_into(&mut self.finding.text);
        let wanted = self.wanted(text);
        let here = self.work.reads().followed_as(wanted);
        self.finding.here.start(here);
    }

    /// What a text may be.
    fn wanted(&self, text: &str) -> Wanted {
        let token = self.shared.tracking.token(text);
        Wanted {
            text: token.unwrap_or(text).to_owned(),
            is_token: token.is_some(),
        }
    }

    pub(super) fn poll_finding(&mut self) {
        if self.finding.here.poll() {
            self.here_came();
        }
        if self.finding.waiting.poll() {
            let found = self.finding.waiting.value().copied().flatten();
            self.waiting_came(found);
        }
        if self.finding.asked.poll() {
            self.service_answered();
        }
    }

    /// The store was looked through. Only what goes by the whole of it comes before what waits here and is like it.
    fn here_came(&mut self) {
        let called = self.finding.here.value().map(|here| here.called.clone());
        if let Some(called) = called.filter(|called| !called.is_empty()) {
            return self.show_followed(&called);
        }
        let wanted = self.finding.text.to_lowercase();
        match self.shared.unmanifested.value() {
            Some(list) if list.len() > AT_ONCE => {
                let fetch = self.work.reads().like(list.clone(), wanted);
                self.finding.waiting.start(fetch);
            }
            list => {
                let found = list.and_then(|list| list.like(&wanted)).map(|one| one.id);
                self.waiting_came(found);
            }
        }
    }

    fn waiting_came(&mut self, found: Option<ConsignmentId>) {
        if let Some(id) = found {
            self.finding = Finding::default();
            return self.show_found(id);
        }
        let wanted = self.finding.text.to_lowercase();
        if self.open_found(|draft| is_like(draft, &wanted)) {
            self.finding = Finding::default();
            return;
        }
        let alike = self.finding.here.value().map(|here| here.alike.clone());
        match alike.filter(|alike| !alike.is_empty()) {
            Some(alike) => self.show_followed(&alike),
            None => self.ask_service_for_found(),
        }
    }

    /// Has Dispatch put it in sight, also where it was what was found before.
    pub(super) fn reveal(&mut self, id: ConsignmentId) {
        let before = self.shared.found.map_or(0, |(count, _)| count);
        self.shared.found = Some((before + 1, id));
    }

    fn show_found(&mut self, id: ConsignmentId) {
        self.reveal(id);
        self.shared.not_found = None;
        self.shared.screen = Screen::Dispatch;
    }

    /// While goods are typed, a SKU that is known counts a line up or adds one.
    fn counts_scan(&mut self, text: &str) -> bool {
        if self.shared.screen != Screen::Consign {
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

    /// Opens the first draft that it is.
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
