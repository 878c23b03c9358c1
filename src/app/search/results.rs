//! Shows tracked consignments that a search found, and asks the service if nothing on the bench matches.

use std::sync::Arc;

use super::{Core, Search};
use crate::state::{ConsignmentRow, Notice, Tone, TrackCommand};
use engine::{EngineError, ServiceMatches};
use shipping::ConsignmentId;

/// Headline of the notice that some of the questions to the service failed.
const NOT_BY_ALL: &str = "The search at the service is incomplete";

impl Core {
    /// Lists exactly the consignments found on Track, and opens the page if there is only one.
    pub(super) fn show_tracked_matches(&mut self, found: &[Arc<ConsignmentRow>]) {
        let text = std::mem::take(&mut self.search).text;
        self.shared.search.searching_for = None;
        self.shared.search.not_found = None;
        self.shared.search.failures.clear();
        if let [one] = found {
            self.show_page(one.id, one.number.clone());
        } else {
            self.run_track(TrackCommand::Close);
            self.show_found_rows(text);
        }
    }

    /// Shows a consignment on Track, with its page open.
    pub(crate) fn show_on_track(&mut self, id: ConsignmentId) {
        self.show_page(id, format!("MS{id}"));
    }

    fn show_page(&mut self, id: ConsignmentId, number: String) {
        self.show_found_rows(number);
        self.run_track(TrackCommand::Open(id));
    }

    /// Asks the service, because nothing on the bench matches. The screen shows that.
    pub(super) fn ask_service_for_found(&mut self) {
        let text = std::mem::take(&mut self.search.text);
        self.ask_service_for(&text);
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

    pub(super) fn service_answered(&mut self) {
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

    /// Shows that there is no match, until the clerk acknowledges it. `not_asked` has the failures that kept
    /// the service from answering.
    fn show_no_match(&mut self, not_asked: Vec<String>) {
        let text = std::mem::take(&mut self.search).text;
        self.shared.search.failures = not_asked;
        self.shared.search.not_found = Some(text);
    }
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
