//! Handlers of the operations, and the state that they share.
//!
//! A handler is a plain function that may block; the HTTP layer runs it outside the async threads. All writes
//! go through one store behind one lock, so two calls never interleave.

mod book;
mod carrier_references;
mod carrier_simulation;
mod companies;
mod create;
mod delete;
mod edit;
mod fetch;
mod find;
mod group;
mod labels;
mod live_pricing;
mod pending;
mod practice_controls;
mod prepare;
mod printing;
mod proofs;
mod routes;
mod statuses;
mod tracking_page;
mod un_numbers;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::catalogue::Catalogue;
use super::fault_injection::{FaultInjector, Snapshots};
use super::rules;
use super::simulation::SimulationSettings;
use super::status::ConsignmentRecord;
use super::store::{Store, User};
use super::wire::{Answer, Failure, Refusal, whole_number};
use shipping::Clock;

pub(crate) use book::manifest;
pub(crate) use companies::{companies, company_locations, ping, rate_cards};
pub(crate) use create::{create, create_complex};
pub(crate) use delete::delete;
pub(crate) use edit::{edit, for_edit};
pub(crate) use fetch::{consignment, recent};
pub(crate) use find::{
    by_carrier_id, by_carrier_id_fetched, by_ids, by_pending_id, by_pending_ids, by_reference1,
    by_reference2, unmanifested,
};
pub(crate) use group::{group_all_for_manifest, group_for_manifest};
pub(crate) use labels::item_labels;
pub(crate) use pending::{convert_pending, create_pending, delete_pending};
pub(crate) use practice_controls::{
    clear_faults, deliver_all, faults, set_carrier_speed, set_fault,
};
pub(crate) use printing::{group_for_printing, print_jobs, send_labels};
pub(crate) use proofs::{attachments, documents};
pub(crate) use routes::{routes, routes_complex};
pub(crate) use statuses::update_statuses;
pub(crate) use un_numbers::un_numbers;

/// State that all handlers share.
pub(crate) struct PracticeService {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) clock: Clock,
    pub(crate) pace: SimulationSettings,
    pub(crate) faults: Arc<FaultInjector>,
    /// Copies of the state from before recent changes, for lookups that must not show them
    /// yet (fault injection).
    pub(crate) past: Snapshots<PracticeService>,
    store: Mutex<Store>,
    change_lock: Mutex<()>,
}

/// One call of an operation: the user, the query and the body.
pub(crate) struct Call {
    pub(crate) user: User,
    /// Parameters in the order of the URL. A name can occur several times.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Handler of one operation.
pub(crate) type Handler = fn(&PracticeService, &Call) -> Result<Answer, Failure>;

impl PracticeService {
    pub(crate) fn new(
        catalogue: &Arc<Catalogue>,
        clock: &Clock,
        pace: SimulationSettings,
        store: Store,
        troubles: &Arc<FaultInjector>,
    ) -> Self {
        Self {
            catalogue: Arc::clone(catalogue),
            clock: clock.clone(),
            pace,
            faults: Arc::clone(troubles),
            past: Snapshots::default(),
            store: Mutex::new(store),
            change_lock: Mutex::new(()),
        }
    }

    /// Locks out other changes. The HTTP layer holds the guard while a handler that changes something runs,
    /// from its first read to its last write.
    pub(crate) fn lock_changes(&self) -> MutexGuard<'_, ()> {
        self.change_lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the store. A poisoned lock is safe to use: every change is one transaction, so a panic leaves no
    /// half-written change.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PracticeService {
    /// Returns the consignment if it belongs to the user's company or to a company below it.
    fn visible(&self, call: &Call, field: &str, id: i64) -> Result<ConsignmentRecord, Failure> {
        let companies = rules::company_and_descendants(&self.catalogue, call.user.company_id);
        let found = self.store().consignment(id)?;
        let found = found.filter(|tracked| companies.contains(&tracked.consignment.company_id));
        let missing = || Refusal::new(field, format!("Consignment {id} was not found"));
        Ok(found.ok_or_else(missing)?)
    }
}

impl Call {
    fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(&self.body)
            .map_err(|error| Failure::Unreadable(format!("The request could not be read: {error}")))
    }

    /// Reads the body as a record. Only a JSON object is accepted: serde would also read an array as the
    /// fields in their order.
    fn record<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        self.body::<Map<String, Value>>()?;
        self.body()
    }

    /// Reads the body as a list of JSON objects.
    fn records<T: DeserializeOwned>(&self) -> Result<Vec<T>, Failure> {
        self.body::<Vec<Map<String, Value>>>()?;
        self.body()
    }

    /// Reads ids from the body: a JSON array, or an object with the array in `ids`.
    fn ids(&self) -> Result<Vec<i64>, Failure> {
        let unreadable = |what: &str| Failure::Unreadable(format!("{what} is not a list of ids"));
        let body: Value = self.body()?;
        let list = body.get("ids").unwrap_or(&body);
        let values = list.as_array().ok_or_else(|| unreadable("The request"))?;
        let read =
            |value: &Value| whole_number(value).ok_or_else(|| unreadable(&value.to_string()));
        values.iter().map(read).collect()
    }

    /// Returns a query parameter, or `None` if it is blank. A parameter that is sent several times is
    /// refused, because it is not clear which value counts.
    fn query_text(&self, name: &str) -> Result<Option<&str>, Failure> {
        if self.query.iter().filter(|(known, _)| known == name).count() > 1 {
            return Err(Failure::Unreadable(format!(
                "{name} was sent several times"
            )));
        }
        Ok(self.query_texts(name).next())
    }

    /// Returns all values of a query parameter that are not blank.
    fn query_texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.query.iter().filter(move |(known, _)| known == name);
        named
            .map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
    }

    fn whole_number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let unreadable =
            |text: &str| Failure::Unreadable(format!("{name} must be a whole number, not {text}"));
        self.query_text(name)?
            .map(|text| text.parse().ok().ok_or_else(|| unreadable(text)))
            .transpose()
    }

    /// Reads a boolean query parameter. An absent parameter is false.
    fn query_flag(&self, name: &str) -> Result<bool, Failure> {
        match self.query_text(name)? {
            None => Ok(false),
            Some(text) if text.eq_ignore_ascii_case("true") || text == "1" => Ok(true),
            Some(text) if text.eq_ignore_ascii_case("false") || text == "0" => Ok(false),
            Some(text) => Err(Failure::Unreadable(format!(
                "{name} must be true or false, not {text}"
            ))),
        }
    }
}
