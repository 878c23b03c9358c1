//! Suggestions and reference data for the screens: receivers, saved items, suburbs, carriers and UN numbers.
//!
//! A UN number is asked for once, and again only after a failure or when its answer is too old. State that
//! the screens read is written only if it has changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::core::Core;
use draft::{Draft, Receiver, SavedItem};
use engine::{Suggestions, UnNumberAnswer};
use shipping::{Carrier, CompanyId, UnNumber};

/// How long a UN number of four digits must stay unchanged before the service is asked for it.
const ASK_AFTER: Duration = Duration::from_millis(150);

/// Longer wait for a shorter number, because the clerk may still be typing.
const ASK_SHORT_AFTER: Duration = Duration::from_secs(1);

/// How long the service's answer about a UN number is used.
const MAX_ANSWER_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// State of companies, suggestions and reference data that the screens do not read.
#[derive(Default)]
pub(super) struct CatalogueUpdate {
    /// The token's own company, from the answer to a create that named no company.
    pub(super) told: Option<CompanyId>,
    /// The company for which the shown locations were fetched.
    #[expect(
        clippy::option_option,
        reason = "a company's, the token's own, or none yet"
    )]
    pub(super) locations_of: Option<Option<CompanyId>>,
    /// Receivers and saved items of all companies.
    pub(super) receivers: Arc<Vec<Receiver>>,
    pub(super) items: Arc<Vec<SavedItem>>,
    /// When the service answered for each number.
    said: HashMap<UnNumber, Timestamp>,
    /// Numbers in the draft that the service is to be asked for.
    wanted: Vec<UnNumber>,
    /// When the service is asked for the wanted numbers.
    pub(super) ask_due: Option<Duration>,
    /// Numbers whose lookup failed.
    in_vain: HashSet<UnNumber>,
    /// The carriers of each company, as last known.
    carriers: HashMap<CompanyId, Arc<Vec<Carrier>>>,
    /// The company whose carriers are shown.
    company: Option<CompanyId>,
    /// Data that the draft's check depends on has changed.
    pub(super) news: bool,
}

impl CatalogueUpdate {
    fn wants(&self, number: UnNumber, now: Timestamp) -> bool {
        let said = self.said.get(&number);
        let fresh = said.is_some_and(|said| now.duration_since(*said) < MAX_ANSWER_AGE);
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
            self.catalogue.receivers = receivers;
        }
        if let Some(items) = known.items {
            self.catalogue.items = items;
        }
        self.show_suggestions();
        if has_items {
            self.recall_items();
        }
        for (company, carriers) in known.carriers {
            self.catalogue.carriers.entry(company).or_insert(carriers);
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
        if self.catalogue.company != self.shared.session.company {
            self.catalogue.company = self.shared.session.company;
            self.show_carriers();
            self.fetch_carriers();
        }
    }

    fn show_carriers(&mut self) {
        let of = self.catalogue.company;
        let known = of.and_then(|company| self.catalogue.carriers.get(&company));
        let shown = known.map(Arc::clone).unwrap_or_default();
        if shown != self.shared.catalogue.carriers {
            self.shared.catalogue.carriers = shown;
            self.catalogue.news = true;
        }
    }

    fn fetch_carriers(&mut self) {
        // This drops a reply for another company.
        self.shared.catalogue.carrier_list.clear();
        if let Some(company) = self.catalogue.company {
            let carriers = self.work.reads().carriers(company);
            self.shared.catalogue.carrier_list.start(carriers);
        }
    }

    pub(super) fn carriers_came(&mut self) {
        let carriers = self.shared.catalogue.carrier_list.value();
        if let (Some(company), Some(carriers)) = (self.catalogue.company, carriers) {
            let carriers = Arc::clone(carriers);
            self.catalogue.carriers.insert(company, carriers);
            self.show_carriers();
        }
    }

    pub(super) fn un_numbers_came(&mut self) {
        let lookup = &mut self.shared.catalogue.un_lookup;
        if lookup.is_loading() {
            return;
        }
        if lookup.problem().is_some() {
            let asked = std::mem::take(&mut self.catalogue.wanted);
            self.catalogue.in_vain.extend(asked);
        } else if let Some(Ok(found)) = lookup.take() {
            self.catalogue.wanted.clear();
            self.un_numbers_found(found);
        }
    }

    fn un_numbers_found(&mut self, found: Vec<UnNumberAnswer>) {
        if found.is_empty() {
            return;
        }
        let known = Arc::make_mut(&mut self.shared.catalogue.un_numbers);
        let said = &mut self.catalogue.said;
        for answer in found {
            let before = said.get(&answer.number);
            if before.is_none_or(|before| *before <= answer.at) {
                said.insert(answer.number, answer.at);
                known.insert(answer.number, answer.entries);
            }
        }
        self.catalogue.news = true;
    }

    /// Asks the service for unknown UN numbers of the draft once they have stayed unchanged for a while. The
    /// last failure is cleared once the draft no longer has the numbers that failed.
    pub(super) fn watch_un_numbers(&mut self, at: Duration) {
        if self.shared.catalogue.un_lookup.is_loading() {
            return;
        }
        let now = self.shared.now;
        let draft = &self.editing.draft;
        let in_vain = &mut self.catalogue.in_vain;
        if !in_vain.is_empty() {
            let here: HashSet<_> = typed(draft).map(|(number, _)| number).collect();
            in_vain.retain(|number| here.contains(number));
            if in_vain.is_empty() {
                self.shared.catalogue.un_lookup.clear();
            }
        }
        let mut wanted = Vec::new();
        let mut wait = ASK_AFTER;
        for (number, digits) in typed(draft) {
            if self.catalogue.wants(number, now) && !wanted.contains(&number) {
                wanted.push(number);
                if digits < 4 {
                    wait = ASK_SHORT_AFTER;
                }
            }
        }
        if wanted != self.catalogue.wanted {
            self.catalogue.ask_due = (!wanted.is_empty()).then(|| at + wait);
            self.catalogue.wanted = wanted;
        }
        if self.catalogue.ask_due.is_some_and(|due| due <= at) {
            self.catalogue.ask_due = None;
            let lookup = self.work.reads().un_numbers(self.catalogue.wanted.clone());
            self.shared.catalogue.un_lookup.start(lookup);
        }
    }

    /// Makes the next turn check the open draft again, although nothing was typed into it.
    pub(super) const fn request_check(&mut self) {
        self.catalogue.news = true;
    }

    pub(super) fn retry_lookups(&mut self) {
        if self.shared.catalogue.un_lookup.problem().is_some() {
            self.shared.catalogue.un_lookup.clear();
            self.catalogue.in_vain.clear();
            self.catalogue.wanted.clear();
        }
        if self.shared.catalogue.carrier_list.problem().is_some() {
            self.fetch_carriers();
        }
    }
}
