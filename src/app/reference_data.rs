//! Suggestions and reference data for the screens: receivers, saved items, suburbs, carriers and UN numbers.
//!
//! A UN number is asked for once, and again only after a failure or when its answer is too old. State that
//! the screens read is written only if it has changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::core::Core;
use draft::Draft;
use engine::{Suggestions, UnNumberAnswer};
use shipping::{Carrier, CompanyId, UnNumber};

/// How long a UN number of four digits must stay unchanged before the service is asked for it.
const ASK_AFTER: Duration = Duration::from_millis(150);

/// Longer wait for a shorter number, because the clerk may still be typing.
const ASK_SHORT_AFTER: Duration = Duration::from_secs(1);

/// How long the service's answer about a UN number is used.
const MAX_ANSWER_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// State of UN number and carrier lookups that the screens do not read.
#[derive(Default)]
pub(super) struct ReferenceData {
    /// When the service answered for each number.
    said: HashMap<UnNumber, Timestamp>,
    /// Numbers in the draft that the service is to be asked for.
    wanted: Vec<UnNumber>,
    /// When the service is asked for the wanted numbers.
    ask_due: Option<Duration>,
    /// Numbers whose lookup failed.
    in_vain: HashSet<UnNumber>,
    /// The carriers of each company, as last known.
    carriers: HashMap<CompanyId, Arc<Vec<Carrier>>>,
    /// The company whose carriers are shown.
    company: Option<CompanyId>,
    /// Data that the draft's check depends on has changed.
    news: bool,
}

impl ReferenceData {
    /// Returns when the service is next asked for numbers.
    pub(super) const fn due(&self) -> Option<Duration> {
        self.ask_due
    }

    /// Returns whether data that the draft's check depends on has changed since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    fn wants(&self, number: UnNumber, now: Timestamp) -> bool {
        let fresh = self
            .said
            .get(&number)
            .is_some_and(|said| now.duration_since(*said) < MAX_ANSWER_AGE);
        !fresh && !self.in_vain.contains(&number)
    }
}

/// Returns the readable UN numbers of a draft, each with its number of typed digits.
fn typed(draft: &Draft) -> impl Iterator<Item = (UnNumber, usize)> {
    let goods = draft.goods.iter().flat_map(|line| &line.dangerous);
    goods.filter_map(|good| Some((good.number()?, good.digits().len())))
}

impl Core {
    /// Takes over new suggestions and reference data from the engine.
    pub(super) fn update_reference_data(&mut self, known: Suggestions) {
        if let Some(suburbs) = known.suburbs {
            self.shared.catalogue.suburbs = suburbs;
        }
        let has_items = known.items.is_some();
        if let Some(receivers) = known.receivers {
            self.company_state.receivers = receivers;
        }
        if let Some(items) = known.items {
            self.company_state.items = items;
        }
        self.show_suggestions();
        if has_items {
            self.recall_items();
        }
        for (company, carriers) in known.carriers {
            self.reference_data
                .carriers
                .entry(company)
                .or_insert(carriers);
        }
        self.un_numbers_found(known.un_numbers);
        if self.shared.catalogue.carriers.is_empty() {
            self.show_carriers();
        }
    }

    /// Fills saved items into the open draft, which may have been opened before they were known. This does
    /// not count as typing.
    fn recall_items(&mut self) {
        let is_dirty = self.editing.is_dirty();
        self.editing.draft.recall(&self.shared.catalogue.items);
        if !is_dirty {
            self.editing.mark_kept();
        }
    }

    /// Shows and fetches the carriers of the bench's company once the company has changed.
    pub(super) fn follow_carriers(&mut self) {
        if self.reference_data.company != self.shared.session.company {
            self.reference_data.company = self.shared.session.company;
            self.show_carriers();
            self.fetch_carriers();
        }
    }

    fn show_carriers(&mut self) {
        let of = self.reference_data.company;
        let known = of.and_then(|company| self.reference_data.carriers.get(&company));
        let shown = known.map(Arc::clone).unwrap_or_default();
        if shown != self.shared.catalogue.carriers {
            self.shared.catalogue.carriers = shown;
            self.reference_data.news = true;
            self.match_live_prices();
        }
    }

    fn fetch_carriers(&mut self) {
        // This drops a reply for another company.
        self.shared.catalogue.carrier_list.clear();
        if let Some(company) = self.reference_data.company {
            let carriers = self.work.reads().carriers(company);
            self.shared.catalogue.carrier_list.start(carriers);
        }
    }

    /// Takes answers that have arrived.
    pub(super) fn poll_known(&mut self) {
        if self.shared.catalogue.carrier_list.poll()
            && let (Some(company), Some(carriers)) = (
                self.reference_data.company,
                self.shared.catalogue.carrier_list.value(),
            )
        {
            let carriers = Arc::clone(carriers);
            self.reference_data.carriers.insert(company, carriers);
            self.show_carriers();
        }
        if self.shared.catalogue.un_lookup.poll() && !self.shared.catalogue.un_lookup.is_loading() {
            if self.shared.catalogue.un_lookup.problem().is_some() {
                let asked = std::mem::take(&mut self.reference_data.wanted);
                self.reference_data.in_vain.extend(asked);
            } else if let Some(Ok(found)) = self.shared.catalogue.un_lookup.take() {
                self.reference_data.wanted.clear();
                self.un_numbers_found(found);
            }
        }
    }

    fn un_numbers_found(&mut self, found: Vec<UnNumberAnswer>) {
        if found.is_empty() {
            return;
        }
        let known = Arc::make_mut(&mut self.shared.catalogue.un_numbers);
        for UnNumberAnswer {
            number,
            entries,
            at,
        } in found
        {
            let newer = self
                .reference_data
                .said
                .get(&number)
                .is_none_or(|said| *said <= at);
            if newer {
                self.reference_data.said.insert(number, at);
                known.insert(number, entries);
            }
        }
        self.reference_data.news = true;
    }

    /// Asks the service for unknown UN numbers of the draft once they have stayed unchanged for a while. The
    /// last failure is cleared once its numbers are gone from the draft.
    pub(super) fn watch_un_numbers(&mut self, at: Duration) {
        if self.shared.catalogue.un_lookup.is_loading() {
            return;
        }
        let now = self.shared.now;
        let draft = &self.editing.draft;
        if !self.reference_data.in_vain.is_empty() {
            let here: HashSet<_> = typed(draft).map(|(number, _)| number).collect();
            self.reference_data
                .in_vain
                .retain(|number| here.contains(number));
            if self.reference_data.in_vain.is_empty() {
                self.shared.catalogue.un_lookup.clear();
            }
        }
        let mut wanted = Vec::new();
        let mut wait = ASK_AFTER;
        for (number, digits) in typed(draft) {
            if self.reference_data.wants(number, now) && !wanted.contains(&number) {
                wanted.push(number);
                if digits < 4 {
                    wait = ASK_SHORT_AFTER;
                }
            }
        }
        if wanted != self.reference_data.wanted {
            self.reference_data.ask_due = (!wanted.is_empty()).then(|| at + wait);
            self.reference_data.wanted = wanted;
        }
        if self.reference_data.ask_due.is_some_and(|due| due <= at) {
            self.reference_data.ask_due = None;
            let numbers = self.reference_data.wanted.clone();
            self.shared
                .catalogue
                .un_lookup
                .start(self.work.reads().un_numbers(numbers));
        }
    }

    /// Makes the next turn check the open draft again, although nothing was typed into it.
    pub(super) const fn request_check(&mut self) {
        self.reference_data.news = true;
    }

    /// Repeats lookups that failed.
    pub(super) fn retry_lookups(&mut self) {
        if self.shared.catalogue.un_lookup.problem().is_some() {
            self.shared.catalogue.un_lookup.clear();
            self.reference_data.in_vain.clear();
            self.reference_data.wanted.clear();
        }
        if self.shared.catalogue.carrier_list.problem().is_some() {
            self.fetch_carriers();
        }
    }
}
