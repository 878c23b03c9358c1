//! The search box and scans: opens the draft or consignment that a typed or scanned text names, or searches for it at
//! the service.
//!
//! Exact matches are preferred to partial matches. The service is asked only if nothing on the bench matches.

use std::sync::Arc;

use super::core::Core;
use crate::sounds::ScanSound;
use crate::state::{ConsignCommand, ConsignmentRow, Notice, Screen, Tone, TrackCommand};
use devices::gs1::{ApplicationIdentifier, Element, parse_gs1, without_symbology};
use draft::{Draft, ScanOutcome};
use engine::{EngineError, LocalMatches, Remote, SearchTerm, ServiceMatches};
use shipping::ConsignmentId;

/// Headline of the notice that some of the search requests to the service failed.
const NOT_BY_ALL: &str = "The search at the service is incomplete";

/// The most pieces that one GS1 barcode counts.
const MOST_COUNTED: u32 = 1_000;

/// Returns the number in a GS1 barcode that names a consignment or an order, or else the number of the goods.
pub(crate) fn searched_number(elements: &[Element]) -> Option<&str> {
    use ApplicationIdentifier::{
        Consignment, ContainedGtin, CustomerOrder, Gtin, Serial, Shipment, Sscc,
    };
    let wanted = [
        Consignment,
        Shipment,
        CustomerOrder,
        Sscc,
        Serial,
        Gtin,
        ContainedGtin,
    ];
    let mut wanted = wanted.into_iter();
    wanted.find_map(|wanted| value_of(elements, wanted))
}

/// Returns the number of the goods in a GS1 barcode.
pub(crate) fn scanned_gtin(elements: &[Element]) -> Option<&str> {
    let gtin = value_of(elements, ApplicationIdentifier::Gtin);
    gtin.or_else(|| value_of(elements, ApplicationIdentifier::ContainedGtin))
}

fn value_of(elements: &[Element], wanted: ApplicationIdentifier) -> Option<&str> {
    let mut elements = elements.iter();
    let found = elements.find(|element| element.identifier == wanted);
    found.map(|element| element.value.as_str())
}

/// The search in progress.
#[derive(Default)]
pub(super) struct Search {
    text: String,
    /// The number in a GS1 barcode, which is searched if the whole barcode names nothing.
    number: Option<String>,
    /// Tracked consignments that match, exactly or in part.
    pub(super) here: Remote<LocalMatches>,
    /// Consignments that the service found for the text.
    pub(super) asked: Remote<ServiceMatches>,
}

impl Core {
    /// Opens the result for a scanned or typed text: a draft by its reference, or a consignment by any of its
    /// numbers, in full or by its beginning. A receiver's name matches by any part.
    pub(super) fn find(&mut self, text: &str) {
        let text = without_symbology(text);
        if text.is_empty() {
            return;
        }
        // A new search replaces the one in progress.
        self.search = Search::default();
        self.shared.search.searching_for = None;
        let elements = match parse_gs1(text) {
            Ok(elements) => elements.unwrap_or_default(),
            Err(error) => {
                let headline = "This GS1 barcode can't be used";
                self.sound(ScanSound::NotFound);
                return self.notify(Notice::new(Tone::Warning, headline, error.to_string()));
            }
        };
        if self.scanned_test_label(text) {
            return;
        }
        let is_counted = if self.is_packing() {
            self.pack_scan(text, &elements)
        } else {
            self.scan_item(&elements) || self.scan_goods(text, 1)
        };
        if is_counted || self.open_called(&text.to_lowercase()) {
            return;
        }
        let wanted = self.search_term(text);
        let own = wanted.id().filter(|_| wanted.is_own());
        if let Some(id) = own.filter(|id| self.shared.dispatch.lists(*id)) {
            return self.show_found(id);
        }
        self.search.number = searched_number(&elements).map(str::to_owned);
        self.search_here(text);
    }

    fn search_here(&mut self, text: &str) {
        text.clone_into(&mut self.search.text);
        let wanted = self.search_term(text);
        let list = self.shared.dispatch.unmanifested.value();
        let list = list.cloned().unwrap_or_default();
        let here = self.work.reads().search_local(wanted, list);
        self.search.here.start(here);
    }

    /// Returns the term to search for. For the address of a tracking page, this is the token in the address.
    fn search_term(&self, text: &str) -> SearchTerm {
        let token = self.shared.session.tracking.token_from_url(text);
        SearchTerm {
            text: token.unwrap_or(text).to_owned(),
            is_token: token.is_some(),
        }
    }

    /// Shows the consignments that match exactly, on Dispatch or else on Track. Without an exact match, shows partial
    /// matches: on Dispatch, else among the drafts, else on Track. If nothing matches, asks the service.
    pub(super) fn here_came(&mut self) {
        let Some(Ok(here)) = self.search.here.take() else {
            let text = std::mem::take(&mut self.search.text);
            return self.ask_service_for(&text);
        };
        let exact = here.exact.iter().map(|one| one.id);
        let listed = exact.filter(|id| self.shared.dispatch.lists(*id)).max();
        if let Some(id) = listed.or(here.listed) {
            self.search = Search::default();
            return self.show_found(id);
        }
        if !here.exact.is_empty() {
            return self.show_tracked_matches(&here.exact);
        }
        let wanted = self.search.text.to_lowercase();
        if self.open_found(|draft| is_like(draft, &wanted)) {
            self.search = Search::default();
        } else if here.by_words.is_empty()
            && let Some(number) = self.search.number.take()
        {
            // The whole barcode names nothing, so the number in it is searched.
            if self.open_called(&number.to_lowercase()) {
                self.search = Search::default();
            } else {
                self.search_here(&number);
            }
        } else if here.by_words.is_empty() {
            let text = std::mem::take(&mut self.search.text);
            self.ask_service_for(&text);
        } else {
            self.show_tracked_matches(&here.by_words);
        }
    }

    /// Makes Dispatch scroll to a consignment. The new count makes Dispatch scroll even if the consignment
    /// is the same.
    pub(super) fn reveal(&mut self, id: ConsignmentId) {
        let before = self.shared.search.found.map_or(0, |(count, _)| count);
        self.shared.search.found = Some((before + 1, id));
    }

    fn show_found(&mut self, id: ConsignmentId) {
        self.reveal(id);
        self.scan_found();
        self.shared.screen = Screen::Dispatch;
    }

    /// Removes the message about an earlier scan, and plays the sound for found.
    pub(crate) fn scan_found(&mut self) {
        self.shared.search.not_found = None;
        self.sound(ScanSound::Found);
    }

    /// Handles the scanned SKU of a saved item while Consign is shown: increases the quantity of its line by so many pieces,
    /// or adds a line. Returns whether the text was such a SKU.
    fn scan_goods(&mut self, text: &str, pieces: u32) -> bool {
        if self.shared.screen != Screen::Consign {
            return false;
        }
        for _ in 0..pieces {
            match self.editing.draft.scan(text, &self.shared.catalogue.items) {
                ScanOutcome::Unknown => return false,
                ScanOutcome::QuantityNotANumber(line) => {
                    self.scan_not_counted(text.to_owned(), line);
                    return true;
                }
                ScanOutcome::CountedUp(_) | ScanOutcome::Added(_) => {}
            }
        }
        self.scan_found();
        true
    }

    /// Shows, until it is dismissed, that the quantity of a line (from 0) can't be increased.
    pub(crate) fn scan_not_counted(&mut self, sku: String, line: usize) {
        self.shared.search.not_found = None;
        self.shared.consign.not_counted = Some((sku, line));
        self.sound(ScanSound::NotFound);
    }

    /// Handles the GTIN of a scanned GS1 barcode while Consign is shown, as often as the barcode counts pieces. An SKU may be
    /// the GTIN without its leading zeros. Returns whether a saved item has this SKU.
    fn scan_item(&mut self, elements: &[Element]) -> bool {
        let Some(gtin) = scanned_gtin(elements) else {
            return false;
        };
        let Some(pieces) = self.scanned_pieces(elements) else {
            return true;
        };
        [gtin, gtin.trim_start_matches('0')]
            .into_iter()
            .any(|sku| self.scan_goods(sku, pieces))
    }

    /// Returns how many pieces a GS1 barcode counts. Returns `None` and shows a notice if that can't be right.
    pub(crate) fn scanned_pieces(&mut self, elements: &[Element]) -> Option<u32> {
        let count = value_of(elements, ApplicationIdentifier::Count);
        let count = count.and_then(|count| count.parse().ok()).unwrap_or(1);
        if (1..=MOST_COUNTED).contains(&count) {
            return Some(count);
        }
        let headline = format!("{count} pieces were not added");
        let advice = format!("A barcode can add 1 to {MOST_COUNTED}. Type the quantity");
        self.notify(Notice::new(Tone::Warning, headline, advice));
        self.sound(ScanSound::NotFound);
        None
    }

    /// Opens the draft with this name, in lower case. An order whose reference it is begins to be packed by scan. Returns
    /// whether there is such a draft.
    fn open_called(&mut self, wanted: &str) -> bool {
        let is_open = self.open_found(|draft| is_called(draft, wanted));
        if is_open {
            self.begin_packing_of(wanted);
        }
        is_open
    }

    /// Opens the first draft for which `is_it` returns true. Returns whether there is such a draft.
    fn open_found(&mut self, is_it: impl Fn(&Draft) -> bool) -> bool {
        let is_open = is_it(&self.editing.draft);
        let found = self.shared.consign.drafts.iter().find(|draft| is_it(draft));
        let found = found.map(|draft| draft.id.clone());
        if !is_open && let Some(id) = &found {
            self.run_consign(ConsignCommand::OpenDraft(id.clone()));
        }
        let shown = is_open || found.is_some();
        if shown {
            self.scan_found();
            self.shared.screen = Screen::Consign;
        }
        shown
    }

    /// Lists exactly the found consignments on Track. If there is only one, opens its page.
    pub(super) fn show_tracked_matches(&mut self, found: &[Arc<ConsignmentRow>]) {
        let text = std::mem::take(&mut self.search).text;
        self.shared.search.searching_for = None;
        self.scan_found();
        self.shared.search.failures.clear();
        if let [one] = found {
            self.show_page(one.id, one.number.clone());
        } else {
            self.run_track(TrackCommand::Close);
            self.show_found_rows(text);
        }
    }

    /// Shows a consignment on Track, with its page open.
    pub(crate) fn show_page(&mut self, id: ConsignmentId, number: String) {
        self.show_found_rows(number);
        self.run_track(TrackCommand::Open(id));
    }

    /// Asks the service for a text by each kind of number that the text may be.
    pub(crate) fn ask_service_for(&mut self, text: &str) {
        let wanted = self.search_term(text.trim());
        self.search = Search {
            text: text.trim().to_owned(),
            ..Search::default()
        };
        if !wanted.can_be_asked() {
            return self.show_no_match(Vec::new());
        }
        self.shared.search.searching_for = Some(self.search.text.clone());
        let asked = self.work.reads().search_service(wanted);
        self.search.asked.start(asked);
    }

    pub(crate) fn service_answered(&mut self) {
        self.shared.search.searching_for = None;
        match self.search.asked.take() {
            Some(Ok(ServiceMatches { found, failed })) if found.is_empty() => {
                self.show_no_match(failure_messages(&failed));
            }
            Some(Ok(ServiceMatches { found, failed })) => {
                self.clear_notice(NOT_BY_ALL);
                if !failed.is_empty() {
                    let advice = failure_messages(&failed).join(". ");
                    self.notify(Notice::new(Tone::Warning, NOT_BY_ALL, advice));
                }
                self.show_tracked_matches(&found);
            }
            Some(Err(problem)) => {
                let advice = Notice::failed("", &problem).advice;
                self.show_no_match(vec![advice]);
            }
            None => {}
        }
    }

    /// Shows that there is no match, until the clerk acknowledges the message. `not_asked` lists the
    /// failed search requests.
    fn show_no_match(&mut self, not_asked: Vec<String>) {
        let text = std::mem::take(&mut self.search).text;
        self.shared.search.failures = not_asked;
        self.scan_not_found(text);
    }

    /// Shows, until it is dismissed, that nothing matches the text.
    pub(crate) fn scan_not_found(&mut self, text: String) {
        self.shared.search.not_found = Some(text);
        self.sound(ScanSound::NotFound);
    }
}

/// Returns whether the text equals any name of the draft: a reference, the receiver, its number at the
/// service, or the number of the consignment that it changes.
pub(crate) fn is_called(draft: &Draft, wanted: &str) -> bool {
    names(draft).any(|name| name.trim().to_lowercase() == wanted)
}

/// Returns whether any name of the draft begins with the text, or the receiver's name contains the text.
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

/// Returns a message for each failure, or a single message if all have the same cause.
fn failure_messages(failed: &[(&'static str, EngineError)]) -> Vec<String> {
    let advice = |error: &EngineError| Notice::failed("", error).advice;
    let Some((_, first)) = failed.first() else {
        return Vec::new();
    };
    let first = advice(first);
    if failed.iter().all(|(_, error)| advice(error) == first) {
        return vec![first];
    }
    let each = failed.iter();
    each.map(|(what, error)| format!("{what}: {}", advice(error)))
        .collect()
}
