//! The lists that forms offer: the companies, the suburbs, the UN numbers, and the saved locations, carriers,
//! receivers and saved items of the company that the bench works for.
//!
//! Invariant: everything fetched for one company is cleared before the bench works for another, so that a late answer
//! is never shown for the wrong company. The service is asked for a UN number only once, unless the request failed or
//! its answer is too old.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::core::Core;
use crate::state::{Notice, NoticeTarget, Tone};
use draft::{Draft, Party, Receiver, SavedItem};
use engine::{Suggestions, UnNumberAnswer};
use shipping::{Carrier, Company, CompanyId, CompanyLocation, CompanyLocationId, UnNumber};

/// The headline while the bench does not know which company it works for.
const PICK_COMPANY: &str = "Which company do you work for?";

impl Core {
    /// Sets the company to work for, as the clerk picked it. The open draft changes to that company, too, except a
    /// draft that changes an existing consignment.
    pub(super) fn pick_company(&mut self, company: CompanyId) {
        self.setup.settings.set_company(company);
        self.setup.write();
        self.setup.show(&mut self.shared);
        let untouched = !self.editing.is_dirty();
        if self.editing.draft.edits.is_none() {
            self.editing.draft.company = Some(company);
            self.drop_prices();
        }
        if untouched && self.editing.draft.is_blank() {
            // Nothing was typed: there is nothing to save.
            self.editing.mark_kept();
        }
        self.settle_company();
    }

    pub(super) fn fetch_companies(&mut self) {
        let companies = self.work.reads().companies();
        self.shared.catalogue.companies.start(companies);
    }

    /// Fetches the saved locations of the company that the bench works for.
    pub(super) fn fetch_locations(&mut self) {
        let company = self.shared.session.company;
        if self.catalogue.locations_of != Some(company) {
            self.catalogue.locations_of = Some(company);
            self.shared.catalogue.locations.clear();
        }
        let locations = self.work.reads().locations(company);
        self.shared.catalogue.locations.start(locations);
    }

    /// Works out which company the bench works for: the picked company, else the token's own. Asks the clerk
    /// if neither is known.
    pub(super) fn settle_company(&mut self) {
        let listed = self.shared.catalogue.companies.value();
        let own = listed.and_then(|companies| top_company(companies));
        let own = self.catalogue.told.or(own);
        let picked = self.setup.settings.company();
        let is_listed = |id: &CompanyId| {
            listed.is_none_or(|companies| companies.iter().any(|one| one.id == *id))
        };
        let company = match picked {
            Some(_) => picked.filter(is_listed),
            None => own,
        };
        let is_open = company.is_none() && listed.is_some_and(|companies| !companies.is_empty());
        self.shared.session.own_company = own;
        self.ask_for_company(is_open, picked);
        if self.shared.session.company != company {
            self.shared.session.company = company;
            self.clear_groups();
            self.show_suggestions();
            self.refresh_unmanifested();
        }
        self.request_check();
    }

    fn ask_for_company(&mut self, is_open: bool, picked: Option<CompanyId>) {
        let mut shown = self.shared.notices.shown.iter();
        let is_asked = shown.any(|(_, notice)| notice.headline == PICK_COMPANY);
        if !is_open {
            self.clear_notice(PICK_COMPANY);
        } else if !is_asked {
            let unknown =
                "The service doesn't say which company is your token's default. Pick it once";
            let advice = match picked {
                Some(company) => format!("Your token can't use company {company}. Pick another"),
                None => unknown.to_owned(),
            };
            let notice = Notice::new(Tone::Warning, PICK_COMPANY, advice);
            self.notify(notice.with_target(NoticeTarget::Company));
        }
    }

    /// Fetches the saved locations and the carriers of a new company. Waits until the company is known, or the
    /// request for the list of companies has ended.
    pub(super) fn follow_company(&mut self) {
        let companies = &self.shared.catalogue.companies;
        let is_settled = self.shared.session.company.is_some()
            || companies.value().is_some()
            || companies.problem().is_some();
        if is_settled && self.catalogue.locations_of != Some(self.shared.session.company) {
            self.fetch_locations();
        }
        self.follow_carriers();
    }

    /// Offers as suggestions the receivers and saved items of the company, and those whose company is not known.
    pub(super) fn show_suggestions(&mut self) {
        let company = self.shared.session.company;
        self.shared.catalogue.receivers =
            of_company(&self.catalogue.receivers, company, |one| one.company);
        self.shared.catalogue.items = of_company(&self.catalogue.items, company, |one| one.company);
    }

    /// Clears all prices, because they apply to one company only.
    fn drop_prices(&mut self) {
        self.consign.routes_for = None;
        self.shared.consign.routes.clear();
        self.shared.consign.live_prices.clear();
        self.editing.route_change = None;
    }

    /// Returns the next draft: for the company that the clerk picked, with the bench's default sender, or
    /// else with the sender of the open draft.
    pub(super) fn next_draft(&self) -> Draft {
        let mut next = Draft {
            company: self.setup.settings.company(),
            ..self.editing.draft.next()
        };
        if let Some(sender) = self.default_sender() {
            next.from = Party::default();
            next.from.set_location(sender);
        }
        next
    }

    fn default_sender(&self) -> Option<&CompanyLocation> {
        let senders = self.setup.settings.default_senders();
        let mut locations = self.shared.catalogue.locations.value()?.iter();
        locations.find(|location| senders.contains(&location.id))
    }

    /// Applies a changed list of locations: a draft without typed text gets the default sender.
    pub(super) fn locations_came(&mut self) {
        let sender = self.default_sender().cloned();
        self.shared.catalogue.sender = sender.as_ref().map(|sender| sender.id);
        let draft = &self.editing.draft;
        let is_untouched = !self.editing.is_dirty() && draft.is_blank();
        let company = self.shared.session.company;
        let is_open = match &draft.from.saved {
            Some(saved) => saved.company.is_some() && saved.company != company,
            None => draft.from == Party::default(),
        };
        if let Some(sender) = sender.filter(|_| is_untouched && is_open) {
            self.editing.draft.from = Party::default();
            self.editing.draft.from.set_location(&sender);
            self.editing.mark_kept();
            self.editing.notice_change();
            self.request_check();
        }
    }

    pub(super) fn pick_sender(&mut self, sender: Option<CompanyLocationId>) {
        let locations = self.shared.catalogue.known_locations().iter();
        let ids: Vec<_> = locations.map(|location| location.id).collect();
        self.setup.settings.set_default_sender(sender, &ids);
        self.setup.write();
        self.locations_came();
    }

    /// Sets the company of a draft for the bench's company to the company that the clerk picked. If no company was
    /// picked, the draft names no company, and the service uses the token's own.
    pub(super) fn set_draft_company(&self, draft: &mut Draft) {
        let company = draft.company.or(self.shared.session.own_company);
        if draft.edits.is_none() && (company.is_none() || company == self.shared.session.company) {
            draft.company = self.setup.settings.company();
        }
    }
}

/// Returns the only company whose parent is not in the list. The list contains the token's own company and
/// the companies below it.
fn top_company(companies: &[Company]) -> Option<CompanyId> {
    let is_top = |company: &&Company| {
        let parent = company.parent_company_id;
        parent.is_none_or(|parent| companies.iter().all(|one| one.id != parent))
    };
    let mut tops = companies.iter().filter(is_top);
    let top = tops.next()?;
    tops.next().is_none().then_some(top.id)
}

/// Returns the entries of a company and entries without a company, or all entries if `company` is `None`.
fn of_company<T: Clone>(
    all: &Arc<Vec<T>>,
    company: Option<CompanyId>,
    of: impl Fn(&T) -> Option<CompanyId>,
) -> Arc<Vec<T>> {
    let fits = |one: &&T| company.is_none() || of(one).is_none_or(|of| Some(of) == company);
    if all.iter().all(|one| fits(&one)) {
        return Arc::clone(all);
    }
    Arc::new(all.iter().filter(fits).cloned().collect())
}

/// How long a UN number of four digits must stay unchanged before the service is asked for it.
const ASK_AFTER: Duration = Duration::from_millis(150);

/// Longer wait for a shorter number, because the clerk may still be typing.
const ASK_SHORT_AFTER: Duration = Duration::from_secs(1);

/// How long the service's answer about a UN number is used.
const MAX_ANSWER_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// State of companies, suggestions and reference data that the screens do not read.
#[derive(Default)]
pub(super) struct CatalogueUpdate {
    /// The token's own company, from the answer to a create request that named no company.
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
    /// Time of the service's last answer for each UN number.
    said: HashMap<UnNumber, Timestamp>,
    /// UN numbers of the draft that will be looked up at the service.
    wanted: Vec<UnNumber>,
    /// When the wanted numbers are looked up.
    pub(super) ask_due: Option<Duration>,
    /// Numbers whose lookup failed.
    in_vain: HashSet<UnNumber>,
    /// The carriers of each company, as last known.
    carriers: HashMap<CompanyId, Arc<Vec<Carrier>>>,
    /// The company whose carriers are shown.
    company: Option<CompanyId>,
    /// True if data that the draft's check depends on has changed.
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
    /// Stores new suggestions and reference data from the engine.
    pub(super) fn update_reference_data(&mut self, known: Suggestions) {
        if let Some(suburbs) = known.suburbs {
            self.shared.catalogue.suburbs = suburbs;
        }
        let has_items = known.items.is_some();
        if let Some(receivers) = known.receivers {
            self.catalogue.receivers = receivers;
        }
        if let Some(items) = known.items {
            self.items_restored();
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

    /// Fills saved items into the open draft, which may have been opened before they were known. The draft does not
    /// become unsaved by this.
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
        // Clearing the list also drops the answer to a running request for another company.
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

    /// Looks up unknown UN numbers of the draft at the service once the numbers have not changed for a while. Clears
    /// the failure of a lookup once the draft no longer contains the numbers that failed.
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
