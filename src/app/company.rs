//! The company that the bench works for, and what depends on it: saved locations, carriers, groups, saved
//! items, suggestions.
//!
//! Invariant: everything fetched for one company is cleared before the bench works for another, so that a
//! late answer is never shown for the wrong company.

use std::sync::Arc;

use super::core::Core;
use crate::state::{Notice, NoticeTarget, Tone};
use draft::{Draft, Party};
use shipping::{Company, CompanyId, CompanyLocation, CompanyLocationId};

/// The headline while the bench does not know which company it works for.
const PICK_COMPANY: &str = "Which company do you work for?";

impl Core {
    /// Sets the company to work for, as the clerk picked it. The open draft changes to that company, too,
    /// unless it changes an existing consignment.
    pub(super) fn pick_company(&mut self, company: CompanyId) {
        self.setup.settings.set_company(company);
        self.setup.write();
        self.setup.show(&mut self.shared.setup);
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

    /// Fetches again what depends on the company. Waits until the company is known, or the service has listed
    /// the companies or failed to.
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

    /// Suggests the receivers and saved items of the company, and entries whose company is not known.
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

    /// Sets the company of a draft for the bench's company to the company that the clerk picked. If none was
    /// picked, the draft names no company, and the service takes the token's own.
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

#[cfg(test)]
mod tests {
    use super::top_company;
    use shipping::{Company, CompanyId};

    fn company(id: i64, parent: Option<i64>) -> Company {
        Company {
            id: CompanyId::new(id),
            name: format!("Company {id}"),
            account_code: None,
            display_name: None,
            parent_company_id: parent.map(CompanyId::new),
        }
    }

    #[test]
    fn the_top_of_the_list_is_the_tokens_own_company_wherever_it_stands() {
        let (own, below) = (company(1, Some(9)), company(2, Some(1)));
        let other = company(3, None);
        let top = |list: &[&Company]| {
            let list: Vec<_> = list.iter().map(|one| (*one).clone()).collect();
            top_company(&list).map(CompanyId::get)
        };
        assert_eq!(top(&[&own, &below]), Some(1));
        assert_eq!(top(&[&below, &own]), Some(1));
        assert_eq!(top(&[&below, &own, &other]), None, "two could be it");
        assert_eq!(top(&[]), None);
    }
}
